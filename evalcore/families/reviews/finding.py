"""Recognise review files by path and content."""

from typing import Final, NamedTuple

from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.families.base import REVIEWS, SCHEMA
from evalcore.families.reviews.review import TYPES, UNFINISHED, Review, is_written_here, review_of

_HINT: Final = "docs/families.md lists the records of a `reviews` folder and their fields."

_UNFINISHED: Final = f"{REVIEWS}/{UNFINISHED}/"


class ReviewPath(NamedTuple):
    """The parts of a review's path: root of the suite, type folder, and name without `.json`."""

    root: str
    type: str
    name: str


def review_path(path: str) -> ReviewPath | None:
    """Return the parts of `<root>/reviews/<type>/<id>.json`; None for any other path."""
    parts = path.rsplit("/", 3)
    if len(parts) < 4:
        parts.insert(0, "")
    if len(parts) < 4 or parts[1] != REVIEWS or parts[2] == UNFINISHED:
        return None
    return ReviewPath(parts[0], parts[2], parts[3][:-5]) if parts[3].endswith(".json") else None


def is_unfinished(path: str) -> bool:
    """Return whether a file is unfinished and must not be read."""
    return _UNFINISHED in path and f"/{_UNFINISHED}" in f"/{path}"


def is_ours(path: str, value: Json, *, in_store: bool) -> bool:
    """Return whether a file of a `reviews` folder is a review, possibly a broken one.

    A store of records has its own judgments without `schema`.
    """
    if isinstance(value, dict) and "schema" in value:
        return True
    place = review_path(path)
    return place is not None and place.type in TYPES and (value is MISSING or not in_store)


def checked(path: str, value: Json, reader: Reader, suite: str | None) -> Review | None:
    """Return the review in a file; None after reporting why it is invalid.

    Outside of suites' own folders (`suite` is None) nothing is reported: what is not taken stays in
    the list of what was not recognised.
    """
    review, place = review_of(value, path), review_path(path)
    if review is not None and (place is None or place[1:] == (review.type, review.id)):
        return review
    if value is MISSING or suite is None:
        return None  # that it could not be read is noted already
    code = "not-a-review"
    if review is not None and place is not None:
        code = "misplaced-review"
        message = (
            f"The {review.type} {review.id[:60]!r} is stored as {place.name[:60]!r} in the folder "
            f"{place.type!r}, so it may be a copy; it was not read."
        )
    elif not isinstance(value, dict) or "schema" not in value:
        message = "This is not a record of a `reviews` folder: it has no `schema`; it was not read."
    elif value["schema"] != SCHEMA:
        message = f"The `schema` of this record is not {SCHEMA}; it was not read."
    elif not is_written_here(value):
        message = "The type of this record is unknown; it was not read."
    else:
        missing = "`id`" if isinstance(value.get("fields"), dict) else "`fields`"
        message = f"This record has no readable {missing}; it was not read."
    reader.problem(path, "", "warning", code, message, _HINT, suite)
    return None


def note_stray(reader: Reader, path: str) -> None:
    """Report a review record outside of any suite's review folder."""
    reader.problem(
        path,
        "",
        "warning",
        "unrecognised",
        "This is a record of what a person said, but it is not in a `reviews` folder of a suite; "
        "it was not read.",
        "Move it to `reviews/<type>/<id>.json` in its suite's folder.",
    )
