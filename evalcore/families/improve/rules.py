"""The rules of the `improve` family: cases that can fail, versions in order, results that agree."""

import re
from typing import Final

from evalcore.families.improve.documents import CONVENTIONS
from evalcore.families.linting import (
    FILES_MISSING,
    UNEVEN_RUNS,
    Found,
    Item,
    Rule,
    Rules,
    at,
    blank,
    dates_back,
    equal,
    number,
    objects,
    repeated,
    unlike,
)
from evalcore.problems import quoted
from evalcore.tables.rows import VersionRow
from evalcore.texts.vague import vague_words

_KEBAB: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_COMMIT: Final = re.compile(r"[0-9a-f]{7,64}", re.IGNORECASE)
_UTC: Final = re.compile(r".*(?:Z|[+-]00:?00)", re.IGNORECASE)
SCHEMA: Final = "1.0"


def _misnumbered(item: Item) -> Found:
    found = [each.get("version") for each in item.value if isinstance(each, dict)]
    numbers = sorted({each for each in found if type(each) is int and number(each) is not None})
    is_odd = numbers != list(range(len(numbers)))
    return is_odd and at("", ", ".join(map(str, numbers[:10])))


def _without_average(item: Item) -> Found:
    row: VersionRow = item.value
    if row.stored_score is not None or not (row.pointer or "").startswith("/versions/"):
        return None
    own = item.known.computed(item.suite).get((row.version, "-", "average_score"))
    return own is not None and at("", row.version, f"{own.mean:.2f}")


def _older_current(item: Item) -> Found:
    current, entries = item.value.get("current_version"), item.value.get("versions")
    newest = len(entries) - 1 if isinstance(entries, list) else -1
    is_older = type(current) is int and 0 <= current < newest
    return is_older and at("/current_version", current, newest)


def _says_version(item: Item) -> Found:
    labels = {row.version for row in item.known.rows(VersionRow, item.suite)}
    words = re.findall(r"\w+", str(item.value.get("reasoning"))[:20_000])
    named = next((word for word in words if word in labels), None)
    return named is not None and at("/reasoning", quoted(named))


_CASE: Final = "evals: cases/*"
_EXPECTATION: Final = "evals: cases/*/expectations/*"

RULES: Final = Rules((
    Rule("evals:", "unknown-schema",
         lambda item: item.value.get("version") not in (None, SCHEMA)
         and at("/version", quoted(item.value["version"])),
         "The schema version {} is not known; the document is read as 1.0.",
         'Write "version": "1.0"; it is not the version of the skill.', "info"),
    Rule("evals: cases/[]", "duplicate-case", repeated("id"),
         "The id {} is used by another case too.", "Give each case its own id."),
    Rule(_CASE, "not-kebab-case", unlike("id", _KEBAB),
         "The id {} is not in kebab-case.", "Use lowercase letters, digits and single hyphens."),
    Rule(_CASE, "nothing-required",
         lambda item: item.on("expectations") if not any(
             each.get("required") is True for _, each in objects(item.value, "expectations")
         ) else None,
         "No expectation of this case is required, so the case can never fail.",
         "Mark at least one as required."),
    Rule("evals: cases/*/expectations/[]", "duplicate-criterion", repeated("criterion"),
         "The label {} appears twice in this case.", "Give each expectation its own label."),
    Rule(_EXPECTATION, "empty-description",
         lambda item: item.on("description") if item.value.get("description") is None
         else blank("description")(item),
         "This expectation has no description, so nothing says what would fail it.",
         "Say what the output must show."),
    Rule(_EXPECTATION, "vague-criterion",
         lambda item: isinstance(text := item.value.get("description"), str)
         and (words := vague_words(text)) is not None
         and at("/description", words),
         "{!r} leaves open what would fail this.", "Say what can be seen or counted."),
    FILES_MISSING,
    UNEVEN_RUNS,
    Rule("history: versions/[]", "version-gap", _misnumbered,
         "The versions are numbered {}, not one by one from 0.",
         "Number the versions from 0, or add the missing entry."),
    Rule("history: versions/[]", "dates-out-of-order",
         lambda item: dates_back(item.value, "timestamp"),
         "This version is dated {}, before the one above it ({}).",
         "Correct the timestamp, or the order of the versions."),
    Rule("history: versions/*", "not-utc", unlike("timestamp", _UTC),
         "The timestamp {} is not in UTC.", "Write it in UTC: 2026-02-22T20:00:00Z."),
    Rule("history: versions/*", "hash-form", unlike("git_hash", _COMMIT),
         "The git_hash {} is not the hash of a commit.",
         "Write the hash of the commit, or null where there is none."),
    Rule("history:", "current-not-newest", _older_current,
         "current_version is {}, but the newest version is number {} in the list.",
         "Write the index of the newest version, unless an older one is being worked on.", "info"),
    Rule("versions", "average-missing", _without_average,
         "{} has no average_score, but its gradings give {}.",
         "Write it, or run `evalcore aggregate`, which does."),
    Rule("grading: convention_compliance", "missing-convention",
         lambda item: not item.value.keys() >= {*CONVENTIONS}
         and at("", ", ".join(name for name in CONVENTIONS if name not in item.value)),
         "The conventions {} have no result, though the five keys are fixed.",
         'Write each of the five, with "passed": null where it was not checked.'),
    Rule("grading: results/*", "passed-without-score",
         lambda item: item.value.get("score") is None
         and isinstance(item.value.get("passed"), bool)
         and at("/passed"),
         "passed is set without a score, though it follows from the score: 3 or more passes.",
         "Write the score; never set passed by itself."),
    Rule("comparison:", "no-reasoning", blank("reasoning"),
         "The comparison gives no reason for its winner.", "Say why the winner is better."),
    Rule("comparison:", "names-version", _says_version,
         "The reasoning of this blind comparison contains {}, the name of a version.",
         "Compare again without telling which version is which, unless something else is meant."),
    Rule("analysis:", "same-version", equal("winner_version", "loser_version"),
         "Winner and loser are the same version, {}.", "Name the two versions that were compared."),
    Rule("analysis: suggestions/*", "suggestion-not-actionable",
         lambda item: bool(lost := [key for key in ("before", "after") if not item.value.get(key)])
         and at("", " and no ".join(lost)),
         "This suggestion has no {}, so it cannot be applied without reading the whole skill "
         "again.",
         "Write the text before and after."),
))  # fmt: skip
