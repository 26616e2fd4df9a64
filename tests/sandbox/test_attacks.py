"""Each attack that a script of a workspace may try, in the sandbox and, as a control, outside.

The controls show that the attack works where nothing stops it, so that the tests can see a fault.
"""

import os
import platform
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evalcore.sandbox import copies, orphans
from evalcore.sandbox import inside as seen_inside
from evalcore.sandbox.bubblewrap import Limits, run_command, run_script
from evalcore.sandbox.child import Ended, run
from tests.sandbox.running import PLAIN, ROOT, plain, started_by_nobody, survivors

pytestmark = pytest.mark.usefixtures("bwrap")

MB = 1024 * 1024
Attack = Callable[..., Ended]


@pytest.fixture
def files(reachable: Path) -> Path:
    """Return the folder that the sandbox sees as /work."""
    folder = reachable / "case"
    folder.mkdir()
    (folder / "output.txt").write_text("what the agent wrote\n")
    return folder


@pytest.fixture(params=["this user", "nobody"])
def inside(files: Path, request: pytest.FixtureRequest) -> Attack:
    """Return what runs a script in the sandbox, started by this user and by an ordinary one."""
    if request.param == "nobody" and os.geteuid() != 0:
        pytest.skip("this user is an ordinary one")

    def attack(script: str, **limits: int) -> Ended:
        here = Limits()._replace(**limits)
        if request.param == "nobody":
            ended = started_by_nobody(script.encode(), files, here)
        else:
            ended = run_script(script.encode(), files=files, limits=here)
        assert ended.how != "not_started", ended.why
        return ended

    return attack


@pytest.fixture
def outside(files: Path) -> Attack:
    """Return what runs a script as a plain process."""
    return lambda script: plain("bash", "-c", script, cwd=files)


def needs_python() -> str:
    """Return the Python that the sandbox sees too; the test is skipped where there is none."""
    found = shutil.which("python3", path="/usr/local/bin:/usr/bin:/bin")
    if found is None:
        pytest.skip("no python3 below /usr")
    return found


def as_python(code: str) -> str:
    """Return a bash script that runs Python code."""
    return f"{needs_python()} - <<'END'\n{code}\nEND\n"


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """Return a process of this user outside, with a secret in its environment."""
    with subprocess.Popen(["sleep", "600"], env=PLAIN | {"SOME_KEY": "canary-env"}) as process:
        yield process
        process.kill()


def test_secrets_of_the_environment(
    inside: Attack, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No process that it sees has one."""
    monkeypatch.setenv("SOME_API_KEY", "canary-own")
    script = "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'"
    control = run(["bash", "-c", script], cwd=files, env=os.environ, seconds=60)
    assert b"canary-own" in control.stdout
    assert b"canary" not in inside(script).stdout


def test_files_of_the_system(inside: Attack, outside: Attack) -> None:
    """It reads no passwords, no accounts, no settings."""
    script = "cat /etc/shadow /etc/passwd /etc/hostname; ls -a /root /home /var /etc /mnt /run"
    assert b"root:" in outside(script).stdout
    seen = inside(script).stdout
    assert b"root:" not in seen
    assert b"passwd" not in seen
    assert set(inside("ls -A /etc").stdout.split()) <= {b"alternatives", b"ld.so.cache"}


def test_files_of_the_user(inside: Attack, outside: Attack, reachable: Path) -> None:
    """Neither the home nor anything beside the given folder is there."""
    secret = reachable / "secret"
    secret.write_text("canary-file")
    script = f"cat {secret} ../secret; ls -A ~root {Path.home()}"
    assert b"canary-file" in outside(f"cat {secret}").stdout
    seen = inside(script)
    assert b"canary" not in seen.stdout
    assert str(secret).encode() not in seen.stdout


def test_a_link_out_of_the_folder(inside: Attack, outside: Attack, files: Path) -> None:
    """It leads nowhere, as the sandbox has no such file."""
    (files.parent / "secret").write_text("canary-file")
    (files / "link").symlink_to(files.parent / "secret")
    assert b"canary" in outside("cat link").stdout
    assert b"canary" not in inside("cat link").stdout


def test_writing_outside(inside: Attack, outside: Attack, reachable: Path) -> None:
    """Only /tmp can be written, and is gone afterwards."""
    target = reachable / "target"
    reachable.chmod(0o777)
    script = f"echo got > {target}"
    outside(script)
    assert target.read_text() == "got\n"
    target.unlink()
    places = f"{target} /x /usr/x /usr/bin/x /etc/x /dev/x /proc/x /script /work/../x"
    seen = inside(f"for p in {places}; do (echo got > $p) 2>/dev/null && echo wrote $p; done")
    assert seen.stdout == b""
    assert not target.exists()
    left = inside("echo x > /tmp/left && cat /tmp/left")
    assert left.stdout == b"x\n"
    assert inside("ls -A /tmp").stdout == b""


def test_writing_to_the_files(inside: Attack, outside: Attack, files: Path) -> None:
    """What is scored cannot be changed by its score."""
    script = "echo changed > output.txt; rm -f output.txt; chmod 777 .; touch new; mv output.txt y"
    assert inside(script).code != 0
    assert [path.name for path in files.iterdir()] == ["output.txt"]
    assert (files / "output.txt").read_text() == "what the agent wrote\n"
    outside("echo changed > output.txt")
    assert (files / "output.txt").read_text() == "changed\n"


def test_mounting_and_more_namespaces(inside: Attack, outside: Attack) -> None:
    """Neither a mount nor a namespace in which it would be root is to be had."""
    nested = "unshare --user --map-root-user --mount mount -t tmpfs none /tmp && echo GOT"
    assert b"GOT" in outside(nested).stdout
    for script in (nested, "mount -t tmpfs none /tmp && echo GOT", "unshare -U true && echo GOT"):
        assert b"GOT" not in inside(script).stdout
    assert inside("mount -o remount,rw / && echo GOT; umount -l /work && echo GOT").stdout == b""


def test_privileges(inside: Attack) -> None:
    """It has none, can get none, and is nobody."""
    status = inside("cat /proc/self/status; id -u").stdout.decode()
    assert "CapEff:\t0000000000000000" in status
    assert "CapBnd:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status
    assert status.endswith("65534\n")


def test_tcp(inside: Attack, outside: Attack) -> None:
    """A server of this machine cannot be reached."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        script = f"exec 3<>/dev/tcp/127.0.0.1/{port} && echo GOT"
        assert b"GOT" in outside(script).stdout
        assert b"GOT" not in inside(script).stdout


def test_no_network_but_its_own(inside: Attack, outside: Attack) -> None:
    """There is no other interface than its own loopback, so no address elsewhere either."""
    devices = inside("tail -n +3 /proc/net/dev | cut -d: -f1").stdout.split()
    assert devices == [b"lo"]
    assert len(outside("tail -n +3 /proc/net/dev").stdout.splitlines()) >= 1
    assert b"GOT" not in inside("exec 3<>/dev/tcp/192.0.2.1/80 && echo GOT").stdout


def test_udp(inside: Attack, outside: Attack) -> None:
    """No datagram arrives."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        script = f"echo hello > /dev/udp/127.0.0.1/{server.getsockname()[1]}"
        outside(script)
        assert server.recv(99) == b"hello\n"
        inside(script)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.recv(99)


@pytest.mark.parametrize("kind", ["path", "abstract"])
def test_unix_sockets(inside: Attack, outside: Attack, tmp_path: Path, kind: str) -> None:
    """Neither one with a place in the file system nor one without can be reached."""
    short = Path("/var/tmp") / f"evalcore-{secrets.token_hex(8)}"
    name = str(short) if kind == "path" else f"\0{short}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        code = (
            f"import socket\nc = socket.socket(socket.AF_UNIX)\nc.connect({name!r})\nprint('GOT')"
        )
        assert b"GOT" in outside(as_python(code)).stdout
        seen = inside(as_python(code))
        assert b"GOT" not in seen.stdout
        assert b"Error" in seen.stderr
    short.unlink(missing_ok=True)


def test_processes_outside(
    inside: Attack, outside: Attack, sleeper: subprocess.Popen[bytes]
) -> None:
    """They are neither seen, nor read, nor ended."""
    pid = sleeper.pid
    script = f"tr '\\0' ' ' < /proc/{pid}/environ; kill -0 {pid} && echo GOT"
    assert b"canary-env" in outside(script).stdout
    assert b"GOT" in outside(script).stdout
    seen = inside(f"{script}; kill -9 {pid} -1; cat /proc/[0-9]*/cmdline | tr '\\0' ' '")
    assert b"GOT" not in seen.stdout
    assert b"canary" not in seen.stdout
    assert b"sleep 600" not in seen.stdout
    assert sleeper.poll() is None


def test_a_daemon_after_the_time_is_over(inside: Attack) -> None:
    """The whole namespace ends: no session saves a process, not even without its environment."""
    number = str(secrets.randbelow(10**9) + 10**9)
    script = f"setsid -f sleep {number}; env -i setsid -f nohup sleep {number}; sleep {number}"
    assert inside(script, seconds=1).how == "timeout"
    assert not survivors(number)
    assert inside(script.replace(f"; sleep {number}", "")).how == "exited"
    assert not survivors(number)
    # The control: without the sandbox, and with the group killed as usual, they live on.
    with subprocess.Popen(["bash", "-c", script], start_new_session=True) as child:
        until = time.monotonic() + 30
        # Each daemon takes a moment to leave the session of its parent.
        while time.monotonic() < until:
            sessions = {orphans._about(pid).session for pid in survivors(number)}
            if len(sessions - {child.pid, -1}) == 2:
                break
            time.sleep(0.01)
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    left = survivors(number)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert len(left) == 2


def test_a_fork_bomb(inside: Attack) -> None:
    """It gets as many processes as it may have, and leaves none."""
    mark = f"bomb{secrets.token_hex(8)}"
    bomb = f"exec -a {mark} bash -c 'b() {{ b | b & }}; b; sleep 1000'"
    ended = inside(bomb, seconds=2, processes=50, cpu_seconds=5)
    assert ended.how in ("timeout", "exited")
    assert b"Resource temporarily unavailable" in ended.stderr
    assert not survivors(mark)


def test_the_number_of_processes(inside: Attack, outside: Attack) -> None:
    """The system refuses one more."""
    code = (
        "import os, time\ncount = 0\n"
        "try:\n    while count < 100:\n"
        "        if os.fork() == 0:\n            time.sleep(1000)\n"
        "        count += 1\n"
        "except OSError:\n    pass\nprint(count)"
    )
    assert int(outside(as_python(code)).stdout) == 100
    assert 20 < int(inside(as_python(code), processes=50).stdout) < 50


def test_memory(inside: Attack, outside: Attack) -> None:
    """Four gigabytes are refused, also when they are not touched."""
    code = (
        "import mmap\nflags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000\n"
        "mmap.mmap(-1, 4 << 30, flags=flags)\nprint('GOT')"
    )
    assert b"GOT" in outside(as_python(code)).stdout
    assert b"Cannot allocate memory" in inside(as_python(code)).stderr
    assert b"MemoryError" in inside(as_python("bytearray(4 << 30)")).stderr


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm", "/dev", "/"])
def test_filling_a_disk(inside: Attack, folder: str) -> None:
    """Many files hold no more together than one may."""
    script = (
        f"cd {folder}; for i in $(seq 20); do head -c 2M /dev/zero > full-$i 2>/dev/null; done;"
        "cat full-* 2>/dev/null | wc -c"
    )
    limit = 8 * MB
    kept = int(inside(script, file_bytes=limit).stdout)
    assert kept <= limit
    # The control: it is the limit that stops it where it may write at all.
    more = int(inside(script, file_bytes=100 * MB).stdout)
    assert more == (40 * MB if folder in ("/tmp", "/dev/shm") else 0)


def test_a_large_file(inside: Attack) -> None:
    """One file is as large as it may be, and its writer is ended."""
    script = "head -c 50M /dev/zero > /tmp/x; stat -c %s /tmp/x"
    assert int(inside(script, file_bytes=MB).stdout) <= MB
    assert int(inside(script).stdout) == 50 * MB


def test_a_flood_of_output(inside: Attack) -> None:
    """A little of it is kept, and the script is ended."""
    ended = inside("yes", output_bytes=1000)
    assert (ended.how, len(ended.stdout), ended.cut) == ("flooded", 1000, True)


def test_time_of_the_processor(inside: Attack) -> None:
    """A busy loop is ended by the system."""
    ended = inside("while :; do :; done", cpu_seconds=1)
    assert (ended.how, ended.code) == ("exited", 128 + signal.SIGKILL)


def test_typing_into_the_terminal(files: Path) -> None:
    """It cannot put commands into the terminal that the user works in."""
    if not shutil.which("script"):
        pytest.skip("no program `script` to make a terminal")
    attack = files / "type.py"
    attack.write_text(
        "import fcntl, os, termios\n"
        "handles = [0, 1, 2]\n"
        "try:\n    handles.append(os.open('/dev/tty', os.O_RDWR))\nexcept OSError:\n    pass\n"
        "for handle in handles:\n"
        "    try:\n        fcntl.ioctl(handle, termios.TIOCSTI, b'x')\n        print('G' + 'OT')\n"
        "    except OSError:\n        print('refused')\n"
    )
    python = needs_python()

    def in_terminal(code: str) -> bytes:
        wrapped = files.parent / "wrapped.py"
        wrapped.write_text(f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n{code}")
        ended = plain("script", "-qec", f"{sys.executable} {wrapped}", "/dev/null", cwd=files)
        return ended.stdout

    seen = in_terminal(
        "from pathlib import Path\nfrom evalcore.sandbox.bubblewrap import run_command\n"
        f"ended = run_command([{python!r}, 'type.py'], folder_rw=Path({str(files)!r}))\n"
        "print(ended.stdout.decode())"
    )
    control = in_terminal(f"import subprocess; subprocess.call([{python!r}, {str(attack)!r}])")
    assert b"refused" in seen
    assert b"GOT" not in seen
    setting = Path("/proc/sys/dev/tty/legacy_tiocsti")
    if not setting.is_file() or setting.read_text().strip() == "1":
        assert b"GOT" in control


def test_handles_of_this_process(inside: Attack, tmp_path: Path) -> None:
    """No open file comes along, neither ours nor bubblewrap's own."""
    with (tmp_path / "open").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        seen = inside("for f in /proc/$$/fd/*; do readlink $f; done").stdout.decode()
    links = seen.split("\n")[:-1]
    assert [link for link in links if not link.startswith("pipe:")] == [
        "/dev/null",
        "/script (deleted)",
    ]


def test_a_sandbox_that_failed_cannot_be_feigned(inside: Attack) -> None:
    """A script that prints what bubblewrap prints has ended, with its code."""
    ended = inside("echo 'bwrap: Creating new namespace failed' >&2; exit 1")
    assert (ended.how, ended.code) == ("exited", 1)


@pytest.mark.parametrize("make", ["socket", "socketpair"])
def test_sockets_of_other_families(inside: Attack, outside: Attack, make: str) -> None:
    """Only those that a network of its own holds can be created; the others are not known."""
    script = as_python(
        "import errno, socket\n"
        "for family in range(1, 64):\n"
        f"    try:\n        socket.{make}(family, socket.SOCK_DGRAM)\n"
        "    except OSError as error:\n        print(family, errno.errorcode[error.errno])\n"
        "    else:\n        print(family, 'created')\n"
    )
    known = {str(int(each)) for each in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6)}
    seen = dict(line.split() for line in inside(script).stdout.decode().splitlines())
    assert {each for each, how in seen.items() if how != "EAFNOSUPPORT"} == known
    if make == "socket":
        assert {seen[each] for each in known} == {"created"}
        control = dict(line.split() for line in outside(script).stdout.decode().splitlines())
        assert control[str(int(socket.AF_NETLINK))] == "created"
    else:
        assert seen[str(int(socket.AF_UNIX))] == "created"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers are of x86_64")
@pytest.mark.parametrize(
    ("call", "refused"),
    [
        ("call(39)", False),  # getpid
        ("call(425, 8, zeros)", True),  # io_uring_setup
        ("call(319, b'x', 0)", True),  # memfd_create
        ("call(29, 0, 4096, 0o1600)", True),  # shmget
        ("call(64, 0, 1, 0o1600)", True),  # semget
        ("call(68, 0, 0o1600)", True),  # msgget
        ("call(0x40000000 + 41, 1, 2, 0)", True),  # socket, with the pointers of x32
        ("as_32_bit(20, 0, 0)", True),  # getpid
        ("as_32_bit(359, 1, 2)", True),  # socket
        ("as_32_bit(102, 1, 0)", True),  # socketcall
    ],
)
def test_calls_that_go_around_the_filter_or_the_memory(
    inside: Attack, outside: Attack, call: str, refused: bool
) -> None:
    """They are answered as by a system that does not have them."""
    script = as_python(
        "import ctypes, errno, mmap\n"
        "library = ctypes.CDLL(None, use_errno=True)\n"
        "zeros = (ctypes.c_char * 120)()\n"
        "def call(*given):\n"
        "    return ctypes.get_errno() if library.syscall(*given) < 0 else 0\n"
        "def as_32_bit(*given):\n"
        # push rbx; mov eax, edi; mov ebx, esi; mov ecx, edx; xor edx, edx; int 0x80; pop rbx; ret
        "    code = bytes.fromhex('53 89f8 89f3 89d1 31d2 cd80 5b c3')\n"
        "    page = mmap.mmap(-1, 4096, prot=7)\n"
        "    page.write(code)\n"
        "    place = ctypes.addressof(ctypes.c_char.from_buffer(page))\n"
        "    kind = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_int] * 3)\n"
        "    return max(-kind(place)(*given), 0)\n"
        f"print(errno.errorcode.get({call}))"
    )
    said = b"ENOSYS\n" if refused else b"None\n"
    assert inside(script).stdout == said
    # The control, where this kernel has the call: some are not built in, or are switched off.
    if (control := outside(script)).code == 0 and "getpid" in call:
        assert control.stdout == b"None\n"


_IN_SUM = """
import mmap, os, signal, time
shared = bytearray({shared})
for number in range({processes}):
    if os.fork() == 0:
        {hold}
        time.sleep(2 if {shared} else 600)
        os._exit(shared[-1] if shared else 0)
while True:
    try:
        os.wait()
    except ChildProcessError:
        break
print("all done")
"""


@pytest.mark.parametrize(
    ("what", "ended"),
    [
        ({"processes": 4, "hold": "own = bytearray(90 << 20)", "shared": 0}, "used more than 256"),
        ({"processes": 24, "hold": "own = mmap.mmap(-1, 200 << 20)", "shared": 0}, "mapped more"),
        ({"processes": 4, "hold": "pass", "shared": 120 << 20}, ""),
    ],
    ids=["each its own", "shared, and in no process", "one for all"],
)
def test_memory_in_sum(inside: Attack, what: dict[str, object], ended: str) -> None:
    """What all processes hold counts, what they share once."""
    seen = inside(as_python(_IN_SUM.format(**what)), memory=256 * MB)
    assert (seen.how, seen.stdout) == (("exceeded", b"") if ended else ("exited", b"all done\n"))
    assert ended in seen.why


@pytest.mark.parametrize(
    ("write", "how"),
    [
        ("open(str(number), 'wb').write(bytes(1 << 20))", "exceeded"),
        ("os.posix_fallocate(os.open(str(number), os.O_RDWR | os.O_CREAT), 0, 1 << 20)", "exited"),
        ("held.append(open('x', 'wb', 0)); os.unlink('x'); held[-1].write(mega)", "exited"),
    ],
    ids=["files", "reserved", "removed and held open"],
)
def test_a_disk_in_sum(files: Path, write: str, how: str) -> None:
    """The folder of a command holds so many bytes and not one more; if it is full that is said."""
    code = (
        "import os\nheld, mega = [], bytes(1 << 20)\n"
        f"for number in range(100):\n    {write}\n    print(number)"
    )
    limits = Limits(folder_bytes=16 * MB)
    ended = run_command([needs_python(), "-c", code], folder_rw=files, limits=limits)
    assert 14 <= len(ended.stdout.split()) <= 16
    assert sum(path.stat().st_size for path in files.iterdir()) <= 16 * MB
    assert (ended.how, ended.code) == (how, 1)
    assert ("/work was full: its files may have 16 MiB together." in ended.why) == (how != "exited")


@pytest.mark.parametrize("folder", ["/work", "/tmp", "/dev/shm"])
def test_the_number_of_files(files: Path, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who makes them without end is ended, with the first of them kept."""
    monkeypatch.setattr(seen_inside, "MAX_FILES", 200)
    monkeypatch.setattr(copies, "MAX_FILES", 50)
    script = f"i=0; while :; do : > {folder}/$((i++)); done"
    ended = run_command(["bash", "-c", script], folder_rw=files)
    assert (ended.how, ended.why) == (
        "exceeded",
        f"It made more than 200 files in {folder} and was ended.",
    )
    assert 1 <= len(list(files.iterdir())) <= 50


@pytest.mark.parametrize(
    "script",
    [
        "truncate -s 3M hole; truncate -s 3M hole-2",
        "head -c 3M /dev/zero > x; ln x y",
        "for i in $(seq 150); do mkdir d && cd d; done",
    ],
    ids=["holes", "one file by two names", "deep folders"],
)
def test_what_would_grow_outside(files: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not copied beyond the bounds of a copy, and that is a failure of the command."""
    monkeypatch.setattr(copies, "MAX_BYTES", 4 * MB)
    ended = run_command(["bash", "-c", script], folder_rw=files)
    assert (ended.how, ended.why[:21]) == ("exceeded", "It left more than 20,")
    assert sum(path.lstat().st_size for path in files.rglob("*") if path.is_file()) <= 4 * MB
    assert len(list(files.rglob("*"))) < 110


def test_what_a_command_leaves_is_in_its_folder(files: Path) -> None:
    """What it wrote, removed, linked and left alone, as it is; nothing is followed out of it."""
    secret = files.parent / "secret"
    secret.write_text("canary")
    (files / "old").mkdir()
    (files / "old/gone").write_text("x")
    (files / "output.txt").chmod(0o640)
    before = (files / "output.txt").stat()
    script = (
        "rm -r old; cat > made; mkdir -p a/b; echo x > a/b/c; chmod 755 a/b/c; mkfifo pipe;"
        f"ln -s {secret} link; ln -s / root; mkdir -m 0 shut; touch /usr/x ../x; chmod 0 ."
    )
    ended = run_command(["bash", "-c", script], folder_rw=files, stdin=b"and input\n")
    assert ended.how == "exited", ended.why
    found = {str(path.relative_to(files)) for path in files.rglob("*")}
    assert found == {"output.txt", "made", "a", "a/b", "a/b/c", "link", "root", "shut"}
    assert (files / "made").read_text() == "and input\n"
    assert os.access(files / "a/b/c", os.X_OK)
    assert (files / "link").readlink() == secret
    after = (files / "output.txt").stat()
    assert (after.st_mtime_ns, after.st_mode) == (before.st_mtime_ns, before.st_mode)
    assert {path.name for path in files.parent.iterdir()} == {"case", "secret"}


@pytest.mark.parametrize(
    ("end", "how"),
    [("sleep 600", "timeout"), ("yes", "flooded"), ("kill -9 $$", "exited")],
)
def test_what_a_command_left_is_kept_however_it_ended(files: Path, end: str, how: str) -> None:
    """It tells how far it came."""
    limits = Limits(seconds=3.0)
    ended = run_command(["bash", "-c", f"echo x > made; {end}"], folder_rw=files, limits=limits)
    assert ended.how == how
    assert (files / "made").read_text() == "x\n"
