"""What docs/ci.md tells people to paste is what runs, and so is what the action does."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from dulwich import porcelain

from evalcore.demo import packaged
from tests.cli.suites import suite

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
SUITE, OTHER = "release-notes", "commit-helper"
HALF = Path("evaluations", f"{SUITE}-workspace", "grading", "known-issues_v3_run2.json")
"""The demo holds one document that ends in the middle."""
PROGRAMS = Path(sys.executable).parent
GH = """#!{python}
# Stands for GitHub's program: keeps comments in a file, and answers as its API does.
import json, os, pathlib, re, sys
held = pathlib.Path(os.environ["COMMENTS"])
assert os.environ["GH_TOKEN"] == "a-token" and sys.argv[1] == "api"
if os.environ.get("READ_ONLY") and "--method" in sys.argv:
    sys.exit("HTTP 403: Resource not accessible by integration")
comments = json.loads(held.read_text("utf-8"))
address = next(each for each in sys.argv if each.startswith("repos/"))
if "--jq" in sys.argv:
    assert address == "repos/owner/name/issues/7/comments" and "--paginate" in sys.argv
    wanted = re.findall(r'"([^"]+)"', sys.argv[sys.argv.index("--jq") + 1])
    print(*[i for i, (who, body) in comments.items() if who == wanted[0]
            and body.startswith(wanted[1])], sep="\\n")
else:
    (body,) = [each[6:] for each in sys.argv if each.startswith("body=@")]
    number = address.rpartition("/")[2]
    new = str(len(comments) + 1) if sys.argv[3] == "POST" else number
    assert (number == "comments") == (sys.argv[3] == "POST")
    comments[new] = ["github-actions[bot]", pathlib.Path(body).read_text("utf-8")]
    held.write_text(json.dumps(comments), "utf-8")
"""


def block(language: str, place: int = 0) -> str:
    """Return a block of a language that the page holds."""
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return found[place]


def workflow() -> dict[str, Any]:
    """Return the step of the workflow that uses the action."""
    jobs: dict[str, Any] = yaml.safe_load(block("yaml"))["jobs"]
    (job,) = jobs.values()
    return dict(job["steps"][-1])


def run(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a step as the runner does: bash that stops at the first command that fails."""
    environment = {
        "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "PYTHONPATH": str(ROOT),
        "EVALCORE_CACHE_DIR": str(folder / "cache"),
        "EVALCORE_STATE_DIR": str(folder / "state"),
        **variables,
    }
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two suites of the demo in `evaluations`, all of it readable."""
    folder = tmp_path_factory.mktemp("checkout")
    for part in (SUITE, f"{SUITE}-workspace", OTHER, f"{OTHER}-workspace"):
        shutil.copytree(packaged() / part, folder / "evaluations" / part)
    (folder / HALF).unlink()
    return folder


class Runner:
    """A job that uses the action: its folders, its outputs, and the comments of pull request 7."""

    def __init__(self, folder: Path) -> None:
        self.temporary, self.here = folder / "temp", folder / "checkout"
        self.said, self.comments = folder / "summary.md", folder / "comments.json"
        programs = self.temporary / "evalcore" / "bin"
        programs.mkdir(parents=True)
        self.here.mkdir()
        for name in ("evalcore", "python"):
            (programs / name).symlink_to(PROGRAMS / name)
        (folder / "bin").mkdir()
        (folder / "bin" / "gh").write_text(GH.format(python=sys.executable), "utf-8")
        (folder / "bin" / "gh").chmod(0o755)
        self.comments.write_text("{}", "utf-8")
        self.said.touch()
        self.outputs = folder / "outputs"
        self.folder = folder

    @property
    def handed(self) -> Path:
        """The folder that is uploaded as an artifact."""
        return self.temporary / "evalcore-comparison"

    def written(self) -> list[str]:
        """Return the comments."""
        return [body for _, body in json.loads(self.comments.read_text("utf-8")).values()]

    def step(
        self, name: str, given: dict[str, str], **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a step of the action with these inputs."""
        (step,) = [each for each in ACTION["runs"]["steps"] if each.get("name") == name]
        known = {f"inputs.{key}": str(of["default"]) for key, of in ACTION["inputs"].items()}
        known |= {f"inputs.{key}": value for key, value in given.items()}
        known |= {"github.token": "a-token", "github.event.pull_request.number": "7"}
        if self.outputs.exists():
            lines = self.outputs.read_text("utf-8").splitlines()
            known |= {
                f"steps.compare.outputs.{k}": v for k, _, v in (x.partition("=") for x in lines)
            }
        variables = {
            key: re.sub(r"\$\{\{ (.+?) \}\}", lambda found: known[found[1]], value)
            for key, value in step.get("env", {}).items()
        }
        return run(
            step["run"],
            self.here,
            **variables,
            PATH=f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            RUNNER_TEMP=str(self.temporary),
            GITHUB_ACTION_PATH=str(ROOT),
            GITHUB_OUTPUT=str(self.outputs),
            GITHUB_STEP_SUMMARY=str(self.said),
            GITHUB_SERVER_URL="https://github.example",
            GITHUB_REPOSITORY="owner/name",
            GITHUB_RUN_ID="3",
            COMMENTS=str(self.comments),
            **more,
        )

    def use(self, **given: str) -> tuple[int, str]:
        """Run the steps after the installation; return how the job ends, and what was printed."""
        given = {key.replace("_", "-"): value for key, value in given.items()}
        self.outputs.unlink(missing_ok=True)
        shown = ""
        for name in ("Compare", "Comment"):
            done = self.step(name, given)
            assert done.returncode == 0, done.stderr
            shown += done.stdout
        return self.step("Answer", given).returncode, shown


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """Return a job on a new runner."""
    return Runner(tmp_path)


@pytest.mark.parametrize(
    ("suite", "sides", "code", "word"),
    [
        (SUITE, "v3 v0", 1, "worse"),
        (SUITE, "v0 v3", 0, "better"),
        (OTHER, "iteration-2@with_skill iteration-3@with_skill", 0, "better on these cases"),
        (OTHER, "iteration-3@with_skill iteration-2@with_skill", 1, "worse on these cases"),
        (SUITE, "v1 v2", 0, "can't tell"),
    ],
)
def test_the_shell_form_ends_as_the_verdict_says(
    checkout: Path, suite: str, sides: str, code: int, word: str
) -> None:
    """Only a regression fails the build; the document is there each time."""
    given = {"EVALS": "evaluations", "SUITE": suite, "SIDES": sides}
    done = run(block("sh"), checkout, **given)
    assert done.returncode == code, done.stderr
    document = json.loads((checkout / "comparison.json").read_text("ascii"))
    assert document["verdict"]["word"] == word
    assert ("can't tell" in done.stderr.lower()) == (word == "can't tell")


def test_the_action_says_the_verdict_in_every_place(checkout: Path, runner: Runner) -> None:
    """Summary, comment and artifact have the same words; the job fails for a regression."""
    shutil.copytree(checkout / "evaluations", runner.here / "evaluations")
    code, _ = runner.use(path="evaluations", suite=SUITE, sides="v3 v0")
    assert code == 1
    shown = (runner.handed / "comparison.md").read_text("utf-8")
    assert "▼ v0 passes less than v3: 8 % against 97 % on 12 cases" in shown
    assert "[Report](<https://github.example/owner/name/actions/runs/3>)" in shown
    assert runner.said.read_text("utf-8") == f"{shown}\n"
    (comment,) = runner.written()
    assert comment.partition("\n")[2] == shown
    document = json.loads((runner.handed / "comparison.json").read_text("ascii"))
    assert document["verdict"]["word"] == "worse"
    assert (runner.handed / "junit.xml").read_text("utf-8").count("<testcase ") == 12
    assert "<!doctype html>" in (runner.handed / "report.html").read_text("utf-8")[:40].lower()


def test_the_comment_is_kept_up_to_date(checkout: Path, runner: Runner) -> None:
    """A second push changes it; another suite has its own; those of others are left alone."""
    shutil.copytree(checkout / "evaluations", runner.here / "evaluations")
    runner.use(path="evaluations", suite=OTHER)
    (first,) = runner.written()
    runner.comments.write_text(
        json.dumps({"1": ["somebody", first], "2": ["github-actions[bot]", f"> {first}"]}), "utf-8"
    )
    given = {"path": "evaluations", "suite": OTHER}
    runner.step("Comment", given)
    (runner.handed / "comparison.md").write_text("Better now.\n", "utf-8")
    runner.step("Comment", given)
    of_others, mine = runner.written()[:2], runner.written()[2:]
    assert of_others == [first, f"> {first}"]
    assert mine == [f"{first.partition(chr(10))[0]}\nBetter now.\n"]
    runner.use(path="evaluations", suite=SUITE)
    assert len(runner.written()) == 4


def test_the_head_is_compared_with_its_base(runner: Runner) -> None:
    """For evaluations that are overwritten, with the rules that are asked for."""
    before = suite(runner.here, {f"eval-{n}": (4,) for n in range(8)})
    repo = porcelain.init(runner.here)
    porcelain.add(repo, [str(path) for path in before.rglob("*.json")])
    who = b"A Person <person@example.invalid>"
    base = porcelain.commit(repo, message=b"first", author=who, committer=who).decode()
    repo.close()
    shutil.rmtree(before)
    suite(runner.here, {f"eval-{n}": (1,) for n in range(8)})
    assert runner.use(base=base)[0] == 1
    assert runner.use(base=base, fail_on_regression="false")[0] == 0
    assert runner.use(base=base, fail_on_regression="false", min_rate="0.9")[0] == 1
    assert "of the working tree passes less than" in runner.written()[0]


def test_nothing_that_is_printed_is_a_command(runner: Runner) -> None:
    """The runner listens again only to a word that nobody can know before."""
    root = suite(runner.here, {"::error::x": (4, 1), "##[error]x": (4, 1)})
    for each in list(root.glob("iteration-2/*")):
        (each / "with_skill").rename(each / "::error::y")
    code, shown = runner.use(sides="iteration-1@with_skill iteration-2@::error::y")
    first, *between, last = shown.splitlines()
    token = re.fullmatch(r"::stop-commands::([0-9a-f]{32})", first)
    assert (code, bool(between), token is not None) == (0, True, True)
    assert token is not None
    assert last == f"::{token[1]}::"
    handed = (runner.handed / "comparison.md").read_text("utf-8")
    assert [line for line in handed.splitlines() if re.match(r"\s*::|.*##\[", line)] == []


def test_no_input_becomes_a_part_of_a_script(runner: Runner) -> None:
    """Whatever a branch or folder is called."""
    root = suite(runner.here, {"eval-1": (4, 1)})
    given = "--help $(touch ran) `touch ran`; touch ran"
    names = dict.fromkeys(("suite", "sides", "base", "max_drop", "min_rate"), given)
    assert runner.use(path=root.name, **names)[0] == 2
    assert runner.use(path=given)[0] == 2
    assert not list(runner.folder.rglob("ran"))
    texts = [each["run"] for each in ACTION["runs"]["steps"] if "run" in each]
    assert [text for text in texts if "${{" in text] == []


def test_a_token_that_may_not_write_costs_the_comment_only(checkout: Path, runner: Runner) -> None:
    """As in pull requests of forks."""
    shutil.copytree(checkout / "evaluations", runner.here / "evaluations")
    given = {"path": "evaluations", "suite": SUITE}
    assert runner.step("Compare", given).returncode == 0
    done = runner.step("Comment", given, READ_ONLY="1")
    assert (done.returncode, runner.written()) == (0, [])
    assert done.stdout.startswith("::warning::The comment was not written")


@pytest.mark.parametrize(("given", "code"), [({"suite": "nothing"}, 2), ({"path": "nowhere"}, 2)])
def test_what_cannot_be_done_fails_the_job(
    runner: Runner, given: dict[str, str], code: int
) -> None:
    """Without a comment."""
    suite(runner.here, {"eval-1": (4, 1)})
    assert (runner.use(**given)[0], runner.written()) == (code, [])


def test_the_workflow_names_inputs_that_there_are() -> None:
    """And the permission that the comment needs."""
    assert set(workflow()["with"]) <= set(ACTION["inputs"])
    assert yaml.safe_load(block("yaml"))["permissions"]["pull-requests"] == "write"


def test_a_document_that_cannot_be_read_stops_the_build(
    checkout: Path, tmp_path: Path, runner: Runner
) -> None:
    """No verdict rests on half of the files."""
    shutil.copytree(checkout / "evaluations", tmp_path / "evaluations")
    (tmp_path / HALF).write_text("{", "utf-8")
    done = run(block("sh"), tmp_path, EVALS="evaluations", SUITE=SUITE, SIDES="")
    assert done.returncode == 1
    assert not (tmp_path / "comparison.json").exists()
    assert runner.use(path=str(tmp_path / "evaluations"), suite=SUITE)[0] == 1
    assert list(runner.handed.iterdir()) == []


def test_the_hook_checks_the_folder(checkout: Path, tmp_path: Path) -> None:
    """It fails where a document cannot be read, and is asked only for files that may be one."""
    (hook,) = HOOKS
    config = yaml.safe_load(block("yaml", 1))["repos"][0]["hooks"][0]
    assert config["id"] == hook["id"]
    shutil.copytree(checkout / "evaluations", tmp_path / "evaluations")
    assert run(" ".join([hook["entry"], *config["args"]]), tmp_path).returncode == 0
    (tmp_path / HALF).write_text("{", "utf-8")
    assert run(" ".join([hook["entry"], *hook["args"]]), tmp_path).returncode == 1
    assert re.search(hook["files"], str(HALF))


def test_no_address_stands_in_the_recipe() -> None:
    """Where packages come from is the runner's business."""
    assert "://" not in block("yaml") + block("sh") + block("yaml", 1)
