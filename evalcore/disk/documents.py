"""One value in a document of any form, read when somebody asks for it."""

from evalcore.disk.archives import ARCHIVES, archive
from evalcore.disk.files import Files
from evalcore.disk.parsing import MISSING, Json, parse
from evalcore.disk.sheets import is_sheet, sheet
from evalcore.disk.values import value_at
from evalcore.errors import UnknownName


def value_in(files: Files, path: str, pointer: str = "") -> Json:
    """Return the value at a JSON pointer of a document; lines and rows of a table are a list.

    A zip is an object of its entries by name; as a whole it gives their sizes.

    Raises:
        UnknownName: it is no document that can be read, or has no such place.
        PathOutside: it leads out of the root.
        OSError: it cannot be read.
    """
    if path.endswith(ARCHIVES):
        with archive(files, path) as zipped:
            if not pointer:
                return {name: info.file_size for name, info in zipped.entries.items()}
            entry, _, rest = pointer[1:].partition("/")
            value, _ = zipped.json(entry.replace("~1", "/").replace("~0", "~"))
            if value is MISSING:
                raise UnknownName("readable document", path, [])
            return value_at(value, path, f"/{rest}" if rest else "")
    return value_of(files.read(path), path, pointer)


def value_of(data: bytes, path: str, pointer: str = "") -> Json:
    """Return the value at a JSON pointer of the bytes of a document.

    Raises:
        UnknownName: it is no document that can be read, or has no such place.
    """
    value = sheet(data, path).rows if is_sheet(path) else parse(data, path.endswith(".jsonl"))
    if value is MISSING:
        raise UnknownName("readable document", path, [])
    return value_at(value, path, pointer)
