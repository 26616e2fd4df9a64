"""What was typed and not stored is kept on this machine, and never in the workspace."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcore.errors import CannotWrite
from evalcore.judging.storing.drafts import MAX_BYTES, drop, load, runs_with_drafts, save

RUN, OTHER = "s::case@v1/-#1", "s::../../etc@v1/-#2"
ADA, BOB = "ada-3f2a", "bob-77c1"
DRAFT = {"ids": {"k:c": "01a2"}, "scores": {"k:c": 3}, "texts": {"k:c": "so weit – 日本"}}


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a state folder of our own."""
    folder = tmp_path / "state"
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(folder))
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return an empty workspace."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


def kept(state: Path) -> list[Path]:
    """Return the files of all drafts."""
    return sorted(path for path in state.rglob("*") if path.is_file())


def test_a_draft_is_kept_until_it_is_dropped(root: Path, state: Path) -> None:
    """It is this user's only, and nothing is written into the workspace."""
    assert load(root, ADA, RUN) is None
    save(root, ADA, RUN, DRAFT)
    assert load(root, ADA, RUN) == DRAFT
    assert list(root.iterdir()) == []
    assert [path.stat().st_mode & 0o777 for path in kept(state)] == [0o600]
    drop(root, ADA, RUN)
    drop(root, ADA, RUN)
    assert load(root, ADA, RUN) is None
    assert kept(state) == []


def test_the_last_one_counts(root: Path, state: Path) -> None:
    """Nothing of an older one stays."""
    save(root, ADA, RUN, DRAFT)
    save(root, ADA, RUN, {"texts": {}})
    assert load(root, ADA, RUN) == {"texts": {}}
    assert len(kept(state)) == 1


def test_drafts_are_of_one_judge_run_and_workspace(root: Path, tmp_path: Path) -> None:
    """And are listed by judge."""
    save(root, ADA, RUN, DRAFT)
    save(root, ADA, OTHER, {})
    save(root, BOB, RUN, {"a": 1})
    assert load(root, BOB, RUN) == {"a": 1}
    assert load(tmp_path / "another", ADA, RUN) is None
    assert runs_with_drafts(root, ADA) == {RUN, OTHER}
    assert runs_with_drafts(root, BOB) == {RUN}
    assert runs_with_drafts(root, "eve-0000") == frozenset()


def test_a_workspace_is_the_same_by_any_way_to_it(root: Path, tmp_path: Path) -> None:
    """Opened through a link, its drafts are there."""
    (tmp_path / "link").symlink_to(root)
    save(root, ADA, RUN, DRAFT)
    assert load(tmp_path / "link", ADA, RUN) == DRAFT


def test_what_is_too_large_is_refused_and_the_older_stays(root: Path) -> None:
    """With how large it may be."""
    save(root, ADA, RUN, DRAFT)
    with pytest.raises(CannotWrite, match="at most 262,144 are saved; shorten it"):
        save(root, ADA, RUN, {"texts": {"k:c": "x" * MAX_BYTES}})
    assert load(root, ADA, RUN) == DRAFT


@pytest.mark.parametrize("value", ["\ud800", object(), {1, 2}])
def test_what_is_no_json_is_refused(root: Path, value: object) -> None:
    """Half characters too."""
    with pytest.raises(CannotWrite, match="JSON cannot represent"):
        save(root, ADA, RUN, {"a": value})


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\0" * 90, b"[]", b"null", b"3", b" " * 300_000, b'{"run": 1, "data": {}}']
)
def test_a_broken_draft_is_kept_aside(root: Path, state: Path, data: bytes) -> None:
    """It is no draft any more, but nothing of it is lost."""
    save(root, ADA, RUN, DRAFT)
    kept(state)[0].write_bytes(data)
    assert runs_with_drafts(root, ADA) == frozenset()
    assert load(root, ADA, RUN) is None
    assert [path.read_bytes() for path in kept(state)] == [data]
    save(root, ADA, RUN, DRAFT)
    assert load(root, ADA, RUN) == DRAFT
    assert len(kept(state)) == 2


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(
    st.dictionaries(
        st.text(),
        st.recursive(
            st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        ),
    ),
    st.text(),
)
def test_any_json_comes_back(root: Path, draft: dict[str, object], run_id: str) -> None:
    """Whatever a run is called."""
    save(root, ADA, run_id, draft)
    assert load(root, ADA, run_id) == draft
    assert runs_with_drafts(root, ADA) == {run_id}
    drop(root, ADA, run_id)
