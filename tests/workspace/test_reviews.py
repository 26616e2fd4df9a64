"""Records of people beside suites of every family, read with the workspace they lie in."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest

from evalcore import open_workspace
from evalcore.counting.people import criteria_by_people
from evalcore.families.registry import family
from evalcore.families.reviews.basis import (
    View,
    criterion_sha256,
    criterion_wording,
    output_sha256,
    prompt_sha256,
)
from evalcore.families.reviews.lookup import JUDGED_KINDS, Lookup, subjects
from evalcore.judging.asking.asked import asked, basis
from evalcore.judging.storing.run_reviews import reviews_of_run
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews
from evalcore.lint import check
from evalcore.workspace import opened
from evalcore.workspace.opened import Workspace, reopened
from tests.counted import calls
from tests.reviewing import Reviews, record_id

DEMO = Path(opened.__file__).parent.parent / "demo" / "workspace"
SUITES = ("release-notes", "sql-helper", "commit-helper", "invoice-extractor", "support-agent")
WITHOUT_REVIEWS = shutil.ignore_patterns("reviews")
OLD = "0" * 64


class Subject(NamedTuple):
    """A run of the demo with the criteria that a person is asked, and their scales."""

    run: str
    keys: list[str]
    scales: list[tuple[float, float]]


class Told(NamedTuple):
    """The demo with records about one run of each suite, and the ids of the records."""

    root: Path
    plain: Workspace
    ws: Workspace
    subjects: dict[str, Subject]
    ids: dict[str, dict[str, str]]


def review_folder(ws: Workspace, root: Path, suite: str) -> Reviews:
    """The `reviews` folder of a suite."""
    (place,) = ws.tables.suites.set_index("suite").loc[[suite], "root"]
    return Reviews(root, "" if place == "." else place)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    root = tmp_path_factory.mktemp("told") / "demo"
    shutil.copytree(DEMO, root, ignore=WITHOUT_REVIEWS)
    plain = open_workspace(root, cache=False)
    found, ids = {}, {}
    for suite in SUITES:
        runs = plain.tables.runs
        run = str(runs.loc[runs["suite"] == suite, "run_id"].iloc[0])
        criteria = asked(plain, run)
        subject = Subject(run, [c.key for c in criteria], [(c.low, c.high) for c in criteria])
        found[suite] = subject
        ids[suite] = _say(review_folder(plain, root, suite), subject, plain)
    return Told(root, plain, open_workspace(root, cache=False), found, ids)


def _say(reviews: Reviews, subject: Subject, ws: Workspace) -> dict[str, str]:
    """Write what two judges, an adjudicator and others say of one run."""
    now, bobs = basis(ws, subject.run), {}
    for key, scale in zip(subject.keys, subject.scales, strict=True):
        rests = {
            "outputSha256": now.output,
            "promptSha256": now.prompt,
            "criterionSha256": now.criteria[key],
        }
        reviews.judge(subject.run, key, scale[1], "ana-1", scale, evalcore=rests)
        bobs[key] = reviews.judge(subject.run, key, scale[1], "bob-2", scale)
    at = next((at for at, key in enumerate(subject.keys) if key.startswith("rubric:")), 0)
    key, scale = subject.keys[at], subject.scales[at]
    last = bobs[key]
    newer = reviews.judge(subject.run, key, scale[0], "bob-2", scale, supersedes=last)
    stale = reviews.judge(subject.run, key, scale[1], "cy-3", scale, evalcore={"promptSha256": OLD})
    decided = reviews.decide(subject.run, key, scale[1], scale)
    gone = reviews.put("exclusion", {"testRunId": subject.run, "reason": "No network."})
    return {"old": last, "new": newer, "stale": stale, "decided": decided, "gone": gone}


def judgments(told: Told, suite: str) -> pd.DataFrame:
    """The judgments that people made of the run of a suite, by the id of their record."""
    rows = told.ws.tables.judgments
    rows = rows[(rows["run_id"] == told.subjects[suite].run) & (rows["judge_type"] == "human")]
    rows = rows[rows["source"].astype(str).str.contains("/reviews/")]
    return rows.set_index(rows["source"].astype(str).str.extract(r"([^/]+)\.json$")[0])


@pytest.mark.parametrize("suite", SUITES)
def test_each_record_has_the_status_that_it_has_now(told: Told, suite: str) -> None:
    """What was corrected is superseded, what rests on another prompt is stale, the rest counts."""
    rows, ids = judgments(told, suite), told.ids[suite]
    status = rows["status"].astype(str)
    assert status[ids["old"]] == "superseded"
    assert status[ids["stale"]] == "stale"
    others = status.drop([ids["old"], ids["stale"]])
    assert set(others) == {"scored"}
    assert rows.loc[ids["decided"], "judge"] == "adjudicated"
    assert len(rows) == 2 * len(told.subjects[suite].keys) + 3


@pytest.mark.parametrize("suite", SUITES)
def test_people_have_scores_of_the_whole_run(told: Told, suite: str) -> None:
    """There is one row for each judge and one for what was decided; a stale score is not whole."""
    rows: Any = told.ws.tables.run_scores
    n = len(told.subjects[suite].keys)
    rows = rows[(rows["run_id"] == told.subjects[suite].run) & (rows["origin"] == "review")]
    rows = rows.set_index(rows["judge"].astype(str))
    assert set(rows.index) == {"ana-1", "bob-2", "cy-3", "adjudicated"}
    assert rows["expected"].tolist() == [n] * 4
    assert rows.loc[["ana-1", "bob-2", "adjudicated"], "judged"].tolist() == [n] * 3
    assert rows.loc["cy-3", "judged"] == 0
    assert pd.isna(rows.loc["cy-3", "score"])
    best = rows.loc["ana-1", "max_score"]
    assert rows.loc["ana-1", "score"] == best == rows.loc["adjudicated", "score"]
    assert rows.loc["bob-2", "score"] < best
    assert rows["judge_type"].astype(str).tolist() == ["human"] * 4


@pytest.mark.parametrize(
    ("suite", "ana", "bob"),
    [("release-notes", True, False), ("support-agent", True, None), ("sql-helper", None, None)],
)
def test_a_person_passes_a_run_as_its_family_does(
    told: Told, suite: str, ana: bool | None, bob: bool | None
) -> None:
    """Required criteria decide in one family, a threshold in another, and nothing in a third."""
    rows = told.ws.tables.run_scores
    rows = rows[(rows["run_id"] == told.subjects[suite].run) & (rows["origin"] == "review")]
    passed = dict(zip(rows["judge"].astype(str), rows["passed"].astype(object), strict=True))
    assert ana is passed["ana-1"] or (ana is None and pd.isna(passed["ana-1"]))
    if bob is not None:
        assert passed["bob-2"] is bob


@pytest.mark.parametrize("suite", SUITES)
def test_the_recorded_run_is_as_it_was(told: Told, suite: str) -> None:
    """What people say changes neither a run, nor what its own judge said of it."""
    for name in ("runs", "cases", "criteria", "versions", "benchmarks"):
        now, before = (getattr(ws.tables, name).astype(object) for ws in (told.ws, told.plain))
        pd.testing.assert_frame_equal(now, before)
    run = told.subjects[suite].run
    before, now = (
        ws.tables.judgments[ws.tables.judgments["run_id"] == run].astype(object)
        for ws in (told.plain, told.ws)
    )
    pd.testing.assert_frame_equal(now.head(len(before)), before)


def test_an_excluded_run_is_named_with_its_reason(told: Told) -> None:
    """Each suite has its one excluded run."""
    rows = told.ws.tables.exclusions
    assert dict(zip(rows["run_id"], rows["reason"], strict=True)) == {
        told.subjects[suite].run: "No network." for suite in SUITES
    }


def test_records_are_documents_of_their_suite_without_problems(told: Told) -> None:
    """Each file is listed with its type, and neither opening nor `check` complains of one."""
    rows = told.ws.tables.documents
    rows = rows[rows["family"] == "reviews"]
    assert set(rows["suite"].astype(str)) == set(SUITES)
    assert set(rows["kind"].astype(str)) == {"eval-judgment", "adjudication", "exclusion"}
    assert [p for p in check(told.ws) if "/reviews/" in p.path] == []
    assert told.ws.unrecognised == []


@pytest.mark.parametrize("suite", SUITES)
def test_the_same_records_count_in_another_folder(told: Told, suite: str) -> None:
    """The suite's id depends on the folder that is opened; whose record it is does not.

    Alone, the iterations of a skill name their cases otherwise, so they are opened from above.
    """
    place: Any
    place, family = told.ws.tables.suites.set_index("suite").loc[suite, ["root", "family"]]
    deeper = [] if family in ("iterations", "rubric") else [told.root / place]
    for folder in (told.root.parent, *deeper):
        rows = open_workspace(folder, cache=False).tables.run_scores
        tail = told.subjects[suite].run.partition("::")[2]
        mine = rows[(rows["origin"] == "review") & (rows["judge"] == "ana-1")]
        judged = dict(zip(mine["run_id"].astype(str), mine["judged"].tolist(), strict=True))
        (run,) = (run for run in judged if run.partition("::")[2] == tail)
        assert run != told.subjects[suite].run
        assert judged[run] == len(told.subjects[suite].keys)


def test_every_run_is_asked_what_its_judge_is_asked(told: Told) -> None:
    """The criteria that make a run whole are those that a judge has before them."""
    ws = told.ws
    known = Lookup(lambda table, name: ws.tables.columns[table][name], family)
    for suite in known.suites:
        runs = ws.tables.runs
        names = runs.loc[runs["suite"] == suite.id, "run_id"].astype(str)
        found = {run.id: run for same in known.runs(set(names)).values() for run in same}
        for name, subject in subjects(known, suite, found.values()).items():
            criteria = asked(ws, name)
            assert {c.key: c.sha256 for c in criteria} == {
                f"{kind}:{label}": criterion_wording(criterion, View(None, bool)).sha256
                for (kind, label), criterion in subject.to_judge.items()
            }
            assert {c.kind for c in criteria} <= set(JUDGED_KINDS)
            prompt = prompt_sha256(subject.prompt.text, subject.prompt.files)
            assert prompt == basis(ws, name).prompt


def test_a_store_takes_its_own_ids(told: Told, tmp_path: Path) -> None:
    """In a store of records a plain run id and a plain criterion id name the same."""
    shutil.copytree(DEMO / "support-agent", tmp_path / "store")
    plain = open_workspace(tmp_path / "store", cache=False)
    run = plain.tables.runs.iloc[0]
    criterion = asked(plain, run["run_id"])[0]
    Reviews(tmp_path / "store").judge(run["run"], criterion.criterion, 1)
    rows = open_workspace(tmp_path / "store", cache=False).tables.judgments
    (mine,) = rows[rows["judge"] == "ana-1"].itertuples()
    assert (mine.run_id, mine.kind, mine.criterion) == (
        run["run_id"],
        "rubric",
        criterion.criterion,
    )


def test_a_judgment_without_schema_is_still_the_stores_own(tmp_path: Path) -> None:
    """A store's own judgment in its `reviews` folder is read by the store, as it always was."""
    shutil.copytree(DEMO / "support-agent", tmp_path / "store")
    run = open_workspace(tmp_path / "store", cache=False).tables.runs.iloc[0]
    criterion = asked(open_workspace(tmp_path / "store", cache=False), run["run_id"])[0].criterion
    fields = {
        "testRunId": run["run"],
        "criterionId": criterion,
        "score": 1,
        "maxScore": 1,
        "rationale": "Fine.",
        "judgedBy": "old-hand",
        "judgedByType": "human",
    }
    text = json.dumps({"id": "h", "type": "eval-judgment", "fields": fields})
    Reviews(tmp_path / "store").file("eval-judgment", "h", text)
    ws = open_workspace(tmp_path / "store", cache=False)
    documents = ws.tables.documents.set_index("path")
    assert documents.loc["reviews/eval-judgment/h.json", "family"] == "records"
    assert (ws.tables.judgments["judge"] == "old-hand").sum() == 1


# What is wrong with one record hides no other.


class Small(NamedTuple):
    """A copy of one suite, its first run and what is asked there."""

    root: Path
    ws: Workspace
    reviews: Reviews
    run: str
    keys: list[str]

    def opened(self) -> Workspace:
        """The folder as it is now, read from its files."""
        return open_workspace(self.root, cache=False)


@pytest.fixture
def small(tmp_path: Path) -> Small:
    root = tmp_path / "demo"
    for name in ("sql-helper", "commit-helper", "commit-helper-workspace"):
        shutil.copytree(DEMO / name, root / name, ignore=WITHOUT_REVIEWS)
    ws = open_workspace(root, cache=False)
    run = str(ws.tables.runs.loc[ws.tables.runs["suite"] == "sql-helper", "run_id"].iloc[0])
    keys = [c.key for c in asked(ws, run)]
    return Small(root, ws, review_folder(ws, root, "sql-helper"), run, keys)


def about(ws: Workspace) -> list[tuple[str, str]]:
    """The problems of records of people: file name and code, sorted."""
    return sorted(
        (problem.path.rpartition("/")[2], problem.code)
        for problem in ws.problems
        if "reviews/" in problem.path
    )


BROKEN = {
    "half": ('{"id": "x", "type": "eval-judg', "truncated"),
    "empty": ("", None),
    "list": ("[]", "not-a-review"),
    "newer": ('{"schema": 2, "id": "newer", "type": "note", "fields": {}}', "not-a-review"),
    "kindless": ('{"schema": 1, "id": "kindless", "type": ["x"], "fields": {}}', "not-a-review"),
    "bare": ('{"schema": 1, "id": "bare", "type": "eval-judgment", "fields": []}', "not-a-review"),
    "copy": ('{"schema": 1, "id": "other", "type": "eval-judgment", "fields": {}}',
             "misplaced-review"),
    "huge": ('{"schema": 1, "id": "huge", "type": "eval-judgment", "fields": {"score": 1e999}}',
             None),
    "odd": (('{"schema": 1, "id": "odd", "type": "eval-judgment", "createdAt": 7, "fields": '
            '{"score": "5", "testRunId": [1], "criterionId": {}, "rationale": 3, "judgedBy": []}}'),
            None),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_record_hides_nothing(small: Small, name: str) -> None:
    """It is a problem, and every other record counts as before."""
    text, code = BROKEN[name]
    small.reviews.file("eval-judgment", name, text)
    fine = small.reviews.judge(small.run, small.keys[0], 1)
    ws = small.opened()
    noted = [said for path, said in about(ws) if path == f"{name}.json"]
    assert noted
    assert code is None or len(noted) == 1
    rows = ws.tables.judgments
    assert rows["source"].astype(str).str.endswith(f"{fine}.json").sum() == 1
    assert len(ws.tables.runs) == len(small.ws.tables.runs)
    documents = ws.tables.documents["path"].astype(str)
    assert documents.str.endswith(f"/{name}.json").sum() == 1
    assert [said for path, said in about(ws) if path == f"{fine}.json"] == []
    assert check(ws)


def test_a_score_finds_its_run_by_another_name_of_its_case(tmp_path: Path) -> None:
    """A case that was two before, as its folders have two names, keeps what people said."""
    for version, name in ((1, "heat"), (2, "heat-short")):
        folder = tmp_path / f"iteration-{version}/eval-1-{name}"
        (folder / "with_skill").mkdir(parents=True)
        metadata = {"eval_id": 1, "prompt": "Why is it hot?"}
        (folder / "eval_metadata.json").write_text(json.dumps(metadata))
        grading = {"expectations": [{"text": "It names the fan", "passed": True}]}
        (folder / "with_skill/grading.json").write_text(json.dumps(grading))
    Reviews(tmp_path).judge(".::heat-short@iteration-2/with_skill#1", "expectation:x", 1)
    ws = open_workspace(tmp_path, cache=False)
    rows = ws.tables.judgments[ws.tables.judgments["judge_type"] == "human"]
    assert list(rows["run_id"]) == [".::heat@iteration-2/with_skill#1"]
    assert "run-not-found" not in {code for _, code in about(ws)}


def test_a_score_from_a_time_stamp_folder_counts_for_its_version(tmp_path: Path) -> None:
    """Such a folder was a suite of its own before; now its stamp is a version of the skill's."""
    for stamp in ("run_20260316_202259", "run_20260317_002827"):
        folder = tmp_path / stamp / "planner/eval-1/with_skill"
        folder.mkdir(parents=True)
        grading = {"expectations": [{"text": "It plans", "passed": True}]}
        (folder / "grading.json").write_text(json.dumps(grading))
        run = f"{stamp}/planner::eval-1@current/with_skill#1"
        Reviews(tmp_path, f"{stamp}/planner").judge(run, "expectation:It plans", 1)
    ws = open_workspace(tmp_path, cache=False)
    rows = ws.tables.judgments[ws.tables.judgments["judge_type"] == "human"]
    assert sorted(rows["run_id"]) == [
        "planner::eval-1@run_20260316_202259/with_skill#1",
        "planner::eval-1@run_20260317_002827/with_skill#1",
    ]
    assert about(ws) == []
    newest = "planner::eval-1@run_20260317_002827/with_skill#1"
    Reviews(tmp_path, "planner").judge(newest, "expectation:It plans", 0, by="bob-2")
    same_tables(reopened(ws), open_workspace(tmp_path, cache=False))


def test_a_record_beside_no_suite_is_named(small: Small) -> None:
    """A copy that lies elsewhere is listed as not recognised, and counts nowhere."""
    name = Reviews(small.root, "elsewhere").judge(small.run, small.keys[0], 1)
    ws = small.opened()
    assert ws.unrecognised == [f"elsewhere/reviews/eval-judgment/{name}.json"]
    assert about(ws) == [(f"{name}.json", "unrecognised")]
    assert len(ws.tables.judgments) == len(small.ws.tables.judgments)


def test_what_is_being_written_is_not_looked_at(small: Small) -> None:
    """A half-written file in `.tmp` is no record, no problem and no change."""
    small.reviews.judge(small.run, small.keys[0], 1)
    before = small.opened()
    small.reviews.file(".tmp", "half", '{"id": ')
    after = reopened(before)
    assert about(after) == []
    assert small.opened().unrecognised == []
    assert len(after.tables.judgments) == len(before.tables.judgments)


UNSCORED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "taken-back": ({"score": None}, []),
    "no-reason": ({"score": 1, "rationale": "  "}, ["no-rationale"]),
    "too-high": ({"score": 7}, ["score-out-of-range"]),
}


@pytest.mark.parametrize("name", UNSCORED)
def test_a_score_that_cannot_count_is_unscored(small: Small, name: str) -> None:
    """It is kept and shown; only one that was taken back is without a problem."""
    given, codes = UNSCORED[name]
    record = small.reviews.judge(small.run, small.keys[0], **given)
    ws = small.opened()
    rows = ws.tables.judgments
    assert rows.loc[rows["judge"] == "ana-1", "status"].tolist() == ["unscored"]
    assert not (ws.tables.run_scores["judge"] == "ana-1").any()
    assert about(ws) == [(f"{record}.json", code) for code in codes]


def test_a_reference_that_leads_nowhere_is_kept_and_named(small: Small) -> None:
    """A run, a criterion and a record that are not there are three problems, and no crash."""
    lost = small.reviews.judge("sql-helper::gone@d1/-#x", small.keys[0], 1)
    asked_no_more = small.reviews.judge(small.run, "assertion:Nobody asks this", 1)
    orphan = small.reviews.judge(small.run, small.keys[0], 1, supersedes="no-such-record")
    ws = small.opened()
    assert about(ws) == sorted(
        (f"{name}.json", "dangling-reference") for name in (lost, asked_no_more, orphan)
    )
    rows = ws.tables.judgments[ws.tables.judgments["judge"] == "ana-1"]
    assert rows["run_id"].isna().tolist() == [True, False, False]
    assert rows["status"].tolist() == ["unattached", "unattached", "scored"]
    scores = ws.tables.run_scores
    assert scores.loc[scores["judge"] == "ana-1", "judged"].tolist() == [1]


def test_a_score_of_what_nobody_asks_counts_nowhere(tmp_path: Path) -> None:
    """The grading of another run mentions the criterion: this run is not judged by it."""
    for version, text in ((1, "It names the fan"), (2, "It names the heater")):
        folder = tmp_path / f"iteration-{version}/eval-1/with_skill"
        folder.mkdir(parents=True)
        grading = {"expectations": [{"text": text, "passed": True}]}
        (folder / "grading.json").write_text(json.dumps(grading))
    first, _ = open_workspace(tmp_path, cache=False).tables.runs["run_id"]
    for key in ("expectation:It names the fan", "expectation:It names the heater"):
        Reviews(tmp_path).judge(first, key, 1)
    ws = open_workspace(tmp_path, cache=False)
    rows = ws.tables.judgments[ws.tables.judgments["judge_type"] == "human"]
    assert rows["run_id"].tolist() == [first, first]
    assert rows["status"].tolist() == ["scored", "unattached"]
    assert [code for _, code in about(ws)] == ["criterion-not-asked"]
    found = criteria_by_people(ws)
    assert len(found.run) == 1
    scores = ws.tables.run_scores[ws.tables.run_scores["origin"] == "review"]
    assert scores[["judged", "expected"]].values.tolist() == [[1, 1]]


def test_a_second_score_without_supersedes_replaces_the_first(small: Small) -> None:
    """The newer of two scores of one judge counts, and both are named for a person to decide."""
    small.reviews.judge(small.run, small.keys[0], 1)
    second = small.reviews.judge(small.run, small.keys[0], 0)
    ws = small.opened()
    rows = ws.tables.judgments[ws.tables.judgments["judge"] == "ana-1"]
    assert dict(zip(rows["status"], rows["score"], strict=True)) == {"superseded": 1, "scored": 0}
    assert about(ws) == [(f"{second}.json", "conflict")]


def test_two_corrections_of_one_score_are_a_conflict(small: Small) -> None:
    """The newest counts until a person has judged again, and both are named."""
    first = small.reviews.judge(small.run, small.keys[0], 0)
    one = small.reviews.judge(small.run, small.keys[0], 1, supersedes=first)
    two = small.reviews.judge(small.run, small.keys[0], 0, supersedes=first)
    ws = small.opened()
    assert about(ws) == [(f"{two}.json", "conflict")]
    (problem,) = [p for p in ws.problems if p.code == "conflict"]
    assert one in problem.message
    assert two in problem.message
    three = small.reviews.judge(small.run, small.keys[0], 1, supersedes=two)
    assert about(small.opened()) == [(f"{three}.json", "conflict")]
    small.reviews.judge(small.run, small.keys[0], 1, supersedes=[one, three])
    assert about(small.opened()) == []


def test_a_judge_cannot_replace_what_another_said(small: Small) -> None:
    """Both scores stand, and the attempt is a problem."""
    mine = small.reviews.judge(small.run, small.keys[0], 0, "ana-1")
    theirs = small.reviews.judge(small.run, small.keys[0], 1, "bob-2", supersedes=mine)
    ws = small.opened()
    rows = ws.tables.judgments[ws.tables.judgments["judge_type"] == "human"]
    assert rows["status"].tolist() == ["scored", "scored"]
    assert about(ws) == [(f"{theirs}.json", "foreign-supersedes")]


def test_a_circle_is_a_conflict_until_somebody_judges_again(small: Small) -> None:
    """The newest counts, whichever file is read first, and the others are named."""
    names = [record_id(Reviews.count + at) for at in (1, 2, 3)]
    for at, name in enumerate(names):
        assert name == small.reviews.judge(small.run, small.keys[0], 0, supersedes=names[at - 1])
    ws = small.opened()
    (problem,) = [p for p in ws.problems if p.code == "conflict"]
    assert "in a circle" in problem.message
    assert all(name in problem.message for name in names)
    rows = ws.tables.judgments[ws.tables.judgments["judge"] == "ana-1"]
    (path,) = rows.loc[rows["status"] == "scored", "source"]
    assert path.endswith(f"{names[2]}.json")
    small.reviews.judge(small.run, small.keys[0], 1, supersedes=names)
    assert about(small.opened()) == []


def test_a_long_chain_is_one_problem_of_a_kind(small: Small) -> None:
    """Nobody is shown a problem for each of the records that something replaced."""
    for run in (small.run, "sql-helper::gone@d1/-#x"):
        last = "no-such-record"
        for _ in range(30):
            last = small.reviews.judge(run, small.keys[0], 0, supersedes=last)
            small.reviews.judge(run, small.keys[1], 0)
    found = sorted((p.code, p.message) for p in small.opened().problems if "reviews/" in p.path)
    codes = [code for code, _ in found]
    assert codes == ["conflict"] * 2 + ["dangling-reference"] * 4
    assert all("and 24 more" in message for code, message in found if code == "conflict")
    assert max(len(message) for _, message in found) < 600


def test_each_correction_of_a_long_chain_takes_as_many_calls(small: Small) -> None:
    """To open the folder, and to group the records as the Judge page does."""
    taken, last = [], small.reviews.judge(small.run, small.keys[0], 0)
    for _ in range(3):
        for _ in range(100):
            last = small.reviews.judge(small.run, small.keys[0], 0, supersedes=last)
        records = load_reviews(ReviewFolder(small.reviews.root, "sql-helper/eval/reviews"))
        assert len(records) > 100
        taken.append((calls(small.opened), calls(partial(reviews_of_run, records, small.run))))
    for few, more, most in zip(*taken, strict=True):
        assert most - more < 1.2 * (more - few) + 500


def test_a_judgment_that_another_wrote_counts_for_nothing(small: Small) -> None:
    """It takes nothing back from its judge, is kept as unscored, and is named with both names."""
    key, ana = small.keys[0], "ana-1"
    mine = small.reviews.judge(small.run, key, 1, "bob-2")
    small.reviews.judge(small.run, key, 0, "bob-2", supersedes=mine, createdBy=ana)
    small.reviews.judge(small.run, key, 0, "bob-2", createdBy=ana)
    ws = small.opened()
    rows = ws.tables.judgments[ws.tables.judgments["judge_type"] == "human"]
    assert sorted(zip(rows["judge"], rows["status"], strict=True)) == [
        ("bob-2", "scored"),
        ("bob-2 (written by ana-1)", "unscored"),
        ("bob-2 (written by ana-1)", "unscored"),
    ]
    (problem,) = [p for p in ws.problems if "reviews/" in p.path]
    assert problem.code == "foreign-judgment"
    assert "'ana-1'" in problem.message
    assert "'bob-2'" in problem.message


def test_no_judge_outranks_others_by_a_name(small: Small) -> None:
    """A judge who goes by the name of decisions is a judge like any other."""
    small.reviews.judge(small.run, small.keys[0], 1, by="adjudicated")
    scores = small.opened().tables.run_scores
    assert scores.loc[scores["origin"] == "review", "judge"].tolist() == ["adjudicated (a judge)"]


def test_a_run_that_was_graded_twice_asks_what_the_page_asks(tmp_path: Path) -> None:
    """A judge who scored all that its standing grading words has judged it whole."""
    case = tmp_path / "iteration-1" / "eval-1"
    graded = {
        "expectations": [{"text": "Names the total, in euros", "passed": True, "evidence": "-"}]
    }
    for path, value in (
        (case / "eval_metadata.json", {"eval_id": 1, "assertions": ["Names the total"]}),
        (case / "with_skill" / "run-1" / "grading.json", graded),
        (case / "with_skill" / "grading.json", graded),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
    plain = open_workspace(tmp_path, cache=False)
    assert plain.tables.judgments["status"].tolist() == ["scored", "superseded"]
    (run,) = plain.tables.runs["run_id"]
    (only,) = asked(plain, run)
    Reviews(tmp_path).judge(run, only.key, 1)
    scores = open_workspace(tmp_path, cache=False).tables.run_scores
    mine = scores[scores["origin"] == "review"]
    assert mine[["judged", "expected", "score"]].values.tolist() == [[1, 1, 1]]


def test_what_was_taken_back_has_no_row(small: Small) -> None:
    """A lifted exclusion, a lifted skip, a request that is done and an emptied note are gone."""
    run = {"testRunId": small.run}
    for kind, said, back in (
        ("exclusion", {"reason": "Odd."}, {"reason": "Fine after all.", "lifted": True}),
        ("skip", {"reason": "Mine."}, {"lifted": True}),
        ("approval-request", {"reason": "Look."}, {"done": True}),
        ("note", {"text": "Hm."}, {"text": " "}),
    ):
        old = small.reviews.put(kind, run | said)
        kept = small.opened().tables
        assert len(kept.exclusions) + len(kept.requests) + (kept.notes["kind"] == "note").sum() == 1
        by = "ana-1" if kind == "skip" else "bob-2"  # a skip is its judge's alone
        small.reviews.put(kind, run | back, by=by, supersedes=old)
        after = small.opened().tables
        assert len(after.exclusions) + len(after.requests) == 0
        assert not (after.notes["kind"] == "note").any()


def test_an_exclusion_needs_a_reason(small: Small) -> None:
    """Without one the run stays in the rates, which is a problem."""
    name = small.reviews.put("exclusion", {"testRunId": small.run, "reason": ""})
    ws = small.opened()
    assert ws.tables.exclusions.empty
    assert about(ws) == [(f"{name}.json", "no-reason")]


def test_notes_stand_by_their_run_or_their_suite(small: Small) -> None:
    """A note has its author and time, and the run's version where it has a run."""
    small.reviews.put("note", {"testRunId": small.run, "text": "Reads well."})
    small.reviews.put("note", {"text": "Prompts are short."})
    rows = small.opened().tables.notes
    rows = rows[rows["kind"] == "note"]
    assert rows["text"].tolist() == ["Reads well.", "Prompts are short."]
    assert rows["author"].tolist() == ["ana-1", "ana-1"]
    assert rows["run_id"].isna().tolist() == [False, True]
    assert rows["version"].isna().tolist() == [False, True]
    assert rows["suite"].tolist() == ["sql-helper", "sql-helper"]


# Time goes on.


def outputs_of(ws: Workspace, run: str) -> Path:
    """The first output file of a run."""
    place = ws.root / str(ws.tables.runs.set_index("run_id").loc[run, "outputs"])
    return place if place.is_file() else next(p for p in sorted(place.rglob("*")) if p.is_file())


def test_another_output_makes_a_score_stale(small: Small) -> None:
    """An index made before notices that an output file is another one now."""
    runs = small.ws.tables.runs
    run = str(runs.loc[runs["suite"] == "commit-helper", "run_id"].iloc[0])
    key, now = asked(small.ws, run)[0].key, basis(small.ws, run)
    assert now.output is not None
    review_folder(small.ws, small.root, "commit-helper").judge(
        run, key, 1, evalcore={"outputSha256": now.output}
    )
    for content, status in ((None, "scored"), ("Another output.", "stale")):
        if content is not None:
            outputs_of(small.ws, run).write_text(content)
        rows = open_workspace(small.root).tables.judgments
        assert rows.loc[rows["judge"] == "ana-1", "status"].tolist() == [status]


@pytest.fixture
def whole_readings(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """Remember each time all files of a folder are read."""
    read, seen = opened._all_read, []

    def remember(listing: Any, *rest: Any) -> Any:
        seen.append(listing.root)
        return read(listing, *rest)

    monkeypatch.setattr(opened, "_all_read", remember)
    yield seen


def same_tables(one: Workspace, two: Workspace) -> None:
    """Two workspaces say the same, in whatever order."""
    for name in one.tables.names:
        first, second = (
            sorted(map(repr, getattr(ws.tables, name).astype(object).itertuples(index=False)))
            for ws in (one, two)
        )
        assert first == second, name


@pytest.mark.parametrize("named", [True, False])
def test_a_stored_record_is_taken_in_alone(
    small: Small, whole_readings: list[Path], named: bool
) -> None:
    """A new record, a corrected one and one that is gone are read without the other documents."""
    first = small.reviews.judge(small.run, small.keys[0], 1)
    ws = small.opened()
    whole_readings.clear()
    second = small.reviews.judge(small.run, small.keys[1], 0)
    path = small.reviews.path("eval-judgment", second)
    ws = reopened(ws, [path] if named else None)
    third = small.reviews.judge(small.run, small.keys[0], 0, supersedes=first)
    path = small.reviews.path("eval-judgment", third)
    ws = reopened(ws, [path] if named else None)
    assert whole_readings == []
    same_tables(ws, small.opened())
    whole_readings.clear()
    (small.root / path).unlink()
    ws = reopened(ws, [path] if named else None)
    assert whole_readings == []
    same_tables(ws, small.opened())
    rows = ws.tables.judgments
    assert rows.loc[rows["judge"] == "ana-1", "score"].tolist() == [1, 0]


def test_a_broken_record_is_taken_in_alone(small: Small, whole_readings: list[Path]) -> None:
    """A record that cannot be read is a problem at once, and none when it is gone."""
    small.reviews.judge(small.run, small.keys[0], 1)
    ws = small.opened()
    whole_readings.clear()
    small.reviews.file("eval-judgment", "half", "{")
    ws = reopened(ws)
    assert [path for path, _ in about(ws)] == ["half.json"]
    (small.root / small.reviews.path("eval-judgment", "half")).unlink()
    assert about(reopened(ws)) == []
    assert whole_readings == []


def test_a_changed_grading_keeps_what_people_said(
    tmp_path: Path, whole_readings: list[Path]
) -> None:
    """The rows of a run that is graded again come and go; those of its judges stay."""
    root = tmp_path / "demo"
    for name in ("release-notes", "release-notes-workspace"):
        shutil.copytree(DEMO / name, root / name, ignore=WITHOUT_REVIEWS)
    ws = open_workspace(root, cache=False)
    run = ws.tables.runs.iloc[0]
    criterion, reviews = asked(ws, run["run_id"])[0], Reviews(root, "release-notes-workspace")
    reviews.judge(run["run_id"], criterion.key, 4, scale=(1, 5))
    reviews.put("exclusion", {"testRunId": run["run_id"], "reason": "Odd."})
    ws = open_workspace(root, cache=False)
    whole_readings.clear()
    path = root / run["source"]
    grading = json.loads(path.read_text())
    grading["results"][0] |= {"score": 5, "passed": True}
    path.write_text(json.dumps(grading))
    ws = reopened(ws, [run["source"]])
    assert whole_readings == []
    same_tables(ws, open_workspace(root, cache=False))
    assert (ws.tables.judgments["judge"] == "ana-1").sum() == 1
    whole_readings.clear()
    path.unlink()
    shutil.rmtree(root / run["outputs"])
    ws = reopened(ws, [run["source"]])
    assert whole_readings == []
    assert [code for _, code in about(ws)] == ["dangling-reference"] * 2
    assert ws.tables.exclusions["run_id"].isna().tolist() == [True]


def test_an_index_takes_in_what_was_said_since(small: Small, whole_readings: list[Path]) -> None:
    """A folder that is opened again from its index reads only the new record."""
    small.reviews.judge(small.run, small.keys[0], 1)
    open_workspace(small.root)
    whole_readings.clear()
    small.reviews.judge(small.run, small.keys[1], 1)
    ws = open_workspace(small.root)
    assert whole_readings == []
    assert (ws.tables.judgments["judge"] == "ana-1").sum() == 2


def test_a_store_takes_in_a_record_alone(tmp_path: Path, whole_readings: list[Path]) -> None:
    """A store of records is not read again for what a person said beside it."""
    shutil.copytree(DEMO / "support-agent", tmp_path / "store")
    ws = open_workspace(tmp_path / "store", cache=False)
    run = str(ws.tables.runs["run_id"].iloc[0])
    whole_readings.clear()
    Reviews(tmp_path / "store").judge(run, asked(ws, run)[0].key, 1)
    ws = reopened(ws)
    assert whole_readings == []
    same_tables(ws, open_workspace(tmp_path / "store", cache=False))


def test_opening_changes_nothing_and_imports_no_pandas_and_no_pydantic(told: Told) -> None:
    """The files are as they were; who only opens a folder needs no data frame and no model."""
    before = {path: path.stat().st_mtime_ns for path in told.root.rglob("*")}
    code = (
        "import sys; from evalcore.workspace.opened import open_workspace as o; "
        f"w = o({str(told.root)!r}, cache=False); "
        "print(w.problems, {'pandas', 'pydantic'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("set()\n")
    assert {path: path.stat().st_mtime_ns for path in told.root.rglob("*")} == before


def test_a_basis_is_of_what_it_says(tmp_path: Path) -> None:
    """Each part of a criterion and of a prompt makes another sha256; missing and empty are one."""
    first = criterion_sha256("rubric", "tone", "Kind.", 1, 5, '{"1": "rude"}')
    assert first == criterion_sha256("rubric", "tone", "Kind.", 1.0, 5.0, '{"1": "rude"}')
    others = [
        ("expectation", "tone", "Kind.", 1, 5, None),
        ("rubric", "tone", "Kind.", 1, 5, None),
        ("rubric", "tone", "Kind.", 0, 5, None),
        ("rubric", "tone", "", 1, 5, None),
        ("rubric", "tone", "Kind.", None, 5, None),
    ]
    assert len({first, *(criterion_sha256(*each) for each in others)}) == 1 + len(others)
    assert prompt_sha256(None) is None is prompt_sha256("", "[]")
    assert len({prompt_sha256("a"), prompt_sha256("b"), prompt_sha256("a", '["f"]')}) == 3
    assert output_sha256(tmp_path, "nothing") is None
    (tmp_path / "out").write_text("one")
    one = output_sha256(tmp_path, "out")
    assert one == output_sha256(tmp_path, "out") is not None
    (tmp_path / "out").write_text("other")
    assert output_sha256(tmp_path, "out") != one
