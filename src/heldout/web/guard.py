"""Who may ask for what: the host that a request names, where it comes from, and its token; and the headers of answers."""

from __future__ import annotations

import hmac
import ipaddress
import socket
from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE = ("GET", "HEAD")
TOKEN = "heldout.token"
"""Where a request says whether it brought the token."""
PAGES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""The policy of the pages of the server: nothing inline, nothing from elsewhere."""
REPORTS = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""The policy of reports, which hold script of their own and may come from elsewhere: they have no origin, and no network."""
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}


class Guard:
    """Let requests through that come from the page itself, with the token where one is needed."""

    def __init__(self, app: ASGIApp, *, host: str, port: int, token: str) -> None:
        self.app, self.port, self.token = app, port, token
        self.everything = not is_loopback(host)
        """Whether the token is needed for looking too."""
        self.names = host_names(host)
        self.any_address = host in ("0.0.0.0", "::", "")
        self.cookie = f"heldout-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    own.setdefault(name, value)
                if "content-security-policy" not in own:
                    own["content-security-policy"] = PAGES
                    own["cross-origin-opener-policy"] = "same-origin"  # with a sandbox, browsers show nothing
            await send(message)

        await (refusal or self.app)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope, headers: Mapping[str, str]) -> Response | None:
        """The answer to a request that is not let through; the token of the address becomes a cookie here."""
        host = headers.get("host", "")
        if not self._is_ours(host):
            return PlainTextResponse("This server has another name: open the address that heldout serve printed.\n", 400)
        tokens = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        if scope["method"] == "GET" and scope["path"] == "/" and tokens and self._is_token(tokens[0]):
            answer = RedirectResponse("/", 303)
            answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
            return answer
        allowed = self._is_token(cookie_parser(headers.get("cookie", "")).get(self.cookie, ""))
        scope[TOKEN] = allowed
        if scope["method"] not in SAFE:
            if headers.get("origin") != f"http://{host}" or headers.get("sec-fetch-site", "same-origin") != "same-origin":
                return PlainTextResponse("This was asked for by a page of another origin, and is not done.\n", 403)
            if not allowed:
                return PlainTextResponse(f"{NO_TOKEN}\n", 403)
        if self.everything and not allowed:
            return PlainTextResponse(f"{NO_TOKEN}\n", 403)
        return None

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(errors="replace"), self.token.encode())

    def _is_ours(self, host: str) -> bool:
        """Whether the Host of a request is a name of this server, so that no other site's name can lead here."""
        name, port = split_host(host)
        if port != self.port:
            return False
        return name in self.names or (self.any_address and is_address(name))


NO_TOKEN = "The token is missing: open the address that heldout serve printed, with all that follows the question mark."


def split_host(host: str) -> tuple[str, int]:
    """Name and port of a Host header; 80 if it names none, -1 if that is not a number."""
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        return host.strip("[]").casefold(), 80
    return name.strip("[]").casefold(), int(port) if port.isdecimal() and port.isascii() and len(port) < 6 else -1


def is_address(name: str) -> bool:
    """Whether a name is an IP address, which no other site can bear."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)


def host_names(host: str) -> frozenset[str]:
    """The names by which a server that listens at `host` may be asked for."""
    names = {host.casefold(), "localhost", "127.0.0.1", "::1"}
    if not is_loopback(host):
        names |= {socket.gethostname().casefold(), socket.getfqdn().casefold()}
    return frozenset(names - {"0.0.0.0", "::", ""})
