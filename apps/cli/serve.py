"""Serve the pages for playing, watching and studying games. The command `rc serve`."""

from __future__ import annotations

import argparse
import logging
import socket

from rc_env import agents, files
from rc_env.agents.command_line import Listed
from rc_env.apps.cli.options import estimates, named
from rc_env.arena import locks


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc serve`."""
    parser.add_argument(
        "--port", type=int, default=8000, help="port to listen on; 0 chooses a free one (default: 8000)"
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="address to listen on (default: 127.0.0.1, which only this machine reaches); 0.0.0.0 for all of this "
        "machine's, at which people in the same network can play together: there are no passwords",
    )
    parser.add_argument(
        "--bots",
        nargs="+",
        action=Listed,
        default=[],
        metavar="BOT",
        help="bots that are offered beside the usual ones, named as for `rc arena`",
    )
    parser.add_argument(
        "--folder",
        type=named,
        metavar="DIR",
        help="folder for games and studies (default: rc_env in the folder for program state, such as ~/.local/state)",
    )


def main(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C; returns the exit code.

    Raises:
        ValueError: an argument is out of range, or a bot cannot be made, or another server uses the folder.
        OSError: the address cannot be used, or the folder cannot be written to.
    """
    if not 0 <= args.port < 2**16:
        raise ValueError(f"--port must be from 0 to {2**16 - 1}, not {args.port}")
    import uvicorn  # these need the extra `web`; the parser of all commands does not

    from rc_env.apps.web.app import Server, state_folder
    from rc_env.apps.web.guard import is_loopback

    logging.getLogger("asyncio").setLevel(logging.ERROR)  # it warns of each worker process that was ended
    for name in args.bots:
        agents.from_text(name)
    folder = files.make_folder(state_folder() if args.folder is None else args.folder)
    with locks.alone(folder, "--folder"):  # a second server would play on with a game that is over in this one
        server = Server(folder, args.host, args.bots, compile=True)
        listener = _listen(args.host, args.port)
        shown = _own_address() if args.host in ("0.0.0.0", "::") else args.host
        shown = f"[{shown}]" if ":" in shown else shown
        print(f"Play, watch and study at http://{shown}:{listener.getsockname()[1]}/ (Ctrl-C ends it).", flush=True)
        print("/learn there is the game in five minutes; docs/game.md has it, too, with a glossary.", flush=True)
        print(estimates().strip(), flush=True)
        if not is_loopback(args.host):
            print("Whoever reaches this address can use the page: there are no passwords.", flush=True)
        config = uvicorn.Config(
            server.app, log_level="warning", ws_max_size=65_536, timeout_graceful_shutdown=2, server_header=False
        )
        uvicorn.Server(config).run(sockets=[listener])
    return 0


def _own_address() -> str:
    """The address at which others in the network reach this machine, as far as it knows."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # chooses an address of this machine, and sends nothing
        except OSError:
            return socket.gethostname()
        return str(asked.getsockname()[0])


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        OSError: the address cannot be used.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()  # before it is announced
    except OSError as error:
        raise OSError(
            f"cannot listen on {host}, port {port}: {error.strerror}; choose another --host or --port"
        ) from None
    except (UnicodeError, OverflowError):
        raise ValueError(f"--host must be an address of this machine, not {host!r}") from None
    return listener
