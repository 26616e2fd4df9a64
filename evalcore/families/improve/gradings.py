"""Read gradings: one run of one case each, scored 1 to 5 on every criterion."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, NamedTuple

from evalcore.disk.listing import shown
from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node, parse_time
from evalcore.families.base import Plan
from evalcore.families.improve.definitions import CONVENTIONS, MAX_SCORE, PASS_AT, Case, Definitions
from evalcore.families.improve.documents import GRADING
from evalcore.families.improve.history import Averages
from evalcore.families.improve.identity import Identity, identify
from evalcore.families.improve.results import (
    COMPLIANCE,
    RESULTS,
    Outcome,
    Results,
    outcome,
)
from evalcore.ids import run_id
from evalcore.names import COST, SECONDS, TOKENS
from evalcore.numbers import disagrees
from evalcore.shapes.columns import BLOCK, Criterion, Judged, JudgmentColumns
from evalcore.shapes.judge import HUMAN, Judge, judge_from, judge_of
from evalcore.shapes.judged import Subject
from evalcore.shapes.remarks import About, RemarkColumns, Remarks
from evalcore.shapes.runs import RunColumns
from evalcore.shapes.typed import Typed
from evalcore.tables.builder import Rows

# A number printed with one decimal agrees with one that lies within this.
TENTH: Final = 0.1

REMARKS: Final = Remarks({"user_notes_summary": "user_notes"}, ("eval_feedback",))
METRICS: Final = "execution_metrics"

_CONVENTIONS: Final = tuple(CONVENTIONS)
_SCORE: Final = ("score", "passed", "judged", "expected")


class Measured(NamedTuple):
    """Time, tokens and money of one run; None is not measured."""

    duration_s: float | None = None
    tokens: float | None = None
    cost_usd: float | None = None
    executor: str | None = None
    model: str | None = None
    started_at: datetime | None = None


NOTHING: Final = Measured()


_RUN: Final = (
    "passed",
    "score",
    "fraction",
    "checks_passed",
    "checks_total",
    "required_score",
    *Measured._fields,
)
TYPED: Final = Typed(GRADING, as_is=(*REMARKS.fields, METRICS))

VERDICTS: Final = ("pass", "fail")
EXECUTORS: Final = ("executor", "model", "executor_model")
ACROSS: Final = frozenset(
    {"duplicate-run", "unknown-case", "unknown-criterion", "unknown-convention"}
)
"""Problems of one grading that depend on what others hold."""


class Gradings:
    """Reads every grading of one suite."""

    def __init__(self, plan: Plan, reader: Reader, rows: Rows, definitions: Definitions) -> None:
        self.plan = plan
        self.reader = reader
        self.rows = rows
        self.definitions = definitions
        self.results = Results(plan.suite, reader, rows, definitions)
        self._judgments = JudgmentColumns(rows)
        self._remarks = RemarkColumns(plan.suite, rows, REMARKS)
        self._columns = RunColumns(rows, plan.suite, "improve", _RUN, _SCORE, max_score=MAX_SCORE)
        self.versions: dict[str, tuple[int | None, str]] = {}  # label to number and first file
        self._scores: dict[str, dict[str, list[float]]] = {}
        self._prefixes: dict[tuple[str, str], str] = {}
        self.seen: dict[str, str] = {}  # run id to file
        self._base = f"{plan.root}/" if plan.root else ""

    @property
    def scores(self) -> Averages:
        """Version to case to the mean scores of its runs, of the gradings read so far."""
        return self._scores

    def read_all(self, paths: Iterable[str]) -> None:
        """Read gradings in order: by type those that are as documented, others with tolerance."""
        for count, path in enumerate(paths, 1):
            value = self.reader.json(path)
            found = TYPED.read(value)
            if found is None or not self._take(path, found):
                self._read(path, value)
            if count % BLOCK == 0:
                self.flush()
        self.flush()

    def flush(self) -> None:
        """Add the rows of the gradings read so far."""
        for each in (self._judgments, self._remarks, self._columns):
            each.flush()

    def _take(self, path: str, found: Any) -> bool:
        """Take in a converted grading; False, with nothing done, when it is not as documented."""
        results, conventions = found.results, found.convention_compliance
        identity = self.named(path, found.case_id, found.version, found.run)
        labels = tuple([each.criterion for each in results])
        case = self.definitions.cases.get(found.case_id or "")
        if identity is None or case is None or tuple(conventions) != _CONVENTIONS:
            return False
        if not case.decided:  # the grading's own verdict counts
            return False
        if found.judge_type == HUMAN:  # it may name the records that it was written from
            return False
        judge = judge_from((found.judge,), found.judge_type)
        like = found.case_id, labels, judge
        pattern = self._judgments.pattern(like, lambda: _criteria(case, labels, judge))
        scores = [each.score for each in results]
        if pattern is None or [each.passed for each in results] != [s >= PASS_AT for s in scores]:
            return False
        needed = [
            score for label, score in zip(labels, scores, strict=True) if case.expected[label]
        ]
        total = outcome(scores, needed, case.decided)
        key = self.key(identity)
        if key in self.seen or not _agrees(found, total):
            return False
        self.seen[key] = path
        self._columns.documents.add((path, len(results)))
        compliance = conventions.values()
        scores += [each.passed for each in compliance]
        rationales = [each.reasoning for each in results] + [each.details for each in compliance]
        self._judgments.add(Judged(key, pattern, path, scores, rationales))
        self._add(path, key, identity, judge, total, len(results), found.execution_metrics)
        if found.claims or found.user_notes_summary or found.eval_feedback:
            remarked = {name: getattr(found, name) for name in REMARKS.fields}
            self._add_remarks(path, key, identity, remarked)
        return True

    def read(self, path: str) -> None:
        """Read one grading, however it is written."""
        self._read(path, self.reader.json(path))

    def _read(self, path: str, value: Json) -> None:
        self._judgments.flush()
        if type(value) is not dict or type(value.get("results")) is not list:
            self._no_grading(path, value)
            return
        results = value["results"]
        self._columns.documents.add((path, len(results)))
        identity = self._identity(path, value)
        key = self.key(identity)
        if self.seen.setdefault(key, path) is not path:
            self._duplicate(path, identity)
            return
        case_id = identity.case_id
        case = self.definitions.cases.get(case_id) or self._new_case(case_id, path)
        judge = judge_of(Node(self.reader, path, value, suite=self.plan.suite))
        subject = Subject(key, judge=judge)
        total = self.results.read(path, results, case_id, case, subject)
        self._derived(path, value, total)
        if total.passed is None and value.get("overall") in VERDICTS:
            # Which criteria are required is not known here; whoever graded knew it.
            total = total._replace(passed=value["overall"] == "pass")
        if compliance := value.get("convention_compliance"):
            self.results.read_conventions(path, compliance, case_id, subject)
        expected = len(case.expected) or len(results)
        self._add(path, key, identity, judge, total, expected, value.get(METRICS))
        self._add_remarks(path, key, identity, value)

    def recall_version(self, label: str, number: int | None, path: str) -> None:
        """Take a version as graded; the first file that names it stands for it."""
        if label not in self.versions or path < self.versions[label][1]:
            self.versions[label] = number, path

    def recall_scores(self, label: str, case_id: str, scores: list[float]) -> None:
        """Take the scores of further runs of a case as known."""
        self._scores.setdefault(label, {}).setdefault(case_id, []).extend(scores)

    def finish(self) -> None:
        """Add what is still waiting, and say once for all gradings what repeats in many."""
        self.flush()
        self.results.finish()

    def _no_grading(self, path: str, value: Json) -> None:
        self._columns.documents.add((path, 0))
        if value is MISSING:
            return
        node = Node(self.reader, path, value, suite=self.plan.suite)
        if isinstance(value, dict):
            node.note(
                "error",
                "no-results",
                "The file contains no list of results, so it does not count.",
                'Write the scored criteria as a list under "results".',
            )
        else:
            node.type_problem("an object")

    def _identity(self, path: str, value: dict[str, Json]) -> Identity:
        case_id, version, run = value.get("case_id"), value.get("version"), value.get("run")
        if type(version) is int and type(run) is int and type(case_id) is str:
            found = self.named(path, case_id, version, run)
            if found is not None:
                return found
        return identify(Node(self.reader, path, value, suite=self.plan.suite), self.plan.root)

    def named(self, path: str, case_id: str, version: int, run: int) -> Identity | None:
        """Return what a grading is about when its content and its name say the same."""
        if path == f"{self._base}grading/{case_id}_v{version}_run{run}.json" and case_id:
            return Identity(case_id, version, str(run), f"v{version}") if version >= 0 else None
        return None

    def key(self, identity: Identity) -> str:
        """Return the id of a run."""
        place = identity.case_id, identity.label
        prefix = self._prefixes.get(place)
        if prefix is None:
            prefix = run_id(self.plan.suite, shown(identity.case_id), identity.label, "-", "")
            self._prefixes[place] = prefix
        return prefix + identity.run

    def _duplicate(self, path: str, identity: Identity) -> None:
        self.reader.problem(
            path,
            "",
            "warning",
            "duplicate-run",
            f"Run {identity.run} of {identity.case_id!r} in {identity.label} is graded by "
            f"{self.seen[self.key(identity)]} too; this file is ignored.",
            "Remove one of the two, or give this one its own run number.",
            self.plan.suite,
        )

    def _new_case(self, case_id: str, path: str) -> Case:
        if self.definitions.known:
            self.reader.problem(
                path,
                "/case_id",
                "warning",
                "unknown-case",
                f"evals.json has no case {case_id!r}; it is shown without prompt and criteria.",
                "Add the case to evals.json, or correct the id.",
                self.plan.suite,
            )
        return self.definitions.synthesise(case_id, path)

    def _derived(self, path: str, value: dict[str, Json], outcome: Outcome) -> None:
        """Hold the derived numbers of a grading against the recomputed ones."""
        overall, required = value.get("overall_score"), value.get("required_score")
        if not agrees(overall, outcome.mean) or not agrees(required, outcome.required):
            node = Node(self.reader, path, value, suite=self.plan.suite)
            self._compare(node, "overall_score", outcome.mean)
            self._compare(node, "required_score", outcome.required)
        verdict = value.get("overall")
        if verdict == ("pass" if outcome.passed else "fail") or verdict is None:
            return
        node = Node(self.reader, path, value, suite=self.plan.suite)
        if verdict not in VERDICTS:
            node.wrong("overall", '"pass" or "fail"')
        elif outcome.passed is not None:
            node.note(
                "warning",
                "derived-mismatch",
                f"overall is {verdict!r}, but the required "
                f"criteria give {'pass' if outcome.passed else 'fail'!r}.",
                "Write pass only when every required criterion passed.",
                "overall",
            )

    def _compare(self, node: Node, key: str, computed: float | None) -> None:
        stored = node.number(key)
        if stored is None or (computed is None and key == "required_score"):
            return
        if computed is None:
            node.note(
                "warning",
                "derived-mismatch",
                f"{key} is {stored}, but no criterion has a score.",
                "Remove it, or write null.",
                key,
            )
        elif disagrees(stored, computed):
            node.note(
                "warning",
                "derived-mismatch",
                f"{key} is {stored}, but the scores give {computed:.2f}.",
                f"Recompute {key}: the mean of the scores, to one decimal.",
                key,
            )

    def remember(self, path: str, identity: Identity, score: float | None) -> None:
        """Keep the score of a run for the averages of its version."""
        case_id, number, _, label = identity
        self.recall_version(label, number, path)
        cases = self._scores.setdefault(label, {})
        if score is not None:
            cases.setdefault(case_id, []).append(score)

    def _add(
        self,
        path: str,
        key: str,
        identity: Identity,
        judge: Judge,
        total: Outcome,
        expected: int,
        metrics: Json,
    ) -> None:
        """Add the rows of one run, its score and its document."""
        self.remember(path, identity, total.mean)
        used = NOTHING
        if metrics:
            used = measured(Node(self.reader, path, metrics, f"/{METRICS}", self.plan.suite))
        mean, required, passed, judged, met = total
        fraction = None if mean is None else mean / MAX_SCORE
        about = key, identity.case_id, identity.label, identity.run, path, self.outputs(identity)
        scores = passed, mean, fraction, met, judged, required
        self._columns.runs.add((*about, *judge[:2], *scores, *used))
        self._columns.run_scores.add((key, *judge.of_score, mean, passed, judged, expected))

    def _add_remarks(
        self, path: str, key: str, identity: Identity, fields: dict[str, Json]
    ) -> None:
        node = Node(self.reader, path, fields, suite=self.plan.suite)
        self._remarks.add(node, About(key, identity.case_id, identity.label))

    def outputs(self, identity: Identity) -> str | None:
        """Return the folder with what the run produced, when it was seen."""
        folders = self.reader.listing.folders
        runs = f"{self._base}{identity.label}/runs"
        if runs not in folders:
            return None
        for place in (f"{identity.case_id}/", ""):
            folder = f"{runs}/{place}run-{identity.run}"
            if folder in folders:
                return folder
        return None


def _criteria(case: Case, labels: tuple[str, ...], judge: Judge) -> list[Criterion] | None:
    """Return the criteria of a grading's judgments; None when they are not those of its case."""
    if not labels or sorted(case.expected) != sorted(labels):
        return None
    return [
        *(RESULTS.criterion(label, index, judge) for index, label in enumerate(labels)),
        *(COMPLIANCE.criterion(name, name, judge) for name in CONVENTIONS),
    ]


def _agrees(found: Any, total: Outcome) -> bool:
    """Say whether the derived values of a decoded grading are the recomputed ones."""
    return (
        found.overall in (None, "pass" if total.passed else "fail")
        and agrees(found.overall_score, total.mean)
        and agrees(found.required_score, total.required)
    )


def agrees(stored: Json, computed: float | None) -> bool:
    """Say at once whether a stored number with one decimal is the computed one."""
    if stored is None:
        return True
    if type(stored) is not float or computed is None:
        return False
    return abs(stored - computed) <= TENTH and round(stored, 1) == stored


def measured(node: Node) -> Measured:
    """Return what an executor measured, under the names that tools use.

    Other fields stay in the raw document.
    """
    if not isinstance(node.value, dict):
        node.type_problem("an object")
        return NOTHING
    seconds = (found / SECONDS[name] for name in SECONDS if (found := _number(node, name)))
    texts = {name: value for name in EXECUTORS if isinstance(value := node.get(name), str)}
    return Measured(
        next(seconds, None),
        next((found for name in TOKENS if (found := _number(node, name))), None),
        next((found for name in COST if (found := _number(node, name))), None),
        texts.get("executor") or None,
        texts.get("model") or texts.get("executor_model") or None,
        parse_time(node.get("executor_start")),
    )


def _number(node: Node, name: str) -> float | None:
    """Return a measured number; 0 and null both mean "not measured"."""
    value = node.get(name)
    # A field of this name may hold anything: only a number is meant.
    return float(value) if type(value) in (int, float) and 0 < value < 1e18 else None
