"""Find what looks like an error in the transcript of a run."""

import re
from typing import Final

from evalcore.checks.outcome import Outcome, decided, not_run, quoted

# At the start of a line, after the marks of a quotation, a list or a terminal's prompt.
_START: Final = r"^[\s>|*`$#-]{0,20}"
_ERRORS: Final = re.compile(
    r"Traceback \(most recent call last\)"
    rf"|{_START}(?:[\w.]{{0,100}}(?:Error|Exception)|error|ERROR)\b(?:\[\w{{1,20}}\])?(?::|$)"
    rf"|{_START}(?:fatal|FATAL|Fatal|panic):"
    rf"|{_START}\[(?:error|ERROR|fatal|FATAL)\]"
    rf"|{_START}npm ERR!"
    r"|\bException in thread\b"
    r"|\b[Uu]n(?:caught|handled) (?:[Pp]romise )?\w{0,60}(?:[Ee]rror|[Ee]xception|[Rr]ejection)\b"
    r"|\bcommand not found\b|\bSegmentation fault\b"
    r"|\b[Ee]xit(?:ed)?(?: with)?[ _]?(?:[Cc]ode|[Ss]tatus)(?: of)?[\"'`]?\s{0,4}[:=]?\s{0,4}"
    r"[\"'`]?-?0{0,9}[1-9]\d{0,9}",
    re.MULTILINE,
)


def without_errors(transcript: str | None) -> Outcome:
    """Return whether a transcript has no line that reports an error."""
    if transcript is None or not transcript.strip():
        return not_run("The run has no transcript, so it is unknown whether errors occurred.")
    found = _ERRORS.search(transcript)
    if found is None:
        lines = transcript.count("\n") + 1
        return decided(True, f"No error in the {lines:,} lines of the transcript.")
    at = found.end()  # a pattern may begin on blank lines before
    line = transcript.count("\n", 0, at) + 1
    text = transcript[transcript.rfind("\n", 0, at) + 1 :].partition("\n")[0]
    return decided(False, f"Line {line:,} of the transcript: {quoted(text, 200)}.")
