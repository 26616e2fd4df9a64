"""Apply suggestions to the texts of a skill: those whose text to replace stands there once."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from evalcore.engine.found import Suggested
from evalcore.texts.places import Place, places_of

NOT_THERE: Final = "The text to replace is not in the skill."
SEVERAL: Final = (
    "The text to replace is in the skill {} times, so it is unclear which one is meant."
)
OVERLAPS: Final = "It changes the same text as suggestion {}."
SAME: Final = "It would change nothing."


class Applied(NamedTuple):
    """Changed texts by path, and for each suggestion why it was not applied; None if it was."""

    texts: dict[str, str]
    why_not: tuple[str | None, ...]

    @property
    def number(self) -> int:
        """How many suggestions were applied."""
        return sum(why is None for why in self.why_not)


def applied(suggestions: Sequence[Suggested], texts: Mapping[str, str]) -> Applied:
    """Return the texts with the suggestions that can be applied, all of them to the texts given.

    White space between words is not compared, and that of the text around stays. Of suggestions for
    overlapping text the first one is applied.
    """
    taken: dict[int, Place] = {}
    why_not: list[str | None] = []
    for number, each in enumerate(suggestions):
        place = _place(each, texts, taken)
        if isinstance(place, Place):
            taken[number] = place
        why_not.append(place if isinstance(place, str) else None)
    changed = dict(texts)
    for number, place in sorted(taken.items(), key=lambda item: -item[1].start):
        text, after = changed[place.name], suggestions[number].after.strip()
        changed[place.name] = text[: place.start] + after + text[place.end :]
    return Applied(
        {path: text for path, text in changed.items() if text != texts[path]}, tuple(why_not)
    )


def _place(
    suggested: Suggested, texts: Mapping[str, str], taken: Mapping[int, Place]
) -> Place | str:
    """Return the one place of the text to replace, or why there is none."""
    found = places_of(suggested.before, texts)
    if not found:
        return NOT_THERE
    if len(found) > 1:
        return SEVERAL.format(len(found))
    (place,) = found
    if texts[place.name][place.start : place.end] == suggested.after.strip():
        return SAME
    for number, other in taken.items():
        if other.name == place.name and place.start < other.end and other.start < place.end:
            return OVERLAPS.format(number + 1)
    return place
