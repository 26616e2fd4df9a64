"""The rules of records: scores have reasons, weights fit, thresholds can be met, names lead on."""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from evalcore.disk.listing import Listing
from evalcore.disk.reader import Reader
from evalcore.families.base import ClaimedFile, Plan, Rules
from evalcore.families.records.judgments import no_rationale
from evalcore.families.records.reading import Records, join
from evalcore.families.records.rubrics import Rubric
from evalcore.families.records.scoring import weighted
from evalcore.families.records.shapes import (
    AGENT_RUN,
    CONNECTIONS,
    EVALUATED_BY,
    REFERENCES,
    leads_to_run,
    quoted,
)
from evalcore.families.records.store import Record, Store, build, listed, load
from evalcore.numbers import at_least
from evalcore.problems import Problem
from evalcore.shapes.prompts import names_of
from evalcore.tables.builder import Rows

_CONNECTED: Final = ("test-run", "test-case", "skill-definition")
"""The types whose records name records of other toolboxes."""


def lint(records: Sequence[Record], suite: str = ".") -> list[Problem]:
    """Return the violations of rules in the records of one store, and what cannot be followed.

    A judgment without rationale is also reported when the store is read, in the same words.
    """
    nowhere = Reader(Listing(Path(), [], array("q"), array("q"), frozenset(), []))
    store = build(records, nowhere, suite)
    known = join(store, Rows())
    found = []
    for record in store.all("eval-judgment"):
        reason = record.fields.get("rationale")
        if not (reason.strip() if isinstance(reason, str) else isinstance(reason, int | float)):
            found.append(no_rationale(store, record))
    found.extend(_criteria(store, known))
    for rubric in known.rubrics.values():
        found.extend(_rubric(store, known, rubric))
    found.extend(_cases(store, known))
    # A change of a prompt needs a benchmark run that shows the improvement.
    for record in store.all("prompt-comparison"):
        if not known.links.targets(REFERENCES, record.id):
            message = (
                f"The prompt-comparison {quoted(record.id)} has no benchmark-run of its versions "
                "in this store."
            )
            hint = "Run the benchmark once per version and keep the records."
            found.append(store.warning(record, "benchmarkId", "no-benchmark-run", message, hint))
    return [*found, *_unfollowed(store, records)]


def _criteria(store: Store, known: Records) -> Iterator[Problem]:
    for criterion in known.criteria.values():
        record, name, weight = criterion.record, quoted(criterion.name), criterion.weight
        hint = "Give it a weight between 0 and 1."
        if weight is None:
            message = f"The criterion {name} has no weight, so no total can be computed."
            yield store.warning(record, "weight", "no-weight", message, hint)
        elif not 0 <= weight <= 1:
            message = f"The weight {weight:g} of the criterion {name} is not between 0 and 1."
            yield store.warning(record, "weight", "weight-out-of-range", message, hint)
        low, high = criterion.low, criterion.high
        if low is not None and high is not None and low >= high:
            message = f"The scale of the criterion {name} goes from {low:g} to {high:g}."
            hint = "Make maxScore larger than minScore."
            yield store.warning(record, "maxScore", "empty-scale", message, hint)


def _rubric(store: Store, known: Records, rubric: Rubric) -> Iterator[Problem]:
    record, name = store.by_type["rubric"][rubric.id], quoted(rubric.id)
    ids = [text for text, _ in listed(store.node(record), "criteriaIds")]
    if not rubric.criteria:
        message = f"The rubric {name} has no criterion in this store."
        hint = "List its criteria in criteriaIds."
        yield store.warning(record, "criteriaIds", "no-criteria", message, hint)
    twice = [text for text, count in Counter(ids).items() if count > 1]
    if twice:
        message = f"The rubric {name} lists {', '.join(map(quoted, twice))} more than once."
        hint = "List each criterion once, in order."
        yield store.warning(record, "criteriaIds", "repeated-criterion", message, hint)
    for text in ids:  # a criterion belongs to one rubric
        criterion = known.criteria.get(text)
        owner = criterion.record.fields.get("rubricId") if criterion else None
        other = store.find("rubric", owner) if isinstance(owner, str) else None
        if other is not None and other is not record:
            message = (
                f"The rubric {name} lists the criterion {quoted(text)}, which names the rubric "
                f"{quoted(owner)}."
            )
            hint = "Give each rubric its own criteria."
            yield store.warning(record, "criteriaIds", "foreign-criterion", message, hint)
    for each in rubric.criteria if ids else ():  # one outside the list has no position
        if each.id not in ids:
            message = (
                f"The criterion {quoted(each.name)} names the rubric {name}, whose criteriaIds do "
                "not list it."
            )
            hint = "Add it to criteriaIds where it belongs in the order."
            yield store.warning(each.record, "rubricId", "criterion-not-listed", message, hint)
    threshold = rubric.threshold
    if threshold is None:
        message = f"The rubric {name} has no passingThreshold, so its runs neither pass nor fail."
        hint = "Add the smallest total that passes."
        yield store.warning(record, "passingThreshold", "no-threshold", message, hint)
    elif rubric.criteria and not rubric.missing:
        weights = [each.weight for each in rubric.criteria]
        most = weighted(weights, [each.high for each in rubric.criteria])
        least = weighted(weights, [each.low for each in rubric.criteria])
        if most is not None and not at_least(most, threshold):
            message = (
                f"The threshold {threshold:g} cannot be reached: the highest possible total is "
                f"{most:.6g}."
            )
            hint = "Lower it, or correct the weights and scales."
            yield store.warning(record, "passingThreshold", "threshold-unreachable", message, hint)
        if least is not None and at_least(least, threshold):
            message = (
                f"The threshold {threshold:g} is always reached: the lowest possible total is "
                f"{least:.6g}."
            )
            hint, code = "Raise it, so that a run can fail.", "threshold-always-reached"
            yield store.warning(record, "passingThreshold", code, message, hint)


def _cases(store: Store, known: Records) -> Iterator[Problem]:
    for record in store.all("test-case"):
        if not known.cases[record.id].counts:
            continue
        name = known.links.target(EVALUATED_BY, record.id)
        if name is None:
            message = f"The test-case {quoted(record.id)} has no rubric to judge its output by."
            hint = "Name one in rubricId."
            yield store.warning(record, "rubricId", "no-rubric", message, hint)
        rubric = store.find("rubric", name) if name else None
        if rubric is not None and rubric.fields.get("isActive") is False:
            message = (
                f"The active test-case {quoted(record.id)} uses the rubric {quoted(rubric.id)}, "
                "which is not active."
            )
            hint = "Use an active rubric, or activate this one."
            yield store.warning(record, "rubricId", "inactive-rubric", message, hint)


def _unfollowed(store: Store, records: Sequence[Record]) -> Iterator[Problem]:
    """Yield what test cases and runs name of other toolboxes and is not there.

    Of a type of which a store holds no record, one note says how many name one. An agent-run that
    leads to a test-run was written for it, by whoever ran the case: it does not show that the
    toolbox of agent-runs keeps its records here.
    """
    for wanted in dict.fromkeys(CONNECTIONS.values()):
        targets = [record for record in records if record.type in wanted]
        names = {
            name
            for each in targets
            for name in names_of({"id": each.id, **each.envelope, "fields": each.fields})
        }
        fields = [field for field, types in CONNECTIONS.items() if types == wanted]
        unknown = [
            (record, field, name)
            for record in records
            for field in fields
            if record.type in _CONNECTED
            and isinstance(name := record.fields.get(field), str)
            and name.strip()
            and name not in names
        ]
        if any(each.type != AGENT_RUN or not leads_to_run(each.fields) for each in targets):
            for record, field, name in unknown:
                at = f"{record.fields_at}/{field}"
                yield store.missing_reference(record, field, wanted[0], name, at)
        elif unknown:
            record, field, name = unknown[0]
            many = f"{len(unknown):,} records name" if len(unknown) > 1 else "A record names"
            yield Problem(
                record.path,
                f"{record.fields_at}/{field}",
                "info",
                "not-followed",
                f"{many} one of the type {wanted[0]} (here {quoted(name)}); this store has none, "
                "so it cannot be shown.",
                f"Keep the records of the type {wanted[0]} in the same store to follow them.",
                store.suite,
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
