"""Run what a workspace names in a sandbox: no network, no secrets, read-only, within limits."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.disk.handles import content
from evalcore.disk.temporary import NOBODY
from evalcore.sandbox.child import Ended, not_started, program_path, run
from evalcore.sandbox.copies import copied_for_nobody, give_to_nobody
from evalcore.sandbox.environment import USUAL_PATH

WORK: Final = Path("/work")
SKILL: Final = Path("/skill")
SCRIPT: Final = Path("/script")

_HOST_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_HOST: Final = {"PATH": _HOST_PATH, "LANG": "C.UTF-8"}
_LINKS: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_OPEN_FILES: Final = 256
_TRY_SECONDS: Final = 10.0
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_STATUS_BYTES: Final = 64 * 1024


class Limits(NamedTuple):
    """What a sandboxed program may use; memory, CPU time and file size are of each process."""

    seconds: float = 60.0
    memory: int = 2 * 1024**3
    processes: int = 256
    file_bytes: int = 64 * 1024**2
    """Of one file, and of all files in /tmp together."""
    output_bytes: int = 1024**2
    """Of each stream so much is kept."""
    cpu_seconds: int = 30


class Mount(NamedTuple):
    """A folder outside, by path or by an open handle, and where it is seen inside."""

    source: Path | int
    target: Path
    writable: bool = False


@cache
def missing() -> str | None:
    """Return a sentence why there is no sandbox on this machine; None: it works.

    It is tried once, by running a harmless script in it.
    """
    if sys.platform != "linux":
        return "The sandbox needs Linux: it is made by bubblewrap."
    for program in ("bwrap", "prlimit", "setpriv", "bash"):
        if program_path(program, _HOST_PATH) is None:
            package = {"bwrap": "bubblewrap", "bash": "bash"}.get(program, "util-linux")
            return f"The sandbox needs {program}, which is not installed: install {package}."
    command = _bwrap(["bash", "-c", "true | true"], [], Limits())
    ended = run(command, cwd=Path("/"), env=_HOST, seconds=_TRY_SECONDS)
    if ended.how == "exited" and ended.code == 0:
        return None
    said = _last_line(ended.stderr) or ended.why
    return (
        f"The sandbox does not work here: {said.rstrip('.')}. "
        "It needs user namespaces, which this system or its container may forbid."
    )


def run_script(
    script: bytes,
    *,
    files: Path,
    script_files: Path | None = None,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    stopped: Callable[[], bool] = lambda: False,
) -> Ended:
    """Run exactly these bytes by bash in the sandbox, with `files` read-only at /work.

    `script_files` is read-only at /skill, which the variable SKILL says; /tmp is writable, and gone
    afterwards. Standard input is empty. A code above 128 is a signal. As root it runs as nobody, on
    copies of the folders; else a unix socket in them could be connected to. `not_started` says why
    there is no sandbox; nothing has run then.
    """
    if reason := missing():
        return not_started(reason)
    with ExitStack() as stack:
        try:
            data = stack.enter_context(_in_memory("script", script))
            mounts = [Mount(stack.enter_context(_readable(files)), WORK)]
            if script_files is not None:
                mounts.append(Mount(stack.enter_context(_readable(script_files)), SKILL))
        except OSError as error:
            return not_started(f"The sandbox could not be prepared: {error}.")
        options = ["--perms", "0444", "--ro-bind-data", str(data), str(SCRIPT)]
        if script_files is not None:
            options += ["--setenv", "SKILL", str(SKILL)]
        command = ["bash", str(SCRIPT)]
        return _run(command, mounts, limits, stopped, options=options, handles=[data])


def run_command(
    command: Sequence[str],
    *,
    folder_rw: Path,
    read_only: Sequence[Path] = (),
    limits: Limits = Limits(),  # noqa: B008 - immutable
    stdin: bytes = b"",
    stopped: Callable[[], bool] = lambda: False,
) -> Ended:
    """Run an allowed command in the sandbox, with `folder_rw` writable as its folder /work.

    The folders `read_only` are seen at their own paths. As root it runs as nobody, to whom
    `folder_rw` and all in it is given first; nobody has to reach all of them by their paths.
    """
    if reason := missing():
        return not_started(reason)
    with ExitStack() as stack:
        try:
            work = stack.enter_context(_opened(folder_rw))
            seen = [Mount(stack.enter_context(_opened(path)), path) for path in read_only]
            if os.geteuid() == 0:
                give_to_nobody(work)
        except OSError as error:
            return not_started(f"The sandbox could not be prepared: {error}.")
        mounts = [Mount(work, WORK, writable=True), *seen]
        return _run(command, mounts, limits, stopped, stdin=stdin)


def command_line(
    command: Sequence[str],
    *,
    folder_rw: Path,
    read_only: Sequence[Path] = (),
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> list[str]:
    """Return the command that does what `run_command` does, for who starts it in another way.

    As root, nobody (65534) has to own `folder_rw` and to reach all of the folders by their paths.
    """
    seen = [Mount(path, path) for path in read_only]
    mounts = [Mount(folder_rw, WORK, writable=True), *seen]
    # What bubblewrap itself is given can be seen inside, in /proc/1/environ.
    return ["env", "-i", f"PATH={_HOST_PATH}", *_bwrap(command, mounts, limits)]


def _run(
    command: Sequence[str],
    mounts: Sequence[Mount],
    limits: Limits,
    stopped: Callable[[], bool],
    *,
    options: Sequence[str] = (),
    handles: Sequence[int] = (),
    stdin: bytes = b"",
) -> Ended:
    """Run a command, and tell a sandbox that could not be made from a command that failed."""
    folders = [mount.source for mount in mounts if isinstance(mount.source, int)]
    with _in_memory("status", b"") as status:
        options = [*options, "--json-status-fd", str(status)]
        ended = run(
            _bwrap(command, mounts, limits, options),
            cwd=Path("/"),
            env=_HOST,
            stdin=stdin,
            seconds=limits.seconds,
            max_output=limits.output_bytes,
            stopped=stopped,
            pass_fds=[*folders, *handles, status],
        )
        # bubblewrap writes it when the command was really started, and only its own process can.
        began = b'"exit-code"' in content(status, _STATUS_BYTES)
    if ended.how == "exited" and ended.code is not None and ended.code >= 0 and not began:
        said = _last_line(ended.stderr) or ended.why
        return not_started(f"The sandbox could not be prepared: {said.rstrip('.')}.")
    return ended


def _bwrap(
    command: Sequence[str], mounts: Sequence[Mount], limits: Limits, options: Sequence[str] = ()
) -> list[str]:
    """Return the command line of the sandbox, to be run in an environment without secrets."""
    as_nobody = [
        "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs",
    ]  # fmt: skip
    size = str(limits.file_bytes)
    return [
        # The limit of processes does not bind root.
        *(as_nobody if os.geteuid() == 0 else ()),
        "bwrap",
        *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
        *("--unshare-cgroup-try", "--uid", str(NOBODY), "--gid", str(NOBODY)),
        *(["--disable-userns"] if "--disable-userns" in _offered() else []),
        *("--hostname", "sandbox", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *("--clearenv", "--setenv", "PATH", USUAL_PATH, "--setenv", "HOME", "/tmp"),  # noqa: S108 - inside
        *("--setenv", "LANG", "C.UTF-8", "--ro-bind", "/usr", "/usr", *_system()),
        *("--proc", "/proc", "--dev", "/dev"),
        # Its /dev would be writable without a limit.
        *("--size", size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"),  # noqa: S108 - inside
        *("--size", size, "--tmpfs", "/tmp"),  # noqa: S108 - inside
        *(part for mount in mounts for part in _mounted(mount)),
        *options,
        *("--remount-ro", "/", "--chdir", str(WORK) if mounts else "/", "--"),
        # Inside, where its processes are counted apart from all others of this user.
        *("prlimit", f"--nproc={limits.processes}", f"--nofile={_OPEN_FILES}"),
        *(f"--fsize={size}", f"--as={limits.memory}", f"--cpu={limits.cpu_seconds}", "--core=0"),
        *("--", *command),
    ]


def _system() -> Iterator[str]:
    """Yield the options for what a program needs beside /usr."""
    for name in _LINKS:
        place = Path("/", name)
        if place.is_symlink():
            yield from ("--symlink", str(place.readlink()), str(place))
        elif place.is_dir():
            yield from ("--ro-bind", str(place), str(place))
    for path in ("/etc/alternatives", "/etc/ld.so.cache"):
        yield from ("--ro-bind-try", path, path)


def _mounted(mount: Mount) -> Iterator[str]:
    """Yield the options of a mount; of a handle, bubblewrap checks that it got that folder."""
    option = "--bind" if mount.writable else "--ro-bind"
    source = mount.source
    if isinstance(source, int) and f"{option}-fd" in _offered():
        option = f"{option}-fd"
    elif isinstance(source, int):
        source = Path(f"/proc/self/fd/{source}").readlink()
    yield from (option, str(source), str(mount.target))


@cache
def _offered() -> frozenset[str]:
    """Return the options that the bubblewrap of this machine knows."""
    ended = run(["bwrap", "--help"], cwd=Path("/"), env=_HOST, seconds=_TRY_SECONDS)
    return frozenset(re.findall(r"--[a-z-]+", (ended.stdout + ended.stderr).decode()))


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    handle = os.open(folder, _FOLDER | os.O_NOFOLLOW)
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def _readable(folder: Path) -> Iterator[int]:
    """Yield a handle of a folder, or of its copy for nobody when this is root."""
    with ExitStack() as stack:
        handle = stack.enter_context(_opened(folder))
        if os.geteuid() == 0:
            copy = stack.enter_context(copied_for_nobody(handle))
            handle = stack.enter_context(_opened(copy))
        yield handle


@contextmanager
def _in_memory(name: str, data: bytes) -> Iterator[int]:
    """Yield a handle of a file that has no name, at its beginning."""
    with os.fdopen(os.memfd_create(name), "w+b") as file:
        file.write(data)
        file.seek(0)
        yield file.fileno()


def _last_line(data: bytes) -> str:
    lines = data.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""
