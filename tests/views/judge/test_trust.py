"""What is said of trust in a model as judge: figures with their n, or the reason for none."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from evalcore.statistics.clustered import Coefficient
from evalcore.statistics.judge_error import Accuracy, Corrected, Rate
from evalcore.statistics.repeated_judging import Flicker
from evalcore.validating.checked import Checked, Constant
from evalcore.validating.compared import JudgeError
from evalcore.validating.judges import JudgeIdentity
from evalcore.validating.rates import ColumnRate, Rates
from evalcore.validating.samples import Sample, State
from evalcore.validating.trust import Trust
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Table, Verdict
from evalcore.views.judge.trust import (
    bound,
    corrected_sentence,
    needs,
    sentence,
    trust_blocks,
)
from evalcore.views.verdict.judge_error import error_sentence
from tests.views.panel_json import panel_json

JUDGE = JudgeIdentity("small", "gemma", "0123456789abcdef")
CHECKED = Checked(
    None, None, 4, 0, 40, 20, 10, Rate(0.87, 0.7, 0.95), None, Rate(0.1, 0.02, 0.2),
    Constant(0.72, True, None),
)  # fmt: skip
NO_FLICKER = Flicker(None, 0.3, None, 0, 0, 40)
TOO_FEW = Corrected(None, "few labels")


def text_of(blocks: Sequence[Block]) -> str:
    """Return all that blocks say, as one text."""
    return json.dumps(panel_json(blocks), ensure_ascii=False)


def column(state: State = "none", missing: int = 0, **given: Any) -> ColumnRate:
    """Return the rate of a version."""
    base = ColumnRate(
        "v2", "-", 60, 20, 10, Rate(0.9, 0.8, 0.96), Sample("v2/-", state, frozenset(), missing),
        0, None, TOO_FEW,
    )  # fmt: skip
    return base._replace(**given)


def trust(*columns: ColumnRate, **given: Any) -> Trust:
    """Return what is known of a judge."""
    of = Trust(
        JUDGE, (JUDGE,), False, 40, 30, 0, 0, CHECKED, Rate(0.91, 0.8, 0.97), 15, (CHECKED,), (),
        None, (), 40, Rates(columns, None, 0), NO_FLICKER,
    )  # fmt: skip
    return of._replace(**given)


def test_the_sentence_has_ceiling_and_baseline() -> None:
    """The judge against people, people against people, always the same answer."""
    assert sentence(trust()) == (
        "small (gemma) agrees with people on 87 % of 40 checked scores; always saying “passed” "
        "would agree on 72 %. Two people agree on 91 % of 15 pairs."
    )


def test_what_is_missing_is_not_said_as_zero() -> None:
    """Without two people there is no ceiling, without labels nothing at all."""
    alone = sentence(trust(people=None, pairs=0))
    assert "Two people agree" not in alone
    none = trust(checked=None, people=None, criteria=(), labels=0)
    assert sentence(none) == "Nobody has scored what small (gemma) judged, so nothing checks it."
    assert "0 %" not in text_of(trust_blocks(none))


def test_figures_are_bound_to_model_and_instructions() -> None:
    """With the labels that are left out; what is not recorded is said."""
    assert bound(trust(older=1)) == (
        "All figures are bound to model gemma, instructions 01234567, and to the criteria as each "
        "case was asked last. 1 label belongs to older ones and is left out."
    )
    assert bound(trust(judge=JudgeIdentity("small", "", ""))).startswith(
        "Which model and instructions judged is not recorded"
    )


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (column(), "none of its runs was drawn at random and judged blind."),
        (column("changed"), "its runs are not those any more that the random sample was drawn"),
        (column("open", 3), "without a blind label yet: 3 results of its random sample."),
        (
            column("complete", sampled=Corrected(None, "few labels", 12)),
            "there are 12 labels; 20 are the least.",
        ),
        (
            column("complete", sampled=Corrected(None, "few cases", 5)),
            "the labels are of 5 cases; 8 are the least.",
        ),
        (
            column(corrected=Corrected(None, "few of a class", 3)),
            "judged blind, and of all samples, only 3 labels are passed, or only so many failed; ",
        ),
        (
            column(corrected=Corrected(None, "no better than chance", 0.136)),
            "sensitivity and specificity less 1 may be 0.14, and 0.30 is the least.",
        ),
    ],
)
def test_a_refused_rate_says_why(given: ColumnRate, why: str) -> None:
    """One sentence with the figures in it."""
    said = corrected_sentence(given)
    assert said.startswith("v2: the judge passes 90 % of criteria. No corrected rate: ")
    assert why in said


def test_a_corrected_rate_says_what_it_is_from() -> None:
    """Its own sample where there is one, else the errors in all samples."""
    rate = Rate(0.8, 0.7, 0.88)
    own = column("complete", labels=51, sampled=Corrected(rate), corrected=Corrected(rate))
    assert corrected_sentence(own) == (
        "v2: the judge passes 90 % of criteria; corrected for its errors 80 %, likely 70 % – 88 % "
        "(from 51 labels of its sample)."
    )
    pooled = column(corrected=Corrected(rate))
    assert corrected_sentence(pooled).endswith("(from the judge's errors in all samples).")


def test_the_chosen_version_leads() -> None:
    """Else the last one; all are in the table, the newest first."""
    columns = (column(), column(version="v3"))
    leads = [text_of(trust_blocks(trust(*columns), of)) for of in (None, ("v2", None))]
    assert "v3: the judge passes" in leads[0]
    assert "v2: the judge passes" in leads[1]
    (table,) = (
        each
        for each in trust_blocks(trust(*columns))
        if isinstance(each, Table) and each.label == "Corrected pass rate"
    )
    assert [row.cells[0].text for row in table.rows] == ["v3", "v2"]


def test_errors_of_the_judge_have_their_n() -> None:
    """How many that people passed it passes, and how many that people failed it fails."""
    errors = Accuracy(Rate(0.95, 0.9, 0.98), Rate(0.6, 0.3, 0.8), None, 70, 12)
    said = text_of(trust_blocks(trust(column(), rates=Rates((column(),), errors, 82))))
    assert "passes 95 % (likely 90 % – 98 %) of the 70 that people passed" in said
    assert "fails 60 % (likely 30 % – 80 %) of the 12 that people failed" in said


def test_flicker_says_what_is_needed_or_whose_it_is() -> None:
    """Judged once, nothing is known; judged again, a share with its range."""
    assert "no output was judged twice" in needs(trust())
    share = Coefficient(0.4, 0.2, 0.6, 30, 12)
    assert needs(trust(flicker=Flicker(0.12, 0.3, share, 30, 30, 80))) == (
        "Judged again, the same output gets another result in 12 % of 30 pairs of judgments; runs "
        "of the same case in 30 %. So 40 % of the change from run to run is the judge's, likely "
        "20 % – 60 %."
    )
    steady = needs(trust(flicker=Flicker(0.0, 0.0, None, 30, 30, 80)))
    assert steady.endswith(
        "Runs of the same case do not differ, or ran once: nothing to compare with."
    )


def test_few_cases_have_no_range() -> None:
    """Of one criterion: a value, and the reason."""
    few = trust(criteria=(CHECKED._replace(cases=5),))
    assert "no range below 6 cases" in text_of(trust_blocks(few))
    assert "no range below 6 cases" not in text_of(
        [each for each in trust_blocks(trust()) if not isinstance(each, Verdict)]
    )


def test_a_suite_without_a_model_says_the_next_step() -> None:
    """And nothing else."""
    said = text_of(trust_blocks(None))
    assert "No model has judged this suite." in said
    assert "evalcore judge" in said


def test_a_comparison_with_the_error_says_difference_labels_and_word() -> None:
    """Or why it is not told, by side."""
    rate = Rate(0.12, -0.05, 0.29)
    assert error_sentence(JudgeError(rate, labels=(14, 16))) == (
        "With the judge's error: +12 points, likely between \N{MINUS SIGN}5 and +29, from blind "
        "labels of 14 runs of A and 16 of B: can't tell."
    )
    better = JudgeError(Rate(0.2, 0.1, 0.3), labels=(14, 16), word="better")
    assert error_sentence(better).endswith("B is still better.")
    assert error_sentence(JudgeError(None, "open", "B")) == (
        "The judge's error is not in the interval: the random sample of side B is not judged whole "
        "yet."
    )
    assert "9 and 12 labelled runs are too few" in error_sentence(
        JudgeError(None, "few", labels=(9, 12))
    )
