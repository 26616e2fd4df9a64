"""Read gradings: one run of one case each, scored 1 to 5 on every criterion."""

from typing import Final

from evalcore.disk.listing import shown
from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.improve.asides import Asides
from evalcore.families.improve.conventions import Conventions
from evalcore.families.improve.definitions import MAX_SCORE, Case, Definitions
from evalcore.families.improve.history import Averages
from evalcore.families.improve.identity import Identity, identify
from evalcore.families.improve.metrics import NOTHING, measured
from evalcore.families.improve.results import Outcome, Results
from evalcore.ids import run_id
from evalcore.numbers import disagrees
from evalcore.tables.builder import Rows
from evalcore.tables.rows import DocumentRow, RunRow, RunScoreRow

# A number printed with one decimal agrees with one that lies within this.
TENTH: Final = 0.1

ACROSS: Final = frozenset(
    {"duplicate-run", "unknown-case", "unknown-criterion", "unknown-convention"}
)
"""Problems of one grading that hang on what others hold."""


class Gradings:
    """Reads every grading of one suite."""

    def __init__(self, plan: Plan, reader: Reader, rows: Rows, definitions: Definitions) -> None:
        self.plan = plan
        self.reader = reader
        self.rows = rows
        self.definitions = definitions
        self.results = Results(plan.suite, reader, rows, definitions)
        self.conventions = Conventions(plan.suite, reader, rows, definitions)
        self.asides = Asides(plan.suite, reader, rows)
        self.versions: dict[str, tuple[int | None, str]] = {}  # label to number and first file
        self._scores: dict[str, dict[str, list[float]]] = {}
        self._prefixes: dict[tuple[str, str], str] = {}
        self.seen: dict[str, str] = {}  # run id to file
        self._base = f"{plan.root}/" if plan.root else ""

    @property
    def scores(self) -> Averages:
        """Version to case to the mean scores of its runs, of the gradings read so far."""
        return self._scores

    def read(self, path: str) -> None:
        """Read one grading."""
        value = self.reader.json(path)
        if type(value) is not dict or type(value.get("results")) is not list:
            self._no_grading(path, value)
            return
        results = value["results"]
        self.document(path, len(results))
        identity = self._identity(path, value)
        if not self.claim(path, identity):
            self._duplicate(path, identity)
            return
        key = self.key(identity)
        case_id = identity.case_id
        case = self.definitions.cases.get(case_id) or self._new_case(case_id, path)
        outcome = self.results.read(path, results, case_id, case, key)
        self._derived(path, value, outcome)
        self.remember(path, identity, outcome.mean)
        metrics = value.get("execution_metrics")
        self.add_run(path, metrics, identity, outcome, len(case.expected) or len(results))
        if compliance := value.get("convention_compliance"):
            self.conventions.read(path, compliance, case_id, key)
        self.asides.read(path, value, identity, key)

    def recall_version(self, label: str, number: int | None, path: str) -> None:
        """Take a version as graded; the first file that names it stands for it."""
        if label not in self.versions or path < self.versions[label][1]:
            self.versions[label] = number, path

    def recall_scores(self, label: str, case_id: str, scores: list[float]) -> None:
        """Take the scores of further runs of a case as known."""
        self._scores.setdefault(label, {}).setdefault(case_id, []).extend(scores)

    def finish(self) -> None:
        """Say once for all gradings what repeats in many."""
        self.results.finish()
        self.conventions.finish()

    def _no_grading(self, path: str, value: Json) -> None:
        self.document(path, 0)
        if value is MISSING:
            return
        node = Node(self.reader, path, value, suite=self.plan.suite)
        if isinstance(value, dict):
            node.note(
                "error",
                "no-results",
                "The file holds no list of results, so nothing of it counts.",
                'Write the scored criteria as a list under "results".',
            )
        else:
            node.wrong_here("an object")

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

    def document(self, path: str, records: int) -> None:
        """Add a grading to the documents."""
        self.rows.add(DocumentRow(path, "improve", "grading", self.plan.suite, records))

    def claim(self, path: str, identity: Identity) -> bool:
        """Take a run for a file; False when another file has it."""
        return self.seen.setdefault(self.key(identity), path) is path

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
            path, "", "warning", "duplicate-run",
            f"Run {identity.run} of {identity.case_id!r} in {identity.label} is graded by "
            f"{self.seen[self.key(identity)]} too; this file was left out.",
            "Keep one of the two, or give this one its own run number.", self.plan.suite,
        )  # fmt: skip

    def _new_case(self, case_id: str, path: str) -> Case:
        if self.definitions.known:
            self.reader.problem(
                path, "/case_id", "warning", "unknown-case",
                f"evals.json has no case {case_id!r}; it is shown without prompt and criteria.",
                "Add the case to evals.json, or mend the id.", self.plan.suite,
            )  # fmt: skip
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
        if verdict not in ("pass", "fail"):
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
                "Leave it out or null.",
                key,
            )
        elif disagrees(stored, computed):
            node.note(
                "warning",
                "derived-mismatch",
                f"{key} is {stored}, but the scores give {computed:.2f}.",
                "Recompute it: the mean of the scores, to one decimal.",
                key,
            )

    def remember(self, path: str, identity: Identity, score: float | None) -> None:
        """Keep the score of a run for the averages of its version."""
        case_id, number, _, label = identity
        self.recall_version(label, number, path)
        cases = self._scores.setdefault(label, {})
        if score is not None:
            cases.setdefault(case_id, []).append(score)

    def add_run(
        self, path: str, metrics: Json, identity: Identity, outcome: Outcome, expected: int
    ) -> None:
        """Add the rows of one run."""
        case_id, _, run, label = identity
        key, mean = self.key(identity), outcome.mean
        used = NOTHING
        if metrics:
            at = "/execution_metrics"
            used = measured(Node(self.reader, path, metrics, at, self.plan.suite))
        self.rows.add(
            RunRow(key, self.plan.suite, case_id, label, "-", run, None, "grading", "completed",
                   outcome.passed, mean, MAX_SCORE, None if mean is None else mean / MAX_SCORE,
                   outcome.met, outcome.judged, outcome.required, None, None, None, "llm",
                   used.executor, used.model, used.started_at, used.duration_s, used.tokens,
                   used.cost_usd, self.outputs(identity), path, "")
        )  # fmt: skip
        self.rows.add(
            RunScoreRow(key, None, "llm", mean, MAX_SCORE, outcome.passed, outcome.judged, expected)
        )

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


def agrees(stored: Json, computed: float | None) -> bool:
    """Say at once whether a stored number with one decimal is the computed one."""
    if stored is None:
        return True
    if type(stored) is not float or computed is None:
        return False
    return abs(stored - computed) <= TENTH and round(stored, 1) == stored
