"""What a checklist must keep."""

from collections.abc import Iterator

from evalcore.families.linting import At, Item, Rule, Rules, at
from evalcore.problems import pointer


def _without_steps(item: Item) -> Iterator[At]:
    for name, task in item.value["tasks"].items():
        if not task["steps"]:
            yield at(pointer("tasks", name), name)


RULES = Rules(
    (Rule("checklist:", "no-steps", _without_steps, "{} has no step.", "Write what must happen."),)
)
