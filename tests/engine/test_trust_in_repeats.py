"""A real run of a model that judges the same outputs several times, and what is told of it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.validating.trust import trust
from tests.engine.conftest import opened, ran
from tests.engine.judging_model import KEY, ONCE, STORED, configured, judged, verdicts
from tests.models.fake_openai import FakeOpenAI

AGAIN = {"again": True, "configurations": (), "judge": "model"}


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    """A server that judges, and a configuration that names it."""
    monkeypatch.setenv("JUDGE_KEY", KEY)
    with configured(tmp_path) as server:
        yield server


def test_repeats_of_one_judge_are_its_flicker(tmp_path: Path, fake: FakeOpenAI) -> None:
    """Passed, failed, passed: two of three pairs of judgments of each output differ.

    The grading and the records name the same model and prompt, so they are one judge.
    """
    root = tmp_path / "folder"
    judged(root)
    scores = iter([True, False, True])
    fake.reply = lambda body: json.dumps(verdicts(body, passed=next(scores)))
    ran(root, STORED, **AGAIN, limits={**ONCE, "concurrency": 1}, repeats=3)
    ws = opened(root)
    (suite,) = ws.tables.suites["suite"].astype(str)
    found = trust(ws, suite, load_reviews(review_folder(ws, suite)))
    assert found is not None
    (judge,) = found.judges
    assert (judge.judge, judge.model, len(judge.prompt)) == ("fake-1", "fake-1", 64)
    assert (found.flicker.outputs, found.flicker.pairs) == (2, 6)
    assert found.flicker.same_output == pytest.approx(2 / 3)
