"""`evalcore report` writes one file, and replaces none unasked."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke
from tests.report.parsed import DEMO

OF_ONE = ("report", DEMO, "--suite", "invoice-extractor")


def test_it_writes_a_file_and_says_how_large_it_is(invoke: Invoke, tmp_path: Path) -> None:
    """A file that exists stays unless it may be replaced; the same folder gives the same bytes."""
    out = tmp_path / "r.html"
    first = invoke(*OF_ONE, "--out", out)
    assert first.exit_code == 0
    assert re.fullmatch(rf"{re.escape(str(out))} written: \d+ KB\n", first.stdout)
    data = out.read_bytes()
    out.write_text("mine")
    again = invoke(*OF_ONE, "--out", out)
    assert (again.exit_code, "--force" in again.stderr) == (2, True)
    assert out.read_text() == "mine"
    forced = invoke(*OF_ONE, "--out", out, "--force", "--json")
    told = json.loads(forced.stdout)
    assert (told["file"], told["bytes"]) == (str(out), len(data))
    assert out.read_bytes() == data


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("report", DEMO, "--out", "r.html"), "suites; name one with --suite"),
        ((*OF_ONE, "--out", "r.pdf"), "must end in .html"),
        ((*OF_ONE, "--out", "r.html", "--compare", "v1", "v9"), "There is no"),
        ((*OF_ONE, "--out", "r.html", "--trend", "speed"), "There is no"),
    ],
)
def test_what_cannot_be_done_names_the_next_step(
    invoke: Invoke,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str | Path, ...],
    said: str,
) -> None:
    """Exit code 2, one sentence, and no file."""
    monkeypatch.chdir(tmp_path)
    found = invoke(*arguments)
    assert found.exit_code == 2
    assert said in found.stderr
    assert not list(tmp_path.glob("r.*"))
