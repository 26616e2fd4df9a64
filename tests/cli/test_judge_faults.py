"""`evalcore judge`, a process of its own, against a server with every fault there is.

All faults are met by two commands, as most of their time is that of starting: each fault has a test
run of its own, whose prompt tells the server which one to have.
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalcore.models.client import MAX_BYTES
from evalcore.sandbox.bubblewrap import missing
from tests.cli.canary import IN_FILE, KEYS, configured, leaks, own
from tests.cli.command import evalcore
from tests.cli.faulty_judging import Command, Done, all_faults_met, suite
from tests.cli.judge_faults import FAULTS, LARGE, TRIES, Fault, answer
from tests.engine.judging_model import answering
from tests.models.fake_openai import fake_openai

UNSCORED = ("invalid", "refused", "length_cut")
UNANSWERED = ("error", "rate_limited")
BUFFERS = 16 * 1024 * 1024
"""More than two sockets of one machine hold of what nobody reads."""


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    """Judge a run for each fault."""
    with all_faults_met(tmp_path_factory.mktemp("faults")) as found:
        yield found


@pytest.mark.parametrize("fault", FAULTS, ids=[each.name for each in FAULTS])
def test_each_fault_has_its_status_and_a_sentence(done: Done, fault: Fault) -> None:
    """In the journal and on the page of the run, with the answer as it came; nothing is guessed."""
    found = done.met(fault.name)
    assert (found.status, found.requests) == (fault.status, fault.requests)
    assert found.requests <= TRIES
    assert fault.said in found.said
    assert fault.answer in found.answer
    if found.status != "scored":
        assert found.said
        assert found.said[:150] in found.page.replace("\n", " ")


def _count(command: Command, *statuses: str) -> int:
    return sum(each.status in statuses for each in command.faults)


def test_the_document_counts_what_was_not_judged_and_what_stayed_unscored(done: Done) -> None:
    """And the exit code is 1; no grading is written of a run that has no score."""
    for command in done.commands:
        value = command.document
        assert value["unscored"] == _count(command, *UNSCORED)
        assert value["not_done"] == _count(command, *UNANSWERED)
        assert value["statuses"].get("rate_limited", 0) == _count(command, "rate_limited")
        assert command.exit_code == 1
        graded = {path.parts[-4] for path in command.root.rglob("grading.json")}
        scored = (at for at, each in enumerate(command.faults, 1) if each.status == "scored")
        assert graded == {f"eval-{at}" for at in scored}


def test_a_host_that_a_redirect_names_is_not_even_knocked_at(done: Done) -> None:
    """Whatever the code: it would get the key, or what was produced."""
    assert done.knocks == 0


@pytest.mark.parametrize("fault", ["large", "pour"])
def test_no_more_is_read_of_an_answer_than_there_is_room_for(done: Done, fault: str) -> None:
    """The server got rid of little more than the limit, however much it had."""
    assert MAX_BYTES < done.fake.sent[fault] < MAX_BYTES + BUFFERS < LARGE


def test_what_was_judged_opens_clean(done: Done) -> None:
    """The folder has no fault that it did not have before."""
    root, *_ = (each.root for each in done.commands)
    found = evalcore("check", root, "--json", home=done.home, **own(done.home))
    problems = json.loads(found.stdout)["problems"]
    assert [each for each in problems if each["severity"] != "info"] == []


def test_a_key_is_in_no_file_no_output_and_no_other_process(done: Done) -> None:
    """Whatever the server sent back: folder, state, cache, log, plan, and all that is printed."""
    home, root = done.home, done.commands[0].root
    done.fake.faults = ["keyed 404"]
    commands = (("runs", root), ("models",), ("doctor", "--model", "patient/fake-1"))
    said = [evalcore(*asked, home=home, **own(home)) for asked in commands]
    assert all(each.stdout for each in said)
    printed = [each.stdout + each.stderr for each in said]
    assert leaks(home, *printed, *(each.printed for each in done.commands)) == []
    assert done.seen == []
    assert any("JUDGE_KEY" in each for each in printed)  # it is said that the key is set


def test_a_key_in_a_journal_would_be_found(done: Done) -> None:
    """The control: the place to look at is the one where it would be."""
    journal = done.commands[0].folder.path / "journal.jsonl"
    before = journal.read_bytes()
    journal.write_bytes(before + f'{{"why": "{KEYS["JUDGE_KEY"]}"}}\n'.encode())
    try:
        assert leaks(done.home, "nothing") == [str(journal.relative_to(done.home))]
    finally:
        journal.write_bytes(before)


OWN_KEYS = {
    "the client's variables": "OPENAI_API_KEY",
    "the file": "",
}


@pytest.mark.parametrize("source", OWN_KEYS)
def test_a_key_is_sent_from_where_people_keep_it_and_left_nowhere(
    tmp_path: Path, source: str
) -> None:
    """From the client's own variables without any file, or from the user's file; exit code 0."""
    faults = ("status 500", "keyed 200", f"key {answer(rationale='KEY')}")
    with fake_openai() as fake:
        answering(fake)
        fake.faults = list(faults)
        variables = own(tmp_path)
        if source == "the file":
            configured(tmp_path, f'[endpoints.mine]\nbase_url = "{fake.url}"\nkey = "{IN_FILE}"\n')
        else:
            variables["OPENAI_BASE_URL"] = fake.url
        root = suite(tmp_path / "folder", ["one", "two"])
        model = "mine/fake-1" if source == "the file" else "fake-1"
        asked = ("judge", root, "--model", model, "--concurrency", "1")
        found = evalcore(*asked, home=tmp_path, **variables)
    sent = {each.headers["authorization"] for each in fake.asked}
    assert sent == {f"Bearer {IN_FILE if source == 'the file' else KEYS['OPENAI_API_KEY']}"}
    assert (found.returncode, len(fake.asked)) == (0, 3)
    assert "2 of 2 done (2 completed)" in found.stdout
    assert leaks(tmp_path, found.stdout, found.stderr) == []


@pytest.fixture
def reachable() -> Iterator[Path]:
    """Return a temporary folder that every user of this machine can reach."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="evalcore-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


DUMP = "{ env; for each in /proc/[0-9]*; do cat $each/cmdline; echo; done; } 2>/dev/null"
SEARCH = f"{DUMP} > /dev/null; ! ({DUMP}; cat /proc/[0-9]*/environ) 2>/dev/null | grep -qa can[a]ry"
AGENT = f"#!/bin/sh\n{DUMP} > out.txt\necho done\n"


@pytest.mark.parametrize("passed", [False, True])
def test_a_key_of_the_judge_goes_to_no_program_that_did_not_get_it_by_name(
    tmp_path: Path, reachable: Path, passed: bool
) -> None:
    """Neither to the executor nor to a sandboxed check of the same run; passed on, it is found."""
    root = suite(tmp_path / "folder", ["one"])
    evals = root / "writer/evals/evals.json"
    value = json.loads(evals.read_text())
    checks = [{"id": "s", "type": "custom_script", "script": SEARCH, "description": "x"}]
    value["evals"][0]["structural_expectations"] = checks
    evals.write_text(json.dumps(value))
    agent = tmp_path / "agent.sh"
    agent.write_text(AGENT)
    agent.chmod(0o755)
    variables = own(tmp_path) | {"TMPDIR": str(reachable)}  # by the sandbox's own user
    env = '["JUDGE_KEY"]' if passed else "[]"
    (tmp_path / "config/executors.toml").write_text(
        f'[mine]\ncommand = ["{agent}", "{{prompt}}"]\nenv = {env}\n'
    )
    with fake_openai() as fake:
        answering(fake)
        configured(
            tmp_path,
            f'[endpoints.fake]\nbase_url = "{fake.url}"\nkey_env = "JUDGE_KEY"\n',
        )
        evalcore("allow", root, home=tmp_path, **variables)
        assert evalcore("allow", root, "--yes", home=tmp_path, **variables).returncode == 0
        asked = (
            "--executor",
            "mine",
            "--judge",
            "model",
            "--judge-model",
            "fake/fake-1",
            "--runs",
            "1",
        )
        found = evalcore("run", root, *asked, "--json", home=tmp_path, **variables)
    (structural,) = set(root.rglob("structural.json"))
    (check,) = json.loads(structural.read_text())["expectations"]
    assert check["passed"] is True or missing(), check["evidence"]
    (out,) = set(root.rglob("out.txt"))
    assert "PATH=" in out.read_text()
    assert {each.headers["authorization"] for each in fake.asked} == {f"Bearer {KEYS['JUDGE_KEY']}"}
    assert leaks(reachable) == []
    found_in = leaks(tmp_path, found.stdout, found.stderr)
    assert found_in == ([str(out.relative_to(tmp_path))] if passed else [])
