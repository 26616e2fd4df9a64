"""Earlier states of a folder, from what git keeps of it."""

import socket
import stat
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from dulwich.objects import Blob, Commit, ObjectID, Tag, Tree
from dulwich.refs import Ref
from dulwich.repo import Repo

from evalcore.errors import NoRevision, UnknownName
from evalcore.revisions import checkout, checkouts, repository, revisions

WHEN = 1_700_000_000
Files = dict[str, bytes]


class Made:
    """A repository made commit by commit, without a work tree."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.repo = Repo.init(str(root))
        self.at = WHEN

    def tree(self, files: Files) -> ObjectID:
        tree = Tree()
        folders: dict[str, Files] = {}
        for path, data in files.items():
            first, _, rest = path.partition("/")
            if rest:
                folders.setdefault(first, {})[rest] = data
            else:
                tree.add(first.encode(), 0o100644, self.blob(data))
        for name, inner in folders.items():
            tree.add(name.encode(), 0o040000, self.tree(inner))
        self.repo.object_store.add_object(tree)
        return tree.id

    def blob(self, data: bytes) -> ObjectID:
        blob = Blob.from_string(data)
        self.repo.object_store.add_object(blob)
        return blob.id

    def commit(self, files: Files | ObjectID, subject: str = "change") -> str:
        """Commit a state on `main`; it is on disk only as objects."""
        self.at += 60
        head = Ref(b"refs/heads/main")
        before = [self.repo.refs[head]] if head in self.repo.refs else []
        tree = files if isinstance(files, bytes) else self.tree(files)
        commit = self.draft(tree, subject, before)
        self.repo.object_store.add_object(commit)
        self.repo.refs[head] = commit.id
        self.repo.refs.set_symbolic_ref(Ref(b"HEAD"), head)
        return commit.id.decode()

    def draft(self, tree: ObjectID, subject: str, parents: list[ObjectID]) -> Commit:
        """Return a commit that is stored nowhere yet."""
        commit = Commit()
        commit.tree, commit.parents, commit.message = tree, parents, subject.encode()
        commit.author = commit.committer = b"Somebody <somebody@example.org>"
        commit.author_time = commit.commit_time = self.at
        commit.author_timezone = commit.commit_timezone = 0
        return commit


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    """Return an empty repository; what is checked out goes below a folder of the test's own."""
    monkeypatch.setenv("EVALCORE_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "repo"
    root.mkdir()
    made = Made(root)
    yield made
    made.repo.close()


def texts(folder: Path) -> Files:
    """Return every file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_revision_is_the_folder_as_it_was(made: Made) -> None:
    """Every regular file of the commit is below the folder that is returned."""
    first: Files = {"evals/evals.json": b"{}", "SKILL.md": b"old\n"}
    made.commit(first)
    made.commit({"SKILL.md": b"new\n"})
    assert texts(checkout(made.root, "HEAD~1")) == first
    assert texts(checkout(made.root, "HEAD")) == {"SKILL.md": b"new\n"}


def test_a_folder_inside_a_repository_is_taken_alone(made: Made) -> None:
    """A workspace may be a subfolder: only it is written, under its own name."""
    made.commit({"work/a.json": b"1", "other/b.json": b"2"})
    (made.root / "work").mkdir()
    found = checkout(made.root / "work", "main")
    assert (found.name, texts(found)) == ("work", {"a.json": b"1"})


def test_the_same_state_is_the_same_folder(made: Made) -> None:
    """Two commits with one tree share a folder, and a second look writes nothing."""
    made.commit({"a": b"1"})
    made.commit({"a": b"1"}, "nothing changed")
    found = checkout(made.root, "HEAD")
    before = (found / "a").stat().st_mtime_ns
    assert checkout(made.root, "HEAD~1") == found
    assert (found / "a").stat().st_mtime_ns == before


@pytest.mark.parametrize("damage", ["bit", "cut", "gone", "more"])
def test_a_damaged_checkout_is_made_anew(
    made: Made, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    """A process compares what an earlier one wrote with git before it believes it."""
    made.commit({"a": b"1", "b/c": b"22"})
    path = checkout(made.root, "HEAD") / "b/c"
    path.chmod(0o600)
    if damage == "gone":
        path.unlink()
    else:
        name = "more" if damage == "more" else "c"
        path.with_name(name).write_bytes({"bit": b"23", "cut": b""}.get(damage, b"more"))
    monkeypatch.setattr(checkouts, "_whole", set())
    assert texts(checkout(made.root, "HEAD")) == {"a": b"1", "b/c": b"22"}


def test_a_checkout_is_compared_once(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process reads what an earlier one wrote when it first needs it, and not again."""
    made.commit({"a": b"1"})
    checkout(made.root, "HEAD")
    found = checkout(made.root, "HEAD")
    monkeypatch.setattr(checkouts, "_is_whole", lambda *_: pytest.fail("it was read again"))
    assert checkout(made.root, "HEAD") == found


def test_what_is_written_is_to_be_read_only(made: Made) -> None:
    """Files in the cache carry no permission to write or to run."""
    made.commit({"a": b"1"})
    mode = stat.S_IMODE((checkout(made.root, "HEAD") / "a").stat().st_mode)
    assert mode & 0o333 == 0


@pytest.mark.parametrize("name", ["HEAD~2", "HEAD^^", "main~1^", "v1", "v1-note", "HEAD~2~0"])
def test_names_that_git_users_write_are_understood(made: Made, name: str) -> None:
    """Branches, tags (also with a message), and steps along first parents."""
    first = ObjectID(made.commit({"a": b"1"}).encode())
    made.commit({"a": b"2"})
    made.commit({"a": b"3"})
    made.repo.refs[Ref(b"refs/tags/v1")] = first
    note = Tag()
    note.name, note.object, note.message = b"v1-note", (Commit, first), b"the first"
    note.tagger, note.tag_time, note.tag_timezone = b"S <s@example.org>", WHEN, 0
    made.repo.object_store.add_object(note)
    made.repo.refs[Ref(b"refs/tags/v1-note")] = note.id
    assert texts(checkout(made.root, name)) == {"a": b"1"}


def test_the_beginning_of_a_commit_id_is_enough(made: Made) -> None:
    """Four letters or more name a commit, in capitals too."""
    sha = made.commit({"a": b"1"})
    assert texts(checkout(made.root, sha[:8].upper())) == {"a": b"1"}


def test_an_ambiguous_beginning_is_not_guessed(made: Made) -> None:
    """Commits that begin alike are named, none is taken."""
    made.commit({"a": b"1"})
    tree, seen = made.tree({"a": b"1"}), dict[bytes, Commit]()
    for number in range(5_000):
        commit = made.draft(tree, f"commit {number}", [])
        begins = commit.id[:4]
        if begins in seen:
            break
        seen[begins] = commit
    for each in (commit, seen[begins]):
        made.repo.object_store.add_object(each)
    with pytest.raises(NoRevision, match="beginning of 2 commits"):
        checkout(made.root, begins.decode())


def test_a_tree_or_file_id_is_no_revision(made: Made) -> None:
    """Only commits are revisions."""
    made.commit({"a": b"1"})
    with pytest.raises(UnknownName):
        checkout(made.root, made.blob(b"1").decode()[:10])


def test_an_unknown_name_is_answered_with_a_near_one(made: Made) -> None:
    """A typing error is met with what there is."""
    made.commit({"a": b"1"})
    with pytest.raises(UnknownName, match="Did you mean 'main'"):
        checkout(made.root, "mian")


@pytest.mark.parametrize(
    "name", ["HEAD@{1}", "HEAD:a", "../../etc", "refs/heads/../../config", "", "~1", "a\0b", "-x"]
)
def test_other_forms_are_refused(made: Made, name: str) -> None:
    """Reflogs, paths and names that lead elsewhere name no revision."""
    made.commit({"a": b"1"})
    with pytest.raises(UnknownName):
        checkout(made.root, name)


def test_steps_beyond_the_first_commit_are_said(made: Made) -> None:
    """The answer says how many commits there are before the name."""
    made.commit({"a": b"1"})
    with pytest.raises(NoRevision, match="before the first commit"):
        checkout(made.root, "HEAD~3")


def test_a_folder_that_came_later_is_said(made: Made) -> None:
    """A revision without the folder is no empty workspace."""
    made.commit({"other": b"1"})
    (made.root / "work").mkdir()
    with pytest.raises(NoRevision, match="has no folder 'work'"):
        checkout(made.root / "work", "HEAD")


def test_outside_of_git_there_are_no_revisions(tmp_path: Path) -> None:
    """The message says what is missing."""
    with pytest.raises(NoRevision, match="not in a git repository"):
        revisions(tmp_path)


def test_links_and_submodules_are_left_out(made: Made) -> None:
    """Nothing that could lead out of the folder is written."""
    tree = Tree()
    tree.add(b"kept", 0o100755, made.blob(b"#!/bin/sh\n"))
    tree.add(b"link", 0o120000, made.blob(b"/etc/passwd"))
    tree.add(b"module", 0o160000, ObjectID(b"1" * 40))
    made.repo.object_store.add_object(tree)
    made.commit(tree.id)
    assert texts(checkout(made.root, "HEAD")) == {"kept": b"#!/bin/sh\n"}


@pytest.mark.parametrize("name", [b"..", b".", b".git", b".GIT", b"../x", b"/x", b"a/../../x"])
def test_names_that_lead_elsewhere_are_left_out(made: Made, name: bytes) -> None:
    """A tree made by hand may hold any bytes as a name; such files are not written anywhere."""
    raw = b"".join(
        b"100644 %s\0%s" % (each, bytes.fromhex(made.blob(b"x").decode()))
        for each in (name, b"fine")
    )
    tree = Tree.from_string(raw)
    made.repo.object_store.add_object(tree)
    made.commit(tree.id)
    found = checkout(made.root, "HEAD")
    assert texts(found) == {"fine": b"x"}
    assert sorted(path.name for path in found.parent.iterdir()) == ["repo"]


def test_a_folder_within_itself_ends(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trees that unfold to more files than are written are refused, and leave nothing behind."""
    inner = made.tree({"a": b"1", "b": b"2"})
    for _ in range(12):
        tree = Tree()
        for name in (b"x", b"y", b"z"):
            tree.add(name, 0o040000, inner)
        made.repo.object_store.add_object(tree)
        inner = tree.id
    made.commit(inner)
    monkeypatch.setattr(checkouts, "MAX_FILES", 100)
    with pytest.raises(NoRevision, match="too large"):
        checkout(made.root, "HEAD")
    left = list((made.root.parent / "cache").rglob("new-*"))
    assert left == []


def test_bytes_are_bounded(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sum of all files counts, not only their number."""
    made.commit({"a": b"1" * 600, "b": b"2" * 600})
    monkeypatch.setattr(checkouts, "MAX_BYTES", 1_000)
    with pytest.raises(NoRevision, match="too large"):
        checkout(made.root, "HEAD")


def test_a_loose_object_that_unpacks_to_too_much_is_refused(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few kilobytes of compressed zeros are not unpacked beyond the limit."""
    made.commit({"a": b"\0" * 3_000_000})
    monkeypatch.setattr(repository, "MAX_FILE", 1_000_000)
    with pytest.raises(NoRevision, match="could not be read"):
        checkout(made.root, "HEAD")


def test_a_damaged_object_is_a_sentence(made: Made) -> None:
    """A repository that cannot be read says so, and suggests what git says of it."""
    sha = made.commit({"a": b"1"})
    place = made.root / ".git" / "objects" / sha[:2] / sha[2:]
    place.chmod(0o600)
    place.write_bytes(zlib.compress(b"commit 3\0xyz"))
    with pytest.raises(NoRevision, match="git fsck"):
        revisions(made.root)


@pytest.mark.parametrize("text", ["gitdir: nowhere\n", "hello\n", ""])
def test_a_git_file_that_leads_nowhere_is_a_sentence(tmp_path: Path, text: str) -> None:
    """Whatever `.git` holds, the answer is an error of the caller's tree."""
    (tmp_path / ".git").write_text(text)
    with pytest.raises((NoRevision, UnknownName)):
        revisions(tmp_path)


def test_missing_objects_are_not_fetched(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """A partial copy is said to be one; no connection is tried for what it lacks."""
    made.commit({"a": b"only here"})
    blob = made.blob(b"only here").decode()
    (made.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    config = made.root / ".git" / "config"
    config.write_text('[remote "origin"]\n\turl = http://127.0.0.1:1/x\n\tpromisor = true\n')
    monkeypatch.setattr(socket, "socket", None)
    with pytest.raises(NoRevision, match="shallow or partial"):
        checkout(made.root, "HEAD")


def test_nothing_that_a_repository_names_is_run(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Filters, hooks, monitors and aliases stay words: no process starts, no byte changes."""
    sign = tmp_path / "ran"
    touch = f"touch {sign}"
    files: Files = {".gitattributes": b"* filter=evil text eol=crlf\n", "a.txt": b"one\ntwo\n"}
    made.commit(files)
    config = made.root / ".git" / "config"
    config.write_text(
        f"[core]\n\tfsmonitor = {touch}\n\tsshCommand = {touch}\n\tpager = {touch}\n"
        f'\tworktree = /\n[filter "evil"]\n\tsmudge = {touch}\n\tclean = {touch}\n\trequired\n'
        "[include]\n\tpath = /etc/passwd\n"
    )
    for name in ("post-checkout", "reference-transaction"):
        hook = made.root / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\n{touch}\n")
        hook.chmod(0o755)
    monkeypatch.setattr(subprocess, "Popen", None)
    before = texts(made.root)
    assert texts(checkout(made.root, "HEAD")) == files
    assert len(revisions(made.root)) == 1
    assert texts(made.root) == before
    assert not sign.exists()


def test_packed_objects_and_references_are_read(made: Made) -> None:
    """After git has tidied up there are packs and one file of references."""
    made.commit({"a": b"1" * 200})
    sha = made.commit({"a": b"1" * 200 + b"2"})
    made.repo.refs[Ref(b"refs/tags/v1")] = ObjectID(sha.encode())
    made.repo.object_store.pack_loose_objects()
    made.repo.refs.pack_refs(all=True)
    assert not (made.root / ".git" / "refs" / "heads" / "main").exists()
    assert texts(checkout(made.root, "v1~1")) == {"a": b"1" * 200}


def test_a_linked_work_tree_has_a_head_of_its_own(made: Made, tmp_path: Path) -> None:
    """There `.git` is a file that names a folder, which names the common one."""
    first = made.commit({"a": b"1"})
    made.commit({"a": b"2"})
    control = made.root / ".git" / "worktrees" / "linked"
    control.mkdir(parents=True)
    (control / "HEAD").write_text(first + "\n")
    (control / "commondir").write_text("../..\n")
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / ".git").write_text(f"gitdir: {control}\n")
    assert texts(checkout(linked, "HEAD")) == {"a": b"1"}
    assert texts(checkout(linked, "main")) == {"a": b"2"}


def test_revisions_are_those_that_changed_the_folder(made: Made) -> None:
    """The newest first, with first line, time and what stands at them."""
    first = made.commit({"work/a": b"1"}, "Begin\n\nbody")
    made.commit({"work/a": b"1", "other": b"x"}, "Elsewhere")
    last = made.commit({"work/a": b"2", "other": b"x"}, "Improve")
    (made.root / "work").mkdir()
    found = revisions(made.root / "work")
    assert [(each.sha, each.subject) for each in found] == [(last, "Improve"), (first, "Begin")]
    assert (found[0].names, found[1].names) == (("main",), ())
    assert int(found[0].when.timestamp()) == WHEN + 180
    assert found[0].sha.startswith(found[0].short)


def test_no_more_revisions_than_asked_for(made: Made) -> None:
    """The limit counts those that are returned."""
    for number in range(5):
        made.commit({"a": str(number).encode()})
    assert len(revisions(made.root, limit=3)) == 3


def test_what_is_in_the_work_tree_is_not_looked_at(made: Made) -> None:
    """A revision holds what was committed, whatever lies in the folder now."""
    made.commit({"a": b"committed"})
    (made.root / "a").write_bytes(b"edited")
    assert texts(checkout(made.root, "HEAD")) == {"a": b"committed"}
