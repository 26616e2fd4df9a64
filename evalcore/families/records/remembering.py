"""Where a new record of a store lies, whatever it is of, and its form."""

from collections.abc import Sequence
from typing import Final

from evalcore.families.records.placing import envelope, place
from evalcore.families.records.shapes import SHARDS
from evalcore.families.remembering import NewRecord, Place

RELATION: Final = "relation"
_ONE_EACH: Final = ".json"
_NEW: Final = f"record{_ONE_EACH}"


def placed(documents: Sequence[tuple[str, str]], new: NewRecord) -> Place:
    """Return the place and form of a new record of a store, given its documents (path, kind).

    It lies beside records of its type; else, in a store of shards, in one; else in a folder of its
    type, where the store has folders of types or all its records in one file.
    """
    home = _home(documents, new.type)
    sharded = SHARDS in home.split("/")
    value = envelope(new.type, new.id, new.about, new.fields, new.at, sharded=sharded)
    if new.type == RELATION:
        value |= value.pop("fields")  # the ends of a relation stand beside its id
    value["createdBy"] = new.author
    if new.supersedes:
        old = list(new.supersedes)
        value["supersedes"] = old if len(old) > 1 else old[0]
    return Place(place(home, new.type, new.id), value)


def _home(documents: Sequence[tuple[str, str]], kind: str) -> str:
    """Return the path of a record, there or not, in whose folder a new one of a type belongs."""
    shards = {path for path, _ in documents if SHARDS in path.split("/")}
    own = [path for path, of in documents if of == kind]
    if own:
        plain = [path for path in own if path not in shards]
        return plain[0] if 2 * len(plain) >= len(own) else next(filter(shards.__contains__, own))
    if 2 * len(shards) > len(documents):
        return min(shards)
    homes = [(path.rpartition("/")[0], of) for path, of in documents if path not in shards]
    typed = next((home for home, of in homes if home.rpartition("/")[2] in (of, f"{of}s")), None)
    if typed is None:
        one_each = any(of not in ("records", "broken") for _, of in documents)
        above = homes[0][0] if homes else ""
        return _joined(above, _NEW) if one_each else _joined(above, kind, _NEW)
    above, _, name = typed.rpartition("/")
    return _joined(above, f"{kind}s" if name.endswith("s") else kind, _NEW)


def _joined(*parts: str) -> str:
    return "/".join(filter(None, parts))
