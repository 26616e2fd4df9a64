"""Names that replace each other: heads, circles, and how many steps it takes to find them."""

from hypothesis import given
from hypothesis import strategies as st

from evalcore.families.chains import Links, linked

LINKS = st.dictionaries(st.sampled_from("abcdefgh"), st.sets(st.sampled_from("abcdefgh")))


def reached(links: Links, start: str) -> set[str]:
    """All names that one replaces, directly or not."""
    found: set[str] = set()
    for _ in range(10):
        found |= {old for name in (start, *found) for old in links.get(name, ())}
    return found


def on_circles(links: Links) -> set[str]:
    """The names in circles, and those between two circles."""
    names = {*links, *(old for olds in links.values() for old in olds)}
    circles = {name for name in names if name in reached(links, name)}
    after = {old for name in circles for old in reached(links, name)}
    before = {name for name in names if reached(links, name) & circles}
    return circles | (after & before)


def naive(links: Links) -> dict[frozenset[str], set[str]]:
    """The heads of each connected group, by the definition."""
    names = {*links, *(old for olds in links.values() for old in olds)}
    circular = on_circles(links)
    groups = {name: {name} for name in names}
    for _ in names:
        for name, olds in links.items():
            for old in olds:
                both = groups[name] | groups[old]
                for each in both:
                    groups[each] = both
    replaced = {
        old for name in links for old in links[name] if name not in circular or old not in circular
    }
    return {frozenset(group): group - replaced for group in groups.values() if len(group) > 1}


@given(LINKS)
def test_it_finds_what_the_definition_says(links: dict[str, set[str]]) -> None:
    """Every group has a head, and every name is in one group."""
    links = {name: olds - {name} for name, olds in links.items() if olds - {name}}
    found = {frozenset(each.heads + each.replaced): set(each.heads) for each in linked(links)}
    assert found == naive(links)
    assert all(found.values())
    assert sum(map(len, found)) == len({*links, *(old for olds in links.values() for old in olds)})


class Counted(str):
    """A name that counts how often it is looked up or compared."""

    __slots__ = ()
    steps = 0

    def __hash__(self) -> int:
        Counted.steps += 1
        return str.__hash__(self)

    def __eq__(self, other: object) -> bool:
        Counted.steps += 1
        return str.__eq__(self, other)


def steps(length: int, last: int) -> int:
    """The steps for a chain whose first record replaces one of the others, if it has so many."""
    names = [Counted(f"{at:06}") for at in range(length)]
    links: dict[str, list[str]] = {names[at]: [names[at - 1]] for at in range(1, length)}
    if last < length:
        links[names[0]] = [names[last]]
    Counted.steps = 0
    assert sum(len(each.heads) for each in linked(links)) == (last + 1 if last < length else 1)
    return Counted.steps


def test_a_chain_of_any_length_takes_as_many_steps_as_it_has_records() -> None:
    """Also one that ends in a circle, or is a circle."""
    for last in (1_000_000, 9, 4_999):
        assert steps(5_000, last) < 60 * 5_000
