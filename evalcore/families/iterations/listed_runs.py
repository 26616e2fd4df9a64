"""The runs that only a benchmark has, to rows."""

from collections import Counter, defaultdict

from evalcore.disk.values import Node
from evalcore.families.iterations.amounts import finite
from evalcore.families.iterations.benchmark import Benchmarks
from evalcore.families.iterations.benchmark_run import add_run, has_items
from evalcore.families.iterations.case import Case
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.defined import prompt_of
from evalcore.families.iterations.entries import Entries
from evalcore.families.iterations.figures import Figures, figures_of
from evalcore.families.iterations.labels import agrees, label_of, version_meant
from evalcore.families.iterations.listed import Listed, listed
from evalcore.families.iterations.runs import Facts, RunContext, SuiteContext
from evalcore.ids import run_id
from evalcore.layouts.iterations import BASELINES, NONE, RunLocation
from evalcore.numbers import disagrees, mean
from evalcore.shapes.judge import UNNAMED


def add_listed_runs(
    benchmarks: Benchmarks, context: SuiteContext, cases: Cases, facts: list[Facts]
) -> list[Facts]:
    """Add the runs that a benchmark lists and no grading holds."""
    cases.skill_name = cases.skill_name or benchmarks.skill_name
    runs = _BenchmarkRunReader(benchmarks, context, cases, facts)
    for version, node in benchmarks.documents:
        runs.read(version, node)
    context.flush()
    return list(runs.added.values())


class _BenchmarkRunReader:
    """Takes down the runs of one suite's benchmarks."""

    def __init__(
        self, benchmarks: Benchmarks, context: SuiteContext, cases: Cases, facts: list[Facts]
    ) -> None:
        self.benchmarks = benchmarks
        self.context = context
        self.cases = cases
        self.added: dict[str, Facts] = {}
        self._entries = Entries(context)
        self._graded: dict[tuple[str, str], dict[str, list[Facts]]] = defaultdict(dict)
        for fact in facts:
            sides = self._graded[fact.version, fact.case_id]
            sides.setdefault(fact.configuration, []).append(fact)
        self._versions = dict.fromkeys((*(f.version for f in facts), *benchmarks.by_version))
        self._sides: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        self._labels: Counter[tuple[str, str, str]] = Counter()
        self._unjoined: set[tuple[str, str]] = set()
        self._noted: set[str] = set()
        self._list_of: dict[tuple[str, str, str], tuple[str, str]] = {}

    def read(self, version: str, node: Node) -> None:
        """Add the runs of one benchmark document, and what it says of each eval."""
        seen: dict[tuple[str, str], int] = {}
        percent = False
        entries = list(listed(node))
        named = {found.configuration for found in entries}
        for found in entries:
            at = _place(self.benchmarks.plan.root, version, node, found)
            case = self._case(version, at, found)
            figures = figures_of(found.item)
            percent = percent or figures.percent
            graded = self._graded.get((version, case.case_id), {})
            ours = (
                _ours(graded, found.configuration)
                or self._labelled(version, case, found, figures)
                or self._renamed(graded, found, figures, named)
            )
            key = None if ours else self._run(at, case, found, figures, seen)
            run = ours[0].run_id if len(ours) == 1 else key
            self._entries.add(version, case, found, figures, ours, run)
        if percent:
            node.note(
                "info",
                "rates-as-percent",
                "Pass rates are written as percent.",
                "Write them as fractions from 0 to 1.",
            )
        self._entries.check()

    def _case(self, version: str, at: RunLocation, found: Listed) -> Case:
        case = self.cases.numbered(version, found.eval_id)
        if case is None:
            case = self.cases.at(at, {"eval_id": found.eval_id})
            if found.name and not case.defined and case.name in (None, case.case_id):
                case.name = found.name
        prompt = prompt_of(found.item) or prompt_of(found.entry)
        if case.prompt is None and prompt is not None:
            case.prompt = prompt
            if case.source is None:
                case.source, case.pointer = found.entry.path, found.entry.at
        return case

    def _labelled(self, version: str, case: Case, found: Listed, figures: Figures) -> list[Facts]:
        """Return the run that a label like `with_skill (iter4)` means, by number and result."""
        label = label_of(found.configuration)
        if label is None:
            return []
        meant = version_meant(label.note, self._versions) or version
        runs = self._graded.get((meant, case.case_id), {}).get(label.side, [])
        runs = runs or [self.added[key] for key in self._sides[meant, case.case_id, label.side]]
        named = found.item.path, case.case_id, found.configuration
        self._labels[named] += 1
        number = int(finite(found.item.get("run_number")) or self._labels[named])
        run = run_id(self.context.suite, case.case_id, meant, label.side, number)
        same = [fact for fact in runs if fact.run_id == run and agrees(figures, fact)]
        if runs and not same:
            self._note_label(found, label.side)
        return same

    def _note_label(self, found: Listed, side: str) -> None:
        if (found.item.path, found.configuration) not in self._unjoined:
            self._unjoined.add((found.item.path, found.configuration))
            found.item.note(
                "warning",
                "label-not-joined",
                f"No run of {side!r} has the number and the result of this one, which is called "
                f"{found.configuration!r}; it counts as a run of its own.",
                f"Write {side!r} and the number of the run, or a name without brackets.",
            )

    def _renamed(
        self, graded: dict[str, list[Facts]], found: Listed, figures: Figures, named: set[str]
    ) -> list[Facts]:
        """Return the graded baseline that an entry of the same rate calls by another name."""
        rest = [name for name in graded if name in BASELINES and name not in named]
        if found.configuration not in BASELINES or len(rest) != 1 or figures.rate is None:
            return []
        computed = mean(fact.pass_rate for fact in graded[rest[0]])
        if computed is None or disagrees(figures.rate, computed):
            return []
        if found.item.path not in self._noted:
            self._noted.add(found.item.path)
            found.item.note(
                "warning",
                "configuration-differs",
                f"{found.configuration!r} is called {rest[0]!r} in the folders of its runs.",
                f"Write {rest[0]!r}, as the folders do.",
            )
        return graded[rest[0]]

    def _run(
        self,
        at: RunLocation,
        case: Case,
        found: Listed,
        figures: Figures,
        seen: dict[tuple[str, str], int],
    ) -> str | None:
        """Add one run unless nothing came of it, or another list of the file has it already."""
        item, side = found.item, (case.case_id, found.configuration)
        if found.group and not figures.any and not has_items(item):
            return None
        here = (item.path, found.group)
        if self._list_of.setdefault((at.version, *side), here) != here:
            return None
        count = seen[side] = seen.get(side, 0) + 1
        number = finite(item.get("run_number"))
        run = str(count if number is None else int(number))
        at = at._replace(configuration=found.configuration, run=run)
        while (key := _key(self.context.suite, case.case_id, at)) in self.added:
            at = at._replace(run=f"{at.run}.{count}")
        model = item.get("model")
        model = model if isinstance(model, str) else self.benchmarks.model(at.version)
        place = RunContext(self.context.suite, at, case, UNNAMED, False, model)
        self.added[key] = add_run(self.context, key, place, item, figures)
        self._sides[at.version, case.case_id, found.configuration].append(key)
        return key


def _ours(graded: dict[str, list[Facts]], configuration: str) -> list[Facts]:
    """Return the graded runs that an entry sums up; unnamed sides stand for all of them."""
    if configuration in graded:
        return graded[configuration]
    if configuration == NONE:
        return [fact for facts in graded.values() for fact in facts]
    return graded.get(NONE, [])


def _place(root: str, version: str, node: Node, found: Listed) -> RunLocation:
    """Return where a listed run would lie if it had a folder."""
    eval_id = found.eval_id
    if isinstance(eval_id, str) and not eval_id.isdecimal():
        words = eval_id
    else:
        words = found.name or (f"eval-{eval_id}" if eval_id is not None else "eval")
    folder = node.path.rpartition("/")[0]
    words = words.replace("/", "-")
    eval_folder = f"{folder}/{words}" if folder else words
    return RunLocation(
        root, version, eval_folder, found.configuration, eval_folder, "1", eval_folder
    )


def _key(suite: str, case_id: str, at: RunLocation) -> str:
    return run_id(suite, case_id, at.version, at.configuration, at.run)
