"""The rules of records: weights fit, names lead on, dates are in order, figures are the runs'."""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evalcore.disk.listing import Listing
from evalcore.disk.reader import Reader
from evalcore.disk.values import decoded, parse_time
from evalcore.families.base import ClaimedFile, Plan
from evalcore.families.linting import (
    At,
    Found,
    Item,
    Known,
    Rule,
    Rules,
    dates_back,
    elsewhere,
    number,
)
from evalcore.families.records.reading import read_store
from evalcore.families.records.shapes import AGENT_RUN, CONNECTIONS, leads_to_run
from evalcore.families.records.store import Record, Rubric, Store, listed, load
from evalcore.families.scoring import weighted
from evalcore.numbers import at_least, disagrees, mean
from evalcore.problems import quoted
from evalcore.shapes.judge import MODEL
from evalcore.shapes.prompts import names_of
from evalcore.shapes.relations import (
    AGGREGATES,
    EVALUATED_BY,
    GROUPS,
    PRODUCES_BENCHMARK_RUN,
    REFERENCES,
)
from evalcore.statistics.trend import trend
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRunRow, CriterionRow, RunRow

_CONNECTED: Final = ("test-run", "test-case", "skill-definition")
"""The types whose records name records of other toolboxes."""
_STATED: Final = (
    ("test-case", "agentId"), ("test-case", "skillId"), ("test-case", "promptVersionRef"),
    ("test-run", "agentRunId"), ("test-run", "promptVersionRef"), ("eval-judgment", "confidence"),
)  # fmt: skip
"""Fields that seed 001 lists and that evalcore does without. Only models state a confidence."""


@dataclass(frozen=True)
class Seen(Item):
    """A record among the others of its store; its value are the record's fields."""

    record: Record
    store: Store
    all: Sequence[Record]

    @property
    def name(self) -> str:
        """Its id in quotes."""
        return quoted(self.record.id)

    @property
    def criterion(self) -> CriterionRow:
        """What a rubric-criterion is."""
        return self.store.criteria[self.record.id].row

    @property
    def title(self) -> str:
        """The name of a rubric-criterion."""
        return self.store.criteria[self.record.id].name

    @property
    def rubric(self) -> Rubric:
        """What a rubric is."""
        return self.store.rubrics[self.record.id]

    @property
    def run(self) -> RunRow | None:
        """The test run that a record is about."""
        record = self.store.find("test-run", self.value.get("testRunId"))
        return self.store.runs.get(record.id) if record is not None else None

    def runs_of(self, benchmark_run: str | None) -> list[RunRow]:
        """Return the test runs that a benchmark-run lists and that are here."""
        names = self.store.targets(AGGREGATES, benchmark_run or "")
        return [self.store.runs[name] for name in names if name in self.store.runs]

    def stated(self, run: BenchmarkRunRow, key: str) -> Any:
        """Return what a benchmark-run says."""
        return self.store.by_type["benchmark-run"][run.benchmark_run or ""].value.get(key)


def _things(
    suite: str, documents: Sequence[ClaimedFile], known: Known
) -> Iterator[tuple[str, Item]]:
    """Yield each record of a store by its type, then the store; its files are read again."""
    # What is odd about the files was said at opening: the problems of this reader are dropped.
    reader = Reader(Listing(known.root, [], array("q"), array("q"), frozenset(), []))
    places = tuple(
        (path, "records" if kind == "records" else "record")
        for path, kind in documents
        if kind != "broken"
    )
    records = load(Plan(suite, "", "", None, places), reader, Rows())
    store = Store(suite, records, Rows())
    read_store(store)
    found = [(kind, record) for kind in store.by_type for record in store.all(kind)]
    for kind, each in [*found, *(("store", record) for record in records[:1])]:
        place = each.path, each.at, suite, known, each.value
        yield kind, Seen(each.value, *place, each, store, records)


def _scale(seen: Seen) -> Found:
    low, high = seen.criterion.min_score, seen.criterion.max_score
    if low is None or high is None or low < high:
        return None
    return seen.on("maxScore", quoted(seen.title), f"{low:g}", f"{high:g}")


def _listed(seen: Seen) -> list[str]:
    return [text for text, _ in listed(seen.record, "criteriaIds")]


def _repeated(seen: Seen) -> Found:
    twice = [text for text, count in Counter(_listed(seen)).items() if count > 1]
    return bool(twice) and seen.on("criteriaIds", seen.name, ", ".join(map(quoted, twice)))


def _foreign(seen: Seen) -> Iterator[At]:
    for text in _listed(seen):  # a criterion belongs to one rubric
        criterion = seen.store.criteria.get(text)
        owner = criterion.record.value.get("rubricId") if criterion else None
        other = seen.store.find("rubric", owner)
        if other is not None and other is not seen.record:
            yield seen.on("criteriaIds", seen.name, quoted(text), quoted(owner))


def _unlisted(seen: Seen) -> Iterator[At]:
    ids = _listed(seen)
    for each in seen.rubric.criteria if ids else ():  # one outside the list has no position
        if each.record.id not in ids:
            where = each.record.at + "/rubricId" * ("rubricId" in each.record.value)
            yield elsewhere(each.record.path, where, quoted(each.name), seen.name)


def _beyond_totals(seen: Seen, *, highest: bool) -> Found:
    """Hold for a threshold that no total reaches, or else for one that every total reaches."""
    rubric = seen.rubric
    if rubric.threshold is None or not rubric.criteria or rubric.missing:
        return None
    rows = [each.row for each in rubric.criteria]
    end = weighted((row.weight, row.max_score if highest else row.min_score) for row in rows)
    if end is None or at_least(end, rubric.threshold) == highest:
        return None
    return seen.on("passingThreshold", f"{rubric.threshold:g}", f"{end:.6g}")


def _weight_of(seen: Seen) -> float:
    return math.fsum(each.row.weight or 0.0 for each in seen.rubric.criteria)


def _rubric_of(seen: Seen, *, inactive: bool) -> Found:
    """Hold for a case that counts and has no rubric, or else an inactive one."""
    name = seen.store.target(EVALUATED_BY, seen.record.id)
    rubric = seen.store.find("rubric", name) if name else None
    if not seen.store.cases[seen.record.id].counts:
        return None
    if not inactive:
        return name is None and seen.on("rubricId", seen.name)
    off = rubric is not None and rubric.value.get("isActive") is False
    return off and seen.on("rubricId", seen.name, quoted(rubric.id if rubric else ""))


def _last_run(seen: Seen) -> Iterator[At]:
    """Yield what a benchmark says of its last run and its newest benchmark-run does not."""
    own = [run for run in seen.store.benchmark_runs if run.benchmark == seen.record.id]
    dated = [(when, run) for run in own if (when := parse_time(seen.stated(run, "ranAt")))]
    if not dated:
        return
    when, newest = max(dated, key=lambda pair: pair[0])
    last, score = seen.value.get("lastRunAt"), number(seen.value.get("lastScore"))
    ran, overall = seen.stated(newest, "ranAt"), number(seen.stated(newest, "overallScore"))
    if parse_time(last) not in (None, when):
        yield seen.on("lastRunAt", "lastRunAt", last, quoted(newest.benchmark_run), ran)
    if score is not None and overall is not None and disagrees(score, overall):
        yield seen.on(
            "lastScore", "lastScore", f"{score:g}", quoted(newest.benchmark_run), f"{overall:g}"
        )


def _cases(seen: Seen, *, outside: bool) -> Found:
    """Hold for a run without a case of its benchmark, or else with one that is not of it."""
    known, benchmark = seen.store.cases, seen.store.source(PRODUCES_BENCHMARK_RUN, seen.record.id)
    ran = {run.case_id for run in seen.runs_of(seen.record.id)}
    asked: set[str | None] = {*seen.store.targets(GROUPS, benchmark or "")}
    if not ran or not asked:
        return None
    odd = ran - asked if outside else asked - ran
    names = [
        quoted(name)
        for name in sorted(filter(None, odd))
        if outside or (name in known and known[name].counts)
    ]
    if not names:
        return None
    shown = ", ".join(names[:3]) + " and others" * (len(names) > 3)
    return seen.on("testRunIds", seen.name, shown, quoted(benchmark))


def other_overall(seen: Seen) -> Found:
    """Hold an overallScore against the means of its runs: over runs and cases, in each unit."""
    stated = number(seen.value.get("overallScore"))
    own = seen.runs_of(seen.record.id)
    every = seen.store.targets(AGGREGATES, seen.record.id)
    if stated is None or not own or len(own) < len(every):
        return None
    ways: list[float] = []
    for of in ("fraction", "score", "passed"):
        by_case: dict[str | None, list[float]] = defaultdict(list)
        for row in own:
            if getattr(row, of) is not None:
                by_case[row.case_id].append(float(getattr(row, of)))
        every_run = [value for values in by_case.values() for value in values]
        for found in (mean(map(mean, by_case.values())), mean(every_run)):
            ways += [] if found is None else [found, found * 100]
    if not ways or not all(disagrees(float(stated), way) for way in ways):
        return None
    nearest = min(ways, key=lambda way: abs(way - stated))
    return seen.on("overallScore", f"{stated:g}", f"{nearest:.4g}")


def _sides(seen: Seen) -> list[tuple[str, str | None, list[BenchmarkRunRow]]]:
    """Return letter, version and benchmark-runs of both sides of a prompt-comparison.

    There are none where it rests on no benchmark-run, and for a blind comparison, whose scores are
    the shares of its preferences.
    """
    named = seen.store.targets(REFERENCES, seen.record.id)
    of = seen.value.get("benchmarkId")
    every = seen.store.benchmark_runs
    runs = [run for run in every if run.benchmark_run in named or run.benchmark == of]
    shares = math.fsum(number(seen.value.get(f"score{letter}")) or 0 for letter in "AB")
    if not named or not disagrees(1.0, shares):
        return []
    versions = ((letter, seen.value.get(f"promptVersion{letter}")) for letter in "AB")
    ran = [(run, {each.version for each in seen.runs_of(run.benchmark_run)}) for run in runs]
    return [(at, name, [run for run, of in ran if name in of]) for at, name in versions]


def _without_runs(seen: Seen) -> Iterator[At]:
    if not seen.store.targets(REFERENCES, seen.record.id):
        yield seen.on("benchmarkId", seen.name, "its versions")
    for letter, version, runs in _sides(seen):
        if version and not runs:
            yield seen.on(f"promptVersion{letter}", seen.name, quoted(version))


def _compared_scores(seen: Seen) -> Iterator[At]:
    for letter, version, runs in _sides(seen):
        key, alone = f"score{letter}", [run for run in runs if run.version is not None]
        known = [number(seen.stated(run, "overallScore")) for run in alone]
        stated, found = number(seen.value.get(key)), [each for each in known if each is not None]
        if stated is not None and found and all(disagrees(stated, each) for each in found):
            yield seen.on(key, key, f"{stated:g}", quoted(version), f"{found[-1]:g}")


def _sample(seen: Seen) -> Found:
    stated, sides = seen.value.get("sampleSize"), _sides(seen)
    if number(stated) is None or not sides or not all(runs for _, _, runs in sides):
        return None
    ran = [[seen.runs_of(run.benchmark_run) for run in runs] for _, _, runs in sides]
    cases = [{run.case_id for runs in side for run in runs} for side in ran]
    both = len(cases[0] & cases[1])
    counts = {both, *map(len, cases), *(len(each) for side in ran for each in side)}
    shared = "1 case" if both == 1 else f"{both} cases"
    return stated not in counts and seen.on("sampleSize", stated, shared)


def _points(seen: Seen) -> list[dict[str, Any]]:
    points = decoded(seen.value.get("dataPoints"))
    return [each for each in points if isinstance(each, dict)] if isinstance(points, list) else []


def _dimension(seen: Seen) -> Found:
    stated, name = seen.value.get("dimension"), seen.value.get("benchmarkId")
    benchmark = seen.store.find("benchmark", name)
    own = benchmark.value.get("dimension") if benchmark is not None else None
    if not isinstance(stated, str) or not isinstance(own, str) or stated == own:
        return None
    return seen.on("dimension", quoted(stated), quoted(name), quoted(own))


def _direction(seen: Seen) -> Found:
    points = [each for each in _points(seen) if number(each.get("score")) is not None]
    dates = [parse_time(each.get("date")) for each in points]
    if not points or None in dates:
        return None
    in_order = sorted(zip(dates, range(len(dates)), strict=True))
    scores = [float(points[place]["score"]) for _, place in in_order]
    stated, word = seen.value.get("direction"), trend(scores, relative=max(scores) > 1).direction
    # A document has no word for "no clear direction".
    meant = "stable" if word == "no clear direction" else word
    is_other = isinstance(stated, str) and word != "too early" and stated != meant
    return is_other and seen.on("direction", quoted(stated), word)


def _before_run(seen: Seen, key: str) -> Found:
    run, stated = seen.run, seen.value.get(key)
    when = parse_time(stated)
    if run is None or when is None or run.started_at is None or when >= run.started_at:
        return None
    ran_at = seen.store.by_type["test-run"][run.run or ""].value.get("ranAt")
    return seen.on(key, stated, quoted(run.run), ran_at)


def _fields_missing(seen: Seen) -> Iterator[At]:
    for kind, field in _STATED:
        without = [
            each
            for each in seen.store.all(kind)
            if each.value.get(field) is None and each.value.get("judgedByType", MODEL) == MODEL
        ]
        if without:
            many = "1 record" if len(without) == 1 else f"{len(without):,} records"
            words = many, kind, "has" if len(without) == 1 else "have", field
            yield elsewhere(without[0].path, without[0].at, *words)


def _names_unknown(seen: Seen) -> Iterator[tuple[bool, list[tuple[Record, str, str]], str]]:
    """Yield for each type of another toolbox whether it is here, and what names an unknown one.

    An agent-run that leads to a test-run was written for it, by whoever ran the case: it does not
    show that the toolbox of agent-runs keeps its records here.
    """
    for wanted in dict.fromkeys(CONNECTIONS.values()):
        targets = [record for record in seen.all if record.type in wanted]
        names = {
            name
            for each in targets
            for name in names_of({"id": each.id, **each.envelope, "fields": each.value})
        }
        fields = [field for field, types in CONNECTIONS.items() if types == wanted]
        unknown = [
            (record, field, name)
            for record in seen.all
            for field in fields
            if record.type in _CONNECTED
            and isinstance(name := record.value.get(field), str)
            and name.strip()
            and name not in names
        ]
        is_here = any(each.type != AGENT_RUN or not leads_to_run(each.value) for each in targets)
        yield is_here, unknown, wanted[0]


def _dangling(seen: Seen) -> Iterator[At]:
    for is_here, unknown, wanted in _names_unknown(seen):
        for record, field, name in unknown if is_here else ():
            names = quoted(record.id), wanted, quoted(name), quoted(field)
            yield elsewhere(record.path, f"{record.at}/{field}", record.type, *names)


def not_followed(seen: Seen) -> Iterator[At]:
    """Yield one place of each type of which a store holds no record."""
    for is_here, unknown, wanted in _names_unknown(seen):
        if unknown and not is_here:
            record, field, name = unknown[0]
            many = f"{len(unknown):,} records name" if len(unknown) > 1 else "A record names"
            yield elsewhere(record.path, f"{record.at}/{field}", many, wanted, quoted(name))


RULES: Final = Rules((
    Rule("rubric-criterion", "no-weight",
         lambda seen: seen.criterion.weight is None
         and seen.on("weight", quoted(seen.title)),
         "The criterion {} has no weight, so no total can be computed.",
         "Give it a weight between 0 and 1."),
    Rule("rubric-criterion", "weight-out-of-range",
         lambda seen: (weight := seen.criterion.weight) is not None
         and not 0 <= weight <= 1
         and seen.on("weight", f"{weight:g}", quoted(seen.title)),
         "The weight {} of the criterion {} is not between 0 and 1.",
         "Give it a weight between 0 and 1."),
    Rule("rubric-criterion", "empty-scale", _scale,
         "The scale of the criterion {} goes from {} to {}.",
         "Make maxScore larger than minScore."),
    Rule("rubric", "no-criteria",
         lambda seen: not seen.rubric.criteria and seen.on("criteriaIds", seen.name),
         "The rubric {} has no criterion in this store.", "List its criteria in criteriaIds."),
    Rule("rubric", "repeated-criterion", _repeated,
         "The rubric {} lists {} more than once.", "List each criterion once, in order."),
    Rule("rubric", "foreign-criterion", _foreign,
         "The rubric {} lists the criterion {}, which names the rubric {}.",
         "Give each rubric its own criteria."),
    Rule("rubric", "criterion-not-listed", _unlisted,
         "The criterion {} names the rubric {}, whose criteriaIds do not list it.",
         "Add it to criteriaIds where it belongs in the order."),
    Rule("rubric", "no-threshold",
         lambda seen: seen.rubric.threshold is None and seen.on("passingThreshold", seen.name),
         "The rubric {} has no passingThreshold, so its runs neither pass nor fail.",
         "Add the smallest total that passes."),
    Rule("rubric", "threshold-unreachable", lambda seen: _beyond_totals(seen, highest=True),
         "The threshold {} cannot be reached: the highest possible total is {}.",
         "Lower it, or correct the weights and scales."),
    Rule("rubric", "threshold-always-reached", lambda seen: _beyond_totals(seen, highest=False),
         "The threshold {} is always reached: the lowest possible total is {}.",
         "Raise it, so that a run can fail."),
    Rule("rubric", "weights-above-one",
         lambda seen: not at_least(1.0, _weight_of(seen))
         and seen.on("criteriaIds", seen.name, f"{_weight_of(seen):.4g}"),
         "The weights of the rubric {} add up to {}, more than 1.",
         "Leave it if the passingThreshold counts on that, else correct the weights.", "info"),
    Rule("test-case", "no-rubric", lambda seen: _rubric_of(seen, inactive=False),
         "The test-case {} has no rubric to judge its output by.", "Name one in rubricId."),
    Rule("test-case", "inactive-rubric",
         lambda seen: _rubric_of(seen, inactive=True),
         "The active test-case {} uses the rubric {}, which is not active.",
         "Use an active rubric, or activate this one."),
    Rule("eval-judgment", "judged-before-run", lambda seen: _before_run(seen, "judgedAt"),
         "It was judged at {}, before the test-run {} ran ({}).", "Correct one of the two times."),
    Rule("benchmark", "last-run-differs", _last_run,
         "{} is {}, but its newest benchmark-run {} has {}.", "Write what the newest run says."),
    Rule("benchmark-run", "case-not-run", lambda seen: _cases(seen, outside=False),
         "The benchmark-run {} has no run of {}, though its benchmark {} has that case.",
         "Run every case of the benchmark, or do not compare it with other runs."),
    Rule("benchmark-run", "case-outside-benchmark",
         lambda seen: _cases(seen, outside=True),
         "The benchmark-run {} has a run of {}, which its benchmark {} does not list.",
         "Add the case to testCaseIds, or leave its run out."),
    Rule("benchmark-run", "derived-mismatch", other_overall,
         "The stored overallScore is {}, but its test runs give {}.",
         "Write the record again from its test runs."),
    Rule("prompt-comparison", "no-benchmark-run", _without_runs,
         "The prompt-comparison {} has no benchmark-run of {} in this store.",
         "Run the benchmark once per version and keep the records."),
    Rule("prompt-comparison", "derived-mismatch", _compared_scores,
         "{} is {}, but the benchmark-run of {} has the overallScore {}.",
         "Write the score of the benchmark-run."),
    Rule("prompt-comparison", "derived-mismatch", _sample,
         "sampleSize is {}, but the benchmark-runs have {} in common.",
         "Write how many cases were compared."),
    Rule("eval-trend", "dates-out-of-order",
         lambda seen: [
             seen.on("dataPoints", *each.words) for each in dates_back(_points(seen), "date")
         ],
         "The point of {} stands behind that of {}.", "Put the points in order, oldest first."),
    Rule("eval-trend", "dimension-differs", _dimension,
         "dimension is {}, but its benchmark {} is of {}.", "Correct one of the two."),
    Rule("eval-trend", "derived-mismatch", _direction,
         "direction is {}, but its points say {}.", "Compute it again from the last five points."),
    Rule("eval-trend", "list-not-text",
         lambda seen: isinstance(seen.value.get("dataPoints"), list) and seen.on("dataPoints"),
         "dataPoints is a list; it was read like the JSON text that it is documented as.",
         "Other tools may expect a text.", "info"),
    Rule("eval-failure", "failure-of-passed",
         lambda seen: seen.run is not None
         and seen.run.passed is True
         and seen.on("testRunId", seen.name, quoted(seen.run.run)),
         "The eval-failure {} is about the test-run {}, which passed.",
         "Name the run that failed, or remove the record."),
    Rule("eval-failure", "dates-out-of-order", lambda seen: _before_run(seen, "resolvedAt"),
         "It was resolved at {}, before the test-run {} ran ({}).",
         "Correct one of the two times."),
    Rule("store", "field-missing", _fields_missing,
         "{} of the type {} {} no {}, which the schema lists.",
         "Add it where it is known.", "info"),
    Rule("store", "dangling-reference", _dangling,
         "The {} {} names the {} {} in {}, which is not in this store.",
         "Add the {2}, or correct the reference."),
    Rule("store", "not-followed", not_followed,
         "{} one of the type {} (here {}); this store has none, so it cannot be shown.",
         "Keep the records of the type {1} in the same store to follow them.", "info"),
), _things)  # fmt: skip
