"""Find the SKILL.md that a run produced, and take it apart."""

import re
from typing import Any, Final, NamedTuple

import yaml

from evalcore.checks.outcome import Outcome, quoted
from evalcore.checks.produced import Produced

MAX_FRONTMATTER: Final = 16 * 1024
_MARK: Final = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)


class SkillFile(NamedTuple):
    """A SKILL.md: its path, the text between its first two `---` (None without), and the rest."""

    path: str
    frontmatter: str | None
    body: str


class NotYaml(ValueError):
    """A frontmatter that is not read; the message is a sentence that says why."""


def skill_file(produced: Produced) -> SkillFile | str | None:
    """Return the outermost SKILL.md; None without any; a sentence if it cannot be read."""
    paths = produced.matching("SKILL.md")
    if isinstance(paths, Outcome) or not paths:
        return None
    path = min(paths, key=lambda path: (path.count("/"), path))
    text, why = produced.text(path)
    return f"{why}." if text is None or why else parted(path, text)


def parted(path: str, text: str) -> SkillFile:
    """Return the parts of a SKILL.md."""
    marks = _MARK.finditer(text)
    first, second = next(marks, None), next(marks, None)
    if first is None or first.start() or second is None:
        return SkillFile(path, None, text)
    return SkillFile(path, text[first.end() : second.start()], text[second.end() :])


def fields(frontmatter: str) -> dict[Any, Any]:
    """Return the fields of a frontmatter.

    Raises:
        NotYaml: it is not valid, too long, or uses what can make a short text large.
    """
    if len(frontmatter) > MAX_FRONTMATTER:
        raise NotYaml(f"The frontmatter has more than {MAX_FRONTMATTER:,} characters.")
    try:
        value = yaml.load(frontmatter, _Plain)  # noqa: S506 - a safe loader, made stricter
    except yaml.YAMLError as error:
        said = quoted(str(getattr(error, "problem", None) or error), 200)
        raise NotYaml(f"The frontmatter is not valid YAML: {said}.") from error
    # The library trips over odd values of its types, such as an empty whole number.
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        raise NotYaml("The frontmatter has a value that does not fit its type.") from error
    except RecursionError as error:
        raise NotYaml("The frontmatter is nested too deeply.") from error
    if not isinstance(value, dict):
        raise NotYaml("The frontmatter has no fields; write name: and description:.")
    return value


class _Plain(yaml.SafeLoader):  # type: ignore[misc]  # the library ships no types
    """Reads plain values; an anchor is refused, since its aliases can repeat it without end."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise yaml.composer.ComposerError(None, None, "anchors and aliases are not read")
        return super().compose_node(parent, index)
