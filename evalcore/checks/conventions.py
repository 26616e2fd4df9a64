"""Check the conventions for skills that rules can decide, on the SKILL.md that a run produced."""

import re
from typing import Any, Final

from evalcore.checks.outcome import Outcome, decided, not_run, quoted, shown
from evalcore.checks.produced import Produced
from evalcore.checks.skill_file import NotYaml, SkillFile, fields, skill_file

MAX_NAME: Final = 64
MAX_DESCRIPTION: Final = 1024
MAX_LINES: Final = 500
"""The body of a SKILL.md has fewer lines."""
_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>")
_WHEN: Final = re.compile(
    r"\b(?:(?:use )?when(?:ever)?|triggers?|use (?:this|it|for|if|to|before|after|on))\b",
    re.IGNORECASE,
)
_OPEN: Final = "Whether it gives away the workflow is not decided by rules."


def conventions(produced: Produced) -> dict[str, Outcome]:
    """Return the outcome of each convention that rules can decide; empty without a SKILL.md.

    The keys are `frontmatter`, `description_field` and `token_efficiency`. What only a reader can
    tell (`progressive_disclosure`, `type_alignment`) is left out.
    """
    skill = skill_file(produced)
    if skill is None:
        return {}
    if isinstance(skill, str):
        return dict.fromkeys(
            ("frontmatter", "description_field", "token_efficiency"), not_run(skill)
        )
    try:
        if skill.frontmatter is None:
            raise NotYaml("The file does not begin with a frontmatter between two lines ---.")
        values: dict[Any, Any] = fields(skill.frontmatter)
    except NotYaml as error:
        frontmatter = decided(False, f"{shown(skill.path)}: {error}")
        description = decided(False, "There is no description that can be read.")
    else:
        frontmatter = _names(skill, values)
        description = _description(values.get("description"))
    return {
        "frontmatter": frontmatter,
        "description_field": description,
        "token_efficiency": _size(skill),
    }


def _names(skill: SkillFile, values: dict[Any, Any]) -> Outcome:
    """Return whether name and description are there, and the name is one."""
    for field in ("name", "description"):
        value = values.get(field)
        if not isinstance(value, str) or not value.strip():
            return decided(False, f"The frontmatter of {shown(skill.path)} has no text as {field}.")
    name = values["name"]
    if len(name) > MAX_NAME:
        return decided(
            False, f"The name has {len(name):,} characters; at most {MAX_NAME} are used."
        )
    if not _NAME.fullmatch(name):
        wanted = "lowercase letters, digits and single hyphens between them"
        return decided(False, f"The name {quoted(name)} is not made of {wanted}.")
    return decided(True, f"Valid YAML with description and the name {quoted(name)}.")


def _description(value: Any) -> Outcome:
    if not isinstance(value, str) or not value.strip():
        return decided(False, "There is no description.")
    if len(value) > MAX_DESCRIPTION:
        count = f"{len(value):,} characters; at most {MAX_DESCRIPTION:,} are used"
        return decided(False, f"The description has {count}.")
    if tag := _TAG.search(value):
        return decided(False, f"The description has the XML tag {quoted(tag[0])}.")
    if found := _WHEN.search(value):
        said = f"{len(value):,} characters, says when to use it ({quoted(found[0])})"
        return decided(True, f"{said}. {_OPEN}")
    if not value.isascii():
        return not_run("Whether it says when to use the skill is decided for English only.")
    return decided(False, f"The description does not say when to use the skill. {_OPEN}")


def _size(skill: SkillFile) -> Outcome:
    body = skill.body.strip()
    lines = body.count("\n") + 1 if body else 0
    words = len(body.split())
    said = f"The body of {shown(skill.path)} has {words:,} words in {lines:,} lines"
    if lines < MAX_LINES:
        return decided(True, f"{said}; fewer than {MAX_LINES} lines are expected.")
    return decided(False, f"{said}; fewer than {MAX_LINES} lines were expected.")
