"""Access to the dashboard, and the security headers of every answer.

It is an ASGI middleware below the pages, so that it guards pages, websocket, media and Streamlit's
own addresses alike.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import sys
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, Response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL_HOSTS: Final = frozenset({"127.0.0.1", "localhost"})
IN_ADDRESS: Final = "token"
IN_ENVIRONMENT: Final = "EVALCORE_TOKEN"
COOKIE_SECONDS: Final = 7 * 24 * 3600
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})

_REFUSAL = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Closed · evalcore</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body{{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem}}
</style><h1>This dashboard is closed to you</h1><p>{reason}</p>{after}</html>"""
_NEXT_STEP = """<p>Run <code>evalcore open FOLDER</code> again and open the address it prints:
each address lets in one browser, once.</p>
<p>If this browser was let in before and you followed a link here,
<a href="">load this page again</a>.</p>"""


class Gate:
    """The unused token and the admitted sessions, in memory only.

    The token admits once; the browser then holds a random session value that is not the token and
    is valid until the server stops.
    """

    def __init__(self, token: str) -> None:
        self._token: bytes | None = _digest(token)
        self._sessions: set[bytes] = set()

    def exchange(self, token: str) -> str | None:
        """Use up `token` and return a new session value; None if it is wrong or already used."""
        if self._token is None or not hmac.compare_digest(self._token, _digest(token)):
            return None
        self._token = None
        session = secrets.token_urlsafe(32)
        self._sessions.add(_digest(session))
        return session

    def admits(self, session: str) -> bool:
        """Return whether `session` was issued by this gate."""
        # Digests are looked up, so the time this takes says nothing about the values.
        return _digest(session) in self._sessions


def gate_from_environment() -> Gate:
    """Return the gate for the token that `evalcore open` passed on.

    Without one, a new token is generated and the address that carries it goes to standard error.
    The variable is removed so that no later child process inherits it.
    """
    token = os.environ.pop(IN_ENVIRONMENT, "")
    if not token:
        token = secrets.token_urlsafe(32)
        sys.stderr.write(f"Open the dashboard with /?{IN_ADDRESS}={token}\n")
    return Gate(token)


class Guard:
    """ASGI middleware that refuses everybody not admitted and adds the security headers."""

    def __init__(self, app: ASGIApp, gate: Gate, hosts: Iterable[str] = LOCAL_HOSTS) -> None:
        self._app = app
        self._gate = gate
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through, exchange its token, or refuse it."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        answer = self._answer(scope, headers)
        if scope["type"] == "websocket":
            if answer is None:
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 4403, "reason": "not let in"})
            return
        protected = _with_headers(send, headers.get("host", ""), scope["path"])
        await (answer or self._app)(scope, receive, protected)

    def _answer(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer instead of the page, or None to let the request through."""
        host = headers.get("host", "")
        if _hostname(host) not in self._hosts:
            return _refuse("It answers only to this machine's own addresses.", "")
        if not _same_origin(scope, headers, host):
            return _refuse("The request came from another site.", "")
        cookie = cookie_name(host)
        admitted = self._gate.admits(_cookie(headers, cookie))
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        token = next((value for name, value in query if name == IN_ADDRESS), None)
        if token is not None and scope["type"] == "http" and scope["method"] == "GET":
            session = None if admitted else self._gate.exchange(token)
            if admitted or session:
                return _without_token(scope["path"], query, cookie, session)
            return _refuse("The link you used was used before, or is not of this dashboard.")
        return None if admitted else _refuse("It opens only with the link that evalcore printed.")


def cookie_name(host: str) -> str:
    """Return the cookie's name for a Host header; one a port, as browsers share cookies
    between the ports of one machine."""
    return f"evalcore-{host.rpartition(':')[2] if ':' in host else '80'}"


def security_headers(host: str) -> dict[str, str]:
    """Return the headers of every answer; `host` is an admitted Host header."""
    policy = {
        "default-src": "'self'",
        # Components travel as blob modules; Arrow and the charts compile WebAssembly.
        "script-src": "'self' 'wasm-unsafe-eval' blob:",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' data: blob:",
        "worker-src": "'self' blob:",
        "connect-src": f"'self' ws://{host} wss://{host}",
        "frame-src": "'none'",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    }


def _with_headers(send: Send, host: str, path: str) -> Send:
    async def protected(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(security_headers(host if _hostname(host) in LOCAL_HOSTS else "invalid"))
            if path.startswith("/media"):
                headers["Cache-Control"] = "no-store"
        await send(message)

    return protected


def _without_token(
    path: str, query: list[tuple[str, str]], cookie: str, session: str | None
) -> Response:
    kept = urlencode([(name, value) for name, value in query if name != IN_ADDRESS])
    # One leading slash only: two would send the browser to another host.
    target = "/" + quote(path.lstrip("/"))
    answer = Response(
        status_code=303,
        headers={"Location": f"{target}?{kept}" if kept else target, "Cache-Control": "no-store"},
    )
    if session is not None:
        answer.set_cookie(
            cookie, session, max_age=COOKIE_SECONDS, path="/", httponly=True, samesite="strict"
        )
    return answer


def _refuse(reason: str, after: str = _NEXT_STEP) -> Response:
    return HTMLResponse(
        _REFUSAL.format(reason=reason, after=after),
        status_code=403,
        headers={"Cache-Control": "no-store"},
    )


def _same_origin(scope: Scope, headers: Headers, host: str) -> bool:
    """Return whether the request may come from this dashboard's own pages.

    Another port of this machine is the same site to a browser and so sends our cookie: the
    origin has to be compared whole. Programs send none.
    """
    origin = headers.get("origin")
    if origin is None:
        return True
    if scope["type"] == "http" and scope["method"] in _SAFE_METHODS:
        return True
    return origin in {f"http://{host}", f"https://{host}"}


def _hostname(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def _cookie(headers: Headers, name: str) -> str:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


def _digest(value: str) -> bytes:
    return hashlib.sha256(value.encode("utf-8", "surrogatepass")).digest()
