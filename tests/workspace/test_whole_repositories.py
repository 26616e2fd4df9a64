"""A whole repository: what is no evaluation is no fault of it, broken evaluations are errors."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalcore import open_workspace
from evalcore.lint import check
from tests.families.build import write
from tests.families.iterations_documents import grading
from tests.families.records_store import basic

GRADING = "pdf-workspace/iteration-1/eval-1/with_skill/grading.json"
COMMENTED = '{\n  // as strict as it goes\n  "compilerOptions": {"strict": true,},\n}\n'
LOG = "2026-11-26T10:00:00Z INFO started\n2026-11-26T10:00:01Z WARN nothing to do\n"
LINES = '{"level": "info"}\n{"level": "warn"}\nplain text\n'

REPOSITORIES: dict[str, dict[str, str | bytes]] = {
    "TypeScript": {"tsconfig.json": COMMENTED, "web/tsconfig.base.json": COMMENTED},
    "a linter's configuration": {".eslintrc.json": "/* rules */ {'semi': 'error'}"},
    "an editor's settings": {"editor/settings.json": '{"editor.tabSize": 2, // two\n}'},
    "a browser's extension": {"extension/manifest.json": COMMENTED, "locales/en.json": "{,}"},
    "a log": {"logs/run.json": LOG},
    "JSON lines under another name": {"logs/events.json": LINES},
    "JSON lines with text": {"logs/events.jsonl": LINES},
    "a truncated file": {"fixtures/truncated.json": '{"name": "half", "list": [1, 2'},
    "an empty file": {"fixtures/empty.json": "", "fixtures/blank.json": " \n"},
    "a huge file": {"data/tiles.json": b"[" + b"0," * 2_000_001 + b"0]"},
    "a file nested too deeply": {"fixtures/deep.json": "[" * 100_000},
    "bytes": {"fixtures/latin.json": "{'é': 1}".encode("latin-1"), "a.json": b"\xff\x00\x01"},
    "UTF-16": {"Package.StoreAssociation.json": json.dumps({"a": "é"}).encode("utf-16")},
    "a byte order mark": {"appsettings.json": b'\xef\xbb\xbf{"Logging": {}}'},
    "numbers that are none": {"notebooks/metrics.json": '{"loss": NaN, "lr": 1e999}'},
    "a template": {"templates/package.json": '{"name": "{{ name }}", {% if a %}"b": 1{% endif %}}'},
    "a conflict": {"package.json": "<<<<<<< HEAD\n{}\n=======\n[]\n>>>>>>> main\n"},
    "a pointer to a large file": {"model/config.json": "version https://git-lfs.github.com/spec\n"},
    "a web page": {"fixtures/response.json": "<!DOCTYPE html><title>404</title>"},
    "schemas and translations": {"schemas/a.json": '{"$schema": "x", /**/}', "i18n/de.json": "{a}"},
}


def found(root: Path, files: dict[str, Any]) -> list[tuple[str, str, str]]:
    """What the check says of one good grading with these files beside it."""
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    ws = open_workspace(write(root, {GRADING: grading()}), cache=False)
    assert len(ws.tables.runs) == 1
    said = [(each.path, each.severity, each.code) for each in check(ws)]
    return [each for each in said if each[0] in files]


@pytest.mark.parametrize("kind", REPOSITORIES)
def test_what_is_no_evaluation_is_no_fault(tmp_path: Path, kind: str) -> None:
    """All that cannot be read is one note; what can be read, but is odd, is not mentioned."""
    said = found(tmp_path, REPOSITORIES[kind])
    assert len(said) <= 1
    assert {each[1:] for each in said} <= {("info", "left-alone")}
    odd = ("a byte order mark", "numbers that are none", "UTF-16")
    assert bool(said) is (kind not in odd)


def test_the_note_names_the_first_and_counts_all(tmp_path: Path) -> None:
    """One sentence for a repository, with the number of files and the first three."""
    write(tmp_path, {f"{name}/tsconfig.json": COMMENTED for name in "abcd"})
    (note,) = open_workspace(tmp_path, cache=False).problems
    assert (note.path, note.severity, note.code) == ("a/tsconfig.json", "info", "left-alone")
    named = "such as a/tsconfig.json, b/tsconfig.json, c/tsconfig.json."
    assert note.message.endswith(f"There are 4 files like this, {named}")


EXPECTED = {
    "a grading, by its place": (GRADING.replace("eval-1", "eval-2"), "I could not grade this."),
    "evals, by their name": ("other/evals/evals.json", COMMENTED),
    "a benchmark, by its name": ("results/benchmark.json", ""),
    "judged items, by the text": ("results/mine.json", '{"expectations": [{"text": "It has'),
    "a trigger set, by the text": ("a.json", '[{"query": "x", "should_trigger": true},]'),
    "in UTF-16, by the text": ("b.json", (json.dumps({"assertions": []}) + "}").encode("utf-16")),
    "a person's record, by its place": ("pdf-workspace/reviews/own/1.json", "{"),
}


@pytest.mark.parametrize("kind", EXPECTED)
def test_a_broken_evaluation_is_an_error(tmp_path: Path, kind: str) -> None:
    """Where one is expected by its path, or by fields near its beginning, it is the fault."""
    path, content = EXPECTED[kind]
    assert [each[:2] for each in found(tmp_path, {path: content})] == [(path, "error")]


def test_a_record_that_is_none_is_a_fault_of_its_store_alone(tmp_path: Path) -> None:
    """A folder named like a type belongs to the store around it, and to nobody elsewhere."""
    write(tmp_path, {f"store/{path}": value for path, value in basic().items()})
    others = {
        "store/test-run/odd.json": {"id": "x", "testCaseId": "case"},
        "store/test-run/index.json": {"runs": 1},
        "store/test-case/rules.json": {"*": {"tone": 'contains "done"'}},
        "web/rubric/odd.json": {"id": "x"},
    }
    problems = open_workspace(write(tmp_path, others), cache=False).problems
    assert {each.path: (each.severity, each.code) for each in problems if each.path in others} == {
        "store/test-run/odd.json": ("error", "not-a-record"),
        "store/test-run/index.json": ("warning", "not-a-record"),
    }
