"""Data types of a comparison of two sides; A is always the first, the baseline, B the second."""

from dataclasses import dataclass
from typing import Literal

from evalcore.counting.outcomes import Column
from evalcore.counting.people import Scores
from evalcore.statistics.verdict import Verdict, Word
from evalcore.workspace.opened import Workspace

Level = Literal["whole", "part", "nothing"]
What = Literal[
    "cases", "prompts", "criteria", "judge", "executor", "sides", "names", "headline", "status",
]  # fmt: skip
Reason = Literal[
    "only in A", "only in B", "not scored in A", "not scored in B", "set aside",
    "other prompt", "other criteria",
    "people only in A", "people only in B", "excluded in A", "excluded in B",
    "not finished in A", "not finished in B", "gate failed in A", "gate failed in B",
    "not graded in A", "not graded in B", "hidden in A", "hidden in B", "side unknown",
    "not read in A", "not read in B",
]  # fmt: skip
CriterionDifference = Literal[
    "only in A", "only in B", "other number", "other sense", "other quantity", "other qualifier",
    "other definition",
]  # fmt: skip
SliceKind = Literal["criterion", "tag", "outcome"]
Change = Literal["improved", "regressed", "same"]
Source = Literal["judge", "version", "unknown"]


@dataclass(frozen=True, eq=False)
class Side:
    """One version and configuration of one suite, in an open workspace."""

    ws: Workspace
    suite: str
    column: Column


@dataclass(frozen=True)
class Named:
    """A side as named in words and addresses; `workspace` is empty if both are in the same one."""

    suite: str
    column: Column
    workspace: str = ""


@dataclass(frozen=True)
class Estimate:
    """A mean over cases from 0 to 1 with its 95 % interval; None if unknown."""

    value: float | None
    low: float | None
    high: float | None
    cases: int
    runs: int


@dataclass(frozen=True)
class CasePair:
    """One case on both sides: its value (mean over its runs), and the run to open on each."""

    case_id: str
    name: str
    a: float
    b: float
    change: Change
    runs_a: int
    runs_b: int
    run_a: str
    run_b: str

    @property
    def difference(self) -> float:
        """The value of B minus that of A."""
        return self.b - self.a


@dataclass(frozen=True)
class LeftOut:
    """A case that the comparison does not count, and why."""

    case_id: str
    name: str
    reason: Reason

    @property
    def why(self) -> str:
        """The reason without the side."""
        return self.reason.removesuffix(" in A").removesuffix(" in B")


@dataclass(frozen=True)
class OtherCriterion:
    """A criterion of a case that the sides do not share: its wording on each side, None without."""

    case_id: str
    kind: str
    a: str | None
    b: str | None
    why: CriterionDifference


@dataclass(frozen=True)
class Break:
    """A difference between the sides beside what is compared.

    `a` and `b` describe each side, `cases` are the affected cases (empty: all of them), `mend` is
    the next step that removes the difference. `stops` says that no part is comparable; a `remark`
    leaves nothing out: the numbers are compared, but the difference may explain them. `criteria`
    are those that differ.
    """

    what: What
    a: str
    b: str
    cases: tuple[str, ...]
    mend: str
    stops: bool
    remark: bool = False
    criteria: tuple[OtherCriterion, ...] = ()


@dataclass(frozen=True)
class Comparability:
    """Whether the numbers of two sides are comparable: fully, for some cases, or not at all.

    `unknown` names what could not be compared because no document records it.
    """

    level: Level
    breaks: tuple[Break, ...]
    unknown: tuple[What, ...]


@dataclass(frozen=True)
class Slice:
    """A criterion, a tag or another outcome: the verdict over the cases that have it.

    The verdicts of criteria and tags are adjusted together (Holm). An outcome is how runs ended:
    whether they passed the gate, or ended in time.
    """

    kind: SliceKind
    name: str
    a: Estimate
    b: Estimate
    verdict: Verdict | None
    up: int
    down: int


@dataclass(frozen=True)
class Measure:
    """What a run takes (time, tokens, money, steps), as means over cases that both sides measured.

    The interval is that of the difference of the means (95 %, t over cases).
    """

    name: str
    a: float | None
    b: float | None
    difference: float | None
    low: float | None
    high: float | None
    cases: int


@dataclass(frozen=True)
class Repeats:
    """How well repeated runs of one side agree, over the cases with two or more runs.

    In `agreeing` of `cases` all runs have the same result; `pass_at` and `pass_all` are pass@k and
    pass^k by k, over the cases with k runs, empty where runs do not pass or fail. `noise` is half
    the width of a 95 % interval of the difference between two equal versions with as many runs:
    what chance alone moves the difference by. `consistency` is that of all runs of the side
    that count (`numbers.consistency`).
    """

    cases: int
    agreeing: int
    pass_at: tuple[tuple[int, float], ...]
    pass_all: tuple[tuple[int, float], ...]
    noise: float | None
    consistency: float | None


LostReason = Literal[
    "not scored", "excluded", "not finished", "gate failed", "timed out", "not graded", "not read",
    "not there",
]  # fmt: skip


@dataclass(frozen=True)
class Lost:
    """How many runs of a side, or criteria of its runs, were lost, and why.

    Runs that timed out are named with them, though they count: as failed.
    """

    what: Literal["runs", "criteria"]
    why: LostReason
    n: int
    of: int


@dataclass(frozen=True)
class RunsOfSides:
    """What the runs of the compared cases are, beside their scores.

    `same` of the runs of each side (`a` and `b` of them) are runs of the other side too: nothing
    was run anew for them. `copies` are runs of each side that are copies of others of it, and count
    nowhere. `each` are how many runs a case has on either side, if not as many on both and no
    plan or number says how many there should be.
    """

    same: int
    a: int
    b: int
    copies: tuple[int, int] = (0, 0)
    each: tuple[float, float] | None = None

    @property
    def nothing_new(self) -> bool:
        """Whether both sides are the same runs."""
        return 0 < self.same == self.a == self.b


@dataclass(frozen=True)
class LostRuns:
    """What each side lost of the cases that both ran.

    If they lost `unequal` shares, the difference would be `low` if all that was lost counted
    against B and for A, and `high` the other way round; the verdict is what both leave, `without`
    is the one without the lost runs.
    """

    a: tuple[Lost, ...]
    b: tuple[Lost, ...]
    unequal: bool = False
    low: float | None = None
    high: float | None = None
    without: Word | None = None


@dataclass(frozen=True)
class SameOutputs:
    """The cases whose outputs are the same on both sides and whose values are not.

    That difference is the judge's; `without` is the word of the verdict without these cases, None
    where they are all.
    """

    cases: tuple[str, ...]
    without: Word | None


@dataclass(frozen=True)
class SharedCriteria:
    """How many criteria of the compared cases both sides were asked, of those that either was."""

    shared: int
    asked: int


@dataclass(frozen=True)
class Clusters:
    """The tags by which cases are taken together, and how many clusters they make."""

    tags: tuple[str, ...]
    n: int


@dataclass(frozen=True)
class Weighted:
    """The means over the compared cases by the cases' own weights, from 0 to 1."""

    a: float
    b: float


@dataclass(frozen=True)
class Gates:
    """The number of runs stopped by the gate, and therefore unscored, of the cases on both sides.

    This is a change in itself, as the scores are only those of runs that passed the gate.
    """

    stopped_a: int
    runs_a: int
    stopped_b: int
    runs_b: int


@dataclass(frozen=True)
class People:
    """How many of a side's runs people judged completely, and who did."""

    judged: int
    runs: int
    judges: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """The result of comparing A with B.

    `pairs` are the cases that count: regressed first, then improved, each the largest difference
    first, then the same. `same_outputs` is None if no case came out the same with other grades.
    `verdict` and the estimates are None if nothing is comparable.
    `carrier` is the one case without which the difference would be half of it or less. `gates` is
    None if the gate stopped no run. `people_a` and `people_b` say how many people gave the scores;
    None if only recorded scores count. `criteria` is None if all cases were judged by the same
    ones, `weighted` if the cases have no weights of their own. `outcomes` are the gate and the
    time limit, where they stopped a run. `clusters` is None if every case stands for itself;
    `alike` are then groups of cases whose prompts look like copies of one template. `hidden` is
    how many runs of each side are hidden from the reader. `runs` says which runs are copies, or
    runs of both sides, `suspect` what makes every rate of a side doubtful.
    """

    a: Named
    b: Named
    family: str
    headline: str
    scores: Scores
    comparability: Comparability
    verdict: Verdict | None
    estimate_a: Estimate | None
    estimate_b: Estimate | None
    pairs: tuple[CasePair, ...]
    left_out: tuple[LeftOut, ...]
    carrier: CasePair | None
    slices: tuple[Slice, ...]
    measures: tuple[Measure, ...]
    repeats_a: Repeats | None
    repeats_b: Repeats | None
    lost: LostRuns = LostRuns((), ())
    outcomes: tuple[Slice, ...] = ()
    criteria: SharedCriteria | None = None
    weighted: Weighted | None = None
    clusters: Clusters | None = None
    alike: tuple[tuple[str, ...], ...] = ()
    gates: Gates | None = None
    people_a: People | None = None
    people_b: People | None = None
    hidden: tuple[int, int] = (0, 0)
    runs: RunsOfSides = RunsOfSides(0, 0, 0)
    same_outputs: SameOutputs | None = None
    suspect: tuple[str, ...] = ()
