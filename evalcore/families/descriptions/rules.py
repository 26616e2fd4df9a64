"""The rules of the `descriptions` family: assertions that can fail, entries that agree."""

import hashlib
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from evalcore.disk.values import parse_time
from evalcore.families.linting import (
    SHA256,
    At,
    Found,
    Item,
    Rule,
    Rules,
    at,
    blank,
    dates_back,
    elsewhere,
    equal,
    number,
    objects,
    repeated,
    unlike,
)
from evalcore.problems import quoted
from evalcore.shapes.judge import BLOCK
from evalcore.tables.rows import CaseRow, DocumentRow, VersionRow
from evalcore.texts.vague import vague_words


def _texts(item: Item) -> Iterator[tuple[str, str, bool]]:
    """Yield the pointer of each assertion, the text, and whether an earlier one is the same."""
    seen: set[str] = set()
    for index, text in enumerate(item.value):
        if isinstance(text, str):
            yield f"/{index}", text, text in seen
            seen.add(text)


def _weighs(item: Item) -> float | None:
    return number(item.value.get("weight"))


def _unknown_case(item: Item) -> Found:
    documents = item.known.rows(DocumentRow, item.suite)
    cases = item.known.rows(CaseRow, item.suite)

    def defined() -> set[str | None]:
        paths = {row.path for row in documents if row.kind == "eval_metadata"}
        return {row.case_id for row in cases if row.source in paths}

    known, name = item.known.once(("cases", item.suite), defined), item.value.get("test_case_id")
    is_odd = bool(known) and isinstance(name, str) and name not in known
    return is_odd and at("/test_case_id", quoted(name))


def _versions(item: Item) -> list[tuple[str, float, str]]:
    """Return pointer, version and hash of each entry that has a numbered version."""
    found = []
    for where, entry in objects(item.value, "entries"):
        version, digest = number(entry.get("description_version")), entry.get("description_hash")
        if version is not None:
            text = digest.strip().lower() if isinstance(digest, str) else ""
            found.append((where, version, text.removeprefix("sha256:")))
    return found


def _beyond_entries(item: Item) -> Found:
    stated, known = number(item.value.get("description_version")), _versions(item)
    # The next one may be written already and not yet measured.
    if stated is None or not known or known[-1][1] <= stated <= max(v for _, v, _ in known) + 1:
        return None
    return at("/description_version", f"{stated:g}", f"{known[-1][1]:g}")


def _shared_hash(item: Item) -> Iterator[At]:
    first: dict[str, float] = {}
    for where, version, digest in _versions(item):
        if digest and first.setdefault(digest, version) != version:
            yield at(where + "/description_hash", f"{version:g}", f"{first[digest]:g}")


def other_description(item: Item) -> Found:
    """Hold the hash of the newest version against the description of SKILL.md."""
    versions = item.known.rows(VersionRow, item.suite)
    newest = max(versions, key=lambda row: row.position or 0, default=None)
    stated = (newest.content_hash or "").lower().removeprefix("sha256:") if newest else ""
    if newest is None or len(stated) < 8 or newest.is_current is False:
        return None
    path, about = item.known.skill(item.suite)
    text = about.get("description")
    forms = (text, text.strip(), text.strip() + "\n") if isinstance(text, str) else ()
    digests = [hashlib.sha256(form.encode()).hexdigest() for form in forms]
    if not digests or any(digest.startswith(stated) for digest in digests):
        return None
    where = f"{newest.pointer or ''}/description_hash"
    return elsewhere(newest.source or "", where, path, newest.version)


def _graded_early(item: Item) -> Found:
    timing: Any = item.value.get("timing")
    ends = [timing.get(key) for key in ("end", "start")] if isinstance(timing, dict) else []
    ended = next((each for each in ends if parse_time(each) is not None), None)
    graded, last = parse_time(item.value.get("timestamp")), parse_time(ended)
    is_early = graded is not None and last is not None and graded < last
    return is_early and at("/timestamp", item.value["timestamp"], ended)


_CASE: Final = "eval_metadata: test_cases/*"

RULES: Final = Rules((
    Rule("eval_metadata: test_cases/[]", "duplicate-case", repeated("id"),
         "The id {} is used by another test case too.", "Give each test case its own id."),
    Rule(_CASE, "no-assertions",
         lambda item: item.value.get("assertions") in (None, []) and item.on("assertions"),
         "This test case has no assertions, so it has no score.",
         "Write what its output must show."),
    Rule(f"{_CASE}/assertions/[]", "empty-assertion",
         lambda item: [at(where) for where, text, _ in _texts(item) if not text.strip()],
         "This assertion is empty.", "Write it, or remove it."),
    Rule(f"{_CASE}/assertions/[]", "duplicate-criterion",
         lambda item: [at(where) for where, text, twice in _texts(item) if text.strip() and twice],
         "This assertion appears twice in the test case, so it counts twice.", "Remove one."),
    Rule(f"{_CASE}/assertions/[]", "vague-criterion",
         lambda item: [
             at(where, word)
             for where, text, twice in _texts(item)
             if not twice and text.strip() and (word := vague_words(text))
         ],
         "{!r} leaves open what would fail this.", "Say what can be seen or counted."),
    Rule(_CASE, "negative-weight",
         lambda item: (weight := _weighs(item) or 0) < 0 and at("/weight", weight),
         "The weight {} is below 0, so a better answer lowers the score.", "Write 0 or more."),
    Rule(_CASE, "no-weight", lambda item: _weighs(item) == 0 and at("/weight"),
         "With the weight 0 this test case does not count in the weighted score.",
         "Give it a weight above 0, or remove it."),
    Rule("benchmark: entries/*", "hash-form", unlike("description_hash", SHA256),
         "{} is not a SHA-256 in hexadecimal.",
         "Write the 64 digits of the hash of the description's text."),
    Rule("benchmark: entries/*/per_test_case/*", "unknown-case", _unknown_case,
         "eval_metadata.json has no test case {}.", "Add the test case, or correct the id."),
    Rule("benchmark:", "no-such-version", _beyond_entries,
         "description_version is {}, but the newest entry is of version {}.",
         "Write the version of the description as it is now."),
    Rule("benchmark:", "same-hash", _shared_hash,
         "Version {} has the same description_hash as version {}.",
         "Write the hash of its own description, or the same version."),
    Rule("benchmark:", "versions-out-of-order",
         lambda item: [
             at(where + "/description_version", f"{version:g}", f"{before:g}")
             for (_, before, _), (where, version, _) in pairwise(_versions(item))
             if version < before
         ],
         "This entry is of version {}, the one before it of version {}.",
         "Put the entries in the order of their versions, unless this one was measured again.",
         "info"),
    Rule("benchmark: entries/[]", "dates-out-of-order",
         lambda item: dates_back(item.value, "timestamp"),
         "This entry is dated {}, before the one above it ({}).",
         "Correct the timestamp, or the order of the entries."),
    Rule("suites", "hash-differs", other_description,
         "The description in {} is not the one that {} was measured with: it has another SHA-256.",
         "Increase description_version and measure it, or put the measured text back.", "info"),
    Rule("grading:", "judged-before-run", _graded_early,
         "It was graded at {}, before the run ended at {}.", "Correct one of the two times."),
    Rule("comparison:", "same-version", equal("version_a", "version_b"),
         "Version {} is compared with itself.", "Name two versions."),
    Rule("comparison: criteria_scores/*", "no-justification",
         lambda item: BLOCK not in item.whole
         and blank("justification_a", "justification_b")(item),
         "{} is empty, so nothing says why the side has this score.",
         "Say what in the output decided the score."),
))  # fmt: skip
