"""What a run's documents say of the eval that was asked, and what two such evals share."""

import re
from typing import Any, Final, NamedTuple

FILES: Final = ("file", "entry_point")
REVISED: Final = re.compile(r"[-_]v\d+$", re.IGNORECASE)
WORD: Final = re.compile(r"\w+")
MOST_WORDS: Final = 40


class Asked(NamedTuple):
    """What a folder or document that no defined case fits says of its eval."""

    key: str
    name: str
    eval_id: str | None
    prompt: str | None
    file: str | None

    @property
    def marks(self) -> list[tuple[str, ...]]:
        """What two names of one eval share: id and prompt, or file and name without `_v2`."""
        found: list[tuple[str, ...]] = []
        if self.eval_id is not None and self.prompt:
            found.append(("prompt", self.eval_id, self.prompt))
        if self.file is not None:
            name = REVISED.sub("", self.key)
            stem = self.file.rpartition("/")[2].partition(".")[0]
            of_file = name == stem or name == self.file.replace("/", "-")
            found.append(("file", self.file, stem if of_file else name))
        return found


def file_of(grading: Any) -> str | None:
    """Return the file that a run was about."""
    if not isinstance(grading, dict):
        return None
    return next((text for key in FILES if isinstance(text := grading.get(key), str) and text), None)


def alike_prompts(one: str, two: str) -> bool:
    """Return whether two prompts are one, perhaps reworded: half of the words are shared."""
    if one == two:
        return True
    first, second = set(WORD.findall(one.lower())), set(WORD.findall(two.lower()))
    return len(first & second) >= 0.5 * min(len(first), len(second), MOST_WORDS)
