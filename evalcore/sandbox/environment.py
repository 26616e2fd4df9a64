"""The environment of child processes: a short list of harmless variables, and what is named."""

import os
from collections.abc import Iterable, Mapping
from typing import Final

USUAL_PATH: Final = "/usr/local/bin:/usr/bin:/bin"

# Each by its whole name: some carry secrets through ssh as LC_SOMETHING.
_LOCALE: Final = (
    "ADDRESS",
    "ALL",
    "COLLATE",
    "CTYPE",
    "IDENTIFICATION",
    "MEASUREMENT",
    "MESSAGES",
    "MONETARY",
    "NAME",
    "NUMERIC",
    "PAPER",
    "TELEPHONE",
    "TIME",
)
ALLOWED: Final = frozenset(
    {"HOME", "LANG", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"}
    | {f"LC_{name}" for name in _LOCALE}
)


def clean_environment(
    passed: Iterable[str] = (), *, own: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the allowed variables of this process (or of `own`), and those named in `passed`.

    Keys and tokens are not among the allowed ones, so a child gets one only by its name. A relative
    entry of PATH is left out, for it would find programs in a workspace.
    """
    own = os.environ if own is None else own
    wanted = ALLOWED.union(passed)
    found = {name: value for name, value in own.items() if name in wanted}
    entries = [entry for entry in found.get("PATH", "").split(os.pathsep) if entry[:1] == "/"]
    return {**found, "PATH": os.pathsep.join(entries) or USUAL_PATH}
