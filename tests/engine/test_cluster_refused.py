"""A cluster that is not safe, not the same or not there is refused, and a sentence says why."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dask
import distributed
import pytest

from evalcore import __version__
from evalcore.engine import cluster
from evalcore.engine.cluster import cluster_address, cluster_executor
from evalcore.engine.journal import Executed, events
from evalcore.engine.process import work
from evalcore.engine.scripts_of_workspace import waiting
from evalcore.engine.store import RunFolder
from evalcore.engine.task import outcome_of, perform
from evalcore.errors import CannotRun
from evalcore.sandbox.trust import allow
from tests.cli.command import evalcore
from tests.engine.clusters import Cluster
from tests.engine.conftest import Made, opened, planned

SKEW = "import evalcore; evalcore.__version__ = '0.0.1'"
NO_SANDBOX = """
import os
from evalcore.sandbox import bubblewrap
bubblewrap._HOST_PATH = "/nowhere"
os.environ["EVALCORE_STATE_DIR"] = {state!r}
"""


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Return a scheduler without workers."""
    with Cluster(tmp_path_factory.mktemp("dask") / "alone") as made:
        yield made


def _why(folder: RunFolder) -> str:
    return folder.progress().why


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:8786", "tcp://127.0.0.1:8786"),
        ("tcp://127.0.0.1:8786", "tcp://127.0.0.1:8786"),
        ("tcp://[::1]:8786", "tcp://[::1]:8786"),
        ("tcp://localhost:8786", "tcp://localhost:8786"),
        ("tls://scheduler.example:8786", "tls://scheduler.example:8786"),
    ],
)
def test_a_scheduler_is_reached_by_tls_or_on_this_machine(text: str, address: str) -> None:
    """Everything else lets others run code."""
    assert cluster_address(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "tcp://127.0.0.1.evil.example:8786",
        "tcp://localhost.evil.example:8786",
        "tcp://127.0.0.1@evil.example:8786",
        "tcp://evil.example:8786#@127.0.0.1:1",
        "tcp://192.0.2.2:8786",
        "tcp://0.0.0.0:8786",
        "tcp://[::]:8786",
        "http://127.0.0.1:8786",
        "ws://127.0.0.1:8786",
        "inproc://127.0.0.1:1",
        "tls://:8786",
        "tcp://127.0.0.1",
        "tcp://127.0.0.1:port",
        "",
    ],
)
def test_any_other_address_is_refused(text: str) -> None:
    """Also one that only looks like this machine."""
    with pytest.raises(CannotRun):
        cluster_address(text)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(CannotRun, match=r"e-workspace\[cluster\]"), cluster_executor("127.0.0.1:1"):
        pass


def test_a_run_in_threads_never_imports_dask(made: Made) -> None:
    """It would cost most of a second."""
    folder = planned(made("write=a.txt"))
    code = (
        "import sys; from evalcore.engine.process import work; import evalcore.cli.running; "
        "work(sys.argv[1]); assert not {'dask', 'distributed', 'tornado'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, folder.id], check=True, timeout=120)
    assert folder.state() == "finished"


def test_a_scheduler_that_is_not_there_ends_the_run_before_it_begins(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal says why, and threads can go on."""
    monkeypatch.setattr(cluster, "WAIT_SECONDS", 0.5)
    folder = planned(made("write=a.txt"))
    with pytest.raises(CannotRun, match="was not reached within"):
        work(folder.id, cluster="tcp://127.0.0.1:1")
    assert folder.state() == "interrupted"
    assert "was not reached within" in _why(folder)
    assert work(folder.id) == "finished"


def test_another_evalcore_refuses_the_run_once(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that came later says so; nothing is tried again, and nothing counts as done."""
    folder = planned(made(*["write=a.txt"] * 20))
    outcome = outcome_of(perform(str(folder.path), 0, "0.0.1"))
    assert (outcome.execution.status, outcome.refused) == ("not_run", True)
    monkeypatch.setattr("evalcore.engine.runner.__version__", "0.0.1")
    assert work(folder.id) == "interrupted"
    assert _why(folder).startswith("Not run: The worker on ")
    assert "was started by 0.0.1" in _why(folder)
    assert not any(isinstance(event, Executed) for event in events(folder.path))
    monkeypatch.undo()


def test_a_worker_that_does_not_see_the_folders_refuses(made: Made, tmp_path: Path) -> None:
    """The sentence names the folder; the run goes on when it is there."""
    outcome = outcome_of(perform(str(tmp_path / "elsewhere"), 0, __version__))
    assert outcome.execution.status == "not_run"
    assert f"does not see {tmp_path / 'elsewhere'}" in outcome.execution.why
    root = made("write=a.txt")
    folder = planned(root)
    hidden = root.rename(tmp_path / "hidden")
    assert work(folder.id) == "interrupted"
    assert f"does not see {root}" in _why(folder)
    root.mkdir()  # as a mount point is without its mount
    assert work(folder.id) == "interrupted"
    assert f"sees an empty folder at {root}" in _why(folder)
    root.rmdir()
    hidden.rename(root)
    assert work(folder.id) == "finished"


def test_a_scheduler_without_workers_is_refused(
    alone: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message says how to start one."""
    monkeypatch.setattr(cluster, "WAIT_SECONDS", 1.0)
    with pytest.raises(CannotRun, match="has no worker"), cluster_executor(alone.address):
        pass


def test_a_worker_without_a_nanny_is_refused(alone: Cluster) -> None:
    """It would not come back when it dies."""
    with (
        alone.worker("--no-nanny"),
        pytest.raises(CannotRun, match="has no nanny"),
        cluster_executor(alone.address),
    ):
        pass


def test_a_worker_that_imports_from_its_folder_is_refused(tmp_path: Path) -> None:
    """It says how to start it; nothing of evalcore is imported there to find out."""
    careless = Cluster(tmp_path / "careless", more={"PYTHONSAFEPATH": ""}, cwd=tmp_path)
    with (
        careless as made,
        made.worker(),
        pytest.raises(CannotRun, match="PYTHONSAFEPATH=1 in its environment"),
        cluster_executor(made.address),
    ):
        pass


def test_a_worker_with_another_evalcore_is_refused_before_the_run(
    alone: Cluster, made: Made
) -> None:
    """Nothing is executed there; one without evalcore could not even say so."""
    folder = planned(made("write=a.txt"))
    with alone.worker(preload=SKEW), pytest.raises(CannotRun, match=r"has evalcore 0\.0\.1"):
        work(folder.id, cluster=alone.address)
    assert folder.state() == "interrupted"
    assert folder.progress().calls == 0


def test_a_worker_without_a_sandbox_runs_no_script(
    alone: Cluster, made: Made, tmp_path: Path
) -> None:
    """The check is not run, and the sentence says what to install; the rest is done."""
    flag = tmp_path / "ran"
    script = {"id": "S1", "type": "custom_script", "script": f"touch {flag}", "description": "x"}
    root = made("write=a.txt", checks=[script])
    for each in waiting(opened(root)):
        allow(each.command)
    folder = planned(root, runs=1)
    preload = NO_SANDBOX.format(state=str(tmp_path / "state"))
    with alone.worker(preload=preload):
        assert work(folder.id, cluster=alone.address) == "finished"
    (one,) = folder.progress().runs
    assert one.graded is not None
    (verdict,) = one.graded.checks
    assert (verdict.passed, verdict.status) == (None, "not_run")
    assert "bubblewrap" in verdict.rationale
    assert not flag.exists()


def test_a_scheduler_that_gives_up_no_task_is_refused(alone: Cluster) -> None:
    """One bad case would take down all workers, again and again."""
    setting = {"distributed.scheduler.allowed-failures": 1_000}
    with distributed.Client(alone.address, set_as_default=False) as client:
        client.run_on_scheduler(dask.config.set, setting)
    with pytest.raises(CannotRun, match="ALLOWED_FAILURES=2"), cluster_executor(alone.address):
        pass


def test_a_scheduler_that_others_reach_is_refused() -> None:
    """However it is named here, it says where it listens."""
    with pytest.raises(CannotRun, match="where others reach it without a certificate"):
        cluster._require_private("scheduler", "tcp://192.0.2.7:8786")


def test_the_command_refuses_an_address_before_it_plans(made: Made, tmp_path: Path) -> None:
    """Nothing is left to resume."""
    given = ("run", made("write=a.txt"), "--cluster", "tcp://192.0.2.2:8786")
    done = evalcore(*given, home=tmp_path, EVALCORE_STATE_DIR=str(tmp_path / "state"))
    assert done.returncode == 2
    assert "neither encrypted nor on this machine" in done.stderr.replace("\n", " ")
    assert not (tmp_path / "state" / "runs").exists()
