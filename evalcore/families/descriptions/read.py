"""Turn the documents of one suite of the `descriptions` family into rows."""

import math
from typing import Final

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.descriptions.benchmark import Benchmark, Stated, version_label
from evalcore.families.descriptions.gradings import DescriptionSuite, output_of
from evalcore.families.gradings import (
    UNASSIGNED,
    GradedSuite,
    note_contradiction,
    pending_run,
    side_score,
    winner_of,
)
from evalcore.numbers import disagrees
from evalcore.shapes.judge import judge_of, was_blind
from evalcore.tables.builder import Rows
from evalcore.tables.rows import AnalysisRow, ComparisonRow, ComparisonScoreRow

HEADLINE = "fraction of passing assertions"


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite; unreadable values are reported to the reader."""
    suite = DescriptionSuite(plan, reader, rows)
    for path in plan.of("eval_metadata"):
        suite.read_cases(path)
    benchmark = Benchmark(plan, reader, rows, suite)
    for path in plan.of("benchmark"):
        benchmark.read(path)
    folder = (plan.skill_path or "").rpartition("/")[2] or reader.listing.root.resolve().name
    rows.add(suite.row(suite.skill or benchmark.skill_name or folder or ".", HEADLINE))
    benchmark.add_versions()
    benchmark.match()
    paths = plan.of("grading")
    suite.read(paths, benchmark)
    # Runs of known cases without a grading that can be read: they have an output, or an unread one.
    versions: dict[str, Stated] = {}
    graded, outputs = set(paths) - set(suite.unread), dict.fromkeys(plan.of("output"))
    lost = {output_of(path): path for path in suite.unread}
    for path in outputs | lost if suite.known else ():
        folder, _, name = path.rpartition("/")
        case_id, run = name.removesuffix(".json"), folder.rpartition("/")[2]
        if case_id not in suite.cases or f"{folder}/grading/{name}" in graded:
            continue
        claim, said = benchmark.named.get(run), benchmark.stated(run)
        if claim is not None or said is None:
            version = UNASSIGNED if claim is None else claim.version
            said = Stated(version, None, lost.get(path, path))
        versions.setdefault(said.version, said)
        row = pending_run(plan, case_id, said.version, run)._replace(benchmark_run=run)
        there = path if path in outputs else None
        rows.add(row._replace(outputs=there, source=lost.get(path)))
    runs = [run for run, given in suite.assigned.items() if given.version == UNASSIGNED]
    if runs:
        source = next(
            (path for path in paths if f"/runs/{runs[0]}/grading/" in f"/{path}"), paths[0]
        )
        benchmark.add_version(UNASSIGNED, source, "/run_id")
        several = [run for run in runs if run in benchmark.ambiguous]
        more = f" ({', '.join(several[:3])}: several entries have its numbers)" if several else ""
        message = (
            f"The version of {len(runs)} of {len(suite.assigned)} runs is not known: "
            f"{', '.join(runs[:5])}{' and others' if len(runs) > 5 else ''}{more}."
        )
        hint = 'Write "run_id" into the entry of benchmark.json that was made from the run.'
        reader.problem(source, "/run_id", "info", "version-unassigned", message, hint, plan.suite)
    for run, given in suite.assigned.items():
        said = benchmark.stated(run) if given.entry is None else None
        if said is not None:
            versions.setdefault(said.version, said)
    for label, said in versions.items():
        pointer = "" if label == UNASSIGNED else "/description_version"
        benchmark.add_version(label, said.source, pointer, said.hash)
    benchmark.add_scores(suite.graded, suite.assigned)
    read_comparisons(suite, benchmark)
    if paths and not plan.of("eval_metadata"):
        message = (
            f"There is no eval_metadata.json in {plan.root or '.'}; the test cases are those of "
            "the gradings."
        )
        hint = "Add the file, so that prompts and missing assertions are known."
        reader.problem(paths[0], "", "warning", "metadata-not-found", message, hint, plan.suite)


MAX_SCORE: Final = 5

Pairs = list[tuple[float, float]]
"""The scores of A and B in each criterion that has both."""


def read_comparisons(suite: GradedSuite, benchmark: Benchmark) -> None:
    """Add the comparisons of one suite."""
    taken: set[str] = set()
    for node in suite.documents("comparison"):
        stem = node.path.rpartition("/")[2].removesuffix(".json")
        stated = node.text("comparison_id")
        if stated and stated != stem:
            where = f"{stated!r} in the file and {stem!r} in its path"
            message = f"'comparison_id' is {where}; the file is used."
            node.note("warning", "name-mismatch", message, "Rename the file.", "comparison_id")
        name = stated or stem
        if name in taken:
            shown = f"this one is shown as {stem!r}"
            message = f"The id {name!r} is used by another comparison; {shown}."
            hint = "Give each comparison its own id."
            node.note("warning", "duplicate-comparison", message, hint, "comparison_id")
            name = stem if stem not in taken else node.path
        taken.add(name)
        _add(node, f"{suite.suite}::{name}", suite, benchmark)


def _add(node: Node, key: str, suite: GradedSuite, benchmark: Benchmark) -> None:
    """Add one comparison with its scores and differentiators."""
    rows, winner = suite.rows, winner_of(node, '"A", "B" or "tie"')
    labels: list[str | None] = []
    for side in ("version_a", "version_b"):
        label = version_label(node, side)
        labels.append(label)
        if label and label not in benchmark.versions:
            message = f"No benchmark entry is about {label}; it is listed because it was compared."
            node.note("info", "unknown-version", message, "Run the benchmark for it.", side)
            benchmark.add_version(label, node.path, f"/{side}")
    pairs: Pairs = []
    for item in node.items("criteria_scores"):
        a, b = (side_score(item, key, MAX_SCORE, "g") for key in ("score_a", "score_b"))
        if a is not None and b is not None:
            pairs.append((a, b))
        rows.add(
            ComparisonScoreRow(
                comparison_id=key,
                criterion=item.text("criterion"),
                score_a=a,
                score_b=b,
                max_score=MAX_SCORE,
                justification_a=item.text("justification_a") or None,
                justification_b=item.text("justification_b") or None,
                pointer=item.at,
            )
        )
    total_a, total_b, max_total = _totals(node, pairs)
    if total_a is not None and total_b is not None and winner is not None:
        ahead = "A" if total_a > total_b else "B" if total_b > total_a else None
        # With equal totals a judge may still prefer one side.
        if ahead not in (None, winner):
            note_contradiction(node, winner, "the totals are", total_a, total_b)
    judge = judge_of(node)
    case_id = node.text("test_case_id") or None
    if case_id and suite.known and case_id not in suite.cases:
        message = f"eval_metadata.json has no test case {case_id!r}."
        hint = "Add the test case, or correct the id."
        node.note("warning", "unknown-case", message, hint, "test_case_id")
    rows.add(
        ComparisonRow(
            comparison_id=key,
            suite=node.suite,
            case_id=case_id,
            version_a=labels[0],
            version_b=labels[1],
            winner=winner,
            total_a=total_a,
            total_b=total_b,
            max_total=max_total,
            judge=judge.name,
            judge_type=judge.type,
            blinded=judge.repeats or was_blind(node.value) or None,
            versions_from="document",
            compared_at=node.time("timestamp"),
            summary=node.text("summary") or None,
            source=node.path,
            pointer="",
        )
    )
    won, lost = {"A": labels, "B": labels[::-1]}.get(winner or "", (None, None))
    for text, at in node.texts("key_differentiators"):
        rows.add(
            AnalysisRow(
                suite=node.suite,
                comparison_id=key,
                winner_version=won,
                loser_version=lost,
                kind="differentiator",
                reasoning=text,
                source=node.path,
                pointer=at,
            )
        )


def _totals(node: Node, pairs: Pairs) -> tuple[float | None, float | None, float | None]:
    """Return the totals and their maximum; a total is the sum of the scores or their mean."""
    stored = node.number("total_score_a"), node.number("total_score_b")
    if not pairs:
        return (*stored, None)
    sums = math.fsum(a for a, _ in pairs), math.fsum(b for _, b in pairs)
    count = len(pairs)
    means = sums[0] / count, sums[1] / count
    # A sum of whole scores is exact; only a mean may have been rounded.
    for totals, maximum, is_sum in ((sums, MAX_SCORE * count, True), (means, MAX_SCORE, False)):
        sides = list(zip(stored, totals, strict=True))
        if all(
            math.isclose(stated, own, abs_tol=0.01) if is_sum else not disagrees(stated, own)
            for stated, own in sides
            if stated is not None
        ):
            a, b = (own if stated is None else stated for stated, own in sides)
            return a, b, maximum
    shown = ["missing" if value is None else f"{value:g}" for value in stored]
    message = (
        f"The totals are {shown[0]} and {shown[1]}, but the scores add up to {sums[0]:g} and "
        f"{sums[1]:g}, and their means are {means[0]:.3g} and {means[1]:.3g}."
    )
    hint = "Write the sum of the scores of each side."
    node.note("warning", "derived-mismatch", message, hint, "total_score_a")
    return (*stored, None)
