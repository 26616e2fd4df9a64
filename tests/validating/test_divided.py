"""Labels on which people are divided: out of every figure of agreement alike, and counted."""

from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.tables.rows import Row
from evalcore.validating.trust import Trust, trust
from evalcore.views.judge.trust import sentence, trust_blocks
from evalcore.workspace.opened import Workspace
from tests import made
from tests.counting.peopled import opened, said
from tests.views.panel_json import panel_json

FOLDERS = count()


class Label(NamedTuple):
    """One criterion of one run: the scores of people from 1 to 5, and what the judge gave it."""

    people: tuple[float, ...]
    judge: float
    has_mark: bool = True


def labelled(root: Path, *labels: Label) -> Workspace:
    """Return a workspace with a case for each label, judged by a model and by people."""
    rows: list[Row] = []
    for at, (people, judge, has_mark) in enumerate(labels):
        run, source = f"r{at}", f"grading/r{at}.json"
        rows += [
            made.case(case_id=f"c{at}"),
            made.run(run_id=run, case_id=f"c{at}", judge="gpt", source=source),
        ]
        judgments = [
            made.judgment(
                "tone", judge >= 3, score=judge, fraction=judge / 5, judge="gpt", confidence=0.9,
                run_id=run, source=source,
            ),
            *(said("tone", f"p{n}", score, run, seen="nothing") for n, score in enumerate(people)),
        ]  # fmt: skip
        rows += judgments if has_mark else (each._replace(passed=None) for each in judgments)
    return opened(root, *rows)


def told(root: Path, *labels: Label, independent: bool = False) -> Trust:
    """Return what is known of the judge."""
    ws = labelled(root / str(next(FOLDERS)), *labels)
    found = trust(ws, made.SUITE, (), independent=independent)
    assert found is not None
    return found


two_people = st.tuples(st.sampled_from([1.0, 5.0]), st.sampled_from([1.0, 5.0]))
labels = st.builds(Label, two_people, st.sampled_from([1.0, 2.0, 4.0, 5.0]), st.just(True))


@settings(max_examples=60, deadline=None)
@given(st.lists(labels, min_size=1, max_size=12))
def test_any_judge_is_measured_where_people_are_not_divided(
    tmp_path_factory: pytest.TempPathFactory, given_labels: list[Label]
) -> None:
    """Two people, `n` criteria, divided on `k`: every figure is of the same n - k, and `k` is said.

    The judge that says what people say, where they say the same, agrees with all of these.
    """
    decided = [each for each in given_labels if each.people[0] == each.people[1]]
    n, k = len(decided), len(given_labels) - len(decided)
    found = told(tmp_path_factory.getbasetemp(), *given_labels)
    assert (found.divided, found.labels) == (k, n + k)
    words = sentence(found)
    assert (f"{k} of {n + k} label" in words) == (k > 0)
    if not n:
        assert (found.checked, found.numbers, found.confusions) == (None, None, ())
        assert "agrees with" not in words
        return
    same = sum((each.judge >= 3) == (each.people[0] >= 3) for each in decided)
    passed = sum(each.people[0] >= 3 for each in decided)
    assert found.checked is not None
    assert found.numbers is not None
    assert (found.checked.n, found.numbers.n) == (n, n)
    assert found.checked.same.value == pytest.approx(same / n)
    assert found.checked.constant.same == pytest.approx(max(passed, n - passed) / n)
    (table,) = found.confusions
    assert sum(map(sum, table.counts)) == n
    of_table = sum(
        number
        for person, row in zip(table.steps, table.counts, strict=True)
        for model, number in zip(table.steps, row, strict=True)
        if (person >= 3) == (model >= 3)
    )
    assert of_table == same
    perfect = told(
        tmp_path_factory.getbasetemp(), *(each._replace(judge=each.people[0]) for each in decided)
    )
    assert perfect.checked is not None
    assert perfect.checked.same.value == 1


@pytest.mark.parametrize(
    ("people", "has_mark", "divided"),
    [
        ((5, 1), True, True),
        ((5, 1, 4), True, False),  # two of three say the same
        ((5, 1, 4, 2), True, True),
        ((5, 3), True, False),  # both pass it
        ((4, 5), False, False),  # within a fifth of the scale
        ((1, 4), False, True),
        ((1, 3, 5), False, False),  # somebody gave the one in the middle
    ],
)
def test_a_label_is_divided_where_its_middle_is_nobodys(
    tmp_path: Path, people: tuple[float, ...], has_mark: bool, divided: bool
) -> None:
    """With a pass mark where half passed it; without one where the middle two are far apart."""
    found = told(tmp_path, Label(people, 4, has_mark))
    assert (found.divided, found.checked is None) == (int(divided), divided)


def test_the_table_has_the_label_and_not_one_persons_score(tmp_path: Path) -> None:
    """Of 4 and 5 it is 4.5: what agreement, direction and kappa are of too."""
    found = told(tmp_path, *[Label((4, 5), 4)] * 3)
    (table,) = found.confusions
    row = table.counts[table.steps.index(4.5)]
    assert row[table.steps.index(4)] == 3


def test_the_constant_answer_is_of_all_checked_scores(tmp_path: Path) -> None:
    """Those without a pass mark get their own most frequent score."""
    found = told(tmp_path, *[Label((5,), 5)] * 3, *[Label((2,), 5, False)] * 2)
    assert found.checked is not None
    assert (found.checked.n, found.checked.constant) == (5, (1.0, True, 2.0))
    assert "always saying “passed”, or 2 without a pass mark, would agree on 100 %" in sentence(
        found
    )


def test_divided_labels_are_told_in_one_sentence_with_their_next_step(tmp_path: Path) -> None:
    """The share and the constant are of one number of scores; who can decide depends on whom."""
    given_labels = [*[Label((5, 5), 5)] * 3, Label((1, 1), 5), *[Label((5, 1), 5)] * 2]
    assert sentence(told(tmp_path, *given_labels)) == (
        "gpt agrees with people on 75 % of 4 checked scores; always saying “passed” would agree on "
        "75 %. 2 of 6 labels are divided and left out: adjudicate. Two people agree on 67 % of 6 "
        "pairs."
    )
    blind = told(tmp_path, *given_labels, independent=True)
    assert "let a third person judge these who has seen no score" in sentence(blind)
    only = told(tmp_path, Label((5, 1), 5))
    assert sentence(only).startswith("1 of 1 label is divided and left out: adjudicate.")
    assert "By criterion" not in str(panel_json(trust_blocks(only)))
