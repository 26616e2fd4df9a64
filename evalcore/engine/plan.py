"""What a run asks: a plan, made once before it starts and never changed."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

import msgspec

from evalcore.families.running import Case, TestRun
from evalcore.models.configuration import Model

JudgeKind = Literal["rules", "human", "none", "model"]

SCHEMA: Final = 1
STEPS: Final = 30

SNAPSHOT: Final = "snapshot"
PAIR: Final = "compare "
ANALYSIS: Final = "analysis"
NEXT: Final = "next version"
FAILURE: Final = "failure "
"""The names of steps beside test runs."""


class Limits(msgspec.Struct, frozen=True, omit_defaults=True):
    """Bounds of a run; None is no bound. `seconds` is per case, `retries` after the first try."""

    concurrency: int = 4
    seconds: float = 600.0
    retries: int = 2
    calls: int | None = None
    tokens: int | None = None
    cost_usd: float | None = None
    total_seconds: float | None = None

    def reached(self, calls: int, tokens: int, cost_usd: float, seconds: float) -> str | None:
        """Return which bound of the whole run is reached in a sentence; None if none is."""
        for used, most, what in (
            (calls, self.calls, "calls"),
            (tokens, self.tokens, "tokens"),
            (cost_usd, self.cost_usd, "US dollars"),
            (seconds, self.total_seconds, "seconds"),
        ):
            if most is not None and used >= most:
                return f"The limit of {most:g} {what} is reached."
        return None


class Reading(msgspec.Struct, frozen=True, omit_defaults=True):
    """How an executor's standard output is read.

    `form` is plain text, one JSON object, or one JSON object a line. The others are dotted paths
    into that JSON, in which `*` stands for every key. `tokens` are added up. Where several lines
    have a value, the last counts; with `each_line`, tokens and costs of all lines are added up.
    `when` says in which lines a reply is: `item.type=agent_message`. `failed` names a value that
    is true, or is there at all, after a failure.
    """

    form: Literal["text", "json", "jsonl"] = "text"
    reply: str = ""
    tokens: tuple[str, ...] = ()
    cost: str = ""
    model: str = ""
    failed: str = ""
    when: str = ""
    each_line: bool = False


class Template(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A command that executes a case.

    In `command`, `{prompt}`, `{skill}` (the folder where the skill is laid, or nothing), `{case}`,
    `{version_prompt}` (the text of the prompt version) and `{version_prompt_file}` (its path, or
    nothing) are replaced; without `{prompt}` it is given on standard input, and where neither of
    the last two stands, the text of the prompt version before it. `skills` is the folder
    below which the skill is laid. `env` names variables that are passed on. Where bubblewrap is
    installed the workspace is hidden from it, unless it `sees_workspace`.
    """

    command: tuple[str, ...]
    about: str = ""
    skills: str = "skill"
    env: tuple[str, ...] = ()
    reading: Reading = Reading()
    sees_workspace: bool = False
    tried: bool = True


Origin = Literal["built in", "yours", "workspace", "typed"]


class Executor(msgspec.Struct, frozen=True, omit_defaults=True):
    """What executes the cases: `stored` outputs, the command of a template, or a `model`.

    `source` is the file of the workspace that names it, if one does.
    """

    name: str
    kind: Literal["stored", "command", "model"]
    template: Template | None = None
    origin: Origin = "built in"
    source: str | None = None


class VersionPrompt(msgspec.Struct, frozen=True, omit_defaults=True):
    """The text of a prompt version as it was planned; `source` is the document that holds it."""

    text: str
    source: str

    @property
    def sha256(self) -> str:
        """The sha256 of the text."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


class Agent(msgspec.Struct, frozen=True, omit_defaults=True):
    """The model that executes cases by tools, in at most so many steps.

    `commands` lets it run commands in the sandbox; `no_commands` says why it may not, though
    somebody asked for that.
    """

    model: Model
    steps: int = STEPS
    commands: bool = False
    no_commands: str = ""


class Steps(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a run does beside its test runs: a model compares two versions of these cases blind.

    Where version B is made of the skill in the folder `skill` before anything is executed,
    `snapshot` is the digest of the skill as it was planned. `analyze` asks why the winner won and
    what to change, `apply` makes the next version of what can be changed. `left_out` are sentences
    on cases that cannot be compared.
    """

    model: Model
    version_a: str
    version_b: str
    cases: tuple[str, ...]
    snapshot: str | None = None
    skill: str = ""
    analyze: bool = False
    apply: bool = False
    left_out: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all steps, in their order."""
        first = (SNAPSHOT,) if self.snapshot is not None else ()
        last = ((ANALYSIS,) if self.analyze else ()) + ((NEXT,) if self.apply else ())
        return (*first, *map(pair_step, self.cases), *last)


class OfBenchmark(msgspec.Struct, frozen=True, omit_defaults=True):
    """The benchmark that test runs are a run of: its name and id, who started it, and notes."""

    name: str
    id: str = ""
    triggered_by: str = ""
    notes: str = ""


def pair_step(case: str) -> str:
    """Return the name of the step that compares a case."""
    return f"{PAIR}{case}"


class FailureSteps(msgspec.Struct, frozen=True, omit_defaults=True):
    """The failed runs (ids) of which a model is asked why they failed; there are no test runs.

    `left_out` are sentences on failures that were chosen and are not asked about.
    """

    model: Model
    runs: tuple[str, ...]
    left_out: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all steps, in their order."""
        return tuple(map(failure_step, self.runs))


def failure_step(run_id: str) -> str:
    """Return the name of the step that asks why a run failed."""
    return f"{FAILURE}{run_id}"


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that a run will do; `workspace` is the folder, `at` when it was planned.

    `not_again` says of which graded test runs the outputs are not judged again, and why.
    `skills` has the digest of each skill folder that is laid, by path, `asked` that of each case.
    `prompts` are the prompt versions that are executed, by version, where versions are prompts.
    `left_out` are cases that cannot be run, with the reason. `structural_only` leaves the criteria
    to a later judge; `unsafe_no_sandbox` runs allowed scripts as the user, who typed that. `judges`
    is how many people judge what is left to people. `models` judge where `judge` says so, each with
    so many `votes` for a test run; of `controls` test runs they are asked twice more. `agent` has
    the model that executes, where one does. `steps` is what is done beside the test runs,
    `failures` what is asked instead of them, `benchmark` the one that they are a run of.
    """

    id: str
    workspace: str
    suite: str
    family: str
    name: str
    at: str
    executor: Executor
    judge: JudgeKind
    limits: Limits
    cases: dict[str, Case]
    runs: tuple[TestRun, ...]
    skills: dict[str, str]
    asked: dict[str, str]
    prompts: dict[str, VersionPrompt] = {}
    left_out: dict[str, str] = {}
    unfinished: str = "reviews/.tmp"
    root: str = "."
    skill_path: str | None = None
    structural_only: bool = False
    unsafe_no_sandbox: bool = False
    judges: int = 1
    models: tuple[Model, ...] = ()
    votes: int = 1
    controls: int = 0
    agent: Agent | None = None
    not_again: tuple[str, ...] = ()
    steps: Steps | None = None
    failures: FailureSteps | None = None
    benchmark: OfBenchmark | None = None
    evalcore: str = ""
    schema: int = SCHEMA

    @property
    def step_names(self) -> tuple[str, ...]:
        """The names of what is done beside test runs, in its order."""
        found = self.steps or self.failures
        return () if found is None else found.names

    @property
    def sandboxed(self) -> bool:
        """Whether the executor runs in the sandbox, as a workspace names it."""
        return self.executor.origin == "workspace" and not self.unsafe_no_sandbox

    @property
    def executes(self) -> bool:
        """Whether cases are executed: not where all outputs are stored already."""
        return any(run.stored is None for run in self.runs)

    @property
    def again(self) -> bool:
        """Whether stored outputs are judged a second time, beside their gradings."""
        return any(run.again for run in self.runs)

    @property
    def judges_itself(self) -> bool:
        """Whether a model that judges also executes the cases."""
        if self.agent is None:
            return False
        own = self.agent.model
        judges = {(each.base_url, each.model) for each in self.models}
        return (own.base_url, own.model) in judges

    @property
    def reviews(self) -> str:
        """The folder of the suite's review records."""
        return self.unfinished.rpartition("/")[0]

    def is_control(self, index: int) -> bool:
        """Whether the judge of a test run is asked twice more: they are spread over all of them."""
        n = min(self.controls, len(self.runs))
        return index in {at * len(self.runs) // n for at in range(n)}

    def judge_calls(self, index: int) -> int:
        """How often models are called to judge a test run, if no call has to be tried again."""
        return len(self.models) * (self.votes + 2 * self.is_control(index))

    def case(self, run: TestRun) -> Case:
        """Return the case of a run."""
        return self.cases[run.case]


def with_runs(plan: Plan, changed: Mapping[int, TestRun]) -> Plan:
    """Return a plan with other test runs at some indexes."""
    runs = tuple(changed.get(index, run) for index, run in enumerate(plan.runs))
    return msgspec.structs.replace(plan, runs=runs)


def skill_at(root: Path, skill: str) -> tuple[Path, str]:
    """Return the folder that a skill is read below, and its path there: it may lie elsewhere."""
    path = Path(skill)
    return (path.parent, path.name) if path.is_absolute() else (root, skill)


def digest_of(case: Case) -> str:
    """Return the sha256 of everything that a case asks."""
    return hashlib.sha256(msgspec.json.encode(case)).hexdigest()
