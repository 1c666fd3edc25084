"""Protects the server from pages of other sites and from oversized requests."""

from __future__ import annotations

import ipaddress
import socket

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 8 * 1024 * 1024
"""The most bytes of a request's body; a record with legal actions and positions has up to two million."""
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
"""Headers of every response: only the package's own scripts run, and no other site may embed or read anything."""


class Guard:
    """Refuses requests with a foreign Host or Origin, and bodies that are too large; adds `HEADERS` to answers.

    A request from a page of another site has either a foreign name in Host, if that name resolves to this machine, or
    the page's own origin in Origin.

    Args:
        app: what is guarded.
        host: the address on which the server listens.
    """

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        self._loopback = is_loopback(host)
        self._names = {"localhost"} if self._loopback else {"localhost", host.lower(), socket.gethostname().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._known(host):
            return await _refuse(scope, send, 421, "This server is not known by that name.")
        if origin is not None and origin.lower().partition("://")[2] != host.lower():
            return await _refuse(scope, send, 403, "Pages of other sites cannot use this server.")
        if scope["type"] == "websocket":
            return await self._app(scope, receive, send)
        foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if foreign and (scope["method"] != "GET" or headers.get("sec-fetch-mode") != "navigate"):  # a link leads here
            return await _refuse(scope, send, 403, "Pages of other sites cannot use this server.")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST:
            return await _refuse(scope, send, 413, f"A request may have at most {LARGEST} bytes.")
        received = 0

        async def limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > LARGEST:
                raise HTTPException(413, f"A request may have at most {LARGEST} bytes.")
            return message

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                more = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *(pair for pair in more if pair[0] not in present)]
            await send(message)

        await self._app(scope, limited, guarded)

    def _known(self, host: str) -> bool:
        """Whether a Host names this server: an address, or one of its names."""
        name = host.rpartition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]
        if name.lower() in self._names:
            return True
        return _is_address(name) and (not self._loopback or ipaddress.ip_address(name).is_loopback)


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    if host.lower() == "localhost":
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def _refuse(scope: Scope, send: Send, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": sentence})  # before it is accepted: a 403
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence.encode()})
