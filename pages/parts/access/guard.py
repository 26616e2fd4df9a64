"""Access to the dashboard.

It is an ASGI middleware below the pages, so that it guards pages, websocket, media and Streamlit's
own addresses alike. The cookie opens the empty shell of the pages; all that can hold something of a
workspace needs the key too. A browser sends its cookies to every port of a machine, but only the
pages of this very origin can read the key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response

from evalcore.views.panels.served import PLACE
from pages.parts.access.answers import (
    RENEW,
    SCRIPT,
    WORKER,
    asset,
    entry,
    panel,
    refusal,
    script,
    security_headers,
    set_cookie,
    shell,
    worker,
)
from pages.parts.access.gate import Gate, browser_id

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL_HOSTS: Final = frozenset({"127.0.0.1", "localhost"})
IN_ADDRESS: Final = "token"
KEY_HEADER: Final = "x-evalcore-key"
BROWSER_HEADER: Final = "x-evalcore-browser"
_KEY_PROTOCOL: Final = "evalcore."
_PROTOCOLS: Final = "sec-websocket-protocol"
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


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
                await self._app(_known(scope, headers), receive, send)
            else:
                await send({"type": "websocket.close", "code": 4403, "reason": "not let in"})
            return
        protected = _with_headers(send, headers.get("host", ""), scope["path"])
        await (answer or self._app)(scope, receive, protected)

    def _answer(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer instead of the dashboard's, or None to let the request through."""
        host = headers.get("host", "")
        if _hostname(host) not in self._hosts:
            return refusal("evalcore answers only at addresses of this machine", "")
        if not _same_origin(scope, headers, host):
            return refusal("evalcore does not answer other sites", "")
        name = cookie_name(host)
        if scope["path"] == SCRIPT:
            return script()
        if scope["path"] == WORKER:
            return worker()
        if scope["path"] == RENEW:
            return self._renewed(name, headers)
        return self._admitted(scope, headers, name)

    def _admitted(self, scope: Scope, headers: Headers, name: str) -> Response | None:
        """Return the answer to who is not admitted, to a token or for a page; else None."""
        cookie = self._gate.admitted(_cookies(headers, name))
        if (token := _token(scope)) is not None:
            return self._entered(scope, name, token, admitted=cookie is not None)
        if cookie is None:
            return refusal("This link works only in the browser that evalcore opened")
        if scope["path"].startswith(PLACE):
            return panel(scope["path"])
        if _is_page(scope):
            return shell()
        if _is_read(scope) and (file := asset(scope["path"])) is not None:
            return file
        if _is_static(scope) or self._gate.opens(cookie, _key(headers)):
            return None
        return refusal("Only the dashboard's own pages can load this", "")

    def _entered(self, scope: Scope, name: str, token: str, *, admitted: bool) -> Response:
        """Return the answer to an address with a token."""
        target = _without_token(scope)
        admission = self._gate.exchange(token)
        if admission is not None:
            return entry(target, name, admission, again=admitted)
        if admitted:
            return RedirectResponse(target, 303, headers={"Cache-Control": "no-store"})
        return refusal("This link was used before, or evalcore was started again since")

    def _renewed(self, name: str, headers: Headers) -> Response:
        """Return a new cookie for a browser that has its key but not its cookie.

        Any port of this machine may replace or remove it.
        """
        cookie = self._gate.renew(_key(headers))
        if cookie is None:
            return refusal("evalcore does not know this browser", "")
        answer = Response(status_code=204, headers={"Cache-Control": "no-store"})
        set_cookie(answer, name, cookie)
        return answer


def cookie_name(host: str) -> str:
    """Return the cookie's name for a Host header; one a port, as browsers share cookies
    between the ports of one machine."""
    return f"evalcore-{host.rpartition(':')[2] if ':' in host else '80'}"


def _known(scope: Scope, headers: Headers) -> Scope:
    """Return an admitted websocket's scope with the browser's id in place of its key."""
    given = dict(scope, headers=list(scope["headers"]))
    passed = MutableHeaders(scope=given)
    passed[BROWSER_HEADER] = browser_id(_key(headers))
    protocols = [each for each in _protocols(headers) if not each.startswith(_KEY_PROTOCOL)]
    passed[_PROTOCOLS] = ", ".join(protocols)
    return given | {"headers": passed.raw, "subprotocols": protocols}


def _with_headers(send: Send, host: str, path: str) -> Send:
    async def protected(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(security_headers(host if _hostname(host) in LOCAL_HOSTS else "invalid"))
            if path.startswith("/media"):
                headers["Cache-Control"] = "no-store"
        await send(message)

    return protected


def _query(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)


def _token(scope: Scope) -> str | None:
    """Return the token in the address of a page that a browser opens."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    return next((value for name, value in _query(scope) if name == IN_ADDRESS), None)


def _without_token(scope: Scope) -> str:
    kept = urlencode([(name, value) for name, value in _query(scope) if name != IN_ADDRESS])
    # One leading slash only: two would send the browser to another host.
    target = "/" + quote(scope["path"].lstrip("/"))
    return f"{target}?{kept}" if kept else target


def _is_page(scope: Scope) -> bool:
    """Return whether the address is one where Streamlit would send its start page."""
    path = scope["path"]
    return _is_read(scope) and path.count("/") == 1 and ("." not in path or path == "/index.html")


def _is_static(scope: Scope) -> bool:
    """Return whether the address is one of Streamlit's own files, the same in every dashboard."""
    path = scope["path"].rstrip("/")
    return _is_read(scope) and (path.count("/") <= 1 or path.startswith("/static/"))


def _is_read(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] in _SAFE_METHODS


def _same_origin(scope: Scope, headers: Headers, host: str) -> bool:
    """Return whether the request may come from this dashboard's own pages.

    Another port of this machine is the same site to a browser and so sends our cookie: the
    origin has to be compared whole. Only reading needs none; browsers send it with all else.
    """
    return _is_read(scope) or headers.get("origin") in {f"http://{host}", f"https://{host}"}


def _hostname(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def _cookies(headers: Headers, name: str) -> Iterator[str]:
    """Yield every value of a cookie: other ports can add more of the same name."""
    for line in headers.getlist("cookie"):
        for pair in line.split(";"):
            key, _, value = pair.strip().partition("=")
            if key == name:
                yield value


def _key(headers: Headers) -> str:
    """Return the key that a request carries; a websocket can carry it only as a protocol."""
    named = (each for each in _protocols(headers) if each.startswith(_KEY_PROTOCOL))
    return headers.get(KEY_HEADER) or next(named, "").removeprefix(_KEY_PROTOCOL)


def _protocols(headers: Headers) -> list[str]:
    return [each.strip() for each in headers.get(_PROTOCOLS, "").split(",")]
