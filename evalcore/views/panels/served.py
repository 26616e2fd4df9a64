"""The panels' scripts, each served once by an address that names its content."""

import hashlib
import json
from typing import Final

from evalcore.views.panels.sources import as_panel

PLACE: Final = "/evalcore/panels/"
_SCRIPTS: Final[dict[str, str]] = {}
"""Address to script; the same in every dashboard of this version."""

_MODULE: Final = """{code}
const STYLE = new CSSStyleSheet();
STYLE.replaceSync({style});
export default function (given) {{
  const tree = given.parentElement.getRootNode();
  if (!tree.adoptedStyleSheets.includes(STYLE)) tree.adoptedStyleSheets.push(STYLE);
  return panel(given);
}}
"""
# A component travels as a blob, which has no address that another could be relative to.
_LOADER: Final = """const panel = await import(new URL({address}, location.origin));
export default panel.default;
"""


def serve(name: str, code: str, style: str) -> str:
    """Serve a panel's script with its style, and return the script that loads it.

    What every message to the browser carries is only the latter. `code` exports one function.
    """
    module = _MODULE.format(code=as_panel(code), style=json.dumps(style))
    digest = hashlib.blake2b(module.encode(), digest_size=12).hexdigest()
    address = f"{PLACE}{name}-{digest}.js"
    _SCRIPTS[address] = module
    return _LOADER.format(address=json.dumps(address))


def served(address: str) -> str | None:
    """Return the script at an address, None without one."""
    return _SCRIPTS.get(address)
