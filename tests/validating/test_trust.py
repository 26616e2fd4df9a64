"""How far a model as judge can be trusted: what counts, what it is bound to, what is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalcore.errors import UnknownName
from evalcore.judging.answering.excluding import exclude
from evalcore.judging.answering.independent import Judges, chosen, start_batch
from evalcore.judging.model import Asked
from evalcore.judging.queueing.batches import runs_to_draw
from evalcore.validating.rates import ColumnRate
from evalcore.validating.trust import Trust, trust
from evalcore.workspace.opened import Workspace
from tests.judging.copies import ANA, BEN, NOTES, SUPPORT, copied, records
from tests.reviewing import Reviews
from tests.validating.labels import label, now, same, sample, wrong_at

MODEL = "small-judge"


def found(ws: Workspace, suite: str = NOTES, **given: Any) -> Trust:
    """Return what is known of a judge of a suite as it is on the disk now."""
    at = now(ws)
    of = trust(at, suite, records(at, suite), **given)
    assert of is not None
    return of


def column(of: Trust, version: str) -> ColumnRate:
    """Return the rate of a version."""
    return next(each for each in of.rates.columns if each.version == version)


def test_nothing_is_known_of_a_judge_that_nobody_checked(ws: Workspace) -> None:
    """The judge's own rates are there; nothing agrees or is corrected."""
    of = found(ws)
    assert (of.labels, of.checked, of.people, of.criteria, of.confusions) == (0, None, None, (), ())
    assert [each.version for each in of.rates.columns] == ["v0", "v1", "v2", "v3"]
    assert all(each.corrected.rate is None and each.sampled is None for each in of.rates.columns)
    assert of.rates.accuracy is None


def test_agreement_has_its_ceiling_and_its_baseline_beside_it(ws: Workspace) -> None:
    """The judge against both, Ana against Ben, and always the most frequent answer.

    The judge says what Ben says: where both say the same, it is never wrong.
    """
    runs = runs_to_draw(ws, NOTES, ["v1"])[:6]
    label(ws, runs, ANA, wrong_at(0.3))
    label(ws, runs, BEN, same)
    of = found(ws)
    assert of.checked is not None
    assert of.people is not None
    assert (of.checked.n + of.divided, of.pairs) == (of.labels, of.labels)
    assert of.divided == of.labels - round(of.people.value * of.pairs) > 0
    assert of.people.value < 1
    assert of.checked.same.low < of.checked.same.value == 1
    assert of.checked.constant.passed is True
    assert 0.5 < of.checked.constant.same < 1


def test_a_harsh_judge_is_told_from_a_kind_one(ws: Workspace) -> None:
    """The direction is the model's score less people's, as a part of the scale of 5."""
    runs = runs_to_draw(ws, NOTES, ["v3"])[:12]

    def kinder(run: str, of: Asked, score: float) -> float:
        return max(same(run, of, score) - 1, of.low)

    label(ws, runs, ANA, kinder)
    of = found(ws)
    assert of.checked is not None
    assert of.checked.direction is not None
    assert of.checked.direction.value == pytest.approx(0.2, abs=0.03)
    assert of.checked.direction.low > 0
    (table,) = of.confusions
    assert list(table.steps) == [1, 2, 3, 4, 5]
    higher = sum(n for at, row in enumerate(table.counts) for n in row[at + 1 :])
    assert higher > 0.9 * sum(map(sum, table.counts))


def test_criteria_of_several_cases_stand_alone_and_others_are_pooled(ws: Workspace) -> None:
    """Most labels first; each with its own n, cases and kappa."""
    label(ws, runs_to_draw(ws, NOTES, ["v2"]), ANA, wrong_at(0.2))
    rows = found(ws).criteria
    assert rows[0].criterion is None
    assert rows[0].criteria > 20
    assert {each.criterion for each in rows[1:]} == {"language", "length"}
    assert all(each.cases > 1 for each in rows)
    assert rows[0].kappa is not None
    assert rows[0].kappa.low is not None


def test_labels_that_saw_the_score_do_not_correct_it(ws: Workspace) -> None:
    """They count in agreement, not among the blind ones, and no rate is corrected by them."""
    runs = sample(ws, ANA, 16, "v3")
    label(ws, runs, ANA, wrong_at(0.2), blind=False)
    of, blind = found(ws), found(ws, independent=True)
    assert of.labels > 40
    assert (of.blind, blind.labels, blind.checked) == (0, 0, None)
    assert column(of, "v3").sample.state == "open"
    assert column(of, "v3").sampled is None


def test_an_adjudication_counts_as_the_label_and_is_not_blind(ws: Workspace) -> None:
    """Whoever decides has read the scores; among blind labels the median stays."""
    (run,) = runs_to_draw(ws, NOTES, ["v3"])[:1]
    label(ws, [run], ANA, same)
    (root,) = ws.tables.suites["root"]
    key = records(ws, NOTES)[0].fields["criterionId"]
    before = found(ws)
    Reviews(ws.root, root).decide(run, str(key), 1, (1, 5))
    after, blind = found(ws), found(ws, independent=True)
    assert before.checked is not None
    assert after.checked is not None
    assert blind.checked is not None
    assert after.checked.same.value < before.checked.same.value == blind.checked.same.value == 1


def test_runs_that_people_chose_correct_nothing(ws: Workspace) -> None:
    """However many they are: what the queue offers first is not a random sample."""
    label(ws, runs_to_draw(ws, NOTES, ["v3"])[:16], ANA, wrong_at(0.2))
    runs = runs_to_draw(ws, NOTES, ["v1"])
    start_batch(ws, chosen(runs[:12], len(runs)), Judges((ANA.id,)), BEN)
    label(ws, runs[:12], ANA, wrong_at(0.2))
    of = found(ws)
    assert of.blind > 60
    assert {each.sample.state for each in of.rates.columns} == {"none"}
    assert of.rates.labels == 0


def test_a_random_sample_corrects_the_rate_once_it_is_complete(ws: Workspace) -> None:
    """While a run of it is not judged, nothing is said: those left may be the hard ones."""
    runs = sample(ws, ANA, 16, "v3")
    label(ws, runs[:-1], ANA, wrong_at(0.2))
    of = column(found(ws), "v3")
    assert (of.sample.state, of.sampled) == ("open", None)
    assert of.sample.missing > 0
    label(ws, runs[-1:], ANA, same)
    of = column(found(ws), "v3")
    assert (of.sample.state, of.sample.missing) == ("complete", 0)
    assert of.sampled is not None
    assert of.sampled.rate is not None
    assert of.sampled.rate.low < of.sampled.rate.value < of.judged.value
    assert column(found(ws), "v2").sampled is None


def test_what_people_are_divided_on_is_half_a_pass_in_a_corrected_rate(ws: Workspace) -> None:
    """The hard ones are not left out of the sample; what the judge errs on is of the others."""
    runs = sample(ws, ANA, 16, "v3")
    label(ws, runs, ANA, same)
    alone = column(found(ws), "v3")
    label(ws, runs[:4], BEN, wrong_at(1))
    both = found(ws)
    of = column(both, "v3")
    assert (of.sample.state, of.labels) == ("complete", alone.labels)
    assert both.rates.labels == alone.labels - both.divided < alone.labels
    assert of.sampled is not None
    assert alone.sampled is not None
    assert of.sampled.rate is not None
    assert alone.sampled.rate is not None
    assert of.sampled.rate.value < alone.sampled.rate.value


def test_all_runs_of_a_version_are_a_sample_too(ws: Workspace) -> None:
    """Nothing was left to chance: the corrected rate is what people say of them."""
    runs = runs_to_draw(ws, NOTES, ["v0"])
    start_batch(ws, chosen(runs, len(runs)), Judges((ANA.id,)), BEN)
    label(ws, runs, ANA, wrong_at(0.1))
    of = column(found(ws), "v0")
    assert of.labels == of.results
    assert of.sampled is not None
    assert of.sampled.rate is not None


def test_a_sample_stands_for_the_runs_that_it_was_drawn_from(ws: Workspace) -> None:
    """One that was left out since is another population, and the sample says nothing of it."""
    runs = sample(ws, ANA, 16, "v3")
    label(ws, runs, ANA, wrong_at(0.2))
    left = next(run for run in runs_to_draw(ws, NOTES, ["v3"]) if run not in runs)
    exclude(ws, left, "It ran with another model.", BEN)
    of = found(ws)
    assert column(of, "v3").sample.state == "changed"
    assert column(of, "v3").sampled is None
    assert of.rates.labels == 0


def test_a_draw_of_some_cases_is_no_sample_of_a_version(ws: Workspace) -> None:
    """Its runs are not all that the version has."""
    runs = runs_to_draw(ws, NOTES, ["v3"], cases=["breaking-change", "security-fix"])
    start_batch(ws, chosen(runs, len(runs)), Judges((ANA.id,)), BEN)
    label(ws, runs, ANA, same)
    assert column(found(ws), "v3").sample.state == "changed"


def test_errors_in_all_samples_correct_versions_without_one(ws: Workspace) -> None:
    """Sensitivity and specificity of the sampled versions, as long as the judge is good enough."""
    for seed, version in enumerate(("v0", "v1", "v3")):
        label(ws, sample(ws, ANA, 12, version, seed=seed), ANA, wrong_at(0.03, seed))
    of = found(ws)
    assert of.rates.accuracy is not None
    assert of.rates.accuracy.failed > 20
    assert column(of, "v2").sampled is None
    assert column(of, "v2").corrected.rate is not None


def stated(ws: Workspace, prompt: Callable[[str], str], criteria: str = "a" * 64) -> None:
    """Write into each grading which model and instructions judged it."""
    for path in sorted(ws.root.glob("release-notes-workspace/grading/*.json")):
        try:
            value = json.loads(path.read_text(encoding="utf-8"))
        except json.JSONDecodeError:
            continue
        about = {
            "model": MODEL,
            "prompt_sha256": prompt(path.stem),
            "criteria_sha256": criteria,
        }
        value |= {"judge": MODEL, "judge_type": "llm", "evalcore": {"judging": about}}
        path.write_text(json.dumps(value), encoding="utf-8")


def test_other_instructions_are_another_judge(ws: Workspace) -> None:
    """Labels of what the older instructions judged are counted and left out."""
    stated(ws, lambda name: ("b" if "_v3_" in name else "c") * 64)
    ws = now(ws)
    label(ws, runs_to_draw(ws, NOTES, ["v2"])[:4], ANA, same)
    label(ws, runs_to_draw(ws, NOTES, ["v3"])[:3], ANA, same)
    of = found(ws)
    ids = {each.prompt[0]: each.id for each in of.judges}
    assert set(ids) == {"b", "c"}
    new, old = (found(ws, judge=ids[name]) for name in "bc")
    assert {each.version for each in new.rates.columns} == {"v3"}
    assert {each.version for each in old.rates.columns} == {"v0", "v1", "v2"}
    assert new.checked is not None
    assert old.checked is not None
    assert (new.older, old.older) == (old.checked.n, new.checked.n)
    assert new.judge.model == MODEL


def test_a_model_that_judges_again_is_a_judge_of_its_own(ws: Workspace) -> None:
    """Beside the recorded one, with its own agreement; nobody else's labels move."""
    (root,) = ws.tables.suites["root"]
    runs = runs_to_draw(ws, NOTES, ["v3"])[:8]
    label(ws, runs, ANA, same)
    reviews = Reviews(ws.root, root)
    for review in records(ws, NOTES):
        run, key = str(review.fields["testRunId"]), str(review.fields["criterionId"])
        reviews.judge(run, key, 1, MODEL, (1, 5), kind="llm", evalcore=dict(review.basis))
    of = found(ws)
    names = {each.judge: each.id for each in of.judges}
    assert set(names) == {"the recorded judge", MODEL}
    harsh = found(ws, judge=names[MODEL])
    assert harsh.checked is not None
    assert harsh.checked.same.value < 0.2
    recorded = found(ws, judge=names["the recorded judge"])
    assert recorded.checked is not None
    assert recorded.checked.same.value == 1


def test_a_judge_that_judged_the_same_output_again_shows_its_flicker(ws: Workspace) -> None:
    """Each replaces its own older judgment, which is kept for this."""
    (root,) = ws.tables.suites["root"]
    reviews, basis = Reviews(ws.root, root), {}
    runs = runs_to_draw(ws, NOTES, ["v3"])
    label(ws, runs, ANA, same)
    for at, review in enumerate(records(ws, NOTES)):
        run, key = str(review.fields["testRunId"]), str(review.fields["criterionId"])
        basis = dict(review.basis)
        first = reviews.judge(run, key, 5, MODEL, (1, 5), kind="llm", evalcore=basis)
        second = 5 if at % 4 else 1
        reviews.judge(run, key, second, MODEL, (1, 5), kind="llm", evalcore=basis, supersedes=first)
    names = {each.judge: each.id for each in found(ws).judges}
    flicker = found(ws, judge=names[MODEL]).flicker
    assert flicker.outputs == flicker.pairs == len(records(ws, NOTES)) // 3
    assert flicker.same_output == pytest.approx(0.25, abs=0.02)
    assert flicker.other_run is not None
    assert found(ws, judge=names["the recorded judge"]).flicker.same_output is None


def test_confidence_in_words_and_in_numbers_stay_apart(tmp_path: Path) -> None:
    """Words are rows in their order; numbers have bins and a Brier score."""
    demo = copied(tmp_path, "sql-helper", SUPPORT)
    words = found(demo, "sql-helper")
    assert words.numbers is None
    assert [each.word for each in words.words] == ["high", "medium", "low"]
    numbers = found(demo, SUPPORT)
    assert numbers.words == ()
    assert numbers.numbers is not None
    assert numbers.numbers.ece is None
    assert numbers.numbers.n == sum(each.n for each in numbers.numbers.bins) == 21 - numbers.divided


def test_runs_hidden_from_a_reader_are_left_out(ws: Workspace) -> None:
    """Their scores would tell what the reader has not judged yet."""
    from evalcore.judging.hiding import workspace_for  # noqa: PLC0415 - only here

    runs = sample(ws, BEN, 12, "v3")
    label(ws, runs, ANA, same)
    at = workspace_for(now(ws), BEN)
    of = trust(at, NOTES, records(at, NOTES))
    assert of is not None
    assert of.labels == 0


def test_a_suite_that_no_model_judged_has_nothing_to_trust(ws: Workspace) -> None:
    """An unknown suite is the caller's fault."""
    with pytest.raises(UnknownName, match="no suite 'gone'"):
        trust(ws, "gone", ())


def test_another_judge_can_be_named_by_its_id(ws: Workspace) -> None:
    """An id that is none gives the one that judged last."""
    assert found(ws, judge="00000000").judge == found(ws).judge

    assert all(each.judge != ANA.id for each in found(ws).judges)
