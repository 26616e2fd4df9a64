"""benchmark.json: the stored aggregates, and the runs that only it has."""

from datetime import datetime
from typing import Any

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.aggregate import groups, metrics_of
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.gradings import Facts, Place, RunReader
from evalcore.ids import run_id
from evalcore.layouts.iterations import CURRENT, NONE, RunPlace, iteration_of
from evalcore.numbers import disagrees, mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, NoteRow, RunRow, RunScoreRow

STATS = ("mean", "median", "stddev", "min", "max")
NOTES = ("notes", "analyst_notes", "analyst_observations")


class Benchmarks:
    """The benchmark documents of one suite, by version."""

    def __init__(self, plan: Plan, reader: Reader) -> None:
        self.plan = plan
        self.reader = reader
        self.by_version: dict[str, Node] = {}
        for path in plan.of("benchmark"):
            value = reader.json(path)
            found = iteration_of(path.rpartition("/")[0])
            if value is not MISSING and isinstance(value, dict):
                self.by_version[found[1] if found else CURRENT] = Node(
                    reader, path, value, "", plan.suite
                )
            elif value is not MISSING:
                Node(reader, path, value, "", plan.suite).wrong_here("an object")

    @property
    def versions(self) -> list[str]:
        """The versions that have a benchmark of their own runs or summary."""
        return [v for v, node in self.by_version.items() if node.has("runs", "run_summary")]

    def model(self, version: str) -> str | None:
        """Return the executor model that a version's benchmark names."""
        node = self._metadata(version)
        name = node.text("executor_model") if node else None
        return None if name is None or _placeholder(name) else name

    def made_at(self, version: str) -> datetime | None:
        """Return when a version's benchmark was made."""
        node = self.by_version.get(version)
        meta = self._metadata(version)
        found = (
            meta.time("timestamp")
            if meta and not _placeholder(str(meta.get("timestamp")))
            else None
        )
        return found or (
            node.time("timestamp") if node is not None and node.has("timestamp") else None
        )

    def _metadata(self, version: str) -> Node | None:
        node = self.by_version.get(version)
        inner = node.child("metadata") if node is not None else None
        return inner if inner is not None and isinstance(inner.value, dict) else None

    def add_runs(self, rows: Rows, cases: Cases, facts: list[Facts]) -> list[Facts]:
        """Add the runs that a benchmark lists and no grading holds."""
        graded = {(f.version, f.configuration, f.case_id) for f in facts}
        added: list[Facts] = []
        for version, node in self.by_version.items():
            seen: dict[tuple[str, str], int] = {}
            for item in node.items("runs"):
                at, case_words = self._place(version, node, item)
                case = cases.at(at, {"eval_id": case_words})
                if (version, at.configuration, case.case_id) in graded:
                    continue
                count = seen[case.case_id, at.configuration] = (
                    seen.get((case.case_id, at.configuration), 0) + 1
                )
                number = item.whole("run_number")
                at = at._replace(run=str(number if number is not None else count))
                key = run_id(self.plan.suite, case.case_id, version, at.configuration, at.run)
                if any(f.run_id == key for f in added):
                    at = at._replace(run=f"{at.run}.{count}")
                place = Place(self.plan.suite, at, case, None, False, False, self.model(version))
                added.append(self._run(rows, place, item))
        return added

    def _place(self, version: str, node: Node, item: Node) -> tuple[RunPlace, Any]:
        eval_id = item.get("eval_id")
        name = item.text("eval_name")
        words = name or (f"eval-{eval_id}" if eval_id is not None else "eval")
        folder = node.path.rpartition("/")[0]
        configuration = item.text("configuration") or item.text("config") or NONE
        eval_folder = f"{folder}/{words}" if folder else words
        return RunPlace(
            self.plan.root, version, eval_folder, configuration, eval_folder, "1", eval_folder
        ), eval_id

    def _run(self, rows: Rows, place: Place, item: Node) -> Facts:
        """Add one run from the benchmark's own words; its items are read like a grading's."""
        at = place.at
        key = run_id(place.suite, place.case.case_id, at.version, at.configuration, at.run)
        checks = RunReader(self.reader, rows, place.suite).items(
            key, place.case, item, None, "llm", "expectation"
        )
        result = item.child("result") if isinstance(item.get("result"), dict) else item
        passed, total = result.whole("passed"), result.whole("total")
        rate = result.number("pass_rate")
        if checks.scored:
            passed, total, rate = checks.passed, checks.scored, checks.rate
        seconds, tokens = result.number("time_seconds") or None, result.number("tokens") or None
        rows.add(RunRow(
            key, place.suite, place.case.case_id, at.version, at.configuration, at.run,
            f"{at.version}/{at.configuration}", "benchmark", "completed", None,
            None if passed is None else float(passed), None if total is None else float(total), rate, passed, total,
            None, None, None, None, "llm", None, place.model, None, seconds, tokens, None, None, item.path, item.at,
        ))  # fmt: skip
        rows.add(RunScoreRow(key, None, "llm", None if passed is None else float(passed),
                             None if total is None else float(total), None, checks.scored,
                             checks.scored + checks.unscored))  # fmt: skip
        for text, where in item.texts("notes"):
            rows.add(
                NoteRow(place.suite, key, at.version, "benchmark", None, text, item.path, where)
            )
        return Facts(at.version, at.configuration, place.case.case_id, key, rate, None, None, seconds, tokens, {},
                     passed, total)  # fmt: skip

    def add_stored(self, rows: Rows, facts: list[Facts]) -> None:
        """Add stored aggregates and notes, each compared with what the runs give."""
        ours = {key: metrics_of(runs, self.plan.family) for key, runs in groups(facts).items()}
        for version, node in self.by_version.items():
            for key in NOTES:
                for text, where in (
                    node.texts(key) if isinstance(node.get(key), (str, list)) else ()
                ):
                    rows.add(
                        NoteRow(
                            self.plan.suite,
                            None,
                            version,
                            "benchmark",
                            None,
                            text,
                            node.path,
                            where,
                        )
                    )
            for name, summary in node.fields("run_summary") if node.has("run_summary") else ():
                if name == "delta":
                    self._delta(rows, version, summary, ours)
                elif isinstance(summary.value, dict):
                    self._summary(rows, version, name, summary, ours.get((version, name), {}))
            self._lies(node, version, facts)

    def _summary(
        self, rows: Rows, version: str, configuration: str, node: Node, ours: dict[str, list[float]]
    ) -> None:
        for metric, stats in node.fields():
            if metric == "rubric_dimensions":
                for name, inner in stats.fields():
                    self._stored(
                        rows, version, configuration, f"rubric_dimensions.{name}", inner, ours
                    )
            else:
                self._stored(rows, version, configuration, metric, stats, ours)

    def _stored(self, rows: Rows, version: str, configuration: str, metric: str, node: Node,
                ours: dict[str, list[float]]) -> None:  # fmt: skip
        flat = not isinstance(node.value, dict)
        stats = {k: None if flat else node.number(k) for k in STATS}
        if flat and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            stats["mean"] = float(node.value)
        text = node.value if isinstance(node.value, str) else None
        rows.add(BenchmarkRow(self.plan.suite, version, configuration, None, metric, stats["mean"], stats["median"],
                              stats["stddev"], stats["min"], stats["max"], None, "stored", text, node.path, node.at))  # fmt: skip
        computed = mean(ours.get(metric, []))
        stored = stats["mean"]
        if (
            stored is not None
            and computed is not None
            and metric != "consistency"
            and disagrees(stored, computed)
        ):
            node.note("warning", "derived-mismatch",
                      f"The mean {metric} of {configuration} is {stored:g}, its {len(ours[metric])} runs give {computed:.4g}.",
                      "Aggregate the benchmark again.")  # fmt: skip

    def _delta(
        self,
        rows: Rows,
        version: str,
        node: Node,
        ours: dict[tuple[str, str], dict[str, list[float]]],
    ) -> None:
        for metric, value in node.fields():
            number = (
                value.value
                if isinstance(value.value, (int, float)) and not isinstance(value.value, bool)
                else None
            )
            text = value.value if isinstance(value.value, str) else None
            rows.add(BenchmarkRow(self.plan.suite, version, "delta", None, metric, number, None, None, None, None, None,
                                  "stored", text, value.path, value.at))  # fmt: skip
        self._sign(version, node, ours)

    def _sign(
        self, version: str, node: Node, ours: dict[tuple[str, str], dict[str, list[float]]]
    ) -> None:
        """Note a stored delta whose sign is turned round, or that has no second side."""
        stored = _signed(node.get("pass_rate"))
        sides = {c: mean(m.get("pass_rate", [])) for (v, c), m in ours.items() if v == version}
        new = next(
            (sides[c] for c in ("with_skill", "new_skill") if sides.get(c) is not None), None
        )
        old = next(
            (
                sides[c]
                for c in ("without_skill", "old_skill", "baseline")
                if sides.get(c) is not None
            ),
            None,
        )
        if stored is None or new is None:
            return
        if old is None:
            node.note("warning", "delta-without-baseline", "A difference is stored, but only one configuration has runs.",
                      "Run the baseline, or remove the difference.", "pass_rate")  # fmt: skip
        elif abs(stored) > 0.005 and abs(stored + (new - old)) < 0.011 < abs(stored - (new - old)):
            node.note("warning", "delta-inverted",
                      f"The stored difference is {stored:+.2f}, with the skill minus without is {new - old:+.2f}.",
                      "Aggregate the benchmark again with the baseline second.", "pass_rate")  # fmt: skip

    def _lies(self, node: Node, version: str, facts: list[Facts]) -> None:
        """Note placeholders that were never filled in, and a number of runs that is not so."""
        meta = node.child("metadata")
        if not isinstance(meta.value, dict):
            return
        for key, value in meta.value.items():
            if isinstance(value, str) and _placeholder(value):
                meta.note(
                    "info",
                    "placeholder",
                    f"{key} still holds a placeholder.",
                    f"Fill in {key}.",
                    key,
                )
        told = meta.whole("runs_per_configuration")
        mine = [f for f in facts if f.version == version]
        counts: dict[tuple[str, str], int] = {}
        for fact in mine:
            counts[fact.case_id, fact.configuration] = (
                counts.get((fact.case_id, fact.configuration), 0) + 1
            )
        if told is not None and counts and max(counts.values()) != told:
            meta.note("warning", "runs-miscounted", f"runs_per_configuration is {told}, there are {max(counts.values())}.",
                      "Write the number of runs that were made.", "runs_per_configuration")  # fmt: skip


def _placeholder(text: str) -> bool:
    return text.startswith("<") and text.endswith(">")


def _signed(value: Any) -> float | None:
    try:
        return (
            float(value)
            if isinstance(value, (int, float, str)) and not isinstance(value, bool)
            else None
        )
    except ValueError:
        return None
