"""Write `docs/tables.md` from the row types and their comments, or say whether it is stale."""

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from evalcore.tables.rows import ALL_TABLES, Kind, columns
from tools.families_doc import write_or_check

PAGE: Final = Path(__file__).parent.parent / "docs" / "tables.md"

KINDS: Final[dict[Kind, str]] = {
    "code": "text",
    "str": "text",
    "text": "long text",
    "float": "number",
    "int": "whole number",
    "bool": "true or false",
    "time": "time, UTC",
}
SHARED: Final = {
    "suite": "the suite's id",
    "run_id": "the run: `suite::case@version/configuration#run`, segments percent-encoded",
    "case_id": "the case's id, unique in its suite",
    "version": "the version's label",
    "configuration": "what is compared inside a version, as `with_skill`; `-` where there is none",
    "criterion": "the criterion's label",
    "judge": "who scored it",
    "judge_type": "llm, human, heuristic",
    "benchmark": "the benchmark's id",
    "comparison_id": "the comparison",
    "dimension": "the dimension of quality",
    "confidence_level": "how sure the judge is, as a word",
    "author": "who wrote the record",
    "created_at": "when it was written",
    "source": "the file that says so, relative to the workspace",
    "pointer": "JSON pointer to the place in that file",
}
"""What columns of several tables mean; a comment beside a column says what is particular there."""

COUNTED: Final[dict[str, tuple[Kind, str]]] = {
    **{
        name: ("code", SHARED[name])
        for name in ("run_id", "suite", "case_id", "version", "configuration")
    },
    "run": ("code", "the run's number, or its own id"),
    "kind": ("code", "expectation, assertion, structural, rubric"),
    "criterion": ("code", SHARED["criterion"]),
    "passed": ("bool", "null for a scale without a pass mark, or where people are divided"),
    "fraction": ("float", "score / max_score, from 0 to 1; 1 or 0 without a score: as Rubric"),
    "value": ("float", "1 passed, 0 failed, else the fraction: as Compare and Trends"),
}

_INTRODUCTION = """\
# Tables, and figures in Python

```python
import evalcore

workspace = evalcore.open_workspace("FOLDER")
workspace  # how many suites, cases, runs and problems it holds
workspace.tables.runs  # a pandas data frame; workspace.tables.names lists all
workspace.problems  # what is wrong in its files, as values
workspace.raw("z/evals/evals.json", "/evals/0")  # any part of a document as it is written
```

`evalcore tables FOLDER --out DIR` writes the same tables as files. A frame is your own: what you
change in it reaches nobody else. What is missing is null, never 0. Texts that repeat are
categories.

**Long texts** are not in the frames: `workspace.tables.text("judgments")` returns rationale and
evidence by row position, `workspace.tables.text("judgments", rows)` those of some rows.
`evalcore tables` writes them as columns.

**Steps** are read from the transcripts of the runs when `workspace.tables.steps` is first asked
for: opening a folder reads none of them ([steps](steps.md)).

## Figures

A table holds everything that the documents say: judgments of people beside those of models,
superseded ones, runs that broke off. A mean over a whole table is therefore no figure of evalcore.
These are, to the digit:

- `workspace.tables.counted(scores)`: the judgments that rates and means are made of, one row for
  each criterion of each run.
- `evalcore.rates(workspace, suite, scores)`: the headline of each version and configuration:
  `value`, `cases`, `runs`, `counted`, `passed`, and how many runs were left out and why.
- `evalcore.compare(workspace, suite, a, b, scores)`: the comparison of B with A, each `VERSION` or
  `VERSION@CONFIGURATION`; without both, the newest with the one before. `verdict.word` is the
  answer, `estimate_a` and `estimate_b` are means, `pairs` the cases, `slices` criteria and tags.
- `evalcore.trend(workspace, suite, metric, over, scores)`: `lines` with their points, `directions`
  and `alerts` of a metric over `"versions"` or `"benchmark-runs"`.

`scores` says whose scores count: `"recorded"` (what the workspace's own gradings hold), `"human"`
(the median of people, what they settled first), or `"human-first"` (people's where there are any).
A figure over cases counts each case once: first the mean over its runs, then the mean over cases.
*Consistency* is 1 − standard deviation / mean over all runs, null for one run or a mean of 0.

### `tables.counted(scores)`

The index is the position of the judgment in `judgments`, of several people's the one nearest to
their median: `tables.judgments.loc[counted.index]` has its judge, `tables.text("judgments",
counted.index)` its rationale. It leaves out superseded and second judgments, conventions, what has
no score, copies, and runs outside the rates: broken off, of draft cases, excluded by a person.
"""


def meanings(table: str) -> dict[str, str]:
    """Return what each column of a table means: its own comment, else what it means anywhere."""
    row = ALL_TABLES[table]
    path = inspect.getsourcefile(row)
    assert path is not None
    lines = Path(path).read_text("utf-8").splitlines()
    tree = ast.parse("\n".join(lines))
    (fields,) = (
        node.body
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == row.__name__
    )
    found = {}
    for field in fields:
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            own = _comment(lines, field.lineno - 1)
            found[field.target.id] = own or SHARED.get(field.target.id, "")
    return found


def _comment(lines: list[str], at: int) -> str:
    """Return the comment behind a field, else the one in the lines above it."""
    _, behind, text = lines[at].partition("  # ")
    above: list[str] = []
    while not behind and lines[at - 1].lstrip().startswith("# "):
        at -= 1
        above.insert(0, lines[at].strip().removeprefix("# "))
    return text or " ".join(above)


def render() -> str:
    """The whole page."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _INTRODUCTION
    yield from _head()
    for name, (kind, text) in COUNTED.items():
        yield f"| `{name}` | {KINDS[kind]} | {text} |"
    yield "\n## All tables\n"
    for name, row in ALL_TABLES.items():
        yield f"### `{name}`\n"
        yield f"{inspect.getdoc(row)}\n"
        yield from _head()
        text_of = meanings(name)
        for column, kind in columns(row).items():
            yield f"| `{column}` | {KINDS[kind]} | {text_of[column].replace('|', chr(92) + '|')} |"
        yield ""
    yield "This page is written by `python -m tools.tables_doc --write`.\n"


def _head() -> Iterator[str]:
    yield "| column | type | meaning and unit |"
    yield "|---|---|---|"


if __name__ == "__main__":
    sys.exit(write_or_check(PAGE, render(), "tools.tables_doc", __doc__))
