"""What a version was made of, as far as a workspace keeps it."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from evalcore.comparing.content import content_changes, content_of
from evalcore.comparing.model import Side
from evalcore.comparing.sides import columns_of, side_of
from evalcore.comparing.version_texts import MAX_FILE, MAX_FILES, is_old, without
from evalcore.counting.outcomes import Column
from evalcore.demo import packaged
from evalcore.workspace.opened import open_workspace
from tests.families.activation_documents import AFTER, BEFORE, TWO_TRIES

GRADING = {"expectations": [{"text": "Works", "passed": True, "evidence": "it does"}],
           "summary": {"passed": 1, "failed": 0, "total": 1, "pass_rate": 1.0}}  # fmt: skip


def write(root: Path, **files: str | bytes) -> None:
    """Write files by their path."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)


def iterations(root: Path, *columns: str, **files: str) -> dict[str, Side]:
    """Make a skill with a workspace of iterations; return its sides by their keys."""
    write(root, **{"pdf/SKILL.md": "now\n", **files})
    for column in columns:
        version, _, configuration = column.partition("@")
        write(
            root,
            **{f"pdf-workspace/{version}/eval-1/{configuration}/grading.json": json.dumps(GRADING)},
        )
    ws = open_workspace(root, cache=False)
    suite = ws.tables.suites.suite.iloc[0]
    return {column.key: Side(ws, suite, column) for column in columns_of(ws, suite)}


def kept(side: Side) -> dict[str, str] | None:
    """Return the texts of a side."""
    files = content_of(side).files
    return None if files is None else dict(files)


@pytest.fixture(scope="module")
def demo_sides() -> Any:
    """Return a way to name sides of the demo workspace."""
    ws = open_workspace(packaged(), cache=False)
    return lambda suite, name: side_of(ws, suite, name)


def test_the_skill_of_000_is_the_folder_of_its_version(demo_sides: Any) -> None:
    """`vN/skill` holds what was run."""
    found = content_of(demo_sides("release-notes", "v1"))
    assert found.source == "release-notes-workspace/v1/skill"
    assert list(found.files or ()) == ["SKILL.md"]


def test_two_versions_differ_in_the_files_that_changed(demo_sides: Any) -> None:
    """Each change has both texts."""
    found = content_changes(*(demo_sides("release-notes", name) for name in ("v1", "v2")))
    (change,) = found.files
    assert (change.path, change.kind, found.comparable) == ("SKILL.md", "changed", True)
    assert "Be brief." in (change.a or "")
    assert "120 words" in (change.b or "")


def test_a_description_is_known_by_its_hash(demo_sides: Any) -> None:
    """Of 004 the text counts whose SHA-256 the version's entry states."""
    found = content_of(demo_sides("sql-helper", "d2"))
    assert found.source.endswith("descriptions/2.txt")
    assert found.files is not None
    digest = hashlib.sha256(found.files["description"].encode()).hexdigest()
    assert digest.startswith("93b0bea221ab")


def test_a_prompt_that_is_only_named_has_no_text(demo_sides: Any) -> None:
    """The sentence says what was looked for."""
    known = demo_sides("support-agent", "support-reply@2.0.0")
    found = content_of(Side(known.ws, known.suite, Column("support-reply@9.0.0", "-")))
    assert (found.files, "support-reply@9.0.0" in found.note) == (None, True)


@pytest.mark.parametrize(
    "prompt",
    [
        {"id": "reply@2", "type": "prompt-version", "fields": {"content": "Answer politely."}},
        {
            "id": "x1",
            "type": "prompt-version",
            "fields": {"name": "reply", "version": 2, "text": "Answer politely."},
        },
        [{"id": "reply@1", "text": "No."}, {"id": "reply@2", "text": "Answer politely."}],
    ],
    ids=["by its id", "by name and version", "in a list"],
)
def test_a_prompt_has_the_text_of_its_record(tmp_path: Path, prompt: object) -> None:
    """A store may hold the prompts beside the runs that name them."""
    run = {
        "id": "run",
        "type": "test-run",
        "createdAt": "2026-01-01T00:00:00Z",
        "fields": {
            "testCaseId": "case",
            "promptVersionRef": "reply@2",
            "actualOutput": "Hi",
            "status": "completed",
        },
    }
    case = {"id": "case", "type": "eval-test-case", "fields": {"title": "Case", "input": "Hello"}}
    for name, record in (
        ("test-run/run", run),
        ("eval-test-case/case", case),
        ("prompts/reply", prompt),
    ):
        write(tmp_path, **{f"records/{name}.json": json.dumps(record)})
    ws = open_workspace(tmp_path, cache=False)
    side = Side(ws, ws.tables.suites.suite.iloc[0], Column("reply@2", "-"))
    assert kept(side) == {"prompt": "Answer politely."}


def test_an_old_skill_is_the_snapshot_of_its_iteration(tmp_path: Path) -> None:
    """The copy was made before the skill was changed."""
    sides = iterations(
        tmp_path,
        "iteration-1@with_skill",
        "iteration-2@old_skill",
        "iteration-2@with_skill",
        **{"pdf-workspace/iteration-2/skill-snapshot/SKILL.md": "before\n"},
    )
    assert kept(sides["iteration-2@old_skill"]) == {"SKILL.md": "before\n"}
    assert kept(sides["iteration-2@with_skill"]) == {"SKILL.md": "now\n"}
    before = content_of(sides["iteration-1@with_skill"])
    assert before.files == {"SKILL.md": "before\n"}
    assert "iteration-2 kept as its old skill" in before.note


def test_the_snapshot_of_the_workspace_stands_in(tmp_path: Path) -> None:
    """skill-creator puts it beside the iterations; a folder around the skill is looked through."""
    sides = iterations(
        tmp_path,
        "iteration-1@old_skill",
        "iteration-1@with_skill",
        **{
            "pdf-workspace/old_skill_snapshot/pdf/SKILL.md": "before\n",
            "pdf-workspace/old_skill_snapshot/pdf/evals/evals.json": "{}",
        },
    )
    assert kept(sides["iteration-1@old_skill"]) == {"SKILL.md": "before\n"}


def test_a_snapshot_without_an_old_side_is_doubtful(tmp_path: Path) -> None:
    """It may be the text before the change or after it, which is said."""
    sides = iterations(
        tmp_path,
        "iteration-1@with_skill",
        "iteration-1@without_skill",
        "iteration-2@with_skill",
        **{"pdf-workspace/iteration-1/skill-snapshot-v2/SKILL.md": "one\n"},
    )
    found = content_of(sides["iteration-1@with_skill"])
    assert found.files == {"SKILL.md": "one\n"}
    assert "before or after" in found.note


def test_the_newest_version_is_the_skill_as_it_is_now(tmp_path: Path) -> None:
    """That it may have changed since is said. The text of an older version is not guessed."""
    more = {"pdf/references/a.md": "more\n", "pdf/evals/evals.json": "{}"}
    sides = iterations(tmp_path, "iteration-1@with_skill", "iteration-2@with_skill", **more)
    found = content_of(sides["iteration-2@with_skill"])
    assert found.files == {"SKILL.md": "now\n", "references/a.md": "more\n"}
    assert "as it is now" in found.note
    assert content_of(sides["iteration-1@with_skill"]).files is None


def test_without_the_skill_there_is_no_text(tmp_path: Path) -> None:
    """A baseline without the skill is no version of it, and that is the whole answer."""
    sides = iterations(tmp_path, "iteration-1@with_skill", "iteration-1@without_skill")
    found = content_changes(sides["iteration-1@without_skill"], sides["iteration-1@with_skill"])
    assert (found.files, found.comparable) == ((), False)
    assert found.note == "without_skill runs without the skill, so there is no text to compare."


def test_two_sides_of_one_text_say_so(tmp_path: Path) -> None:
    """Where both ran the same, what differs is something else."""
    sides = iterations(
        tmp_path,
        "iteration-1@with_skill",
        "iteration-2@old_skill",
        "iteration-2@with_skill",
        **{"pdf-workspace/iteration-2/skill-snapshot/SKILL.md": "before\n"},
    )
    found = content_changes(sides["iteration-1@with_skill"], sides["iteration-2@old_skill"])
    assert (found.files, found.same) == ((), 1)
    assert found.note.startswith("Both sides ran the same text")


def test_two_descriptions_of_one_document_are_two_texts(tmp_path: Path) -> None:
    """A loop writes all that it tried into one file."""
    write(tmp_path, **{"pdf/evals/results.json": json.dumps(TWO_TRIES)})
    ws = open_workspace(tmp_path, cache=False)
    suite = ws.tables.suites.suite.iloc[0]
    found = content_changes(*(Side(ws, suite, column) for column in columns_of(ws, suite)))
    assert [(change.a, change.b) for change in found.files] == [(BEFORE, AFTER)]
    assert found.note == ""


def test_two_folders_compare_their_skills(tmp_path: Path) -> None:
    """Where no version's text is kept, the skill folders of both are compared."""
    first = iterations(tmp_path / "a", "iteration-1@with_skill", "iteration-2@with_skill")
    second = iterations(
        tmp_path / "b", "iteration-1@with_skill", **{"pdf/SKILL.md": "later\n", "pdf/new.md": "x"}
    )
    found = content_changes(first["iteration-1@with_skill"], second["iteration-1@with_skill"])
    assert [(change.path, change.kind, change.a, change.b) for change in found.files] == [
        ("SKILL.md", "changed", "now\n", "later\n"),
        ("new.md", "added", None, "x"),
    ]


def snapshot_with(root: Path, **files: str | bytes) -> Side:
    """Return an old side whose snapshot holds these files."""
    place = "pdf-workspace/iteration-1/skill-snapshot"
    write(root, **{f"{place}/{name}": text for name, text in files.items()})
    sides = iterations(root, "iteration-1@old_skill", "iteration-1@with_skill")
    return sides["iteration-1@old_skill"]


def test_only_texts_of_a_bounded_size_are_read(tmp_path: Path) -> None:
    """Images, other encodings and very large files are left out, and counted in the note."""
    files: dict[str, str | bytes] = {
        "SKILL.md": "kept\n",
        "logo.png": b"\x89PNG\0",
        "latin.txt": b"caf\xe9",
        "huge.txt": "x" * (MAX_FILE + 1),
    }
    found = content_of(snapshot_with(tmp_path, **files))
    assert (found.files, found.note) == (
        {"SKILL.md": "kept\n"},
        "3 files left out: no text, or too large.",
    )


def test_the_number_of_files_is_bounded(tmp_path: Path) -> None:
    """What is beyond is said to be left out."""
    side = snapshot_with(tmp_path, **{f"{n:04}.md": "x" for n in range(MAX_FILES + 5)})
    found = content_of(side)
    assert found.files is not None
    assert len(found.files) == MAX_FILES
    assert "or more file" in found.note


def test_links_are_not_followed_out(tmp_path: Path) -> None:
    """A link in a snapshot leads nowhere, whether to a file or to a folder."""
    secret = tmp_path / "secret"
    write(secret, **{"key.md": "secret"})
    place = tmp_path / "ws" / "pdf-workspace" / "iteration-1" / "skill-snapshot"
    place.mkdir(parents=True)
    (place / "link.md").symlink_to(secret / "key.md")
    (place / "folder").symlink_to(secret)
    assert kept(snapshot_with(tmp_path / "ws", **{"SKILL.md": "fine"})) == {"SKILL.md": "fine"}


def test_a_snapshot_that_is_a_link_out_is_not_read(tmp_path: Path) -> None:
    """The folder itself may be the link."""
    write(tmp_path / "secret", **{"SKILL.md": "secret"})
    place = tmp_path / "ws" / "pdf-workspace" / "iteration-1"
    place.mkdir(parents=True)
    (place / "skill-snapshot").symlink_to(tmp_path / "secret")
    sides = iterations(tmp_path / "ws", "iteration-1@old_skill", "iteration-1@with_skill")
    assert kept(sides["iteration-1@old_skill"]) is None


def described(root: Path, front: str, text: str, **entry: object) -> Side:
    """Return a version of a description with the hash of `text`, and a SKILL.md."""
    write(
        root,
        **{
            "sql/SKILL.md": front,
            "sql/eval/eval_metadata.json": json.dumps(
                {
                    "skill_name": "sql",
                    "test_cases": [{"id": "one", "prompt": "p", "assertions": ["a"]}],
                }
            ),
            "sql/eval/benchmark.json": json.dumps(
                {
                    "entries": [
                        {
                            "description_version": 1,
                            "description_hash": hashlib.sha256(text.encode()).hexdigest(),
                            "timestamp": "2026-01-01T00:00:00Z",
                            "run_id": "r",
                            **entry,
                        }
                    ]
                }
            ),
            "sql/eval/runs/r/grading/one.json": json.dumps(
                {
                    "run_id": "r",
                    "test_case_id": "one",
                    "assertions": [
                        {"assertion": "a", "passed": True, "confidence": "high", "evidence": "e"}
                    ],
                    "score": 1.0,
                }
            ),
        },
    )
    ws = open_workspace(root, cache=False)
    return Side(ws, ws.tables.suites.suite.iloc[0], Column("d1", "-"))


@pytest.mark.parametrize(
    "front",
    [
        "---\nname: sql\ndescription: Use for SQL: all of it.\n---\n",
        '---\ndescription: "Use for SQL: all of it."\nname: sql\n---\n',
        "---\ndescription: >\n  Use for SQL:\n  all of it.\n---\n",
        "---\r\ndescription: Use for SQL:\r\n  all of it.\r\n---\r\n",
    ],
    ids=["plain", "quoted", "folded", "continued, CR LF"],
)
def test_a_description_is_found_in_the_skill_itself(tmp_path: Path, front: str) -> None:
    """However its front matter writes it, when its hash is the version's."""
    side = described(tmp_path, front, "Use for SQL: all of it.")
    assert kept(side) == {"description": "Use for SQL: all of it."}


def test_another_description_is_not_taken_for_it(tmp_path: Path) -> None:
    """The skill's own text has another hash: the sentence says which one was looked for."""
    found = content_of(described(tmp_path, "---\ndescription: Later.\n---\n", "Earlier."))
    assert found.files is None
    assert hashlib.sha256(b"Earlier.").hexdigest()[:12] in found.note


def test_an_entry_may_hold_its_description(tmp_path: Path) -> None:
    """Then nothing has to be looked for."""
    side = described(tmp_path, "---\n---\n", "x", description="Use for SQL.")
    assert kept(side) == {"description": "Use for SQL."}


@pytest.mark.parametrize(
    ("configuration", "none", "old"),
    [
        ("with_skill", False, False),
        ("without_skill", True, False),
        ("old_skill", False, True),
        ("no_skill", True, False),
        ("baseline", False, True),
        ("folder_skill", False, False),
        ("-", False, False),
    ],
)
def test_what_a_configuration_runs_is_in_its_name(
    configuration: str, none: bool, old: bool
) -> None:
    """Nothing, an old text, or the version's own."""
    assert (without(configuration), is_old(configuration)) == (none, old)


def test_real_snapshots_are_found(realworld: Path) -> None:
    """Somebody's iterations keep the skill of the iteration before as a snapshot."""
    ws = open_workspace(realworld / "z5labs+ai", cache=False)
    suite = "plugins/audit-skill/skills/audit-skill"
    a, b = (side_of(ws, suite, f"iteration-{n}@with_skill") for n in (6, 7))
    found = content_changes(a, b)
    assert found.comparable
    assert "SKILL.md" in (found.a.files or {})
