"""Suites of rated runs: scores by version, case and run."""

from pathlib import Path

from evalcore import Workspace
from evalcore.tables.rows import Row
from tests import made

Scores = dict[str, dict[str, list[float]]]
"""Version (or version@configuration) to case to the scores of its runs."""


def rated(
    root: Path, scores: Scores, *more: Row, label: str = "tone", least: float = 1, top: float = 5
) -> Workspace:
    """Return a suite in which one criterion was scored so."""
    rows: list[Row] = [made.suite(), *more]
    versions = list(dict.fromkeys(column.partition("@")[0] for column in scores))
    rows += [made.version(name, at) for at, name in enumerate(versions)]
    for column, cases in scores.items():
        name, _, configuration = column.partition("@")
        for case, given in cases.items():
            for at, score in enumerate(given):
                run = f"{column}-{case}-{at}"
                about = {"version": name, "configuration": configuration or "-"}
                rows.append(made.run(run_id=run, case_id=case, **about))
                rows.append(judged(run, label, score, least, top))
    return made.workspace(root, *rows)


def judged(run: str, label: str, score: float, least: float = 1, top: float = 5) -> Row:
    """Return one judgment on a scale, without a verdict."""
    return made.judgment(
        label,
        None,
        run_id=run,
        score=score,
        min_score=least,
        max_score=top,
        fraction=score / top,
        status="scored",
    )
