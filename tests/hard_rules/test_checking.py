"""The hard rules are part of every check, and cost it little."""

import subprocess
import sys

from evalcore.demo import packaged
from evalcore.hard_rules.checking import CHECKS, broken_rules, checked
from evalcore.workspace.opened import open_workspace
from tests.demo.faults import FAULTS

CODES = {"untold": "regression-not-surfaced", "lapsed": "approval-lapsed"}
ON_PURPOSE = {(CODES[code], path) for code, path, _ in FAULTS if code in CODES}

_ALONE = """
import sys
from pathlib import Path
from evalcore.lint import check
from evalcore.workspace.opened import open_workspace
found = check(open_workspace(Path(sys.argv[1])))
heavy = {"pandas", "plotly", "scipy", "statsmodels", "streamlit"} & sys.modules.keys()
print(len(found), *sorted(heavy))
"""


def test_a_check_imports_nothing_heavy_for_the_rules() -> None:
    """Pandas alone takes as long to import as all of a small check, decisions on versions too."""
    command = [sys.executable, "-c", _ALONE, str(packaged())]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)

    number, *heavy = ran.stdout.split()
    assert int(number) > 0
    assert heavy == []


def test_every_rule_is_checked_in_every_suite_of_the_demo() -> None:
    """Each says how it stands, in the order of the rules."""
    ws = open_workspace(packaged())
    for suite in ws.tables.suites["suite"]:
        assert [each.rule for each in checked(ws, suite)] == [each.rule for each in CHECKS]


def test_the_demo_breaks_three_rules_on_purpose() -> None:
    """One score has no rationale, which reading it says; one regression, one approval."""
    ws = open_workspace(packaged())

    broken = {
        (suite, each.rule)
        for suite in ws.tables.suites["suite"]
        for each in checked(ws, suite)
        if each.standing == "broken"
    }
    assert broken == {
        ("support-agent", "rationales"),
        ("support-agent", "regressions"),
        ("triage-agent", "approvals"),
    }
    assert {(each.code, each.path) for each in broken_rules(ws)} == ON_PURPOSE
