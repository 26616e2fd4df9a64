"""One value in a document of any form, read when somebody asks for it."""

from evalcore.disk.files import Files
from evalcore.disk.parsing import MISSING, Json, parse
from evalcore.disk.values import value_at
from evalcore.errors import UnknownName


def value_in(files: Files, path: str, pointer: str = "") -> Json:
    """Return the value at a JSON pointer of a document; lines of JSON lines are a list.

    Raises:
        UnknownName: it is no document that can be read, or has no such place.
        PathOutside: it leads out of the root.
        OSError: it cannot be read.
    """
    return value_of(files.read(path), path, pointer)


def value_of(data: bytes, path: str, pointer: str = "") -> Json:
    """Return the value at a JSON pointer of the bytes of a document.

    Raises:
        UnknownName: it is no document that can be read, or has no such place.
    """
    value = parse(data, path.endswith(".jsonl"))
    if value is MISSING:
        raise UnknownName("readable document", path, [])
    return value_at(value, path, pointer)
