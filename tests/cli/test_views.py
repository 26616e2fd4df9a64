"""`evalcore views`: the saved views of a folder, for people and for programs."""

import json
from pathlib import Path

from evalcore.judging.answering.saved_views import save_view
from tests.cli.conftest import Invoke
from tests.judging.notes_and_exclusions import ANA, FOLDER, SUITE, small
from tests.reviewing import Reviews


def test_saved_views_are_listed_with_their_addresses(tmp_path: Path, invoke: Invoke) -> None:
    """By name, with who saved each; what is no view is a problem of the folder and not listed."""
    small(tmp_path / "a")
    assert "No view is saved here." in invoke("views", tmp_path / "a").stdout
    ws = small(tmp_path / "b")
    save_view(ws, SUITE, "Failing now", "gradings", {"filter": "failing", "q": "a b"}, ANA)
    Reviews(tmp_path / "b", FOLDER).put("saved-view", {"name": "Bad", "page": "no", "address": {}})
    done = invoke("views", tmp_path / "b")
    assert done.exit_code == 0
    first, second = done.stdout.splitlines()
    assert first.startswith("pdf: Failing now · Ana · ")
    assert second == "  gradings?filter=failing&q=a+b"
    (found,) = json.loads(invoke("views", tmp_path / "b", "--json").stdout)
    assert (found["suite"], found["name"], found["page"]) == (SUITE, "Failing now", "gradings")
    assert found["address"] == {"filter": "failing", "q": "a b"}
    assert "is no page that has saved views" in invoke("check", tmp_path / "b").stdout
