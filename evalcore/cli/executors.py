"""`evalcore executors`: what can execute cases."""

import msgspec

from evalcore.cli.answering import Answer
from evalcore.engine.plan import Executor
from evalcore.engine.templates import config_path, executors, why_missing


def list_executors() -> Answer:
    """List the executors by name, with their commands and where they come from."""
    found = list(executors().values())
    more = f"Add your own executors in {config_path()}; docs/running.md shows how."
    return Answer(lambda: msgspec.to_builtins(found), [*map(_line, found), more])


def _line(executor: Executor) -> str:
    template = executor.template
    if executor.kind == "model":
        return (
            f"{executor.name:<10}  a model of `evalcore models`, by tools that see the case's "
            "folder only  (named with --model)"
        )
    if template is None:
        return f"{executor.name:<10}  uses stored outputs; nothing is executed"
    remarks: list[str] = [executor.origin]
    if not template.tried:
        remarks.append("based on public documentation, not tested")
    if why_missing(executor):
        remarks.append(f"{template.command[0]} is not installed")
    return f"{executor.name:<10}  {' '.join(template.command)}  ({'; '.join(remarks)})"
