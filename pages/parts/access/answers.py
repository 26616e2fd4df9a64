"""What the guard answers itself: the shell of every page, the entry, refusals and headers."""

from __future__ import annotations

import html
import re
from functools import cache
from mimetypes import guess_type
from pathlib import Path
from typing import Final

from starlette.responses import HTMLResponse, Response
from streamlit.file_util import get_static_dir

from evalcore.errors import CannotServe
from evalcore.palette import css_variables
from evalcore.views.panels.served import served
from evalcore.views.panels.sources import lean
from pages.parts.access.gate import Admission

OWN: Final = "/evalcore/"
"""The addresses that the guard answers without asking the dashboard."""
SCRIPT: Final = f"{OWN}access.js"
RENEW: Final = f"{OWN}renew"
WORKER: Final = f"{OWN}stopped.js"
COOKIE_SECONDS: Final = 7 * 24 * 3600
_NO_STORE: Final = {"Cache-Control": "no-store"}
_KEPT: Final = {"Cache-Control": "public, immutable, max-age=31536000"}
_SCRIPT_FILE: Final = Path(__file__).with_name("access.js")
_WORKER_FILE: Final = Path(__file__).with_name("stopped.js")
_COMMAND_FILE: Final = Path(__file__).parents[1] / "panels" / "command.js"
_STYLE_FILE: Final = Path(__file__).parents[1] / "frame.css"
_SKELETON_FILE: Final = Path(__file__).with_name("skeleton.html")
_ROOT: Final = '<div id="root">'
_DRAWN_WITH: Final = ("BidiComponent", "Button", "PageLink", "Selectbox")
"""The parts of Streamlit that every page draws with and that it would load only then."""
_IMPORTED: Final = re.compile(r'(?:from|import)"\./([\w.-]+\.js)"')
_SCRIPT_TAG: Final = f'<script src="{SCRIPT}"></script>'

_PAGE: Final = """<!doctype html><html lang="en"{attributes}><meta charset="utf-8">
<title>{title} · evalcore</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body{{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem}}
h1{{font-size:1.3rem}}code{{display:block;padding:.5rem .75rem;overflow-wrap:anywhere;
background:color-mix(in srgb,currentColor 8%,transparent)}}</style><body>{body}</body></html>"""
_REFUSAL: Final = "<h1>{reason}</h1>{after}"
_NEXT_STEP: Final = f"""<p>Run this in a terminal and open the address that it prints, which works
once:</p><code>evalcore open FOLDER</code><p>Or where the dashboard is open, make an address with
<em>Link for another browser</em> at the foot of the sidebar.</p>{_SCRIPT_TAG}"""
_STOPPED: Final = """<h1>evalcore does not answer at this address</h1>
<p>If it was stopped, this opens the view again, from a terminal:</p><code>COMMAND</code>
<p>FOLDER is the folder with your evaluations. What is stored is safe.</p>"""
_ENTRY: Final = f"""<p>Opening the dashboard …</p>
<noscript><p>It needs JavaScript.</p></noscript>{_SCRIPT_TAG}"""


def refusal(reason: str, after: str = _NEXT_STEP) -> Response:
    """Return the page for who is not admitted, with the reason and the next step."""
    body = _REFUSAL.format(reason=reason, after=after)
    page = _PAGE.format(title="Closed", attributes=' data-access="refused"', body=body)
    return HTMLResponse(page, status_code=403, headers=_NO_STORE)


def entry(target: str, cookie_name: str, admission: Admission, *, again: bool) -> Response:
    """Return the page that gives a browser its cookie and key and leads it on to `target`.

    A browser that was let in before (`again`) stays who it is if it still has its key.
    """
    given = {"key": admission.key, "next": target} | ({"again": "yes"} if again else {})
    attributes = ' data-access="entry"' + "".join(
        f' data-{name}="{html.escape(value)}"' for name, value in given.items()
    )
    page = _PAGE.format(title="Opening", attributes=attributes, body=_ENTRY)
    answer = HTMLResponse(page, headers=_NO_STORE)
    set_cookie(answer, cookie_name, admission.cookie)
    return answer


def set_cookie(answer: Response, name: str, value: str) -> None:
    """Add the cookie of an admitted browser to an answer.

    Links from other sites bring it too: it opens the empty shell, and reading changes nothing.
    """
    answer.set_cookie(name, value, max_age=COOKIE_SECONDS, path="/", httponly=True, samesite="lax")


def script() -> Response:
    """Return the script of the shell, the entry and the refusals."""
    return _javascript(_SCRIPT_FILE)


def worker() -> Response:
    """Return the service worker, which says what to run where nothing answers any more."""
    page = _PAGE.format(title="Stopped", attributes="", body=_STOPPED)
    answer = _javascript(_WORKER_FILE, f"const PAGE = `{page}`;\n")
    answer.headers["Service-Worker-Allowed"] = "/"
    return answer


def panel(address: str) -> Response:
    """Return the script of a panel; its address is another one where its content is."""
    text = served(address)
    if text is None:
        return Response("", 404, headers=_NO_STORE)
    return Response(text, media_type="text/javascript", headers=_KEPT)


def asset(address: str) -> Response | None:
    """Return one of Streamlit's scripts, styles and fonts; None if it has none of that name.

    Streamlit reads each in nine turns of its threads. A browser that opens asks for eighty of them
    while the first page is prepared, and each turn would wait for that.
    """
    file = _assets().get(address)
    if file is None:
        return None
    return Response(file.read_bytes(), media_type=guess_type(file)[0], headers=_KEPT)


@cache
def _assets() -> dict[str, Path]:
    """Return the files with their content in their names, by their addresses."""
    root = Path(get_static_dir())
    return {f"/{file.relative_to(root).as_posix()}": file for file in root.glob("static/*/*")}


def _javascript(file: Path, before: str = "") -> Response:
    """Return a script file behind the shared function that makes a command of an address."""
    texts = [each.read_text(encoding="utf-8") for each in (_COMMAND_FILE, file)]
    return Response(
        before + "\n".join(texts),
        media_type="text/javascript",
        headers={"Cache-Control": "no-cache"},
    )


def shell() -> Response:
    """Return the page that loads Streamlit, in grey; it holds nothing of a workspace."""
    return HTMLResponse(_shell_text(), headers={"Cache-Control": "no-cache"})


@cache
def _shell_text() -> str:
    """Return Streamlit's page with our script before its own, and the style of all pages after its.

    In the pages themselves the style would be sent again with every click.
    Inline scripts, which the policy refuses, and the preloading of a font that no page uses are
    taken out: both are errors on the browser's console.
    """
    text = (Path(get_static_dir()) / "index.html").read_text(encoding="utf-8")
    text = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    text = re.sub(r'<link[^>]*as="font"[^>]*>', "", text)
    text = text.replace("<title>Streamlit</title>", "<title>evalcore</title>")
    if "<head>" not in text or _ROOT not in text:
        raise CannotServe("The installed Streamlit has another start page. Install evalcore again.")
    text = text.replace("<head>", f"<head>{_SCRIPT_TAG}", 1)
    text = text.replace("</head>", f"{_preloads(text)}</head>", 1)
    style = f"<style>:root{{{css_variables()}}}{lean(_STYLE_FILE)}</style>"
    skeleton = _SKELETON_FILE.read_text(encoding="utf-8")
    return text.replace(_ROOT, f"{style}{skeleton}{_ROOT}", 1)


def _preloads(shell: str) -> str:
    """Return links to the scripts of `_DRAWN_WITH` that Streamlit's page does not load itself.

    A browser loads them while it waits for the first page, and not when that is to be drawn.
    """
    folder, found = Path(get_static_dir()) / "static" / "js", list[str]()
    wanted = [file.name for part in _DRAWN_WITH for file in folder.glob(f"{part}.*.js")]
    for name in wanted:  # which grows meanwhile
        if name not in found and name not in shell:
            found.append(name)
            wanted += _IMPORTED.findall((folder / name).read_text(encoding="utf-8"))
    return "".join(f'<link rel="modulepreload" href="/static/js/{name}">' for name in found)


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
        # By which the service worker knows whether it is still evalcore that answers.
        "X-Evalcore": "dashboard",
    }
