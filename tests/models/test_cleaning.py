"""What is taken out of an answer before anything is kept of it."""

import msgspec
import pytest

from evalcore.models.calls import Answer, ToolCall
from evalcore.models.cleaning import MAX_WHY, cleaned, plain
from evalcore.models.streaming import MAX_TEXT

KEY = "sk-a.b+c/d$0"


def escaped(key: str, form: str) -> str:
    return "".join(form.format(ord(each)) for each in key)


@pytest.mark.parametrize(
    "sent",
    [
        KEY,
        f"{KEY}{KEY}",
        escaped(KEY, "\\u{:04x}"),
        escaped(KEY, "\\u{:04X}"),
        KEY.replace("/", "\\/"),
        escaped(KEY[:3], "\\u{:04x}") + KEY[3:],
    ],
)
def test_a_key_is_taken_out_however_json_may_write_it(sent: str) -> None:
    """In every text of the answer; what stands around it stays."""
    tool = ToolCall("1", f"a {sent}", f'{{"x": "{sent}"}}')
    found = cleaned(KEY, Answer("error", f"b {sent}", f"c {sent} d", (tool,), model=sent))
    for each in (found.why, found.text, found.tool_calls[0].arguments, str(found.model)):
        assert "[key]" in each
        assert "sk-" not in each
    assert found.text.endswith(" d")


def test_a_text_without_the_key_stays_as_it_is() -> None:
    """Also one that has almost all of it."""
    text = f"{KEY[:-1]} sk-aXb+c/d$0 \\u0073 日本"
    answer = Answer("completed", text=text, tokens_in=3, seconds=1.5)
    assert cleaned(KEY, answer) == answer
    assert cleaned(None, answer) == answer


def test_a_key_that_the_cut_would_halve_is_out_before_it() -> None:
    """No half of it is left at the end of a sentence or an answer."""
    for most in (MAX_WHY, MAX_TEXT):
        text = "x" * (most - 4) + KEY
        found = cleaned(KEY, Answer("error", text[-MAX_WHY - 8 :], text))
        assert "sk-a" not in found.why + found.text
    assert len(cleaned(None, Answer("error", "x" * (MAX_WHY + 1))).why) == MAX_WHY
    assert len(cleaned(None, Answer("error", text="x" * (MAX_TEXT + 1))).text) == MAX_TEXT


def test_half_of_a_pair_is_no_text_and_what_is_kept_can_be_written() -> None:
    assert plain("a\ud83db\udc00") == "a?b?"
    assert plain("😀 日本 \0") == "😀 日本 \0"
    found = cleaned(None, Answer("completed", text="\ud83d"))
    assert msgspec.json.decode(msgspec.json.encode(found))["text"] == "?"
