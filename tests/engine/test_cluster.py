"""Test runs on a dask cluster: the same as in threads, whatever happens to workers and scheduler.

The scheduler and the workers are real processes on this machine.
"""

import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import dask
import distributed
import pytest

from evalcore import __version__
from evalcore.engine import cluster
from evalcore.engine.cluster import cluster_address, cluster_executor
from evalcore.engine.journal import Begun, Executed, events
from evalcore.engine.plan import Executor, Template
from evalcore.engine.process import work
from evalcore.engine.scripts_of_workspace import waiting
from evalcore.engine.store import RunFolder
from evalcore.engine.task import outcome_of, perform
from evalcore.errors import CannotRun
from evalcore.sandbox.trust import allow
from tests.cli.command import evalcore
from tests.engine.clusters import Cluster, until, with_word
from tests.engine.conftest import FAKE, Made, opened, planned, ran
from tests.reliability.cluster import WORKERS, counted, killed, left_of, suite_of

SKEW = "import evalcore; evalcore.__version__ = '0.0.1'"
NO_SANDBOX = """
import os
from evalcore.sandbox import bubblewrap
bubblewrap._HOST_PATH = "/nowhere"
os.environ["EVALCORE_STATE_DIR"] = {state!r}
"""


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Return a cluster of three workers with two threads each."""
    with Cluster(tmp_path_factory.mktemp("dask") / "three") as made:
        yield made.add(WORKERS)


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
    with pytest.raises(CannotRun, match=r"evalcore\[cluster\]"), cluster_executor("127.0.0.1:1"):
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


def test_what_is_stored_is_not_executed_again_for_a_late_worker(made: Made, tmp_path: Path) -> None:
    """dask asks a second time when a worker died with an answer that came through after all."""
    note = tmp_path / "calls"
    folder = ran(made(f"note={note}"))
    outcome = outcome_of(perform(str(folder.path), 0, __version__))
    assert outcome.execution.status == "interrupted"
    assert note.read_text() == "started\n"
    assert folder.progress().runs[0].attempts == 1


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


def test_cases_are_stored_once_while_workers_are_killed(three: Cluster, tmp_path: Path) -> None:
    """Each try is counted, no child process is left, and doing cases again changes nothing."""
    line = killed(tmp_path, 40, every=0.5, seed=random.randrange(10_000), cluster=three)
    print(line.text())  # noqa: T201 - figures are for reading
    assert (line.faults, line.acknowledged) == (0, 40)
    assert line.number > 0


def test_a_writer_that_overwrites_is_found_out(three: Cluster, tmp_path: Path) -> None:
    """Else the test above would prove nothing."""
    line = killed(tmp_path, 8, every=1e9, seed=0, way="naive", cluster=three)
    assert line.foreign > 0


def test_the_command_goes_on_with_a_run_on_a_cluster(
    three: Cluster, made: Made, tmp_path: Path
) -> None:
    """The journal says where."""
    folder = planned(made("write=a.txt", "write=b.txt"))
    given = ("run", "--resume", folder.id, "--cluster", three.address)
    done = evalcore(*given, home=tmp_path, EVALCORE_STATE_DIR=str(tmp_path / "state"))
    assert done.returncode == 0, done.stderr
    begun = next(event for event in events(folder.path) if isinstance(event, Begun))
    assert begun.where == f"cluster {three.address}"
    assert [one.status for one in folder.progress().runs] == ["completed"] * 2


def test_the_command_refuses_an_address_before_it_plans(made: Made, tmp_path: Path) -> None:
    """Nothing is left to resume."""
    given = ("run", made("write=a.txt"), "--cluster", "tcp://192.0.2.2:8786")
    done = evalcore(*given, home=tmp_path, EVALCORE_STATE_DIR=str(tmp_path / "state"))
    assert done.returncode == 2
    assert "neither encrypted nor on this machine" in done.stderr.replace("\n", " ")
    assert not (tmp_path / "state" / "runs").exists()


def test_what_is_cancelled_at_once_ends_on_the_workers(three: Cluster, tmp_path: Path) -> None:
    """The run ends when its child processes have, and goes on in threads."""
    folder, _, word = suite_of(tmp_path, 6, "wait=2")
    with ThreadPoolExecutor(1) as pool:
        going = pool.submit(work, folder.id, cluster=three.address)
        until(lambda: len(with_word(word)) >= WORKERS)
        folder.ask_to_stop("now")
        assert going.result() == "cancelled"
    assert left_of(word, 0) == 0
    statuses = [one.status for one in folder.progress().runs]
    assert set(statuses) == {"cancelled"}
    folder.forget_stop()
    assert work(folder.id) == "finished"


def test_a_case_that_kills_its_workers_ends_with_an_error(three: Cluster, made: Made) -> None:
    """After three of them dask gives it up; each try is counted, and the workers come back."""
    template = Template((sys.executable, "-I", str(FAKE)), sees_workspace=True)
    poison = Executor("poison", "command", template, "yours")
    folder = planned(made("poison"), poison)
    assert work(folder.id, cluster=three.address) == "finished"
    (one,) = folder.progress().runs
    assert (one.status, one.attempts) == ("error", 3)
    assert one.execution is not None
    assert "KilledWorker" in one.execution.why
    three.wait_for_deaths(3)


def test_threads_finish_what_a_killed_scheduler_forgot(three: Cluster, tmp_path: Path) -> None:
    """The run says that it was interrupted; what was stored is not done again."""
    folder, root, word = suite_of(tmp_path, 24, "wait=0.2")
    with ThreadPoolExecutor(1) as pool:
        going = pool.submit(work, folder.id, cluster=three.address)
        until(lambda: folder.progress().done >= 4)
        three.kill_scheduler()
        assert going.result() == "interrupted"
    assert "connection to the cluster was lost" in _why(folder)
    done = folder.progress().done
    assert 4 <= done < 24
    assert work(folder.id) == "finished"
    line = counted(folder, root, word)
    assert (line.faults, line.acknowledged) == (0, 24)


def test_with_certificates_and_only_with_them(tmp_path: Path, made: Made) -> None:
    """A cluster over TLS does the run; who has no certificate is refused."""
    settings = _certificates(tmp_path / "tls")
    with Cluster(tmp_path / "dask", ("--protocol", "tls"), _variables(settings)) as secure:
        assert secure.address.startswith("tls://")
        folder = planned(made("write=a.txt"))
        secure.add(1, "--protocol", "tls")
        with pytest.raises(CannotRun):
            work(folder.id, cluster=secure.address)
        with dask.config.set(settings):
            assert work(folder.id, cluster=secure.address) == "finished"


def _certificates(folder: Path) -> dict[str, str]:
    """Make an authority and one certificate, and return dask's settings for them."""
    folder.mkdir()
    for name, more in (("ca", ()), ("node", ("-CA", "ca.pem", "-CAkey", "ca.key"))):
        key = ("-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.pem")
        subject = ("-subj", f"/CN={name}", "-days", "2")
        command = ["openssl", "req", "-x509", *key, *subject, *more]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    settings = {"ca-file": str(folder / "ca.pem")}
    for who in ("scheduler", "worker", "client"):
        settings[f"{who}.cert"] = str(folder / "node.pem")
        settings[f"{who}.key"] = str(folder / "node.key")
    return {f"distributed.comm.tls.{name}": value for name, value in settings.items()}


def _variables(settings: dict[str, str]) -> dict[str, str]:
    """Return the variables of the environment that set the same."""
    names = {name: name.replace(".", "__").replace("-", "_").upper() for name in settings}
    return {f"DASK_{names[name]}": value for name, value in settings.items()}
