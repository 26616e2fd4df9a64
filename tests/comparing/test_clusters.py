"""Cases made from one template are one piece of evidence: by the tags that say so."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from evalcore.comparing.clusters import FEWEST_ALIKE, MOST, alike_prompts, clusters_of
from evalcore.comparing.compare import compare
from evalcore.comparing.model import Clusters, Comparison
from evalcore.errors import CannotCompare
from evalcore.workspace.opened import Workspace
from tests import made
from tests.comparing.judged import side
from tests.comparing.sided import run_id, sides, versions

TAGS = {
    "a1": '["topic:dates", "hard"]',
    "a2": '["topic:dates"]',
    "b1": '["topic:links", "hard"]',
    "b2": '["topic:links"]',
    "alone": '["easy"]',
    "bare": None,
}
CASES = tuple(TAGS)


def tagged(root: Path, tags: Mapping[str, str | None] = TAGS) -> Workspace:
    """Return a workspace whose cases have tags; all failed in v0 and passed in v1."""
    return versions(
        root,
        *(made.case(case_id=case, tags=words) for case, words in tags.items()),
        *(
            made.run(
                run_id=run_id(case, version),
                case_id=case,
                version=version,
                passed=version == "v1",
            )
            for case in tags
            for version in ("v0", "v1")
        ),
        headline="share of runs passed",
    )


def groups(ws: Workspace, *tags: str) -> set[frozenset[str]]:
    """Return the cases of each cluster."""
    numbers = clusters_of(side(ws, "v1"), CASES, tags)
    assert numbers is not None
    assert set(numbers) == set(CASES)
    assert set(numbers.values()) == set(range(len(set(numbers.values()))))
    return {
        frozenset(case for case, number in numbers.items() if number == one)
        for one in numbers.values()
    }


def test_without_a_tag_every_case_stands_for_itself(tmp_path: Path) -> None:
    """Nobody said otherwise."""
    assert clusters_of(side(tagged(tmp_path), "v1"), CASES, ()) is None


def test_a_tag_makes_one_cluster_and_leaves_the_rest_alone(tmp_path: Path) -> None:
    """A case without it stands for itself."""
    assert groups(tagged(tmp_path), "hard") == {
        frozenset({"a1", "b1"}),
        *(frozenset({case}) for case in ("a2", "b2", "alone", "bare")),
    }


@pytest.mark.parametrize("sign", [":", "=", "/"])
def test_the_part_before_a_sign_makes_a_cluster_for_each_value(tmp_path: Path, sign: str) -> None:
    """`topic` of `topic:dates` and `topic:links`."""
    tags = {case: words and words.replace(":", sign) for case, words in TAGS.items()}
    assert groups(tagged(tmp_path, tags), "topic") == {
        frozenset({"a1", "a2"}),
        frozenset({"b1", "b2"}),
        frozenset({"alone"}),
        frozenset({"bare"}),
    }


def test_several_tags_may_be_named(tmp_path: Path) -> None:
    """A case goes with the first of its own tags that is meant."""
    assert groups(tagged(tmp_path), "easy", "topic:dates") == {
        frozenset({"a1", "a2"}),
        frozenset({"alone"}),
        *(frozenset({case}) for case in ("b1", "b2", "bare")),
    }


@pytest.mark.parametrize("tags", [("none",), ("topic", "none"), ("top",), ("dates",)])
def test_a_tag_that_no_case_has_is_the_caller_s_fault(
    tmp_path: Path, tags: tuple[str, ...]
) -> None:
    """Else a misspelt one would make the comparison look better than it is."""
    with pytest.raises(CannotCompare, match=f"No compared case has the tag {tags[-1]!r}"):
        clusters_of(side(tagged(tmp_path), "v1"), CASES, tags)


def test_a_comparison_by_clusters_counts_them(tmp_path: Path) -> None:
    """Six cases in four clusters; then nothing is suggested any more."""
    a, b = sides(tagged(tmp_path))
    found = compare(a, b, "recorded", ("topic",))
    assert (found.clusters, found.alike) == (Clusters(("topic",), 4), ())
    assert compare(a, b).clusters is None
    with pytest.raises(CannotCompare):
        compare(a, b, "recorded", ("none",))


def test_clusters_are_counted_among_the_compared_cases_only(tmp_path: Path) -> None:
    """One that only the other side ran makes none."""
    tags = {"a1": '["topic:dates"]', "a2": '["topic:dates"]'}
    ws = versions(
        tmp_path,
        *(made.case(case_id=case, tags=words) for case, words in tags.items()),
        made.case(case_id="new", tags='["topic:links"]'),
        *(
            made.run(run_id=run_id(case, version), case_id=case, version=version, passed=True)
            for case in tags
            for version in ("v0", "v1")
        ),
        made.run(run_id="new", case_id="new", version="v1", passed=True),
        headline="share of runs passed",
    )
    assert compare(*sides(ws), "recorded", ("topic",)).clusters == Clusters(("topic",), 1)


def asked(root: Path, prompts: Sequence[str]) -> Comparison:
    """Return a comparison of cases that were asked these prompts."""
    return compare(
        *sides(
            versions(
                root,
                *(made.case(case_id=f"c{n:02}", prompt=text) for n, text in enumerate(prompts)),
                *(
                    made.run(
                        run_id=run_id(f"c{n:02}", version),
                        case_id=f"c{n:02}",
                        version=version,
                        passed=True,
                    )
                    for n in range(len(prompts))
                    for version in ("v0", "v1")
                ),
                headline="share of runs passed",
            )
        )
    )


TEMPLATE = 'Write a release note of version {n} for the library "{name}" with its changes.'
NAMES = ["abacus", "borealis", "cantilever", "dromedary"]


def copies(number: int) -> list[str]:
    """Return prompts of one template with other numbers and quoted parts."""
    return [TEMPLATE.format(n=at, name=name) for at, name in enumerate(NAMES[:number])]


@pytest.mark.parametrize(("number", "told"), [(FEWEST_ALIKE - 1, False), (FEWEST_ALIKE, True)])
def test_three_prompts_that_look_like_copies_are_suggested(
    tmp_path: Path, number: int, told: bool
) -> None:
    """Numbers and quoted parts do not count; two may be a coincidence."""
    found = asked(tmp_path, [*copies(number), "Draw a map of all rivers.", "Say hello to the cat."])
    assert found.alike == ((tuple(f"c{n:02}" for n in range(number)),) if told else ())


def test_prompts_that_only_share_words_are_not(tmp_path: Path) -> None:
    """They ask different things."""
    found = asked(
        tmp_path,
        [
            "Write a release note for the library with its changes.",
            "Write a poem on autumn for the children of the school.",
            "Write a query that lists all orders by customer and month.",
        ],
    )
    assert found.alike == ()


def test_two_templates_are_two_groups(tmp_path: Path) -> None:
    """Each with its own cases."""
    others = [f"Translate chapter {n} of the novel into plain German." for n in range(3)]
    found = asked(tmp_path, [*copies(3), *others])
    assert found.alike == (("c00", "c01", "c02"), ("c03", "c04", "c05"))


def test_only_so_many_prompts_are_looked_at(tmp_path: Path) -> None:
    """All pairs of more would take long."""
    prompts = [f"Question {'xyz'[n % 3] * (n + 5)}" for n in range(MOST)] + copies(3)
    found = asked(tmp_path, prompts)
    late = {f"c{n:02}" for n in range(MOST, MOST + 3)}
    assert not late & {case for group in found.alike for case in group}
    ws = tagged(tmp_path / "few")
    assert alike_prompts(side(ws, "v1"), CASES) == (CASES,)
