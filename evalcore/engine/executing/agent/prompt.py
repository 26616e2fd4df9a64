"""What a model is told before it begins: how it works, its skill, and the task."""

from collections.abc import Sequence
from typing import Final

from evalcore.checks.skill_file import NotYaml, fields, parted
from evalcore.engine.executing.agent.files import CaseFiles, ToolFault
from evalcore.models.calls import Message

SKILL: Final = "SKILL.md"
MAX_BODY: Final = 100_000
MAX_ABOUT: Final = 4_000
MAX_RESOURCES: Final = 200

_INSTRUCTIONS: Final = """\
You carry out a task on your own, in a folder, with tools. Nobody answers questions: decide \
yourself. Paths are relative to the folder. What the task asks for as a file, write with \
write_file. When you are done, answer without using a tool: that is your answer to the task. \
You have at most {steps} turns."""

_SKILL: Final = """\
You have a skill. Follow its instructions where they fit the task.
Name: {name}
Description: {description}
Its files lie in {folder}; paths in it are relative to that folder.

Instructions of the skill:
{body}"""


def opening(
    prompt: str, files: CaseFiles, skill: str | None, steps: int, version: str | None = None
) -> list[Message]:
    """Return the first messages; `skill` is the folder of the skill, None without one.

    `version` is the text of the prompt version that is executed, which begins the system message.
    """
    parts = [*([version] if version is not None else []), _INSTRUCTIONS.format(steps=steps)]
    if skill is not None:
        parts.append(_skill(files, skill))
    return [
        {"role": "system", "content": "\n\n".join(parts)},
        {"role": "user", "content": prompt},
    ]


def _skill(files: CaseFiles, folder: str) -> str:
    """Return what agents are told of a skill: its name, its instructions, and its other files."""
    try:
        found = parted(SKILL, files.read(f"{folder}/{SKILL}"))
    except ToolFault as fault:
        return f"You have a skill in {folder}. {fault}"
    about = _about(found.frontmatter)
    text = _SKILL.format(
        name=about.get("name", folder.rpartition("/")[2]),
        description=about.get("description", "none"),
        folder=folder,
        body=_cut(found.body.strip(), MAX_BODY),
    )
    others = [name for name, _ in files.listed(folder) if name != f"{folder}/{SKILL}"]
    return "\n\n".join([text, *_resources(others)])


def _about(frontmatter: str | None) -> dict[str, str]:
    """Return the texts of a frontmatter; one that cannot be read says nothing."""
    try:
        found = {} if frontmatter is None else fields(frontmatter)
    except NotYaml:
        return {}
    return {
        str(key): _cut(each.strip(), MAX_ABOUT)
        for key, each in found.items()
        if isinstance(each, str)
    }


def _resources(names: Sequence[str]) -> list[str]:
    if not names:
        return []
    more = len(names) - MAX_RESOURCES
    lines = [*names[:MAX_RESOURCES], *([f"and {more:,} more"] if more > 0 else [])]
    return ["Its other files, which you read when you need them:\n" + "\n".join(lines)]


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}\n[cut here]"
