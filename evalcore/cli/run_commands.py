"""The commands that start test runs, follow them and list them."""

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from evalcore.cli.answering import Answer
from evalcore.cli.app import AsJson, Folder, OnlySuite, OnRegression, Suite, command
from evalcore.errors import CannotRun

Versions = Annotated[
    list[str] | None, Option(help="The version; by default the newest. Repeat for several.")
]
Configurations = Annotated[list[str] | None, Option(help="The configuration. Repeat for several.")]
Cases = Annotated[
    list[str] | None,
    Option(metavar="ID", help="A case, all, failing, or tag:NAME. Repeat for several."),
]
Votes = Annotated[int, Option(min=1, max=15, help="Votes of each model per run.")]
Controls = Annotated[
    int,
    Option(
        min=0,
        help="Judge this many outputs twice more: unchanged, and with an instruction planted in "
        "them.",
    ),
]
Concurrency = Annotated[int, Option(min=1, max=256, help="How many to run at the same time.")]
Retries = Annotated[int, Option(min=0, max=20, help="Retries after an error.")]
MaxCalls = Annotated[int | None, Option(min=1, help="Stop after this many calls.")]
MaxTokens = Annotated[int | None, Option(min=1, help="Stop after this many tokens.")]
MaxCost = Annotated[float | None, Option(help="Stop after this many US dollars.")]


class Judge(StrEnum):
    """What decides the criteria of new runs."""

    RULES = "rules"
    HUMAN = "human"
    NONE = "none"
    MODEL = "model"


@command
def run_(  # noqa: PLR0913, PLR0917 - each is an option of the command
    path: Annotated[
        Path | None, Argument(metavar="PATH", help="The folder with your evaluations.")
    ] = None,
    suite: Suite = None,
    version: Versions = None,
    configuration: Configurations = None,
    cases: Cases = None,
    skill: Annotated[
        str | None,
        Option(metavar="DIR", help="The skill's folder, if it is not found automatically."),
    ] = None,
    runs: Annotated[int | None, Option(min=1, help="Runs per case.")] = None,
    executor: Annotated[
        str | None, Option(help="What executes the cases; `evalcore executors` lists them.")
    ] = None,
    judge: Annotated[Judge, Option(help="What decides the criteria.")] = Judge.RULES,
    judges: Annotated[
        int, Option(min=1, max=20, help="How many people judge what is left to people.")
    ] = 1,
    model: Annotated[
        str | None, Option(help="With --executor openai: the model; `evalcore models` lists yours.")
    ] = None,
    max_steps: Annotated[
        int, Option(min=1, max=500, help="Maximum steps of that model per case.")
    ] = 30,
    allow_commands: Annotated[
        bool, Option("--allow-commands", help="Let that model run commands, in the sandbox only.")
    ] = False,
    judge_model: Annotated[
        list[str] | None,
        Option(help="With --judge model: the model that judges. Repeat for a panel."),
    ] = None,
    votes: Votes = 1,
    controls: Controls = 0,
    concurrency: Concurrency = 4,
    timeout: Annotated[float, Option(min=0.1, help="Time limit per case, in seconds.")] = 600.0,
    retries: Retries = 2,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    max_minutes: Annotated[float | None, Option(help="Stop after this many minutes.")] = None,
    again: Annotated[
        bool,
        Option(
            "--again",
            help="Judge stored outputs that already have a grading again; the result is kept in "
            "separate records.",
        ),
    ] = False,
    benchmark: Annotated[
        str | None, Option(metavar="NAME", help="Run the cases of this benchmark, as a run of it.")
    ] = None,
    triggered_by: Annotated[
        str | None, Option(help="With --benchmark: who or what starts it.")
    ] = None,
    notes: Annotated[str, Option(help="With --benchmark: notes about it.")] = "",
    on_regression: OnRegression = None,
    structural_only: Annotated[bool, Option(help="Only the structural checks; no judge.")] = False,
    unsafe_no_sandbox: Annotated[
        bool, Option("--unsafe-no-sandbox", help="Run allowed scripts as you, without a sandbox.")
    ] = False,
    cluster: Annotated[
        str | None,
        Option(
            metavar="ADDRESS", help="Run on the workers of this dask scheduler instead of here."
        ),
    ] = None,
    resume: Annotated[
        str | None, Option(metavar="ID", help="Resume a run where it stopped.")
    ] = None,
    cancel: Annotated[
        str | None, Option(metavar="ID", help="Stop a run when its current cases are done.")
    ] = None,
    now: Annotated[bool, Option(help="With --cancel: stop them at once.")] = False,
    dry_run: Annotated[bool, Option(help="Show what would run; start nothing.")] = False,
    as_json: AsJson = False,
) -> Answer | int:
    """Execute cases, then check and judge what comes out.

    The suite's own documents are written. The run has its own process: it continues when this
    command is stopped. Exits with 1 if something was not done, or the pass rate of a benchmark fell
    by more than 10 points.
    """
    from evalcore.cli import notifying, running  # noqa: PLC0415 - quick start
    from evalcore.engine.plan import Limits  # noqa: PLC0415 - quick start
    from evalcore.engine.planning import Request  # noqa: PLC0415 - quick start
    from evalcore.engine.templates import STORED  # noqa: PLC0415 - quick start

    tell = notifying.on_regression(on_regression)
    if cancel is not None:
        return running.cancel(cancel, now=now)
    if resume is not None:
        return running.resume(resume, cluster, tell)
    if path is None:
        raise CannotRun("Name the folder with your evaluations: evalcore run PATH.")
    request = partial(
        Request,
        limits=Limits(
            concurrency=concurrency,
            seconds=timeout,
            retries=retries,
            calls=max_calls,
            tokens=max_tokens,
            cost_usd=max_cost,
            total_seconds=None if max_minutes is None else max_minutes * 60,
        ),
        versions=tuple(version or ()),
        configurations=tuple(configuration or ()),
        cases=tuple(cases or ("all",)),
        skill=skill,
        runs=runs,
        judge=judge.value,
        structural_only=structural_only,
        unsafe_no_sandbox=unsafe_no_sandbox,
        judges=judges,
        models=tuple(judge_model or ()),
        votes=votes,
        controls=controls,
        again=again,
        executing=model or "",
        steps=max_steps,
        commands=allow_commands,
        benchmark=running.of_benchmark(benchmark, triggered_by, notes),
    )
    return running.run(
        path,
        suite,
        request,
        executor=executor or (STORED if again else None),
        dry=dry_run,
        as_json=as_json,
        cluster=cluster,
        tell=tell,
    )


@command
def judge(  # noqa: PLR0913, PLR0917 - each is an option of the command
    path: Folder,
    suite: Suite = None,
    version: Versions = None,
    configuration: Configurations = None,
    cases: Cases = None,
    model: Annotated[
        list[str] | None,
        Option(help="A model that judges, of `evalcore models`. Repeat for a panel."),
    ] = None,
    votes: Votes = 1,
    controls: Controls = 0,
    repeats: Annotated[
        int, Option(min=1, max=20, help="Judge graded outputs again this many times.")
    ] = 1,
    concurrency: Concurrency = 4,
    retries: Retries = 2,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    dry_run: Annotated[bool, Option(help="Show what would be judged; call nothing.")] = False,
    as_json: AsJson = False,
) -> Answer:
    """Let a model judge stored outputs.

    It judges those without a grading, or else the graded ones again. Gradings are never
    overwritten: a second judgment is a separate record. Exits with 1 if a criterion stayed
    unscored.
    """
    from evalcore.cli import running  # noqa: PLC0415 - quick start
    from evalcore.engine.plan import Limits  # noqa: PLC0415 - quick start
    from evalcore.engine.planning import Request  # noqa: PLC0415 - quick start
    from evalcore.engine.templates import STORED  # noqa: PLC0415 - quick start

    request = partial(
        Request,
        limits=Limits(
            concurrency, retries=retries, calls=max_calls, tokens=max_tokens, cost_usd=max_cost
        ),
        versions=tuple(version or ()),
        configurations=tuple(configuration or ()),
        cases=tuple(cases or ("all",)),
        judge="model",
        models=tuple(model or ()),
        votes=votes,
        controls=controls,
        repeats=repeats,
    )
    return running.run(
        path,
        suite,
        request,
        executor=STORED,
        dry=dry_run,
        as_json=as_json,
        planned=running.judging,
    )


@command
def runs(
    path: Folder,
    write: Annotated[
        bool, Option(help="First write the gradings that people have completed.")
    ] = False,
) -> Answer:
    """List the runs that were started here, newest first.

    Each with what went wrong. With --write, exits with 1 while people still have something to
    judge.
    """
    from evalcore.cli.running import runs as work  # noqa: PLC0415 - quick start

    return work(path, write=write)


@command
def executors() -> Answer:
    """List what can execute cases, built in or configured."""
    from evalcore.cli.executors import list_executors  # noqa: PLC0415 - quick start

    return list_executors()


@command
def models() -> Answer:
    """List your endpoints and models, and whether keys are set.

    Nothing is called. `evalcore doctor --model NAME` asks one of them.
    """
    from evalcore.cli.models import list_models  # noqa: PLC0415 - quick start

    return list_models()


@command
def allow(
    path: Folder,
    suite: OnlySuite = None,
    only: Annotated[str | None, Option(metavar="ID", help="Only this script.")] = None,
    yes: Annotated[bool, Option(help="Allow what was shown.")] = False,
    no: Annotated[bool, Option(help="Withdraw the permission.")] = False,
) -> Answer:
    """Show the scripts that a folder would run, and allow them.

    They are shown byte by byte; with `--yes` exactly those that were shown before are allowed. They
    run in a sandbox. Any change to a script or its location withdraws the permission. Exits with 1
    while one is not allowed.
    """
    from evalcore.cli.allowing import allow_scripts  # noqa: PLC0415 - quick start

    return allow_scripts(path, suite, only, yes=yes, no=no)
