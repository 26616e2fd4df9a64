"""`evalcore compare`: resolve the two sides, and print the comparison of B with A."""

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.cli.answering import Answer
from evalcore.cli.comparing_document import as_document
from evalcore.cli.comparing_screen import lines
from evalcore.cli.opening import open_for_judge, open_state
from evalcore.cli.screen import progress
from evalcore.comparing.compare import compare, not_worse_than
from evalcore.comparing.model import Comparison, Named, Side
from evalcore.comparing.outcomes import GATE
from evalcore.comparing.sides import (
    columns_of,
    listed,
    newest_side,
    require_both_or_none,
    side_of,
    two_sides,
)
from evalcore.counting.cells import family_of
from evalcore.counting.choices import suite_ids, suite_names
from evalcore.counting.outcomes import waiting_runs
from evalcore.counting.people import Scores
from evalcore.counting.rates import rates
from evalcore.errors import CannotCompare, UnknownName
from evalcore.validating.compared import judge_error
from evalcore.views.verdict.judge_error import error_sentence
from evalcore.views.verdict.limits import grade_step
from evalcore.views.verdict.reach import drop_sentence, is_below, rate_sentence
from evalcore.views.verdict.sentence import sentence
from evalcore.workspace.opened import Workspace

WORKING: Final = "the working tree"
SUMMARY: Final = "GITHUB_STEP_SUMMARY"
_ADDRESS: Final = re.compile(r"https?://[^\s<>\\`|]{1,2000}")


@dataclass(frozen=True)
class Request:
    """The request as typed: the sides by name, and where each of them is.

    `other` is a second folder for B; `revision_a` and `revision_b` are git revisions of `path`.
    `judge_error` asks for the judge's error in the interval.
    """

    path: Path
    a: str | None = None
    b: str | None = None
    suite: str | None = None
    other: Path | None = None
    other_suite: str | None = None
    revision_a: str | None = None
    revision_b: str | None = None
    scores: Scores = "recorded"
    clusters: tuple[str, ...] = ()
    judge_error: bool = False


@dataclass(frozen=True)
class Result:
    """A comparison with its sides."""

    comparison: Comparison
    a: Side
    b: Side


class Rules(NamedTuple):
    """What makes the answer no.

    `regression`: B is worse, if only on these cases, or passes the gate less often; with the
    judge's error computed, only if B is worse with it too. `max_drop` (0 to 1): it is not shown
    that B is worse by no more than this. `min_rate` (0 to 1): the headline of B is below it.
    """

    regression: bool = False
    max_drop: float | None = None
    min_rate: float | None = None


class Handed(NamedTuple):
    """What is handed on beside the answer: to a pull request, a build, or another program.

    `markdown` is printed in place of the text, `summary` appends the same to the summary of the
    build, `report` is the address of a whole report that both name, `junit` a file to write.
    """

    markdown: bool = False
    summary: bool = False
    report: str = ""
    junit: Path | None = None

    def check(self) -> None:
        """Raise before anything is compared if something cannot be handed on."""
        if self.summary and not os.environ.get(SUMMARY):
            raise CannotCompare(f"--summary needs {SUMMARY}, which GitHub Actions sets.")
        if self.report and not _ADDRESS.fullmatch(self.report):
            raise CannotCompare("--report needs an address that begins with https:// or http://.")

    def append(self, text: str) -> None:
        """Append a text to the summary of the build."""
        with Path(os.environ[SUMMARY]).open("a", encoding="utf-8") as file:
            file.write(text)


def answer(request: Request, rules: Rules, handed: Handed, *, how: bool = False) -> Answer:
    """Compare B with A; the answer is no if a rule that is asked for says so.

    `how` explains how the verdict was reached.

    Raises:
        CannotCompare: nothing is compared that a rule could be held to, or no build has a summary.
        CannotWrite: a file to hand on cannot be written.
    """
    handed.check()
    result = run_comparison(request)
    c, a, b = result.comparison, result.a, result.b
    complaints: list[str] = []
    drop = error = None
    fail_on_regression, max_drop, min_rate = rules
    if max_drop is not None:
        drop = not_worse_than(a, b, max_drop, request.scores, request.clusters)
        if drop is None:
            raise CannotCompare(f"There is no difference to hold to --max-drop. {sentence(c)}")
        complaints.append(drop_sentence(c, drop))
    low = False
    if min_rate is not None:
        rate = None if c.estimate_b is None else c.estimate_b.value
        if rate is None:
            raise CannotCompare(f"There is no rate to hold to --min-rate. {sentence(c)}")
        low = is_below(rate, min_rate)
        complaints.append(rate_sentence(c, rate, min_rate))
    said = tuple(complaints)
    if request.judge_error:
        error = judge_error(a, b, request.scores, request.clusters)
    worse = regressed(c) and (error is None or error.rate is None or error.word == "worse")
    if fail_on_regression and not worse and not improved(c):
        complaints.append(f"No regression is shown, and no improvement. {sentence(c)}")
    failed = (fail_on_regression and worse) or (drop is not None and not drop.shown) or low
    sides = (
        _about(c.a, request.path, request.revision_a),
        _about(c.b, request.other or request.path, request.revision_b),
    )
    text = None
    if handed.markdown or handed.summary:
        from evalcore.cli.comparing_markdown import markdown  # noqa: PLC0415 - quick start

        judged = () if error is None else (error_sentence(error),)
        text = markdown(c, a, b, (*judged, *said), handed.report)
    if text is not None and handed.summary:
        handed.append("\n".join([*text, "", ""]))
    if handed.junit is not None:
        from evalcore.cli.comparing_junit import junit  # noqa: PLC0415 - quick start

        handed.junit.write_bytes(junit(c, b))
    shown = text if handed.markdown else None
    return Answer(
        lambda: as_document(c, sides, drop, error),
        lines(c, explain=how, error=error) if shown is None else shown,
        code=1 if failed else 0,
        complaints=tuple(complaints),
    )


def regressed(c: Comparison) -> bool:
    """Return whether B is worse, if only on these cases, or passes the gate less often."""
    gate = (found.verdict for found in c.outcomes if found.name == GATE)
    return any(found is not None and found.direction < 0 for found in (c.verdict, *gate))


def improved(c: Comparison) -> bool:
    """Return whether B is better, if only on these cases."""
    return c.verdict is not None and c.verdict.direction > 0


def run_comparison(request: Request) -> Result:
    """Return the comparison of the two sides.

    Raises:
        CannotCompare: the request does not name two sides, or a tag that no case has.
        UnknownName: there is no such suite, version or configuration.
    """
    require_both_or_none(request.a, request.b)
    if request.other is not None and (request.revision_a or request.revision_b):
        raise CannotCompare(
            "--with names another folder, --revision-a and --revision-b revisions "
            "of the same one; use one or the other."
        )
    if request.other_suite is not None and request.other is None:
        raise CannotCompare("--with-suite names a suite of another folder; name that with --with.")
    ws = open_for_judge(request.path)
    if request.other is None and request.revision_a is None and request.revision_b is None:
        suite = request.suite or _only(
            ws, [suite for suite in rates(ws) if len(columns_of(ws, suite)) > 1], request.path
        )
        a, b = two_sides(ws, suite, request.a, request.b)
    else:
        if request.other is not None:
            first, second = ws, open_for_judge(request.other)
        else:
            first, second = (
                ws if name is None else _revision(ws, name)
                for name in (request.revision_a, request.revision_b)
            )
        suite = request.suite or _only(first, _scored(first), request.path)
        other_suite = request.other_suite or _same_suite(second, suite, request)
        a, b = _side(first, suite, request.a), _side(second, other_suite, request.b)
    with progress("Comparing"):
        found = compare(a, b, request.scores, request.clusters)
    if request.revision_a is not None or request.revision_b is not None:
        # The revisions are the difference, so they name the sides.
        found = replace(
            found,
            a=replace(found.a, workspace=request.revision_a or WORKING),
            b=replace(found.b, workspace=request.revision_b or WORKING),
        )
    return Result(found, a, b)


def _revision(here: Workspace, name: str) -> Workspace:
    """Open a revision of a folder; what is hidden in the folder is hidden in it too."""
    from evalcore.revisions import checkout  # noqa: PLC0415 - only who asks for it needs git

    with progress(f"Reading {name}"):
        return open_state(here, checkout(here.root, name))


def _side(ws: Workspace, suite: str, name: str | None) -> Side:
    """Return the side of that name; without a name the newest tested side."""
    if name is not None:
        return side_of(ws, suite, name)
    found = newest_side(ws, suite)
    if found is None:
        raise CannotCompare(f"The suite {suite!r} of {ws.root} has no runs with scores.")
    return found


def _same_suite(ws: Workspace, suite: str, request: Request) -> str:
    """Return the suite of the other folder: that of the same name, else the only one."""
    known = rates(ws)
    if suite in known:
        return suite
    if request.other is None:
        raise UnknownName("suite", suite, known)
    return _only(ws, _scored(ws), request.other, "--with-suite")


def _scored(ws: Workspace) -> list[str]:
    """Return the suites with any side."""
    return [suite for suite in rates(ws) if columns_of(ws, suite)]


def _only(ws: Workspace, suites: list[str], path: Path, option: str = "--suite") -> str:
    if len(suites) == 1:
        return suites[0]
    if suites:
        raise CannotCompare(
            f"{path} has {len(suites):,} suites that can be compared; name one "
            f"with {option}: {listed(suites)}."
        )
    if not suite_ids(ws):
        raise CannotCompare(
            f"No evaluation was found in {path}: `evalcore check` says what was looked for."
        )
    waiting = waiting_runs(ws)
    step = "Run the cases in a second version, or with and without the skill."
    if waiting:
        names = listed(name for suite, name in suite_names(ws).items() if suite in waiting)
        grade = grade_step(family_of(ws, next(iter(waiting))).name)
        step = f"Outputs wait for a grading ({names}). {grade}"
    raise CannotCompare(
        f"There is nothing to compare in {path} yet: no suite has two versions or configurations "
        f"with scores ({listed(suite_names(ws).values())}). {step}"
    )


def _about(named: Named, path: Path, revision: str | None) -> dict[str, object]:
    return {
        "root": str(path.resolve()),
        "revision": revision,
        "suite": named.suite,
        "version": named.column.version,
        "configuration": named.column.configuration,
        "key": named.column.key,
    }
