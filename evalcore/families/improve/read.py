"""Turn the documents of one suite of the `improve` family into rows, at once or as they change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

import numpy as np

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.base import SHARE, Plan, PreviousRows
from evalcore.families.gradings import (
    UNASSIGNED,
    Case,
    add_scores,
    comparison_row,
    note_contradiction,
    pending_run,
    winner_of,
)
from evalcore.families.improve.documents import MAX_SCORE
from evalcore.families.improve.find import GRADING_NAME, RUN_FOLDER, RUN_PLACE, below
from evalcore.families.improve.gradings import ACROSS, ImproveSuite, number_of, outputs_of
from evalcore.names import slashed
from evalcore.shapes.judge import judge_of, versions_in
from evalcore.tables.builder import Rows
from evalcore.tables.rows import AnalysisRow, BenchmarkRow, RunRow


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite; unreadable values are reported to the reader."""
    suite = ImproveSuite(plan, reader, rows)
    for path in suite.files["evals"]:
        suite.read_cases(path)
    name = plan.suite.rpartition("/")[2]
    if plan.suite == ".":
        name = slashed(suite.skill or "").rstrip("/").rpartition("/")[2]
        name = name or reader.listing.root.resolve().name.removesuffix("-workspace") or "."
    rows.add(suite.row(name, SHARE))
    for path in suite.files["history"]:
        suite.read_history(path)
    suite.read(suite.files["grading"])
    suite.add_graded_versions()
    if suite.known:
        folders, seen = reader.listing.folders, set[str | None](suite.seen)
        unread = ((None, row) for row in unread_runs(plan, suite.unread, folders))
        for folder, row in chain(unread, ungraded_runs(plan, folders)):
            known = row.case_id in suite.cases and row.version in suite.labels
            if known and row.run_id not in seen and (folder is None or reader.has_outputs(folder)):
                seen.add(row.run_id)
                rows.add(row)
    suite.add_averages({})
    read_comparisons(suite)
    first = next(iter(suite.files["grading"]), None)
    where = plan.root or "."
    if first is not None and not suite.files["evals"]:
        name = where.rpartition("/")[2].removesuffix("-workspace")
        message = (
            f"No test cases were found for {where}, so it is not known what is required; a run "
            "passed where its grading says so. Looked "
            f"for evals/evals.json in {name!r} beside it and in the folders around it, in "
            "vN/skill, and for one with the same case ids."
        )
        hint = "Open the folder that holds both the skill and its workspace."
        reader.problem(first, "", "warning", "evals-not-found", message, hint, plan.suite)
    if first is not None and not suite.files["history"]:
        message = f"There is no history.json in {where}; the versions are those of the gradings."
        hint = "Add a history.json that names each version."
        reader.problem(first, "", "info", "history-not-found", message, hint, plan.suite)


def ungraded_runs(plan: Plan, folders: Collection[str]) -> Iterator[tuple[str, RunRow]]:
    """Yield each folder that is named like that of a run, with its row if it has no grading yet.

    Such a run is shown, and stands outside the rates.
    """
    prefix = below(plan.root, "")
    near = (each for each in folders if "/runs/" in each and each.startswith(prefix))
    for folder in sorted(near):
        found = RUN_FOLDER.fullmatch(folder.removeprefix(prefix))
        if found is not None and found["case"] is not None:
            row = pending_run(plan, found["case"], found["version"], str(int(found["run"])))
            yield folder, row._replace(outputs=folder, max_score=MAX_SCORE)


def unread_runs(plan: Plan, gradings: Iterable[str], folders: Collection[str]) -> Iterator[RunRow]:
    """Yield the run of each grading that cannot be read, where its name says which it is."""
    for path in gradings:
        place = path.removeprefix(below(plan.root, ""))
        folder, _, name = place.rpartition("/")
        found = RUN_PLACE.fullmatch(place) or (folder == "grading" and GRADING_NAME.fullmatch(name))
        if found and found["case"] is not None:
            case, version = found["case"], f"v{number_of(found['version'])}"
            run = str(number_of(found["run"]))
            outputs = outputs_of(plan.root, version, case, run, folders)
            row = pending_run(plan, case, version, str(int(found["run"])))
            yield row._replace(source=path, outputs=outputs, max_score=MAX_SCORE)


def root_of(path: str) -> str | None:
    """Return the workspace of a grading with a standard name; None for any other file."""
    folder, _, name = path.rpartition("/")
    is_usual = f"/{folder}".endswith("/grading") and GRADING_NAME.fullmatch(name)
    return folder.removesuffix("grading").removesuffix("/") if is_usual else None


def folders_of(path: str) -> list[str]:
    """Return the folders of the version and of the outputs of a grading with this name."""
    root, found = root_of(path), GRADING_NAME.fullmatch(path.rpartition("/")[2])
    if root is None or found is None:
        return []
    version = below(root, f"v{found['version']}")
    runs, run = f"{version}/runs", f"run-{found['run']}"
    case = f"{runs}/{found['case']}"
    return [version, f"{version}/skill", runs, f"{runs}/{run}", case, f"{case}/{run}"]


def update(plan: Plan, reader: Reader, rows: Rows, previous: PreviousRows) -> bool:
    """Add the rows of changed gradings and of what depends on them; False if that is not all."""
    before = len(reader.problems)
    runs, gone, folders = previous.runs, previous.gone, reader.listing.folders
    for folder in previous.folders:
        place = RUN_FOLDER.fullmatch(folder.removeprefix(below(plan.root, "")))
        if place is None:
            continue
        same = (runs["version"] == place["version"]) & (runs["run"] == place["run"])
        if place["case"] is not None:
            same &= runs["case_id"] == place["case"]
        if same.any():  # the outputs of an unchanged run came or went
            return False
    suite, paths = ImproveSuite(plan, reader, rows), plan.of("grading")
    _recall_cases(suite, previous, paths)
    suite.read(paths)
    # What these gradings tell of cases, and runs that others have too, concern the others.
    tells = len(rows.tables["cases"]) + len(rows.tables["criteria"])
    across = any(problem.code in ACROSS for problem in reader.problems[before:])
    if tells or across or runs["run_id"].isin(list(suite.seen)).any():
        return False
    # A run may now be without a grading: its outputs are new, or its grading is gone.
    new = [row.run_id for _, row in ungraded_runs(plan, previous.folders & folders)]
    left = gone.loc[gone["outputs"].isin(list(folders)), "run_id"]
    waiting = {row.run_id: row for row in unread_runs(plan, suite.unread, folders)}
    if not {*new, *left} <= suite.seen.keys() | waiting.keys():
        return False
    for key, waits in waiting.items():
        is_known = suite.known and waits.case_id in suite.cases
        if not is_known or key in suite.seen or (runs["run_id"] == key).any():
            return False
        rows.add(waits)
    touched = {*suite.scores, *map(str, gone["version"])}
    versions = previous.versions
    sources = dict(zip(versions["version"], map(str, versions["source"]), strict=True))
    if any(sources.get(label) in paths for label in touched):
        return False  # another grading may now be the first that names the version
    for label in runs["version"].cat.remove_unused_categories().cat.categories:
        number = int(label[1:]) if label != UNASSIGNED else None
        own = number, sources.get(label, "")
        suite.versions[label] = min(own, suite.versions.get(label, own))
    scored = runs.loc[runs["version"].isin(touched)].dropna(subset=["score"])
    for label, case_id, score in zip(
        scored["version"], scored["case_id"], scored["score"], strict=True
    ):
        suite.scores.setdefault(label, {}).setdefault(case_id, []).append(score)
    for path in plan.of("history"):
        suite.read_history(path)
    suite.add_graded_versions()
    if any(waits.version not in suite.labels for waits in waiting.values()):
        return False
    benchmarks = previous.benchmarks
    is_kept = (benchmarks["origin"] == "computed") & ~benchmarks["version"].isin(list(touched))
    names = ["version", "mean", "median", "stddev", "min", "max", "n"]
    row = BenchmarkRow(plan.suite, None, "-", metric="average_score", origin="computed")
    kept = benchmarks.loc[is_kept, names].itertuples(index=False)
    known = {each[0]: row._replace(**dict(zip(names, each, strict=True))) for each in kept}
    suite.add_averages(known)
    return set(suite.labels) == set(previous.versions["version"])


def _recall_cases(suite: ImproveSuite, previous: PreviousRows, paths: Sequence[str]) -> None:
    """Restore what was told of the cases whose gradings changed.

    A changed grading that comes before the one which told something of a case would tell it itself:
    such a case is left as unknown.
    """
    first: dict[str, str] = {}
    for path in paths:
        if found := GRADING_NAME.fullmatch(path.rpartition("/")[2]):
            first.setdefault(found["case"], path)
    criteria = previous.criteria.loc[previous.criteria["case_id"].isin(list(first))]
    criteria = criteria.sort_values("position")
    cases = previous.cases.loc[previous.cases["case_id"].isin(list(first))]
    for case_id, source in zip(cases["case_id"], cases["source"], strict=True):
        mine = criteria.loc[criteria["case_id"] == case_id]
        told_by = {path for path in (source, *mine["source"]) if root_of(str(path)) is not None}
        if any(path >= first[case_id] for path in told_by):
            continue
        expected: dict[str, bool | None] = {}
        extra: set[str] = set()
        conventions: set[str] = set()
        listed = zip(mine["kind"], mine["criterion"], mine["required"], mine["source"], strict=True)
        for kind, name, required, path in listed:
            if kind == "convention":
                conventions.add(name)
            elif path in told_by:
                extra.add(name)
            else:
                expected[name] = bool(required) if isinstance(required, bool | np.bool_) else None
        is_defined = source not in told_by
        decided = is_defined and None not in expected.values()
        suite.cases[case_id] = Case(expected, decided, None, extra)
        suite.conventions |= {(case_id, name) for name in conventions}
        suite.known |= is_defined


COMPARED_MAX: Final = 10


def read_comparisons(suite: ImproveSuite) -> None:
    """Add the comparisons and analyses of one suite."""
    rows, base = suite.rows, below(suite.plan.root, "")
    comparisons, analyses = (list(suite.documents(kind)) for kind in ("comparison", "analysis"))
    partners, about = _pairs(comparisons, analyses), dict[str, str]()
    for node in comparisons:
        key = f"{suite.suite}::{node.path.removeprefix(base).removesuffix('.json')}"
        analysis = partners.get(node.path)
        if analysis is not None:
            about[analysis.path] = key
        _add_comparison(node, key, analysis, suite)
    for node in analyses:
        sides: dict[str, str | None] = {}
        for key in ("winner_version", "loser_version"):
            label = sides[key] = _label(node.get(key))
            if label is None:
                node.text(key)  # another type is a problem
            elif label not in suite.labels:
                message = f"{key} is {label!r}, which is not a known version."
                hint = "Use the label of a version, like v1."
                node.note("warning", "unknown-version", message, hint, key)
        row = AnalysisRow(node.suite, about.get(node.path), source=node.path, **sides)
        for field, kind in (("strengths", "strength"), ("weaknesses", "weakness")):
            for text, at in node.texts(field):
                rows.add(row._replace(kind=kind, reasoning=text, pointer=at))
        for item in node.items("suggestions"):
            names = ("area", "before", "after", "reasoning")
            texts = {name: item.text(name) or None for name in names}
            rows.add(row._replace(kind="suggestion", pointer=item.at, **texts))


def _pairs(comparisons: list[Node], analyses: list[Node]) -> dict[str, Node]:
    """Return the analysis of each comparison: the only one, or the one with the same suffix.

    The suffix is what follows the kind in the name of a file, like `-1`.
    """
    places: dict[str, tuple[str, str]] = {}
    for kind, nodes in (("comparison", comparisons), ("analysis", analyses)):
        for node in nodes:
            folder, _, name = node.path.rpartition("/")
            places[node.path] = folder, name.removesuffix(".json").removeprefix(kind)
    if len(comparisons) == 1 and len(analyses) == 1:
        one, other = (suffix for _, suffix in places.values())
        if not (one and other) or one == other:
            return {comparisons[0].path: analyses[0]}
    pairs = {}
    for comparison in comparisons:
        folder, suffix = places[comparison.path]
        alike = [one for one in comparisons if places[one.path][1] == suffix]
        same = [one for one in analyses if places[one.path][1] == suffix]
        if len(alike) > 1 or len(same) > 1:
            same = [one for one in same if places[one.path][0] == folder]
        if len(same) == 1:
            pairs[comparison.path] = same[0]
    return pairs


def _add_comparison(node: Node, key: str, analysis: Node | None, suite: ImproveSuite) -> None:
    """Add one comparison with its scores."""
    winner = winner_of(node, '"A" or "B"')
    # The versions behind A and B: as evalcore wrote them, or as an analysis tells.
    sides, sides_from = versions_in(node.value), "document"
    if sides is None and analysis is not None and winner in ("A", "B"):
        won, lost = (_label(analysis.get(each)) for each in ("winner_version", "loser_version"))
        if won is not None and lost is not None and won != lost:
            sides, sides_from = (won, lost) if winner == "A" else (lost, won), "analysis"
    names = ("A", "B", "justification_A", "justification_B")
    both = add_scores(suite, key, node.fields("scores"), names, COMPARED_MAX)
    total_a, total_b = sum(a for a, _ in both), sum(b for _, b in both)
    if (winner == "A" and total_a < total_b) or (winner == "B" and total_b < total_a):
        note_contradiction(node, winner, total_a, total_b)
    row = comparison_row(node, key, winner, judge_of(node))
    if both:
        row = row._replace(total_a=total_a, total_b=total_b, max_total=COMPARED_MAX * len(both))
    if sides is not None:
        row = row._replace(version_a=sides[0], version_b=sides[1], versions_from=sides_from)
    case_id, summary = _case(node, suite), node.text("reasoning") or None
    suite.rows.add(row._replace(case_id=case_id, blinded=True, summary=summary))


def _case(node: Node, suite: ImproveSuite) -> str | None:
    """Return the one case with the prompt that was compared."""
    prompt = node.text("eval_prompt")
    if not prompt or not suite.known:
        return None
    cases = suite.prompts.get(prompt.strip(), [])
    if len(cases) == 1:
        return cases[0]
    if cases:
        message = (
            f"The cases {', '.join(cases)} share this prompt, so it is unclear which one was "
            "compared."
        )
        hint = "Give each case its own prompt."
        node.note("warning", "ambiguous-prompt", message, hint, "eval_prompt")
    else:
        message = "No case in evals.json has this prompt, so the comparison belongs to none."
        hint = "Use the exact prompt of the case."
        node.note("warning", "unknown-prompt", message, hint, "eval_prompt")
    return None


def _label(value: Json) -> str | None:
    """Return the label of a version given as v1, V1, "1" or 1."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**15:
        return f"v{value}"
    if not isinstance(value, str) or not value.strip():
        return None
    number = number_of(value.strip())
    return value.strip() if number is None else f"v{number}"
