"""What a saved view may hold: the parameters of an address that a page knows, and nothing else."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

SIDEBAR: Final = frozenset({"v", "c", "scores"})
PARAMETERS: Final = {
    "gradings": SIDEBAR
    | {"filter", "criterion", "judge", "tag", "q", "score", "score_of", "versions", "sort", "order"}
    | {"configurations", "outputs", "beside", "tab"}
}
"""By page, what narrows, sorts and shows; neither a folder nor a file, and nothing that is open."""
MAX_NAME: Final = 80
MAX_VALUE: Final = 20_000
"""Characters of one parameter: 500 versions, which is more than a browser takes."""
_FIELDS: Final = frozenset({"name", "page", "address", "removed"})


class ViewFault(NamedTuple):
    """Why a saved view is refused: at which of its fields, and a sentence."""

    field: str
    message: str


def view_faults(fields: Mapping[str, Any]) -> Iterator[ViewFault]:
    """Yield what is wrong with a saved view: it comes from anywhere, and may lead elsewhere."""
    for field in sorted(fields.keys() - _FIELDS):
        yield ViewFault(field, f"A saved view has no field {field[:60]!r}.")
    name, page, address = (fields.get(field) for field in ("name", "page", "address"))
    if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME:
        yield ViewFault("name", f"The name of a view is a text of 1 to {MAX_NAME} characters.")
    if not isinstance(fields.get("removed", False), bool):
        yield ViewFault("removed", "`removed` is true or false.")
    if not isinstance(page, str) or page not in PARAMETERS:
        yield ViewFault("page", f"{str(page)[:60]!r} is no page that has saved views.")
    if not isinstance(address, dict):
        yield ViewFault("address", "The address of a view is an object of parameters.")
        return
    known = PARAMETERS.get(page if isinstance(page, str) else "", frozenset())
    for parameter, value in address.items():
        if known and parameter not in known:
            message = f"{parameter[:60]!r} is no parameter that a view of {page} keeps."
            yield ViewFault("address", message)
        elif not isinstance(value, str) or len(value) > MAX_VALUE:
            message = f"{parameter[:60]!r} is a text of at most {MAX_VALUE:,} characters."
            yield ViewFault("address", message)
