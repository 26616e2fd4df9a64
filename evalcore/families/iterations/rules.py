"""The rules of both families: expectations check something, gates can close, results agree."""

import math
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, Final

from evalcore.disk.outputs import is_left_out
from evalcore.errors import PathOutside
from evalcore.families.aggregating import of_reviews
from evalcore.families.base import PENDING
from evalcore.families.iterations.agreement import differs
from evalcore.families.iterations.case import LISTS
from evalcore.families.linting import (
    FILES_MISSING,
    UNEVEN_RUNS,
    At,
    Found,
    Item,
    Known,
    Rule,
    Rules,
    at,
    dates_back,
    elsewhere,
    number,
    objects,
    repeated,
    unlike,
)
from evalcore.names import CASES, REPLY
from evalcore.numbers import disagrees
from evalcore.problems import pointer, quoted
from evalcore.tables.cells import cells, holds
from evalcore.tables.planned import planned_runs
from evalcore.tables.rows import (
    BenchmarkRow,
    CaseRow,
    CriterionRow,
    DocumentRow,
    RunRow,
    SuiteRow,
    VersionRow,
)
from evalcore.texts.vague import vague_words

DEFINING: Final = ("evals", "eval_metadata", "checklist")
"""The kinds of documents that say what is asked and checked."""

MAX_PATTERN: Final = 1000
# Ignoring case makes Python walk through every character of a range when it compiles one.
_ANY_CASE: Final = re.compile(r"(\(\?[a-zA-Z]*)i")
_DATED: Final = re.compile(r"[-@](?:20[0-9]{6}|latest)$")
_QUOTED: Final = re.compile(r"""("[^"]*"|“[^”]*”|`[^`]*`)""")
_FINDS: Final = frozenset({"match", "match_any", "match_regex"})
_ENDS: Final = ("executor_start", "executor_end")
_STRUCTURAL_ID: Final = re.compile(r"S[0-9]+")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def _as_read(text: str) -> str:
    """Return a text without case and spacing, which change nothing but inside quotes."""
    parts = _QUOTED.split(" ".join(text.split()))
    return "".join(part if at % 2 else part.casefold() for at, part in enumerate(parts))


def _repeated_expectations(item: Item) -> Iterator[At]:
    for key in LISTS:
        seen: dict[str, int] = {}
        items = item.value.get(key)
        for index, each in enumerate(items if isinstance(items, list) else ()):
            text = each
            if isinstance(each, dict):
                names = ("text", "description", "name", "id")
                text = next((each[name] for name in names if each.get(name)), None)
            if isinstance(text, str):
                first = seen.setdefault(_as_read(text), index)
                if first != index:
                    yield at(f"/{key}/{index}", first + 1)


def broken_regex(item: Item) -> Found:
    """Say why a pattern cannot be used; it is compiled, never run."""
    pattern = item.value.get("match_regex")
    if not isinstance(pattern, str):
        return None
    if len(pattern) > MAX_PATTERN:
        said = f"This regular expression has more than {MAX_PATTERN:,} characters."
        return at("/match_regex", said)
    if not pattern.isascii() or re.search(r"\\[uUN]", pattern):
        pattern = _ANY_CASE.sub(r"\1s", pattern)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        why = error.msg if isinstance(error, re.error) else "it is too large"
        return at("/match_regex", f"This is no regular expression: {why}.")
    return None


def _unknown_field(item: Item) -> Found:
    """Name the field of an expectation about steps that nothing reads."""
    from evalcore.checks.steps import unknown_field  # noqa: PLC0415 - few folders have such checks

    name = unknown_field(item.value)
    return None if name is None else at(pointer(name), item.value.get("type"), quoted(name))


def _never_closes(item: Item) -> Found:
    config = item.whole.get("eval_config") if isinstance(item.whole, dict) else None
    gated = isinstance(config, dict) and config.get("structural_gate") is True
    checks = objects(item.value, "structural_expectations")
    if not gated or not checks or any(each.get("critical") is True for _, each in checks):
        return None
    return at("/structural_expectations")


def _defining(known: Known, suite: str | None) -> set[str | None]:
    """Return the documents of a suite that say what is asked and checked."""
    documents = known.rows(DocumentRow, suite)
    return known.once(
        ("defining", suite), lambda: {row.path for row in documents if row.kind in DEFINING}
    )


def _defined(
    known: Known, suite: str | None, kind: str, case: str | None = None
) -> dict[str | None, CriterionRow]:
    """Return the criteria of a kind that definitions have, by name: of one case, or of all."""

    def find() -> dict[str | None, dict[str | None, CriterionRow]]:
        found: dict[str | None, dict[str | None, CriterionRow]] = {None: {}}
        for row in known.rows(CriterionRow, suite):
            if row.kind == kind and row.source in _defining(known, suite):
                for of in (row.case_id, None):
                    found.setdefault(of, {})[row.criterion] = row
        return found

    return known.once(("defined", suite, kind), find).get(case, {})


def _checked_otherwise(item: Item, *, unknown: bool) -> Iterator[At]:
    """Yield the checks of a run that evals.json does not have, or the texts that are not its."""
    run = item.known.runs_in.get(item.path.rpartition("/")[0])
    known = _defined(item.known, item.suite, "structural", run.case_id) if run is not None else {}
    seen: set[Any] = set()
    for where, each in objects(item.value, "expectations") if known else ():
        name, text = each.get("id"), each.get("text")
        if not isinstance(name, str) or name in seen:
            continue
        seen.add(name)
        if unknown and name not in known:
            yield at(where + "/id", quoted(name))
        meant = known[name].description if name in known else None
        if not unknown and meant and isinstance(text, str) and text.split() != meant.split():
            yield at(where + "/text", quoted(text), quoted(meant))


def _decided_otherwise(item: Item) -> Iterator[At]:
    """Yield the stored verdicts on a check that outputs contradict; no regex of a folder is run."""
    from evalcore.checks.outcome import not_run  # noqa: PLC0415 - few folders have such checks
    from evalcore.checks.produced import Produced  # noqa: PLC0415
    from evalcore.checks.structural import OF_FILES, check  # noqa: PLC0415

    known, suite = item.known, item.suite

    def stored() -> dict[tuple[Any, Any], list[tuple[str, bool, str, str]]]:
        """Return outputs, verdict and place of each stored check, by case and criterion."""
        runs = {run.run_id: run for run in known.rows(RunRow, suite)}
        found: dict[tuple[Any, Any], list[tuple[str, bool, str, str]]] = defaultdict(list)
        rows = holds(known.tables.columns["judgments"]["kind"], "structural")
        rows &= ~of_reviews(known.tables, "judgments")
        wanted = "run_id", "criterion", "passed", "source", "pointer"
        for name, criterion, passed, path, where in cells(
            known.tables, "judgments", *wanted, where=rows
        ):
            run = runs.get(name)
            if run is not None and run.outputs and passed is not None and path:
                found[run.case_id, criterion].append((run.outputs, passed, path, where or ""))
        return found

    if item.value.get("type") not in OF_FILES or "match_regex" in item.value:
        return
    verdicts = known.once(("verdicts", suite), stored)
    for row in known.rows(CriterionRow, suite):
        if (row.source, row.pointer) != (item.path, item.pointer):
            continue
        for outputs, passed, path, where in verdicts.get((row.case_id, row.criterion), ()):
            try:
                produced = Produced(known.root, outputs)
            except (OSError, PathOutside):
                continue
            if produced.paths in ((), (REPLY,)) or is_left_out(known.root, outputs):
                continue  # an answer in words is kept there, and was no file when it was checked
            outcome = check(item.value, produced, None, not_run)
            if outcome.passed is not None and outcome.passed != passed:
                words = [("failed", "passed")[verdict] for verdict in (passed, outcome.passed)]
                yield elsewhere(path, where, quoted(row.criterion), *words, outcome.evidence)


def _unknown_dimensions(item: Item) -> Iterator[At]:
    known = _defined(item.known, item.suite, "rubric")
    for name in item.value if known else ():
        if name not in known:
            yield at(pointer(name), quoted(name))


def other_statistics(item: Item) -> Iterator[At]:
    """Yield the stored statistics that the runs contradict though they agree with the mean."""
    stored: BenchmarkRow = item.value
    is_standard = (stored.pointer or "").startswith("/run_summary/")
    if stored.origin != "stored" or stored.case_id is not None or stored.metric is None:
        return
    own = item.known.computed(item.suite).get((stored.version, stored.configuration, stored.metric))
    if own is None or own.mean is None:
        return
    if stored.metric == "consistency":
        if stored.mean is not None and disagrees(stored.mean, own.mean):
            yield at("", "consistency", f"{stored.mean:g}", f"{own.mean:.4g}")
        return
    if stored.mean is not None and differs(stored.mean, own.mean, stored.metric):
        return
    for name in ("stddev", "min", "max", "median"):
        given, found = getattr(stored, name), getattr(own, name)
        ways = [found]
        if name == "stddev" and found is not None and own.n is not None:
            ways.append(found * math.sqrt((own.n - 1) / own.n))  # of a population, as some tools
        if name == "stddev" and own.n == 1:
            ways = [0.0]
        if given is not None and all(
            w is not None and differs(given, w, stored.metric) for w in ways
        ):
            what = f"The {name} of {stored.metric} ({stored.configuration})"
            yield at(f"/{name}" * is_standard, what, f"{given:g}", f"{ways[0]:.4g}")


def _not_judged(item: Item) -> Found:
    run: RunRow = item.value
    is_open = run.status == "completed" and run.gate_passed is not False and run.origin == "grading"
    if not is_open or run.run_id in item.known.judged("rubric") or not run.source:
        return None
    count = len(_defined(item.known, item.suite, "rubric", run.case_id))
    return count > 0 and at("", count, "dimension" + "s" * (count > 1))


def _other_name(item: Item) -> Found:
    stated, (path, about) = item.value.get("skill_name"), item.known.skill(item.suite)
    name = about.get("name")
    if not isinstance(stated, str) or not isinstance(name, str) or not stated or not name.strip():
        return None
    return stated != name.strip() and at("/skill_name", quoted(stated), path, quoted(name.strip()))


def _miscounted(item: Item) -> Found:
    total, folder = number(item.value.get("total_runs")), item.path.split("/")[-2:-1]
    own = [run for run in item.known.rows(RunRow, item.suite) if [run.version] == folder]
    runs = len([run for run in own if run.status != PENDING])
    there = "is 1 run" if runs == 1 else f"are {runs} runs"
    return total is not None and 0 < runs != total and at("/total_runs", total, there)


def _too_frequent(item: Item) -> Found:
    total, frequency = number(item.whole.get("total_runs")), number(item.value.get("frequency"))
    if total is None or frequency is None or frequency <= total:
        return None
    return at("/frequency", frequency, total)


def _unknown_assertion(item: Item) -> Found:
    named = item.value.get("assertion")
    label = named.partition(":")[0].strip() if isinstance(named, str) else ""
    known = _defined(item.known, item.suite, "structural")
    is_unknown = bool(_STRUCTURAL_ID.fullmatch(label) and known) and label not in known
    return is_unknown and at("/assertion", quoted(label))


def _other_iteration(item: Item) -> Found:
    folder = re.fullmatch(r"iteration-([0-9]+)", item.path.rpartition("/")[0].rpartition("/")[2])
    stated = item.value.get("iteration")
    if folder is None or number(stated) is None or stated == int(folder[1]):
        return None
    return at("/iteration", stated, folder[0])


def _other_suite(item: Item) -> Found:
    suite = next(iter(item.known.rows(SuiteRow, item.suite)), None)
    stated, name = item.value.get("skill_name"), suite.name if suite else None
    is_other = name is not None and isinstance(stated, str) and stated not in ("", name)
    return is_other and at("/skill_name", quoted(stated), quoted(name))


def _two_durations(item: Item) -> Found:
    ms, seconds = (number(item.value.get(key)) for key in ("duration_ms", "total_duration_seconds"))
    if not ms or not seconds or abs(ms / 1000 - seconds) <= 1 or not disagrees(seconds, ms / 1000):
        return None
    return at("/duration_ms", f"{ms:g}", f"{seconds:g}")


def _unchecked(item: Item) -> Found:
    case: CaseRow = item.value
    criteria = item.known.rows(CriterionRow, item.suite)
    checked = item.known.once(("checked", item.suite), lambda: {row.case_id for row in criteria})
    return case.source is not None and case.case_id not in checked and at()


def _vague(item: Item) -> Found:
    row: CriterionRow = item.value
    is_one = row.kind == "expectation" and row.source in _defining(item.known, item.suite)
    words = vague_words(row.description) if is_one and row.description is not None else None
    return words is not None and at("", words)


def _nothing_judged(item: Item) -> Found:
    run: RunRow = item.value
    if run.origin != "grading" or run.status != "completed" or run.source is None:
        return None
    return run.run_id not in item.known.judged() and elsewhere(run.source, "")


def undiscriminating(item: Item) -> Iterator[At]:
    """An expectation that everything meets cannot show what the skill is good for."""
    known, suite = item.known, item.suite
    every = [run for run in known.rows(RunRow, suite) if run.configuration is not None]
    sides = Counter(version for version, _ in {(run.version, run.configuration) for run in every})
    # The last version that ran in two or more configurations.
    latest = next((each for each in reversed(_in_order(known, suite)) if sides[each] > 1), None)
    if latest is None:
        return
    runs = {run.run_id: run for run in known.rows(RunRow, suite) if run.version == latest}
    judged = known.tables.columns["judgments"]
    rows = holds(judged["run_id"], *filter(None, runs))
    rows &= holds(judged["status"], "scored") & holds(judged["kind"], "expectation")
    rows &= ~of_reviews(known.tables, "judgments")
    compared: dict[tuple[Any, Any], set[Any]] = defaultdict(set)
    failed: set[tuple[Any, Any]] = set()
    for name, criterion, passed in cells(
        known.tables, "judgments", "run_id", "criterion", "passed", where=rows
    ):
        key = runs[name].case_id, criterion
        compared[key].add(runs[name].configuration)
        if passed is not True:
            failed.add(key)
    met_by_all = {key for key, found in compared.items() if len(found) >= 2} - failed
    for each in known.rows(CriterionRow, suite):
        is_met = (each.case_id, each.criterion) in met_by_all
        if each.kind == "expectation" and each.source is not None and is_met:
            yield elsewhere(each.source, each.pointer or "", latest)


def _in_order(known: Known, suite: str | None) -> list[str | None]:
    """Return the versions of a suite in the order of their positions."""
    rows = known.rows(VersionRow, suite)
    placed = sorted(rows, key=lambda row: (row.position is None, row.position or 0))
    return [row.version for row in placed]


def _evals_path(item: Item) -> str | None:
    """Return the first evals.json of a suite."""
    documents = item.known.rows(DocumentRow, item.suite)
    return next((row.path for row in documents if row.kind == "evals"), None)


def _own_judge(item: Item) -> Found:
    judge, path = item.value.judge_model, _evals_path(item)
    runs = item.known.rows(RunRow, item.suite)
    models = [name for run in runs for name in (run.model, run.executor)]
    # Without its date, an alias equals the model that it names.
    names = [_DATED.sub("", name.strip().casefold()) for name in (judge, *models) if name]
    if not judge or path is None or names[0] not in names[1:]:
        return None
    return elsewhere(path, "/eval_config/judge_model", quoted(judge))


def _too_few_runs(item: Item) -> Found:
    path, runs = _evals_path(item), item.known.rows(RunRow, item.suite)
    wanted = planned_runs(item.known.tables, item.suite or "")
    versions = {run.version for run in runs}
    ran = [each for each in _in_order(item.known, item.suite) if each in versions]
    if path is None or wanted is None or not ran:
        return None
    made: dict[tuple[Any, Any], set[Any]] = defaultdict(set)
    for run in runs:
        if run.version == ran[-1]:
            made[run.case_id, run.configuration].add(run.run_id)
    short = sum(len(found) < wanted for found in made.values())
    if not short:
        return None
    return elsewhere(path, "/eval_config/runs_per_eval", wanted, quoted(ran[-1]), short, len(made))


def _in_evals(inner: str = "", kinds: str = "evals") -> str:
    """Return the places in each eval: of a document, of a list, or of one that is the document."""
    listed = ", ".join(f"{key}/*/{inner}" for key in CASES)
    return f"{kinds}: {listed}, */{inner}, {inner}"


_DIMENSION: Final = _in_evals("quality_rubric/dimensions/*")
_AGGREGATE: Final = "eval_feedback_aggregate:"


def _named_twice(of: str, key: str) -> Rule:
    return Rule(
        of, "duplicate-id", repeated(key), f"{{}} is the {key} of two items; the first is kept.",
        f"Give each its own {key}.",
    )  # fmt: skip


_SHARED: Final = (
    Rule(_in_evals(kinds=",".join(DEFINING)), "duplicate-criterion", _repeated_expectations,
         "This expectation says the same as number {}.",
         "Remove one of the two: it counts twice."),
    _named_twice(_in_evals("structural_expectations/[]"), "id"),
    Rule(_in_evals("structural_expectations/*"), "invalid-regex", broken_regex, "{}",
         "Correct it as a regular expression of Python."),
    Rule(_in_evals("structural_expectations/*"), "several-matches",
         lambda item: len(item.value.keys() & _FINDS) > 1
         and at("", " and ".join(key for key in item.value if key in _FINDS)),
         "The check has {} at once; only one of them says what to find.", "Keep one of them."),
    Rule(_in_evals("structural_expectations/*"), "unknown-field", _unknown_field,
         "{} has no field {}, so it is not decided.", "Correct the name of the field."),
    Rule(_in_evals(), "no-critical-check", _never_closes,
         "structural_gate is true, but no check of this eval is critical, so "
         "its gate never closes.",
         "Mark the checks without which judging makes no sense as critical."),
    Rule(_in_evals("quality_rubric"), "no-dimensions",
         lambda item: isinstance(item.value.get("dimensions"), list)
         and not objects(item.value, "dimensions")
         and at("/dimensions"),
         "This rubric has no dimension to score.", "Add one, or leave the rubric out."),
    _named_twice(_in_evals("quality_rubric/dimensions/[]"), "id"),
    _named_twice(_in_evals("quality_rubric/dimensions/[]"), "name"),
    Rule(_DIMENSION, "no-weight",
         lambda item: (weight := number(item.value.get("weight"))) is not None
         and not weight > 0
         and at("/weight", f"{weight:g}"),
         "With the weight {} this dimension does not count.",
         "Give it a weight above 0, or remove it."),
    Rule("evals:", "name-differs", _other_name,
         "skill_name is {}, but {} has the name {}.", "Write the name that the skill has."),
    Rule("cases", "no-expectations", _unchecked,
         "This eval has no expectation, so no run of it can be graded.",
         "Add expectations that a grader can check in the output."),
    FILES_MISSING,
    Rule("criteria", "vague-criterion", _vague,
         "Two graders may read {!r} differently.", "Say what the output must show."),
    Rule("suites", "does-not-discriminate", undiscriminating,
         "This expectation passes in every run of every configuration of {}.",
         "Keep it as a safeguard, or replace it by one that the output without the skill can fail.",
         "info"),
    UNEVEN_RUNS,
    Rule("runs", "nothing-judged", _nothing_judged,
         "This grading contains no judged item, so the run has no score.",
         "Write what was judged into `expectations`, as a list of {{text, passed, evidence}}."),
    Rule("timing:", "derived-mismatch", _two_durations,
         "duration_ms is {}, but total_duration_seconds is {}.", "Correct one of the two."),
    Rule("timing:", "dates-out-of-order",
         lambda item: dates_back([{"at": item.value.get(key)} for key in _ENDS], "at"),
         "The executor ended at {}, before it started at {}.", "Correct one of the two times."),
    Rule("benchmarks", "derived-mismatch", other_statistics,
         "{} is {}, but the runs give {}.", "Aggregate the benchmark again."),
)  # fmt: skip

ITERATIONS: Final = Rules(_SHARED)
RUBRIC: Final = Rules((
    *_SHARED,
    Rule("evals:", "no-config", lambda item: "eval_config" not in item.value and at(),
         "There is no eval_config, so nothing says how often the evals run and who judges.",
         "Add eval_config: {{runs_per_eval, structural_gate, judge_model, baseline_comparison}}.",
         "info"),
    Rule(_DIMENSION, "not-an-identifier", unlike("name", _IDENTIFIER),
         "The name {} of this dimension is not machine-readable.",
         "Use letters, digits and underscores."),
    Rule("structural:", "unknown-criterion", lambda item: _checked_otherwise(item, unknown=True),
         "evals.json has no structural check {} for this case.",
         "Add it to the case in evals.json, or correct its id."),
    Rule("structural:", "definition-differs", lambda item: _checked_otherwise(item, unknown=False),
         "text is {} here and {} in the definition, which counts.",
         "Run the check again, or change the definition."),
    Rule(_in_evals("structural_expectations/*"), "decided-otherwise", _decided_otherwise,
         "Check {} {} here, but looked at again in the outputs of the run it {}. {}",
         "Check the run again: its outputs or the check were changed, or the verdict is wrong."),
    Rule("runs", "not-judged", _not_judged,
         "The gate is open, but none of the {} {} of the rubric has a score here.",
         "Judge the run, or leave the rubric out of the case."),
    Rule("benchmark: run_summary/{}/rubric_dimensions", "unknown-dimension", _unknown_dimensions,
         "No rubric of evals.json has a dimension {}.", "Use the names in evals.json."),
    Rule("suites", "judge-is-executor", _own_judge,
         "{} judges its own output.", "Use another model as judge."),
    Rule("suites", "too-few-runs", _too_few_runs,
         "runs_per_eval is {}, but in {} {} of {} combinations of case and configuration have "
         "fewer runs.",
         "Make the missing runs, or correct runs_per_eval."),
    Rule(_AGGREGATE, "derived-mismatch", _miscounted,
         "total_runs is {}, but there {} in this iteration.", "Aggregate the feedback again."),
    Rule(_AGGREGATE, "name-mismatch", _other_iteration,
         "iteration is {}, but the document lies in {}.", "Correct it, or move the document."),
    Rule(_AGGREGATE, "name-differs", _other_suite,
         "skill_name is {}, but this suite is of {}.", "Write the name that the skill has."),
    Rule(f"{_AGGREGATE} suggestions/*", "derived-mismatch", _too_frequent,
         "frequency is {}, more than the total_runs, {}.", "Aggregate the feedback again."),
    Rule(f"{_AGGREGATE} suggestions/*", "unknown-criterion", _unknown_assertion,
         "evals.json has no structural check {}.", "Correct the id."),
))  # fmt: skip
