"""The rules of records: scores have reasons, weights fit, thresholds can be met."""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from evalcore.disk.listing import Listing
from evalcore.disk.reader import Reader
from evalcore.families.base import ClaimedFile, Plan, Rules
from evalcore.families.records.connections import unfollowed
from evalcore.families.records.judgments import no_rationale
from evalcore.families.records.loading import Record, load
from evalcore.families.records.reading import Records, join
from evalcore.families.records.rubrics import Rubric
from evalcore.families.records.scoring import least_possible, most_possible
from evalcore.families.records.shapes import EVALUATED_BY, REFERENCES, quoted
from evalcore.families.records.store import Store, build
from evalcore.families.records.values import listed
from evalcore.numbers import at_least
from evalcore.problems import Problem, pointer
from evalcore.tables.builder import Rows


def lint(records: Sequence[Record], suite: str = ".") -> list[Problem]:
    """Return the violations of rules in the records of one store, and what cannot be followed.

    A judgment without rationale is also reported when the store is read, in the same words.
    """
    nowhere = Reader(Listing(Path(), [], array("q"), array("q"), frozenset(), []))
    store = build(records, nowhere, suite)
    known = join(store, Rows())
    return [
        *_judgments(store),
        *_criteria(store, known),
        *_rubrics(store, known),
        *_cases(store, known),
        *_comparisons(store, known),
        *unfollowed(records, suite),
    ]


def _problem(store: Store, record: Record, key: str, code: str, message: str, hint: str) -> Problem:
    at = record.fields_at + (pointer(key) if key in record.fields else "")
    return Problem(record.path, at, "warning", code, message, hint, store.suite)


def _judgments(store: Store) -> Iterator[Problem]:
    for record in store.all("eval-judgment"):
        reason = record.fields.get("rationale")
        if not (reason.strip() if isinstance(reason, str) else isinstance(reason, int | float)):
            yield no_rationale(record, store.suite)


def _criteria(store: Store, known: Records) -> Iterator[Problem]:
    for criterion in known.criteria.values():
        record, name = criterion.record, quoted(criterion.name)
        if criterion.weight is None:
            yield _problem(
                store,
                record,
                "weight",
                "no-weight",
                f"The criterion {name} has no weight, so no total can be computed.",
                "Give it a weight between 0 and 1.",
            )
        elif not 0 <= criterion.weight <= 1:
            yield _problem(
                store,
                record,
                "weight",
                "weight-out-of-range",
                f"The weight {criterion.weight:g} of the criterion {name} is not between 0 and 1.",
                "Give it a weight between 0 and 1.",
            )
        low, high = criterion.low, criterion.high
        if low is not None and high is not None and low >= high:
            yield _problem(
                store,
                record,
                "maxScore",
                "empty-scale",
                f"The scale of the criterion {name} goes from {low:g} to {high:g}.",
                "Make maxScore larger than minScore.",
            )


def _rubrics(store: Store, known: Records) -> Iterator[Problem]:
    for name, rubric in known.rubrics.items():
        record = store.by_type["rubric"][name]
        ids = [text for text, _ in listed(store.node(record), "criteriaIds")]
        if not rubric.criteria:
            yield _problem(
                store,
                record,
                "criteriaIds",
                "no-criteria",
                f"The rubric {quoted(name)} has no criterion in this store.",
                "List its criteria in criteriaIds.",
            )
        twice = [text for text, count in Counter(ids).items() if count > 1]
        if twice:
            yield _problem(
                store,
                record,
                "criteriaIds",
                "repeated-criterion",
                f"The rubric {quoted(name)} lists {', '.join(map(quoted, twice))} more than once.",
                "List each criterion once, in order.",
            )
        for text in ids:
            yield from _foreign(store, known, record, text)
        yield from _unlisted(store, record, rubric, set(ids))
        yield from _threshold(store, record, rubric)


def _foreign(store: Store, known: Records, record: Record, name: str) -> Iterator[Problem]:
    """A criterion belongs to one rubric."""
    criterion = known.criteria.get(name)
    owner = criterion.record.fields.get("rubricId") if criterion else None
    other = store.find("rubric", owner) if isinstance(owner, str) else None
    if other is not None and other is not record:
        yield _problem(
            store,
            record,
            "criteriaIds",
            "foreign-criterion",
            f"The rubric {quoted(record.id)} lists the criterion {quoted(name)}, which "
            f"names the rubric {quoted(owner)}.",
            "Give each rubric its own criteria.",
        )


def _unlisted(store: Store, record: Record, rubric: Rubric, ids: set[str]) -> Iterator[Problem]:
    """Criteria are ordered by the rubric's list; one outside it has no position."""
    for criterion in rubric.criteria:
        if ids and criterion.id not in ids:
            yield _problem(
                store,
                criterion.record,
                "rubricId",
                "criterion-not-listed",
                f"The criterion {quoted(criterion.name)} names the rubric "
                f"{quoted(record.id)}, whose criteriaIds do not list it.",
                "Add it to criteriaIds where it belongs in the order.",
            )


def _threshold(store: Store, record: Record, rubric: Rubric) -> Iterator[Problem]:
    """A threshold must be reachable, and possible to miss."""
    threshold = rubric.threshold
    if threshold is None:
        yield _problem(
            store,
            record,
            "passingThreshold",
            "no-threshold",
            f"The rubric {quoted(record.id)} has no passingThreshold, so its runs neither pass "
            "nor fail.",
            "Add the smallest total that passes.",
        )
        return
    if rubric.missing or not rubric.criteria:
        return
    most, least = most_possible(rubric.criteria), least_possible(rubric.criteria)
    if most is not None and not at_least(most, threshold):
        yield _problem(
            store,
            record,
            "passingThreshold",
            "threshold-unreachable",
            f"The threshold {threshold:g} cannot be reached: the highest possible total is "
            f"{most:.6g}.",
            "Lower it, or correct the weights and scales.",
        )
    if least is not None and at_least(least, threshold):
        yield _problem(
            store,
            record,
            "passingThreshold",
            "threshold-always-reached",
            f"The threshold {threshold:g} is always reached: the lowest possible total is "
            f"{least:.6g}.",
            "Raise it, so that a run can fail.",
        )


def _cases(store: Store, known: Records) -> Iterator[Problem]:
    for record in store.all("test-case"):
        if known.cases[record.id].status not in (None, "active"):
            continue
        name = known.links.target(EVALUATED_BY, record.id)
        if name is None:
            yield _problem(
                store,
                record,
                "rubricId",
                "no-rubric",
                f"The test-case {quoted(record.id)} has no rubric to judge its output by.",
                "Name one in rubricId.",
            )
        rubric = store.find("rubric", name) if name else None
        if rubric is not None and rubric.fields.get("isActive") is False:
            yield _problem(
                store,
                record,
                "rubricId",
                "inactive-rubric",
                f"The active test-case {quoted(record.id)} uses the rubric "
                f"{quoted(rubric.id)}, which is not active.",
                "Use an active rubric, or activate this one.",
            )


def _comparisons(store: Store, known: Records) -> Iterator[Problem]:
    """A change of a prompt needs a benchmark run that shows the improvement."""
    for record in store.all("prompt-comparison"):
        if not known.links.targets(REFERENCES, record.id):
            yield _problem(
                store,
                record,
                "benchmarkId",
                "no-benchmark-run",
                f"The prompt-comparison {quoted(record.id)} has no benchmark-run of its "
                "versions in this store.",
                "Run the benchmark once per version and keep the records.",
            )


def _of_suite(suite: str, documents: Sequence[ClaimedFile], reader: Reader) -> list[Problem]:
    """Return the violations of rules in one store, whose files are reread for it."""
    places = [
        (path, "records" if kind == "records" else "record")
        for path, kind in documents
        if kind != "broken"
    ]
    return lint(load(Plan(suite, "", "", None, tuple(places)), reader).records, suite)


RULES: Final = Rules(of_suite=_of_suite)
