"""The judges known on this machine, and which of them each browser belongs to."""

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from filelock import FileLock, Timeout

from evalcore.disk.creating import why
from evalcore.disk.parsing import MISSING
from evalcore.disk.private import load_private, read_private, save_private, set_aside
from evalcore.errors import CannotWrite
from evalcore.folders import state_dir
from evalcore.judging.limits import LIMITS, require_room
from evalcore.judging.model import Judge

MAX_BROWSERS: Final = 500
_MAX_SLUG: Final = 24
_MAX_BYTES: Final = 4 * 1024 * 1024
_LOCK_SECONDS: Final = 10
_NAMELESS: Final = "judge"
# Control characters, half characters, and marks that change the text direction.
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_JOINERS: Final = frozenset({"\u200c", "\u200d"})


class _Known(NamedTuple):
    """The judges of this machine by id, and the judge id of each browser, the newest last."""

    judges: dict[str, Judge]
    browsers: dict[str, str]


def current_judge(browser: str | None) -> Judge | None:
    """Return the judge of a browser, None if no name is set in it.

    `browser` identifies the browser; without one, the only judge that this machine knows is
    returned. A new browser may belong to another person, so it never gets a known judge by default:
    they would see scores too early, and sign with a name that is not theirs.
    """
    if browser is None:
        return only_known_judge()
    known = _known()
    return known.judges.get(known.browsers.get(_hidden(browser), ""))


def only_known_judge() -> Judge | None:
    """Return the only judge that this machine knows; their name is offered to a new browser."""
    known = _known().judges
    return next(iter(known.values())) if len(known) == 1 else None


def remember_judge(name: str, browser: str | None) -> Judge:
    """Return the judge of a name, created if necessary, and assign the browser to them.

    The same name on one machine is the same judge, however it is capitalised. Only the beginning of
    a sha256 of `browser` is stored.

    Raises:
        CannotJudge: the name is too long.
        CannotWrite: it cannot be stored.
    """
    clean = _seen(name) or _NAMELESS
    require_room(len(clean), LIMITS.name, "The name")
    with _locked():
        known = _read(read_private)
        same = (each for each in known.judges.values() if _alike(each.name) == _alike(clean))
        judge = next(same, None) or Judge(_new_id(clean, known.judges), clean)
        browsers = dict(known.browsers)
        if browser:
            browsers.pop(_hidden(browser), None)
            browsers[_hidden(browser)] = judge.id
        now = _Known(known.judges | {judge.id: judge}, browsers)
        if now != known:
            _write(now)
    return judge


def known_judges() -> tuple[Judge, ...]:
    """Return the judges that this machine knows."""
    return tuple(_known().judges.values())


def is_named(judge: Judge, ids: object, names: object) -> bool:
    """Return whether a judge is meant by one of some ids, or of some names given without an id."""
    known = ids if isinstance(ids, list) else []
    others = names if isinstance(names, list) else []
    alike = (_alike(clean_name(name)) for name in others if isinstance(name, str))
    return judge.id in known or _alike(judge.name) in alike


def clean_name(name: str) -> str:
    """Return a name for display: one line of at most 80 characters, without invisible ones."""
    return _seen(name[: LIMITS.name * 20])[: LIMITS.name].strip() or _NAMELESS


def _seen(name: str) -> str:
    seen = "".join(
        each
        for each in name
        if each.isspace() or each in _JOINERS or unicodedata.category(each) not in _UNSEEN
    )
    spaced = re.sub(r"\s+", " ", seen)
    return unicodedata.normalize("NFC", spaced).strip(" " + "".join(_JOINERS))


def _alike(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _new_id(name: str, taken: dict[str, Judge]) -> str:
    """Return an unused id: a slug of the name and four hexadecimal digits."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    # A name without ASCII letters keeps its own, so that judges stay distinguishable.
    slug = _slug(plain) or _slug(unicodedata.normalize("NFKC", name)) or _NAMELESS
    while (found := f"{slug}-{secrets.token_hex(2)}") in taken:
        pass
    return found


def _slug(text: str) -> str:
    return re.sub(r"[\W_]+", "-", text.lower()).strip("-")[:_MAX_SLUG].strip("-")


def _hidden(browser: str) -> str:
    return hashlib.sha256(browser.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _file() -> Path:
    return state_dir() / "judges.json"


@contextmanager
def _locked() -> Iterator[None]:
    path = _file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(path.with_suffix(".lock"), timeout=_LOCK_SECONDS):
            yield
    except Timeout as error:
        raise CannotWrite(path, "another evalcore is writing it; try again") from error
    except OSError as error:
        raise CannotWrite(path, why(error)) from error


def _known() -> _Known:
    """Return the stored judges; the file is read again only when it is another one.

    A page shows the names of many people.
    """
    path = _file()
    try:
        at = path.lstat()
    except OSError:
        return _read()
    return _read_once(path, at.st_ino, at.st_size, at.st_ctime_ns)


@lru_cache(maxsize=1)
def _read_once(path: Path, number: int, size: int, changed: int) -> _Known:
    """Return the judges of the file in one state: its number, size and time of change."""
    del path, number, size, changed
    return _read()


def _read(load: Callable[[Path, int], Any] = load_private) -> _Known:
    """Return the stored judges; a file that does not list them is set aside."""
    value = load(_file(), _MAX_BYTES)
    if not isinstance(value, dict):
        if value is not MISSING:
            set_aside(_file())
        return _Known({}, {})
    listed, browsers = value.get("judges"), value.get("browsers")
    judges = filter(None, map(_judge, listed if isinstance(listed, list) else []))
    pairs = browsers.items() if isinstance(browsers, dict) else ()
    return _Known(
        {judge.id: judge for judge in judges},
        {key: each for key, each in pairs if isinstance(each, str)},
    )


def _judge(value: Any) -> Judge | None:
    match value:
        case {"id": str(name_id), "name": str(name)}:
            return Judge(name_id, clean_name(name))
    return None


def _write(known: _Known) -> None:
    browsers = dict(list(known.browsers.items())[-MAX_BROWSERS:])
    judges = [judge._asdict() for judge in known.judges.values()]
    save_private(_file(), {"judges": judges, "browsers": browsers})
