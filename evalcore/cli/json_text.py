"""Documents of the commands as JSON: in full precision, null for missing values."""

import json
import math
from collections.abc import Mapping
from typing import Any


def json_text(value: Any) -> str:
    """Return a document in ASCII, so that it is safe on any terminal.

    numpy numbers become numbers, other than finite ones null.
    """
    return json.dumps(_plain(value), indent=2, allow_nan=False) + "\n"


def plain(value: Any) -> Any:
    """Return a value in which each named tuple is an object with its names."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: plain(each) for name, each in value._asdict().items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def _plain(value: Any) -> Any:
    match value:
        case Mapping():
            return {key: _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case float():
            return float(value) if math.isfinite(value) else None
        case None | bool() | int() | str():
            return value
        case _:
            return _plain(value.item())
