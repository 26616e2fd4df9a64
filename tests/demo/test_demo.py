"""The demo workspace is small, whole, safe to open and right, except where it teaches."""

import json
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.demo.faults import COMMITS, FAULTS, INVOICES, NOTES, TRUNCATED
from tests.demo.reading import WORKSPACE, documents, files, load, name, of_type, records


def test_is_small() -> None:
    """The whole workspace takes at most 1.25 MB and 1,150 files."""
    assert sum(p.stat().st_size for p in files()) <= 1_250_000
    assert 500 <= len(files()) <= 1_150


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "release-notes/evals/evals.json",
        f"{NOTES}/history.json",
        f"{NOTES}/v3/skill/SKILL.md",
        f"{NOTES}/comparisons/comparison-4.json",
        f"{NOTES}/comparisons/analysis-3.json",
        "invoice-extractor/evals/evals.json",
        f"{INVOICES}/iteration-2/benchmark.json",
        f"{INVOICES}/iteration-2/eval_feedback_aggregate.json",
        f"{INVOICES}/iteration-2/eval-4/with_skill/run-1/structural.json",
        "sql-helper/eval/eval_metadata.json",
        "sql-helper/eval/benchmark.json",
        "sql-helper/eval/runs/3f9a1c07/grading/top-customers.json",
        "sql-helper/eval/comparisons/cmp-0224-mysql.json",
        "support-agent/records/benchmark/bm-reply-quality.json",
        "commit-helper/evals/evals.json",
        f"{COMMITS}/history.json",
        f"{COMMITS}/iteration-1/eval-revert/without_skill/grading.json",
        f"{COMMITS}/iteration-3/eval-revert/with_skill/run-2/grading.json",
        f"{COMMITS}/iteration-3/feedback.json",
        "logs/2026-03-16T09-30-00_handbook-answers_4.eval",
    ],
)
def test_has_the_key_files_of_all_six_families(path: str) -> None:
    """Each family's documents lie where its readers look for them."""
    assert (WORKSPACE / path).is_file()


def test_all_json_parses_except_the_truncated_one() -> None:
    """Exactly the listed document is broken."""
    broken = set()
    for path in files("**/*.json"):
        try:
            load(path)
        except json.JSONDecodeError:
            broken.add(name(path))
    assert broken == TRUNCATED


def test_json_is_indented_and_keeps_its_letters() -> None:
    """Documents are UTF-8, indented by two, without escapes for other scripts."""
    for path in files("**/*.json"):
        body = path.read_text(encoding="utf-8")
        assert body.startswith("{\n  "), name(path)
        assert not re.search(r"\\u[0-9a-f]{4}", body), name(path)


def test_faults_are_where_the_list_says() -> None:
    """Each fault that is there on purpose can be found."""
    notes = load("release-notes/evals/evals.json")["cases"]
    assert notes[10]["expectations"][2]["description"] == "The tone is appropriate"
    assert not any(e["required"] for e in notes[11]["expectations"])
    ids = [
        e["id"]
        for e in load("invoice-extractor/evals/evals.json")["evals"][2]["structural_expectations"]
    ]
    assert (ids.count("S4"), ids[4]) == (2, "S4")
    for code, path, detail in FAULTS:
        assert (WORKSPACE / path).is_file()
        if code == "dangling":
            assert load(path)["fields"]["testRunId"] == detail
            assert detail not in records()
        if code == "no-rationale":
            assert load(path)["fields"]["rationale"] == ""


def texts() -> Iterator[tuple[str, str]]:
    """Every text file with its name, and every text in a log that is a zip."""
    for path in files():
        if path.suffix == ".eval":
            with ZipFile(path) as log:
                for entry in log.namelist():
                    yield f"{name(path)}/{entry}", log.read(entry).decode()
        elif path.suffix != ".png":
            yield name(path), path.read_text(encoding="utf-8")


def test_holds_no_path_of_a_machine() -> None:
    """No absolute path of anybody's computer stands in any text."""
    for path, body in texts():
        assert not re.search(r"(?<![\w.])/(?:home|Users|work|root|tmp|var|mnt)/|[A-Z]:\\", body), (
            path
        )


def test_holds_no_mail_address() -> None:
    """Nobody is named by an address."""
    for path, body in texts():
        assert not re.search(r"[\w.+-]+@[\w-]+\.[A-Za-z]{2,}", body), path


def test_links_only_to_example_com() -> None:
    """Every address belongs to the domain reserved for examples."""
    for path, body in texts():
        for host in re.findall(r"https?://([^/\s\")>]+)", body):
            assert host == "example.com", path


def test_holds_nothing_that_links_or_runs() -> None:
    """There are only plain files of a few harmless kinds, none a link or executable."""
    for path in WORKSPACE.rglob("*"):
        assert not path.is_symlink()
        if path.is_file():
            kinds = {".json", ".jsonl", ".md", ".txt", ".csv", ".png", ".eval"}
            assert path.suffix in kinds, name(path)
            assert not path.stat().st_mode & 0o111, name(path)


def pixels(path: Path) -> tuple[int, int, int]:
    """Width, height and unpacked bytes of a PNG, each chunk's checksum verified."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, body, size = 8, b"", (0, 0)
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        chunk = data[at + 8 : at + 8 + length]
        (crc,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        assert zlib.crc32(kind + chunk) == crc
        if kind == b"IHDR":
            size = struct.unpack(">II", chunk[:8])
        body += chunk if kind == b"IDAT" else b""
        at += 12 + length
    return size[0], size[1], len(zlib.decompress(body))


def test_images_are_whole() -> None:
    """Every picture is a PNG of a few kilobytes whose every chunk is intact."""
    images = files("**/*.png")
    assert len(images) >= 10
    for path in images:
        width, height, unpacked = pixels(path)
        assert width >= 200 and height >= 100 and unpacked > height
        assert path.stat().st_size < 12_000


def rationales() -> list[str]:
    """Every reason that a judge gave, in all five families."""
    found = [r["reasoning"] for _, g in documents(f"{NOTES}/grading/*.json") for r in g["results"]]
    for _, g in documents(f"{INVOICES}/**/grading.json"):
        found += [s["evidence"] for s in g.get("rubric_scores", {}).values()]
    for _, g in documents("sql-helper/eval/runs/*/grading/*.json"):
        found += [a["evidence"] for a in g["assertions"]]
    found += [str(r["fields"]["rationale"]) for r in of_type("eval-judgment")]
    for _, g in documents(f"{COMMITS}/**/grading.json"):
        found += [e["evidence"] for e in g["expectations"]]
    return found


def test_rationales_are_varied() -> None:
    """At least 450 different reasons of at least 30 letters, hardly any given twice."""
    long = [r for r in rationales() if len(r) >= 30]
    assert len(set(long)) >= 450
    assert len(set(long)) / len(long) > 0.95


def test_every_run_of_release_notes_has_its_output() -> None:
    """Nothing of it "cannot be judged", and its counts are those of the files."""
    for path in files(f"{NOTES}/grading/*.json"):
        case, version, run = path.stem.rsplit("_", 2)
        produced = files(f"{NOTES}/{version}/runs/{case}/run-{run.removeprefix('run')}/*")
        assert produced, path.stem
        metrics = {} if name(path) in TRUNCATED else load(path)["execution_metrics"]
        if metrics:
            notes = [p for p in produced if not p.name.startswith("transcript")]
            assert metrics["files_created"] == [p.name for p in notes]
            assert metrics["output_chars"] == sum(len(p.read_text("utf-8")) for p in notes)


def counted() -> Iterator[tuple[str, str, int, int]]:
    """Each length that a grader of release-notes states, with that of the output."""
    for path, g in documents(f"{NOTES}/grading/*.json"):
        folder = f"{NOTES}/v{g['version']}/runs/{g['case_id']}/run-{g['run']}"
        (body,) = [p.read_text("utf-8").strip() for p in files(f"{folder}/[rs]*")]
        for result in g["results"]:
            for number, unit in re.findall(r"(\d+) (words|characters)", result["reasoning"]):
                yield path, unit, int(number), len(body.split() if unit == "words" else body)


def test_lengths_that_graders_state_are_those_of_the_outputs() -> None:
    """Within one: graders count a heading's mark or not."""
    stated = list(counted())
    assert len(stated) >= 8
    for path, unit, said, is_so in stated:
        assert abs(said - is_so) <= 1, (path, unit, said, is_so)


def test_outputs_of_error_messages_wait_for_a_grading() -> None:
    """Each case ran with the skill and without it, and nobody judged one of them."""
    ran = files("error-messages-workspace/iteration-1/eval-*/*/outputs/message.txt")
    assert len(ran) == 2 * len(load("error-messages/evals/evals.json")["evals"])
    assert not files("error-messages-workspace/**/grading.json")


def test_evidence_quotes_the_output_and_sometimes_misquotes() -> None:
    """Most quotes of release-notes stand in the output files; two are wrong, six name a lack."""
    found, missing = 0, []
    for path, g in documents(f"{NOTES}/grading/*.json"):
        folder = WORKSPACE / NOTES / f"v{g['version']}/runs/{g['case_id']}/run-{g['run']}"
        body = "\n".join(p.read_text(encoding="utf-8") for p in sorted(folder.glob("*")))
        for quote in re.findall(r'"([^"]+)"', " ".join(r["reasoning"] for r in g["results"])):
            if body and quote.rstrip(".") in body:
                found += 1
            elif body:
                missing.append((path, quote))
    assert found > 60
    lacks = {"compression: fast", "crash", "feat(cli)", "(#533)", "split", "module"}
    assert len([quote for _, quote in missing if quote not in lacks]) == 2
