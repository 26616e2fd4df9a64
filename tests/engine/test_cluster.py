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
import pytest

from evalcore import __version__
from evalcore.engine.journal import Begun, events
from evalcore.engine.plan import Executor, Template
from evalcore.engine.process import work
from evalcore.engine.store import RunFolder
from evalcore.engine.task import outcome_of, perform
from evalcore.errors import CannotRun
from tests.cli.command import evalcore
from tests.engine.clusters import Cluster, until, with_word
from tests.engine.conftest import FAKE, Made, planned, ran
from tests.reliability.cluster import WORKERS, counted, killed, left_of, suite_of
from tests.reliability.racing_runs import raced


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Return a cluster of three workers with two threads each."""
    with Cluster(tmp_path_factory.mktemp("dask") / "three") as made:
        yield made.add(WORKERS)


def _why(folder: RunFolder) -> str:
    return folder.progress().why


def test_what_is_stored_is_not_executed_again_for_a_late_worker(made: Made, tmp_path: Path) -> None:
    """dask asks a second time when a worker died with an answer that came through after all."""
    note = tmp_path / "calls"
    folder = ran(made(f"note={note}"))
    outcome = outcome_of(perform(str(folder.path), 0, __version__))
    assert outcome.execution.status == "interrupted"
    assert note.read_text() == "started\n"
    assert folder.progress().runs[0].attempts == 1


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


def test_two_runs_on_a_cluster_share_no_place(three: Cluster, tmp_path: Path) -> None:
    """Whichever worker executes, the run's own process owns the places first."""
    line = raced(tmp_path, "improve", 2, cluster=three.address)
    assert (line.faults, line.left, line.number) == (0, 0, 12)


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
