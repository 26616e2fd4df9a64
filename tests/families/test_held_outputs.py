"""Outputs that stand in a document with many runs are digested without reading it for each."""

from pathlib import Path

import pytest

from evalcore.disk.documents import value_in
from evalcore.disk.files import Files
from evalcore.disk.listing import list_files
from evalcore.disk.reader import Reader
from evalcore.families.reviews import lookup
from evalcore.families.reviews.basis import sha256_of
from evalcore.families.reviews.lookup import Outputs, Run
from tests.families.inspect_logs import entries, sample, write_eval, write_json


def runs(source: str, places: list[str]) -> list[Run]:
    """Return a run for each place of an output in a document."""
    return [
        Run(str(at), "s", "c", "v", "log", f"{source}#{place}", source, "/x")
        for at, place in enumerate(places)
    ]


def test_a_json_log_is_read_once_for_all_of_its_outputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An output that is not there has no digest, and a zip is asked for its own entries."""
    write_json(tmp_path / "log.json", *(sample(each) for each in "abc"))
    write_eval(tmp_path / "log.eval", entries(*(sample(each) for each in "abc")))
    asked = list[tuple[str, str]]()

    def counted(files: Files, path: str, pointer: str = "") -> object:
        asked.append((path, pointer))
        return value_in(files, path, pointer)

    monkeypatch.setattr(lookup, "value_in", counted)
    outputs = Outputs(Reader(list_files(tmp_path)))
    places = [f"/samples/{at}/output/completion" for at in range(4)]
    found = [outputs.sha256(run) for run in runs("log.json", places)]
    assert found == [*(sha256_of(f"answer {each}") for each in "abc"), None]
    assert asked == [("log.json", "")]
    outputs = Outputs(Reader(list_files(tmp_path)))
    entry = "/samples~1a_epoch_1.json/output/completion"
    assert outputs.sha256(runs("log.eval", [entry])[0]) == sha256_of("answer a")
    assert asked[1:] == [("log.eval", entry)]
