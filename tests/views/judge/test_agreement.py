"""What is said of agreement: numbers with their n, and words where there is no number."""

import pytest

from evalcore.judging.agreeing.agreement import Agreement, Group, Pair, Scale
from evalcore.judging.agreeing.scores import RECORDED
from evalcore.statistics.agreement import Raw
from evalcore.statistics.clustered import Coefficient
from evalcore.views.judge.agreement import Whose, agreement_blocks, how, sentence
from tests.views.panel_json import panel_json

FIVE = Scale(1.0, 5.0, pass_fail=False)
EITHER = Scale(0.0, 1.0, pass_fail=True)
MIDDLE = Coefficient(0.72, 0.55, 0.84, 42, 20)


def group(alpha: Coefficient, scale: Scale = FIVE, ac1: Coefficient | None = None) -> Group:
    """Return the group of a scale."""
    return Group(None, None, 4, scale, 3, 0, Raw(102, 126), alpha, ac1)


def agreement(*groups: Group, alone: int = 0) -> Agreement:
    """Return the agreement of three judges on 42 criteria."""
    pair = Pair("ada", "ben", FIVE, 30, MIDDLE)
    judges = (("ada", 42), ("ben", 42), ("cleo", 42))
    return Agreement(judges, 42, alone, 126, 0, Raw(102, 126), groups, groups, (pair,), 0, 0)


def test_the_sentence_has_the_numbers_in_it() -> None:
    """Judges, criteria, pairs, alpha and its range; then what that means."""
    assert sentence(agreement(group(MIDDLE))) == (
        "3 judges scored 42 of the same criteria: they gave the same score in 81 % of 126 pairs, "
        "alpha 0.72, likely between 0.55 and 0.84. Can't tell whether they agree enough: 0.67 is "
        "the least."
    )


def test_agreement_is_said_only_where_the_whole_range_is_enough() -> None:
    """Above 0.67 they agree, below it they do not."""
    assert sentence(agreement(group(Coefficient(0.9, 0.7, 1.0, 42, 20)))).endswith("They agree.")
    low = sentence(agreement(group(Coefficient(0.1, -0.2, 0.4, 42, 20))))
    assert low.endswith(
        "likely between \N{MINUS SIGN}0.20 and 0.40. They do not agree enough: 0.67 is the least."
    )


@pytest.mark.parametrize(
    ("alpha", "guessing"), [(-0.09, True), (0.0, True), (0.004, True), (0.01, False), (0.7, False)]
)
def test_a_coefficient_of_nothing_is_said_in_words_first(alpha: float, guessing: bool) -> None:
    """As it is shown: two decimals; of one scale and of several."""
    of = [group(Coefficient(alpha, None, None, 12, 3), scale) for scale in (FIVE, EITHER)]
    for said in (sentence(agreement(of[0])), sentence(agreement(*of))):
        words, _, number = said.partition("no better than guessing: ")
        assert (bool(number), "0." in words) == (guessing, not guessing)


def test_few_cases_are_told_without_a_range() -> None:
    """A value and the reason why there is no range."""
    said = sentence(agreement(group(Coefficient(0.9, None, None, 12, 3))))
    assert said.endswith("alpha 0.90. Can't tell whether that is enough: no range below 6 cases.")


def test_all_agree_stands_in_place_of_a_coefficient() -> None:
    """In the sentence and in the table; nothing is drawn on the axis."""
    found = agreement(group(Coefficient(None, None, None, 42, 20, "all agree")))
    assert sentence(found) == (
        "3 judges scored 42 of the same criteria, and all agree: everybody gave one and the same "
        "score throughout."
    )
    table = panel_json(agreement_blocks(found, Whose(), {}))[5]
    cells = table["rows"][0]["cells"]
    assert "bar" not in cells[1]
    assert cells[2]["text"] == "all agree"


def test_each_scale_has_its_own_alpha() -> None:
    """The sentence names them, and a table stands for them."""
    found = agreement(group(MIDDLE), group(Coefficient(0.2, None, None, 8, 2), EITHER))
    assert (
        "0.72, likely between 0.55 and 0.84, on 1 to 5 (42 criteria); 0.20, on pass or fail (8"
        in sentence(found)
    )
    labels = [block.get("label") for block in panel_json(agreement_blocks(found, Whose(), {}))]
    assert "By scale" in labels


def test_a_negative_coefficient_stands_on_the_axis() -> None:
    """The axis then goes from -1 to 1, and says so."""
    found = agreement(group(Coefficient(-0.5, None, None, 8, 3)))
    table = panel_json(agreement_blocks(found, Whose(), {}))[5]
    assert table["head"][1][0] == "alpha, \N{MINUS SIGN}1 to 1"
    assert table["rows"][0]["cells"][1]["bar"]["value"] == 0.25


def test_ac1_stands_beside_alpha_and_is_explained() -> None:
    """Only where there is one."""
    with_it = agreement(group(MIDDLE, EITHER, Coefficient(0.94, 0.87, 0.98, 42, 20)))
    cell = panel_json(agreement_blocks(with_it, Whose(), {}))[5]["rows"][0]["cells"][2]
    assert cell["sub"] == "likely 0.55 to 0.84; AC1 0.94, likely between 0.87 and 0.98"
    assert any("Gwet" in line for line in how(with_it))
    assert not any("Gwet" in line for line in how(agreement(group(MIDDLE))))


def test_one_judge_needs_a_second() -> None:
    """How many scores there are, and the next step; the same for none at all."""
    one = Agreement((("ada", 24),), 0, 24, 24, 0, Raw(0, 0), (), (), (), 0, 0)
    said = [block["text"] for block in panel_json(agreement_blocks(one, Whose(), {}))[:2]]
    assert said[0] == "Only ada has judged so far: 24 criteria. Agreement needs a second judge."
    none = one._replace(judges=(), alone=0)
    assert panel_json(agreement_blocks(none, Whose(), {}))[0]["text"] == (
        "Nobody has judged this suite yet."
    )


def test_one_judge_is_held_against_the_recorded_one() -> None:
    """With the numbers of the table that the link leads to; the reader is addressed."""
    one = Agreement((("ada-c354", 24),), 0, 24, 24, 0, Raw(0, 0), (), (), (), 0, 0)
    pairs = tuple(
        Pair(RECORDED, "ada-c354", scale, same, Coefficient(0.5, None, None, of, 4))
        for scale, same, of in ((FIVE, 9, 10), (EITHER, 4, 6))
    )
    beside = one._replace(pairs=pairs)
    for reader, who in (("ada-c354", "You"), ("", "Ada")):
        blocks = panel_json(agreement_blocks(one, Whose(), {}, beside, reader))
        said = [block["text"] for block in blocks if block["t"] == "say"]
        assert f"{who} and the recorded judge differ in 3 of 16 criteria that both scored." in said
    (chip,) = next(block for block in blocks if block["t"] == "links")["items"]
    assert chip["link"]["query"]["judges"] == "all"
    already = panel_json(agreement_blocks(one, Whose(recorded=True), {}, beside))
    assert not any("differ in" in block.get("text", "") for block in already)


def test_the_recorded_judge_alone_is_nobody() -> None:
    """Where people have not judged, there is nothing to compare it with."""
    found = Agreement(((RECORDED, 24),), 0, 24, 24, 0, Raw(0, 0), (), (), (), 0, 0)
    first, step = panel_json(agreement_blocks(found, Whose(recorded=True), {}))[:2]
    assert first["text"] == "Nobody has judged this suite yet."
    assert "nothing to compare the recorded judge with" in step["text"]


@pytest.mark.parametrize(
    ("independent", "words"),
    [
        (0, "None of these judgments is known to be independent"),
        (5, "5 of 126 judgments are independent"),
        (126, "All of these judgments are independent"),
    ],
)
def test_the_number_of_independent_judgments_is_said(independent: int, words: str) -> None:
    """Next to the choice to compare only those."""
    found = agreement(group(MIDDLE))._replace(independent=independent)
    blocks = panel_json(agreement_blocks(found, Whose(), {}))
    assert any(block.get("text", "").startswith(words) for block in blocks)
    chips = next(block for block in blocks if block.get("label") == "Judgments")["items"]
    assert [(chip["text"], chip.get("on", False)) for chip in chips] == [
        ("all judgments", True),
        ("independent only", False),
    ]


def test_without_independent_judgments_the_next_step_is_a_batch() -> None:
    """Rather than a coefficient of nothing."""
    none = Agreement((), 0, 0, 0, 0, Raw(0, 0), (), (), (), 0, 0)
    blocks = panel_json(agreement_blocks(none, Whose(independent=True), {}))
    assert "Start an independent batch" in blocks[1]["text"]
