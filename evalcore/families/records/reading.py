"""Read one store of records into rows, in order of their dependencies."""

import json
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

import orjson

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node, decoded
from evalcore.families.base import RECORDED, SHARE, Plan
from evalcore.families.metrics import computed_metric
from evalcore.families.records.runs import add_versions, read_runs, read_waiting, version_row
from evalcore.families.records.shapes import SENT
from evalcore.families.records.store import Case, Criterion, Record, Rubric, Store, listed, load
from evalcore.families.remembering import (
    approval_row,
    benchmark_run_row,
    definition_row,
    failure_row,
    message_row,
    note_repeated,
    prompt_comparison_row,
    rate,
    trend_rows,
)
from evalcore.families.scoring import RUBRIC
from evalcore.numbers import disagrees, mean
from evalcore.problems import quoted
from evalcore.shapes.relations import (
    AGGREGATES,
    COMPOSED_OF,
    EVALUATED_BY,
    GROUPS,
    ORIGINATED_FROM,
    PRODUCES_BENCHMARK_RUN,
    REFERENCES,
    TRACKED_BY,
)
from evalcore.tables.builder import Rows
from evalcore.tables.rows import (
    BenchmarkDefinitionRow,
    BenchmarkRow,
    BenchmarkRunRow,
    CaseRow,
    ComparisonRow,
    CriterionRow,
    RunRow,
    SuiteRow,
    VersionRow,
)

STATUSES: Final = ("active", "draft", "deprecated")
ASKED: Final = (
    "prompt", "query", "message", "question", "input", "text", "instruction", "instructions",
    "task", "request", "userMessage", "user_message", "content",
)  # fmt: skip
WANTED: Final = (
    "expected", "expectedOutput", "expected_output", "answer", "output", "response", "reply",
    "message", "text", "content", "result", "summary",
)  # fmt: skip
_TIES: Final = frozenset({"tie", "draw", "none", "equal"})


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one store, and report its problems."""
    store = Store(plan.suite, load(plan, reader, rows), rows)
    read_store(store)
    folder = plan.suite if plan.suite != "." else reader.listing.root.resolve().name
    name = folder.rpartition("/")[2]
    if len(store.benchmarks) == 1:
        name = next(iter(store.benchmarks.values())).name or name
    rows.add(SuiteRow(plan.suite, name, plan.family, plan.root, plan.skill_path, SHARE))


def read_store(store: Store) -> None:
    """Add the rows of a store's records, and keep in it what they are read as."""
    rows = store.rows
    _read_rubrics(store)
    _read_cases(store)
    read_runs(store)
    waiting = read_waiting(store)
    named: dict[str, str] = {}
    for record in store.all("benchmark"):
        name, cases = record.title(), store.targets(GROUPS, record.id)
        row = definition_row(record.said(), cases)._replace(name=name)
        store.benchmarks[record.id] = row
        rows.add(row)
        note_repeated(record, name, named.setdefault(name or "", record.id), record.id)
        _add_stored(row, "last_score", None, None, rows)
    for record in store.all("benchmark-run"):
        _read_benchmark_run(store, record)
    for record in store.all("eval-trend"):
        for point in trend_rows(record.said(), store.source(TRACKED_BY, record.id)):
            rows.add(point)
    compared = _read_comparisons(store)
    for record in store.all("eval-failure"):
        run = store.runs.get(store.target(ORIGINATED_FROM, record.id) or "")
        stated = [name for name, _ in listed(record, "affectedCriterionIds")]
        affected = [store.resolved("rubric-criterion", name) or name for name in stated]
        said, ended = record.said(), record.time("resolvedAt")
        failed = failure_row(said, run.run_id if run else None, affected, ended)
        rows.add(failed._replace(named_run=record.text("testRunId"), origin=RECORDED))
    for kind in SENT:
        for record in store.all(kind):
            said = record.said()
            rows.add(approval_row(said) if kind == "approval" else message_row(kind, said))
    add_versions(store, waiting, compared)
    store.relations.flush()


def _read_rubrics(store: Store) -> None:
    """Keep the criteria and the rubrics by id."""
    for record in store.all("rubric-criterion"):
        name = record.title() or record.id
        about = record.text("description")
        weight, low, high = map(record.number, ("weight", "minScore", "maxScore"))
        guide = record.text("scoringGuide")
        row = CriterionRow(
            suite=store.suite,
            case_id=None,
            kind=RUBRIC,
            criterion=record.id,
            description=f"{name}: {about}" if about and about != name else name,
            weight=weight,
            min_score=low,
            max_score=high,
            guide=None if guide is None else json.dumps(guide, ensure_ascii=False),
            source=record.path,
            pointer=record.top,
        )
        store.criteria[record.id] = Criterion(name, record, row)
    for record in store.all("rubric"):
        stated = store.targets(COMPOSED_OF, record.id)
        there = tuple(store.criteria[name] for name in stated if name in store.criteria)
        threshold, missing = record.number("passingThreshold"), len(stated) - len(there)
        store.rubrics[record.id] = Rubric(threshold, there, missing)


def _read_cases(store: Store) -> None:
    """Add the rows of every case and its criteria, and keep the cases by id."""
    for record in store.all("test-case"):
        rubric = store.rubrics.get(store.target(EVALUATED_BY, record.id) or "")
        status = record.text("status")
        if status is None:
            outer = record.envelope.get("status")
            status = outer if outer in STATUSES else None
        elif status not in STATUSES:
            message = (
                f"The status {quoted(status)} of the test-case {quoted(record.id)} is not one of "
                f"{', '.join(STATUSES)}."
            )
            hint = "Use one of them; drafts stay out of rates."
            record.note("warning", "unknown-status", message, hint, "status")
        name = record.title()
        prompt = _readable(record, "inputs", ASKED)
        expected = _readable(record, "expectedOutputs", WANTED)
        tagged = record if record.has("tags") else record.head
        tags = [tag for tag, _ in listed(tagged, "tags")]
        row = CaseRow(store.suite, record.id, name, prompt, expected, status=status, files="[]")
        if tagged.has("tags"):
            row = row._replace(tags=json.dumps(tags, ensure_ascii=False))
        store.rows.add(row._replace(source=record.path, pointer=record.top))
        for position, each in enumerate(rubric.criteria if rubric else ()):
            store.rows.add(each.row._replace(case_id=record.id, position=position))
        version = record.text("promptVersionRef") or None
        case = Case(record.id, version, record.text("agentId"), status, rubric)
        store.cases[record.id] = case


def _readable(node: Node, key: str, keys: tuple[str, ...]) -> str | None:
    """Return the readable text of an object field: the text under one of `keys`, else JSON.

    Other fields follow below the text as JSON, so that nothing is hidden.
    """
    value = decoded(node.get(key))
    text: str = ""
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, dict):
        found = next((k for k in keys if isinstance(value.get(k), str) and value[k].strip()), None)
        if found is not None:
            text = value[found]
            value = {k: v for k, v in value.items() if k != found}
            if not value:
                return text
            text += "\n\n"
    try:
        return text + orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    except (TypeError, UnicodeError):
        pass  # deeper, or larger in its numbers, than the fast writer goes
    try:
        return text + json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return f"{text}(nested too deeply to show here; see the raw document)"


def _read_benchmark_run(store: Store, record: Record) -> None:
    """Add the rows of a benchmark run, and compare its pass rate with that of its runs."""
    suite, rows = store.suite, store.rows
    of_it = store.targets(AGGREGATES, record.id)
    own = [store.runs[name] for name in of_it if name in store.runs]
    versions = {run.version for run in own}
    version = next(iter(versions)) if len(versions) == 1 else None
    name = store.source(PRODUCES_BENCHMARK_RUN, record.id)
    benchmark = store.benchmarks.get(name or "") or BenchmarkDefinitionRow(suite, name)
    share, overall = rate(record), record.number("overallScore")
    row = benchmark_run_row(record.said(), benchmark, (overall, share), len(of_it))
    store.benchmark_runs.append(row._replace(version=version))
    rows.add(store.benchmark_runs[-1])
    for metric in ("pass_rate", "overall_score"):
        _add_stored(row, metric, version, len(own) or None, rows)
    decided = [run for run in own if run.passed is not None]
    unknown = Case(None)
    counted = [run for run in decided if store.cases.get(run.case_id or "", unknown).counts]
    by_case = _shares(counted)
    if by_case:
        computed = computed_metric(suite, version, "-", "pass_rate", by_case)
        rows.add(computed._replace(source=record.path, pointer=record.top))
    if share is None or len(decided) != len(of_it):
        return
    # Tools compute it by case without draft cases, by case, or by run.
    means = [
        mean(by_case),
        mean(_shares(decided)),
        mean(float(run.passed or False) for run in decided),
    ]
    ways = [way for way in means if way is not None]
    # Many writers print 1.0 as 1: a share is never rounded to whole numbers, a percentage often is.
    stated = record.value["passRate"]
    scale, stored_as = (100, stated) if stated > 1 else (1, float(stated))
    if ways and all(disagrees(stored_as, way * scale) for way in ways):
        given = f"{ways[0] * scale:.6g}"
        message = f"The stored passRate is {stated:g}, but its test runs give {given}."
        hint = "Write the record again from its test runs."
        record.note("warning", "derived-mismatch", message, hint, "passRate")


def _shares(runs: Iterable[RunRow]) -> list[float]:
    """Return the share of passed runs of each case."""
    cases: dict[str | None, list[float]] = defaultdict(list)
    for run in runs:
        cases[run.case_id].append(float(run.passed or False))
    return [sum(values) / len(values) for values in cases.values()]


def _add_stored(
    row: BenchmarkDefinitionRow | BenchmarkRunRow,
    metric: str,
    version: str | None,
    count: int | None,
    rows: Rows,
) -> None:
    """Add a metric that a record states, if it does."""
    if (value := getattr(row, metric)) is not None:
        stated = BenchmarkRow(row.suite, version, "-", metric=metric, origin="stored")
        rows.add(stated._replace(mean=value, n=count, source=row.source, pointer=row.pointer))


def _read_comparisons(store: Store) -> list[VersionRow]:
    """Add the rows of every prompt comparison; return the versions they name.

    Each is related to the runs of its benchmark with one of its versions.
    """
    mentions = []
    for record in store.all("prompt-comparison"):
        row = prompt_comparison_row(record, record.id, record.top)
        winner, versions = _winner(record, row), (row.version_a, row.version_b)
        store.rows.add(row._replace(winner=winner, benchmark=record.text("benchmarkId")))
        for version, key in zip(versions, ("promptVersionA", "promptVersionB"), strict=True):
            if version:
                at = f"{record.at}/{key}"
                mentions.append(version_row(store.suite, version, row.compared_at, record.path, at))
        benchmark = store.find("benchmark", record.value.get("benchmarkId"))
        if benchmark is None or store.targets(REFERENCES, record.id):
            continue
        at = f"{record.at}/benchmarkId"
        for run in store.benchmark_runs:
            if run.benchmark == benchmark.id and run.version and run.version in versions:
                store.relate(REFERENCES, record.id, run.benchmark_run or "")
                stated = record.id, run.benchmark_run, True, "field", record.path, at
                store.relations.add((*REFERENCES[:3], *stated))
    return mentions


def _winner(node: Node, row: ComparisonRow) -> str | None:
    """Return A, B or tie, from the version that the record names as winner.

    Null is a tie where the scores are equal; else nobody says who won.
    """
    named, versions = node.text("winner"), (row.version_a, row.version_b)
    first, second = row.total_a, row.total_b
    if named is None or named == "":
        tied = first is not None and first == second and "winner" in (node.value or {})
        return "tie" if tied else None
    if versions[0] == versions[1]:
        message = f"Both sides are the version {quoted(versions[0])}; the winner is not known."
        node.note("warning", "same-version", message, "Name two versions.")
        return None
    if named in versions:
        winner = "A" if named == versions[0] else "B"
    elif named.lower() in _TIES:
        winner = "tie"
    elif named.upper() in ("A", "B"):
        winner = named.upper()
    else:
        neither = f"{quoted(versions[0])} nor {quoted(versions[1])}"
        message = f"The winner {quoted(named)} is neither {neither}."
        hint = "Name one of the two versions, or tie."
        node.note("warning", "unknown-winner", message, hint, "winner")
        return None
    if first is not None and second is not None:
        better = "tie" if first == second else "A" if first > second else "B"
        if better != winner:
            both = f"{first:g} for A and {second:g} for B"
            message = f"The winner is {quoted(named)}, but the scores are {both}."
            hint = "Correct one of them."
            node.note("warning", "winner-contradicts-scores", message, hint, "winner")
    return winner
