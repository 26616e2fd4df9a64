"""benchmark.json: its metadata by version, and the runs that only it has."""

from datetime import datetime
from typing import Any

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.checks import read_items
from evalcore.families.iterations.runs import Desk, Facts, Place
from evalcore.ids import run_id
from evalcore.layouts.iterations import CURRENT, NONE, RunPlace, iteration_of
from evalcore.tables.rows import NoteRow, RunRow, RunScoreRow


class Benchmarks:
    """The benchmark documents of one suite, by version."""

    def __init__(self, plan: Plan, reader: Reader) -> None:
        self.plan = plan
        self.by_version: dict[str, Node] = {}
        for path in plan.of("benchmark"):
            value = reader.json(path)
            found = iteration_of(path.rpartition("/")[0])
            node = Node(reader, path, value, "", plan.suite)
            if value is not MISSING and isinstance(value, dict):
                self.by_version[found[1] if found else CURRENT] = node
            elif value is not MISSING:
                node.wrong_here("an object")

    @property
    def versions(self) -> list[str]:
        """The versions that have a benchmark of their own runs or summary."""
        return [v for v, node in self.by_version.items() if node.has("runs", "run_summary")]

    def model(self, version: str) -> str | None:
        """Return the executor model that a version's benchmark names."""
        node = self._metadata(version)
        name = node.text("executor_model") if node else None
        return None if name is None or is_placeholder(name) else name

    def made_at(self, version: str) -> datetime | None:
        """Return when a version's benchmark was made."""
        for node in (self._metadata(version), self.by_version.get(version)):
            if node is None or not node.has("timestamp"):
                continue
            if is_placeholder(str(node.get("timestamp"))):
                continue
            if found := node.time("timestamp"):
                return found
        return None

    def _metadata(self, version: str) -> Node | None:
        node = self.by_version.get(version)
        inner = node.child("metadata") if node is not None else None
        return inner if inner is not None and isinstance(inner.value, dict) else None


def is_placeholder(text: str) -> bool:
    """Say whether a text is a template's `<gap>` that was never filled in."""
    return text.startswith("<") and text.endswith(">")


def add_listed_runs(
    benchmarks: Benchmarks, desk: Desk, cases: Cases, facts: list[Facts]
) -> list[Facts]:
    """Add the runs that a benchmark lists and no grading holds."""
    graded = {(f.version, f.configuration, f.case_id) for f in facts}
    added: dict[str, Facts] = {}
    for version, node in benchmarks.by_version.items():
        seen: dict[tuple[str, str], int] = {}
        for item in node.items("runs"):
            at = _place(benchmarks.plan.root, version, node, item)
            eval_id = item.get("eval_id")
            case = cases.numbered(version, eval_id) or cases.at(at, {"eval_id": eval_id})
            if (version, at.configuration, case.case_id) in graded:
                continue
            group = case.case_id, at.configuration
            count = seen[group] = seen.get(group, 0) + 1
            number = item.whole("run_number")
            at = at._replace(run=str(number if number is not None else count))
            while _key(desk.suite, case.case_id, at) in added:
                at = at._replace(run=f"{at.run}.{count}")
            model = benchmarks.model(version)
            place = Place(desk.suite, at, case, None, False, model)
            added[_key(desk.suite, case.case_id, at)] = _add_run(desk, place, item)
    return list(added.values())


def _place(root: str, version: str, node: Node, item: Node) -> RunPlace:
    eval_id = item.get("eval_id")
    name = item.text("eval_name")
    words = name or (f"eval-{eval_id}" if isinstance(eval_id, (str, int)) else "eval")
    folder = node.path.rpartition("/")[0]
    configuration = item.text("configuration") or item.text("config") or NONE
    eval_folder = f"{folder}/{words}" if folder else words
    return RunPlace(root, version, eval_folder, configuration, eval_folder, "1", eval_folder)


def _key(suite: str, case_id: str, at: RunPlace) -> str:
    return run_id(suite, case_id, at.version, at.configuration, at.run)


def _add_run(desk: Desk, place: Place, item: Node) -> Facts:
    """Add one run from the benchmark's own words; its items are read like a grading's."""
    at, case_id = place.at, place.case.case_id
    key = _key(place.suite, case_id, at)
    checks = read_items(desk, key, place.case, item)
    result = item.child("result") if isinstance(item.get("result"), dict) else item
    passed, total = result.whole("passed"), result.whole("total")
    rate = result.number("pass_rate")
    if checks.scored:
        passed, total, rate = checks.passed, checks.scored, checks.rate
    seconds, tokens = result.number("time_seconds") or None, result.number("tokens") or None
    score, top = _float(passed), _float(total)
    desk.rows.add(
        RunRow(key, place.suite, case_id, at.version, at.configuration, at.run,
               f"{at.version}/{at.configuration}", "benchmark", "completed", None, score, top, rate,
               passed, total, None, None, None, None, "llm", None, place.model, None, seconds,
               tokens, None, None, item.path, item.at)
    )  # fmt: skip
    desk.rows.add(RunScoreRow(key, None, "llm", score, top, None, checks.scored, checks.all))
    for text, where in item.texts("notes"):
        desk.rows.add(
            NoteRow(place.suite, key, at.version, "benchmark", None, text, item.path, where)
        )
    return Facts(at.version, at.configuration, case_id, key, rate, None, None, seconds, tokens, {},
                 passed, total)  # fmt: skip


def _float(value: Any) -> float | None:
    return None if value is None else float(value)
