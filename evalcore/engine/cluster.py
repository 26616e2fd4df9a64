"""Hand test runs to the workers of a dask cluster; the only module that imports distributed.

The scheduler of dask runs any code of anybody who reaches its port, so it has to be reached by TLS
with certificates, or on this machine only. Nothing is added to dask: no queue, no worker of ours.
"""

import gc
import ipaddress
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from evalcore import __version__
from evalcore.engine.task import version
from evalcore.errors import CannotRun, extra

WAIT_SECONDS: Final = 10.0
"""So long a scheduler and its first worker are waited for."""

MOST_FAILURES: Final = 10
"""So many workers one test run may take down before dask gives it up; its default is 3."""

_SETTING: Final = "distributed.scheduler.allowed-failures"


def cluster_address(text: str) -> str:
    """Return the address of a scheduler as dask wants it: `tls://HOST:PORT`, or on this machine.

    Raises:
        CannotRun: others could reach it and run code, or it is no address.
    """
    try:
        parts = urlsplit(text if "://" in text else f"tcp://{text}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    if not host or not port or parts.username is not None or parts.path not in ("", "/"):
        raise CannotRun(
            f"{text!r} is not the address of a scheduler. Name it as tls://HOST:PORT, or as "
            "tcp://127.0.0.1:PORT on this machine."
        )
    if parts.scheme != "tls" and not (parts.scheme == "tcp" and _is_loopback(host)):
        raise CannotRun(
            f"{text} is neither encrypted nor on this machine: whoever reaches a scheduler runs "
            "code there. Start it with certificates and name it as tls://HOST:PORT "
            "(docs/scale.md)."
        )
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


class Workers(NamedTuple):
    """What hands test runs to workers, and whether its scheduler is lost."""

    executor: Executor
    is_lost: Callable[[], bool]


@contextmanager
def cluster_executor(address: str) -> Iterator[Workers]:
    """Yield what hands test runs to the workers of a cluster.

    The certificates are those of dask's own configuration (`DASK_DISTRIBUTED__COMM__TLS__…`). A
    test run on a worker that is lost is given to another one, by dask; one that takes down
    several ends with an error.

    Raises:
        CannotRun: the cluster cannot be reached, or it is not safe to use; the message says why.
    """
    address = cluster_address(address)
    client = _connected(address)
    try:
        _require_safe(client)
        _wait_for_a_worker(client, address)
        _require_nannies(client)
        _require_safe_path(client)
        _require_same_version(client)
        executor = client.get_executor(pure=False, retries=0)
        yield Workers(executor, lambda: client.status != "running")
    finally:
        with suppress(TimeoutError):  # of a scheduler that is gone nothing is left to close
            client.close(timeout=WAIT_SECONDS)


def _connected(address: str) -> Any:
    try:
        import distributed  # noqa: PLC0415 - an extra, and most of a second
    except ImportError as error:
        raise CannotRun(
            f"A cluster needs an extra: {extra('cluster')}. "
            "Without --cluster the run goes on in threads."
        ) from error
    # A client that failed closes itself when it is collected, and waits for ever if that happens
    # while the next one starts (both take one lock of dask's): so it happens now.
    gc.collect()
    try:
        return distributed.Client(
            address, timeout=WAIT_SECONDS, security=distributed.Security(), set_as_default=False
        )
    except (OSError, TypeError, ValueError) as error:
        raise CannotRun(
            f"The scheduler at {address} was not reached within {WAIT_SECONDS:g} s: "
            f"{_said(error)}. Start it, or go on in threads: `evalcore run --resume` without "
            "--cluster."
        ) from error


def _require_safe(client: Any) -> None:
    """Refuse a scheduler that others can reach, or that one bad test run could take down."""
    import dask  # noqa: PLC0415 - an extra, and most of a second

    _require_private("scheduler", client.scheduler_info(n_workers=0)["address"])
    failures = client.run_on_scheduler(dask.config.get, _SETTING)
    if not isinstance(failures, int) or not 0 <= failures <= MOST_FAILURES:
        raise CannotRun(
            f"The scheduler gives a test run {failures} workers to take down. Start it with "
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES=2."
        )


def _wait_for_a_worker(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=WAIT_SECONDS)
    except TimeoutError as error:
        raise CannotRun(
            f"The scheduler at {address} has no worker. Start one: "
            f"PYTHONSAFEPATH=1 dask worker {address} --nanny --no-dashboard (docs/scale.md)."
        ) from error


def _require_nannies(client: Any) -> None:
    """Refuse workers that nobody starts again, and those that others can reach."""
    for worker, about in client.scheduler_info(n_workers=-1)["workers"].items():
        _require_private("worker", worker)
        if not about.get("nanny"):
            raise CannotRun(
                f"The worker {worker} has no nanny that starts it again when it dies. "
                "Start it with --nanny."
            )


def _require_safe_path(client: Any) -> None:
    """Refuse workers that may import what lies in the folder they were started in.

    They are asked by a function that travels whole: to look one up they would import evalcore.
    """
    for worker, found in client.run(lambda: sys.flags.safe_path, on_error="return").items():
        if found is not True:
            raise CannotRun(
                f"The worker {worker} may run Python files of the folder that it was started in. "
                "Start it with PYTHONSAFEPATH=1 in its environment (docs/scale.md)."
            )


def _require_private(who: str, address: str) -> None:
    try:
        cluster_address(address)
    except CannotRun as error:
        raise CannotRun(
            f"The {who} listens at {address}, where others reach it without a certificate. "
            "Start it with --host 127.0.0.1, or the whole cluster with TLS (docs/scale.md)."
        ) from error


def _require_same_version(client: Any) -> None:
    """Refuse workers with another evalcore; one that joins later refuses by itself."""
    for worker, found in client.run(version, on_error="return").items():
        if isinstance(found, BaseException):
            raise CannotRun(
                f"The worker {worker} cannot use evalcore ({_said(found)}). "
                f"Install evalcore {__version__} there."
            )
        if found != __version__:
            raise CannotRun(
                f"The worker {worker} has evalcore {found}, this is {__version__}. "
                "Install the same one on all machines."
            )


def _is_loopback(host: str) -> bool:
    """Return whether a host is this machine: by its number or as localhost, never by its looks."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _said(error: BaseException) -> str:
    return (str(error) or type(error).__name__).rstrip(".")[:300]
