"""The server of `rc serve` as an ASGI application that connects pages with games and studies."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import fields
from functools import lru_cache, partial
from importlib import resources
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from rc_env import agents, checks
from rc_env.apps.table.game import YOU
from rc_env.apps.table.topics import FIRST_GAME, TOPICS, topic_of
from rc_env.apps.web import budgets, learn, teaching
from rc_env.apps.web.board import LAYOUTS
from rc_env.apps.web.branches import Branch
from rc_env.apps.web.budgets import Refused, object_of
from rc_env.apps.web.compiling import Builds
from rc_env.apps.web.guard import Guard, is_loopback
from rc_env.apps.web.kept import kept_branch, kept_levels
from rc_env.apps.web.live import GRACE
from rc_env.apps.web.opponents import LEVELS
from rc_env.apps.web.positions import Positions
from rc_env.apps.web.real import RealTables
from rc_env.apps.web.store import Gone, Store
from rc_env.apps.web.studies import Studies, Study, annotated_text, begun, picture, policies, standing
from rc_env.apps.web.table import Table
from rc_env.apps.web.tables import Tables
from rc_env.apps.web.workers import WorkerPool
from rc_env.render import board_svg
from rc_env.render.html import board_pieces, board_style
from rc_env.render.pieces import THEMES
from rc_env.rules.printed.sizes import ALL_DIE_NAMES
from rc_env.ruleset import Ruleset

STATIC = Path(str(resources.files("rc_env.apps.web"))) / "static"
PAGES = {
    "/": "setup.html", "/watch": "setup.html", "/game": "game.html", "/study": "study.html", "/table": "table.html",
    "/box": "box.html", "/position": "position.html",
}  # fmt: skip
OFFERED = (
    *("greedy", "all_rounder", "net", "search", "search:net=shipped", "rush", "majority", "guilds", "random"),
    LEVELS[-1].bot,
)
"""Bots that are offered, in this order; `rc serve --bots` adds others."""
_VARIANT = {
    one.name: type(one.default) for one in fields(Ruleset) if one.name not in ("data", "expansion_data", "reward")
}
"""The settings of a game that a request may name, with their types: data files are named by `BOX_FILES`."""
BOX_FILES = ("mine", "box")
"""The owner's data files, of the base game and of the expansion, as docs/how-to/cards.md calls them."""
MOST_SEED = 2**63
MOST_DECISIONS = 10**6
KEY_BYTES = 16
"""The random bytes of the key of a seat."""


class Server:
    """The application with its games and studies, which exist while it runs.

    Args:
        folder: the folder of the database.
        host: the address on which it listens.
        bots: bots of your own that are offered beside the usual ones.
        grace: seconds for which a game stays open without a tab that shows it.
        compile: whether all is compiled in the background from the start on.

    Attributes:
        app: the ASGI application.

    Raises:
        OSError: the folder cannot be made or written to.
    """

    def __init__(
        self, folder: Path, host: str = "127.0.0.1", bots: Sequence[str] = (), grace: float = GRACE, *,
        compile: bool = False,
    ) -> None:  # fmt: skip
        self._own, self._offered = tuple(bots), tuple(dict.fromkeys((*bots, *OFFERED)))
        self._loopback = is_loopback(host)
        self._clients = budgets.Clients(self._loopback)
        self._workers = WorkerPool()
        self._builds = Builds(self._workers, compile=compile)
        self.store = Store(folder)
        self.tables = Tables(self.store, self._workers, self._builds, self.allow, self._clients, grace)
        self.studies = Studies(self.store, self._workers)
        self.real = RealTables(self.store, self.tables, self._builds)
        self.positions = Positions(self.store, self.tables, self._workers)
        self.app: ASGIApp = Guard(
            Starlette(routes=self._routes(), lifespan=self._lifespan, exception_handlers={404: _nowhere}), host
        )

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        compiling = asyncio.create_task(self._builds.compile())
        try:
            yield
        finally:
            compiling.cancel()
            await self.tables.close()
            self.studies.close()
            await self.store.close()

    def allow(self, name: str) -> bool:
        """Refuse a bot that is not offered, or, if only this machine is served, no registered one with settings.

        Returns:
            Whether it may take as long as it wants for a decision, as those that the command line offers.

        Raises:
            Refused: it is not allowed.
        """
        if name not in self._offered and not (self._loopback and name.partition(":")[0] in agents.names()):
            raise Refused(
                f"bot {checks.shown(name)} is not offered: choose {checks.choice(self._offered)}; `rc serve --bots` "
                "offers others"
            )
        try:
            agents.of_file(name, "a request or a kept game", self._offered, f"`rc serve --bots {checks.cut(name)}`")
        except ValueError as error:
            raise Refused(str(error)) from None
        return name in self._own

    def _routes(self) -> list[Any]:
        pages = [Route(path, partial(_page, name)) for path, name in PAGES.items()]
        return [
            *pages,
            Route("/board.css", _board_style),
            Route("/pieces.svg", _pieces),
            Route("/learn", _learn),
            Route("/api/topics", _topics),
            Route("/api/what", _what),
            Route("/api/bots", self._answer(self._bots)),
            Route("/api/progress", self._answer(self._progress)),
            Route("/api/games", self._answer(self._listed)),
            Route("/api/games", self._answer(self._new_game), methods=["POST"]),
            Route("/api/records.zip", self._answer(self._records)),
            Route("/api/games/{game}", self._answer(self._delete), methods=["DELETE"]),
            Route("/api/games/{game}/again", self._answer(self._again), methods=["POST"]),
            Route("/api/games/{game}/record", self._answer(self._record)),
            Route("/api/games/{game}/board.svg", self._answer(self._game_picture)),
            Route("/api/games/{game}/board", self._answer(self._board_at)),
            WebSocketRoute("/api/games/{game}/live", self._live),
            Route("/api/games/{game}/position", self._answer(self._position), methods=["POST"]),
            Route("/api/games/{game}/position/chances", self._answer(self._chances), methods=["POST"]),
            Route("/api/games/{game}/position/play", self._answer(self._play_position), methods=["POST"]),
            Route("/api/tables", self._answer(self._setups)),
            Route("/api/tables", self._answer(self._save_setup), methods=["POST"]),
            Route("/api/tables/check", self._answer(self._check_setup), methods=["POST"]),
            Route("/api/tables/choices", self._answer(self._choices), methods=["POST"]),
            Route("/api/tables/play", self._answer(self._play_setup), methods=["POST"]),
            Route("/api/tables/{table}", self._answer(self._setup)),
            Route("/api/tables/{table}", self._answer(self._delete_setup), methods=["DELETE"]),
            Route("/api/box", self._answer(self._box)),
            Route("/api/box", self._answer(self._keep_box), methods=["POST"]),
            Route("/api/box/{file}.toml", self._answer(self._box_file)),
            Route("/api/studies", self._answer(self._new_study), methods=["POST"]),
            Route("/api/studies/{study}", self._answer(self._study)),
            Route("/api/studies/{study}/analysis", self._answer(self._analysis)),
            Route("/api/studies/{study}/game", self._answer(self._study_of_game)),
            Route("/api/studies/{study}/policies", self._answer(self._policies)),
            Route("/api/studies/{study}/record", self._answer(self._study_record)),
            Route("/api/studies/{study}/board.svg", self._answer(self._study_picture)),
            Route("/api/studies/{study}/branches", self._answer(self._branches)),
            Route("/api/studies/{study}/branches", self._answer(self._new_branch), methods=["POST"]),
            Route("/api/studies/{study}/play", self._answer(self._play_on), methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC, packages=[("rc_env.render", "static")])),
        ]

    def _answer(
        self, handle: Callable[[Request, bytes], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Answer a request when it is its client's turn; an error becomes a response with a sentence."""

        async def answer(request: Request) -> Response:
            try:
                with anyio.fail_after(budgets.REQUEST_SECONDS):
                    body = await request.body()
                return await self._clients.run(budgets.address(request), lambda: handle(request, body))
            except ClientDisconnect:
                return _sentence("The request was cut off.", 400)  # nobody reads it
            except TimeoutError:
                return _sentence(f"This takes longer than {budgets.REQUEST_SECONDS:g} seconds: ask for less.", 503)
            except OSError as error:
                return _sentence(f"{error}.", 507)
            except ValueError as error:
                return _sentence(str(error), 404 if isinstance(error, Refused) and request.method == "GET" else 400)

        return answer

    # --- games

    async def _bots(self, request: Request, body: bytes) -> Response:
        words = []
        for name in self._offered:
            known = name in agents.names()
            number = next((i for i, level in enumerate(LEVELS, 1) if level.bot == name), 0)
            level = LEVELS[number - 1].data(number) if number else None
            words.append({"name": name, "about": agents.about(name)[0] if known else "", "level": level})
        return JSONResponse(words)

    async def _progress(self, request: Request, body: bytes) -> Response:
        return JSONResponse(self._builds.progress())

    async def _listed(self, request: Request, body: bytes) -> Response:
        return JSONResponse({"games": await self.store.listed(), "open": len(self.tables.owners)})

    async def _new_game(self, request: Request, body: bytes) -> Response:
        asked = _object(body)
        ruleset = await anyio.to_thread.run_sync(lambda: _ruleset(asked.get("variant", {})))
        seats = _seats(asked.get("seats"), ruleset.players)
        people = [seat for seat, name in enumerate(seats) if name == YOU]
        keys = {seat: secrets.token_urlsafe(KEY_BYTES) for seat in people} if len(people) > 1 else {}
        client, seed, coach = budgets.address(request), _seed(asked.get("seed")), _coach(asked.get("coach", {}), people)
        name = await self.tables.create(ruleset, seats, seed, keys=keys, client=client, coach=coach)
        return JSONResponse({"id": name, "keys": keys}, 201)

    async def _again(self, request: Request, body: bytes) -> Response:
        asked = _object(body)
        deal, keys = asked.get("deal"), asked.get("keys", [])
        if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            raise Refused(f"keys must be those of seats, not {checks.shown(keys)}")
        if deal not in ("same", "new"):
            raise Refused(f"deal must be 'same' or 'new', not {checks.shown(deal)}")
        seed = None if deal == "same" else _seed(None)
        name = await self.tables.again(request.path_params["game"], seed, budgets.address(request), keys)
        return JSONResponse({"id": name}, 201)

    async def _delete(self, request: Request, body: bytes) -> Response:
        await self.tables.delete(request.path_params["game"], request.query_params.getlist("key"))
        return JSONResponse({})

    async def _records(self, request: Request, body: bytes) -> Response:
        headers = {"content-disposition": 'attachment; filename="red-cathedral-games.zip"'}
        return Response(await self.store.export(), media_type="application/zip", headers=headers)

    async def _record(self, request: Request, body: bytes) -> Response:
        name = request.path_params["game"]
        return _download(await self.tables.record(name), f"game-{name}.rcr")

    async def _game_picture(self, request: Request, body: bytes) -> Response:
        theme, name, keys = _theme(request), request.path_params["game"], request.query_params.getlist("key")

        def drawn(table: Table) -> str:
            position = table.game.position_at(table.game.played, table.seer(table.looker(keys)))
            return board_svg(table.game.ruleset, position, theme)

        return _picture(await self.tables.look(name, drawn))

    async def _board_at(self, request: Request, body: bytes) -> Response:
        layout, at = request.query_params.get("layout", "wide"), _number(request, "at", MOST_DECISIONS)
        if layout not in LAYOUTS:
            raise Refused(f"unknown layout {checks.shown(layout)}: choose {checks.choice(LAYOUTS)}")
        name, keys = request.path_params["game"], request.query_params.getlist("key")
        return JSONResponse(await self.tables.look(name, lambda table: table.board_at(at, layout, table.looker(keys))))

    async def _live(self, socket: WebSocket) -> None:
        await self.tables.serve(socket, socket.path_params["game"])

    # --- positions that are changed by hand

    async def _position(self, request: Request, body: bytes) -> Response:
        at, changes = _changed(body) if _object(body) else (None, {})
        return JSONResponse(await self.positions.show(request.path_params["game"], at, changes, _theme(request)))

    async def _chances(self, request: Request, body: bytes) -> Response:
        return JSONResponse(await self.positions.chances(request.path_params["game"], *_changed(body)))

    async def _play_position(self, request: Request, body: bytes) -> Response:
        name = await self.positions.play(request.path_params["game"], *_changed(body), budgets.address(request))
        return JSONResponse({"id": name}, 201)

    # --- real tables

    async def _setups(self, request: Request, body: bytes) -> Response:
        return JSONResponse(await self.store.setups())

    async def _setup(self, request: Request, body: bytes) -> Response:
        return JSONResponse(await self.real.found(request.path_params["table"]))

    async def _save_setup(self, request: Request, body: bytes) -> Response:
        asked = _object(body)
        variant, ruleset = await _variant(asked)
        name = asked.get("id")
        if name is not None and not isinstance(name, str):
            raise Refused(f"id must be that of a table, not {checks.shown(name)}")
        made = await self.real.save(name, asked.get("title"), variant, ruleset, asked.get("setup"))
        return JSONResponse({"id": made}, 201)

    async def _delete_setup(self, request: Request, body: bytes) -> Response:
        await self.store.delete_setup(request.path_params["table"])
        return JSONResponse({})

    async def _check_setup(self, request: Request, body: bytes) -> Response:
        asked = _object(body)
        _, ruleset = await _variant(asked)
        return JSONResponse(await self.real.check(ruleset, asked.get("setup")))

    async def _choices(self, request: Request, body: bytes) -> Response:
        _, ruleset = await _variant(_object(body))
        return JSONResponse(await self.real.choices(ruleset))

    async def _play_setup(self, request: Request, body: bytes) -> Response:
        asked = _object(body)
        _, ruleset = await _variant(asked)
        return JSONResponse({"id": await self.real.play(ruleset, asked.get("setup"), budgets.address(request))}, 201)

    async def _box(self, request: Request, body: bytes) -> Response:
        return JSONResponse(await self.real.box())

    async def _keep_box(self, request: Request, body: bytes) -> Response:
        asked = _object(body)
        await self.real.keep(asked.get("version"), asked.get("known"))
        return JSONResponse({})

    async def _box_file(self, request: Request, body: bytes) -> Response:
        name = request.path_params["file"]
        if name not in BOX_FILES:
            raise Refused(f"unknown file {checks.shown(name)}: choose {checks.choice(BOX_FILES)}")
        return _download(await self.real.file(name == "box"), f"{name}.toml")

    # --- studies

    async def _new_study(self, request: Request, body: bytes) -> Response:
        if request.headers.get("content-type", "").startswith("application/json"):
            name = _object(body).get("game")
            if not isinstance(name, str):
                raise Refused(f"game must be the id of a game, not {checks.shown(name)}")
            branch = kept_branch(await self.tables.kept(name))
            return JSONResponse(
                {"id": await self.studies.add(await self.tables.record(name), "this game", branch)}, 201
            )
        try:
            return JSONResponse({"id": await self.studies.add(body)}, 201)
        except Refused as refusal:
            return _sentence(f"{refusal}", 422)

    async def _found(self, request: Request) -> Study:
        return await self.studies.find(request.path_params["study"])

    async def _study(self, request: Request, body: bytes) -> Response:
        return JSONResponse((await self._found(request)).data)

    async def _analysis(self, request: Request, body: bytes) -> Response:
        study = await self._found(request)
        self.studies.begin(study, _number(request, "at", study.data["total"]))
        return JSONResponse(study.progress(_number(request, "from", study.data["total"])))

    async def _study_of_game(self, request: Request, body: bytes) -> Response:
        """Whether a study is still of what has been played in a game."""
        study = await self._found(request)
        record = await self.tables.record(request.query_params.get("id", ""))
        return JSONResponse({"state": standing(study.text, record)})

    async def _policies(self, request: Request, body: bytes) -> Response:
        study = await self._found(request)
        names = list(dict.fromkeys(name for name in request.query_params.getlist("bot") if name))[:2]
        if not names:
            raise Refused("Choose one or two bots.")
        free = [self.allow(name) for name in names]
        return JSONResponse(
            await self.studies.ask(policies, study.text, _number(request, "at", study.data["total"]), names, free)
        )

    async def _study_record(self, request: Request, body: bytes) -> Response:
        study = await self._found(request)
        text = await self.studies.ask(annotated_text, study.text, study.judgements)
        return _download(text, f"study-{study.name}.rcr")

    async def _study_picture(self, request: Request, body: bytes) -> Response:
        study = await self._found(request)
        at = _number(request, "at", study.data["total"])
        kept = study.judgements.get(str(at), {}).get("line", [])
        line = kept[: _number(request, "ahead", len(kept))]
        return _picture(await self.studies.ask(picture, study.text, at, line, _theme(request)))

    async def _branches(self, request: Request, body: bytes) -> Response:
        return JSONResponse(await self.store.branches(request.path_params["study"]))

    async def _new_branch(self, request: Request, body: bytes) -> Response:
        study, at = await self._found(request), _decision(_object(body))
        seats = [YOU] * study.data["players"]
        record = await self.studies.ask(begun, study.text, at, 0, seats[1:])
        await self.store.check_branches(study.name)
        ruleset, seed, client = record.ruleset, record.header["seed"], budgets.address(request)
        name = await self.tables.create(ruleset, seats, seed, record, client=client, branch=Branch(study.name, at))
        return JSONResponse({"id": name}, 201)

    async def _play_on(self, request: Request, body: bytes) -> Response:
        study, asked = await self._found(request), _object(body)
        at = _decision(asked)
        seats = _seats(asked.get("seats"), study.data["players"])
        if seats.count(YOU) != 1:
            raise Refused(f"One of the seats must be yours; seats is {', '.join(seats)}.")
        for name in seats:
            if name != YOU:
                self.allow(name)
        bots = [name for name in seats if name != YOU]
        record = await self.studies.ask(begun, study.text, at, seats.index(YOU), bots)
        ruleset, seed = record.ruleset, record.header["seed"]
        new_dice, client = asked.get("dice") == "new", budgets.address(request)
        coach: dict[int, str] = {}
        with suppress(Gone, ValueError):  # the game of the study may have been deleted, or be damaged
            levels = kept_levels(await self.tables.kept(str(asked.get("game"))))
            coach = {seat: level for seat, level in levels.items() if seat == seats.index(YOU)}
        name = await self.tables.create(ruleset, seats, seed, record, new_dice=new_dice, client=client, coach=coach)
        return JSONResponse({"id": name}, 201)


async def _nowhere(request: Request, error: Exception) -> Response:
    """The answer at an address that there is not."""
    if request.url.path.startswith("/api/"):
        return _sentence("This server has no such address.", 404)
    return FileResponse(STATIC / "nowhere.html", 404, media_type="text/html; charset=utf-8")


async def _page(name: str, request: Request) -> Response:
    if name == "game.html" and not request.query_params.get("id"):
        return RedirectResponse("/")
    return FileResponse(STATIC / name, media_type="text/html; charset=utf-8")


async def _learn(request: Request) -> Response:
    page = await anyio.to_thread.run_sync(learn.page, STATIC / "learn.html")
    return Response(page, media_type="text/html; charset=utf-8")


async def _topics(request: Request) -> Response:
    return JSONResponse({"topics": {name: topic._asdict() for name, topic in TOPICS.items()}, "first": FIRST_GAME})


async def _what(request: Request) -> Response:
    """What a place on the board is: the topic that explains it."""
    name = topic_of(request.query_params.get("place", "")[:80])
    topic = TOPICS.get(name)
    if topic is None:
        return JSONResponse(
            {"topic": "", "title": "This is part of the table", "text": "It has no meaning of its own."}
        )
    return JSONResponse({"topic": name, "title": topic.title, "text": topic.text})


async def _board_style(request: Request) -> Response:
    return Response(board_style(len(ALL_DIE_NAMES)), media_type="text/css")


async def _pieces(request: Request) -> Response:
    full, module = (request.query_params.get(name) == "true" for name in ("full", "contractors"))
    return _picture(board_pieces(full, module))


def _sentence(sentence: str, status: int) -> Response:
    return JSONResponse({"sentence": sentence}, status)


def _picture(svg: str) -> Response:
    return Response(svg, media_type="image/svg+xml")


def _download(text: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


def _theme(request: Request) -> str:
    theme = request.query_params.get("theme", "light")
    return theme if theme in THEMES else "light"


def _object(body: bytes) -> dict[str, Any]:
    """The JSON object of a request.

    Raises:
        Refused: the body is none, or holds half a character.
    """
    found = object_of(body)
    if found is None:
        raise Refused("The request is not a JSON object.")
    return found


def _changed(body: bytes) -> tuple[str, Any]:
    """What stands for the position that was changed, and its changes.

    Raises:
        Refused: the request has nothing that could stand for one, or something else.
    """
    asked = _object(body)
    for key in asked:
        if key not in ("at", "changes"):
            raise Refused(f"the request has no part {checks.shown(key)}: choose at or changes")
    at = asked.get("at")
    if type(at) is not str:
        raise Refused(f"at must be a text, as the position was given with it, not {checks.shown(at)}")
    return at, asked.get("changes", {})


def _number(request: Request, name: str, most: int) -> int:
    """A whole number from the query, from 0 to `most`."""
    text = request.query_params.get(name, "0")
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) <= most):
        raise Refused(f"{name} must be from 0 to {most}, not {checks.shown(text[:40])}")
    return int(text)


async def _variant(asked: Mapping[str, Any]) -> tuple[Mapping[str, Any], Ruleset]:
    """The settings of the variant in a request, and the variant.

    Raises:
        ValueError: there is no such variant.
    """
    variant = asked.get("variant", {})
    return variant, await anyio.to_thread.run_sync(lambda: _ruleset(variant))


def _ruleset(asked: Any) -> Ruleset:
    """The variant that a request names; equal variants share one object with its tables.

    Raises:
        ValueError: there is no such variant.
    """
    if not isinstance(asked, Mapping):
        raise Refused(f"variant must be its settings by name, not {checks.shown(asked)}")
    for name, value in asked.items():
        kind = _VARIANT.get(name)
        if kind is None:
            raise Refused(f"variant has no setting {checks.shown(name)}: choose {checks.choice(_VARIANT)}")
        if type(value) is not kind:
            expected = "a whole number" if kind is int else f"a {kind.__name__}"
            raise Refused(f"{name} must be {expected}, not {checks.shown(value)}")
    return _made(tuple(sorted(asked.items())))


@lru_cache(maxsize=64)
def _made(settings: tuple[tuple[str, Any], ...]) -> Ruleset:
    return Ruleset(**dict(settings))


def _decision(asked: Mapping[str, Any]) -> int:
    """The number of the decision that a request names, of whatever size.

    Raises:
        ValueError: it names none.
    """
    at = asked.get("at")
    if type(at) is not int:
        raise Refused(f"at must be the number of a decision, not {checks.shown(at)}")
    return at


def _seats(asked: Any, players: int) -> list[str]:
    """The player of each seat, from the request.

    Raises:
        Refused: too few or too many.
    """
    if not isinstance(asked, list) or not all(isinstance(name, str) for name in asked):
        raise Refused(f"seats must name {YOU!r} or a bot for each seat, not {checks.shown(asked)}")
    if len(asked) != players:
        raise Refused(f"seats must name {players}, one per seat; got {len(asked)}")
    return list(asked)


def _coach(asked: Any, people: Sequence[int]) -> dict[int, str]:
    """How a request sets the coach, by the seat of a person.

    Raises:
        Refused: there is no such person, or no such level.
    """
    if not isinstance(asked, Mapping) or not set(asked) <= {str(seat) for seat in people}:
        raise Refused(f"coach must be how it is set by the seat of a person, not {checks.shown(asked)}")
    for level in asked.values():
        if not isinstance(level, str) or level not in teaching.LEVELS:
            raise Refused(f"coach is {checks.choice(teaching.LEVELS)}, not {checks.shown(level)}")
    return {int(seat): level for seat, level in asked.items()}


def _seed(asked: Any) -> int:
    """The seed that a request names, or a new one."""
    if asked is None:
        return secrets.randbelow(10**6)
    if type(asked) is not int or not 0 <= asked < MOST_SEED:
        raise Refused(f"seed must be a whole number from 0 on, not {checks.shown(asked)}")
    return asked


def state_folder() -> Path:
    """The default folder for games and studies: the user's folder for program state."""
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "rc_env"
