"""Wordings of criteria and of judges' reasons that tell what kind of failure it is.

Each is a pattern without lookaround, so that its time is linear in the text.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.counting.coded import Numbers

MAX_READ: Final = 2_000
"""So many characters of a reason are read."""

REFUSAL: Final = (
    r"\b(refused to|declined to|refuses to (answer|help|do|provide|produce|generate|complete)|"
    r"(agent|model|assistant|executor|it) (refused|declined)\b|"
    r"(cannot|can't|won't|unable to) help with (this|that))"
)
INVENTED: Final = (
    r"\b(hallucinat\w*|fabricat\w*|(it |output |report |answer |response |agent |model |and )"
    r"(invents?|invented)\b|invents? (a|an|the)\b|made[- ]up\b|"
    r"(no basis|not (found|present|mentioned|contained|supported)( anywhere)?|"
    r"appears? nowhere|is nowhere|are nowhere|nowhere) in the "
    r"(input|source|sources|document|documents|prompt|context|data|knowledge base|transcript)|"
    r"does not exist in the (input|source|document|data|codebase|repository|api)|"
    r"no such (flag|option|function|api|method|product|policy|column|table) exists)"
)
BROKEN_FORM: Final = (
    r"\b((invalid|malformed|unparse?able|ill-formed) (json|yaml|xml|csv|html|markdown|"
    r"frontmatter|front matter|schema|syntax|output|file)|"
    r"(not|isn't|is no|no) valid (json|yaml|xml|csv|html|markdown|frontmatter|schema)|"
    r"(does|did|do|could) not (parse|validate|compile)|cannot be parsed|parse error|"
    r"wrong format|(required|expected|requested|specified|correct) format|"
    r"(missing|lacks|no|without) (the |a |an )?(yaml )?(frontmatter|front matter)|"
    r"(file|files|output|report|document|directory) "
    r"(is|are|was|were) (missing|absent|not (found|created|produced|written|saved|present))|"
    r"(no|missing) (output |such )?(file|files|document)\b|"
    r"(file|files) (does|do|did) not exist|no [\w.-]+ (file )?(found|exists|was created|was saved))"
)
OF_FORM: Final = (
    r"((^|[^.\w/-])(json|yaml|csv|xml|utf-8)\b([^/]|$)|\b(frontmatter|front matter|schema|"
    r"(output|date|file|exact|specified|required|correct|commit|markdown|table|citation) format|"
    r"is formatted|well-formed|parses|parseable|file exists|"
    r"files? (is|are|was|were) (saved|created|written|produced|present)|"
    r"(saved|written|stored) (as|to|in) (a |an |the )?(\S*\.\w+|file|folder|directory)|"
    r"file ?name|file named|(at most|under|no more than) \d+ (characters|lines|words)|"
    r"(character|line|word) limit|line length)\b)"
)
NEGATED: Final = (
    r"\b((no|zero|without|not|never|0(\.0+)?%?)( \w+)? (hallucinat|fabricat|invent|made.up)\w*|"
    r"hallucination(_rate)?( rate)?\s*[=:]\s*0(\.0+)?([^.\d]|$))"
)
"""Words that say that nothing was invented; they are passed over."""
REFUSES: Final = r"\b(refus|declin)\w*"


def speaks(texts: Any, pattern: str) -> Numbers:
    """Return for each text whether the pattern is in it, in any case; a missing one says no."""
    (mask,) = speaking(texts, (pattern,)).values()
    return mask


def speaking(texts: Any, patterns: Sequence[str]) -> dict[str, Numbers]:
    """Return for each pattern which texts it is in, as `speaks` does; each text is read once."""
    if isinstance(texts, pa.ChunkedArray):
        texts = texts.combine_chunks()
    if not len(texts):
        return {pattern: np.zeros(0, bool) for pattern in patterns}
    if (pc.max(pc.binary_length(texts)).as_py() or 0) > MAX_READ:
        texts = pc.utf8_slice_codeunits(texts, 0, MAX_READ)
    # Few texts match anything: only those are read again, pattern by pattern.
    some = np.flatnonzero(matches(texts, "|".join(f"(?:{pattern})" for pattern in patterns)))
    few = texts.take(pa.array(some))
    found = {pattern: np.zeros(len(texts), bool) for pattern in patterns}
    for pattern, mask in found.items():
        told = matches(few, pattern) if len(patterns) > 1 else np.ones(len(some), bool)
        undenied = pc.replace_substring_regex(few.filter(pa.array(told)), f"(?i){NEGATED}", "")
        told[told] = matches(undenied, pattern)
        mask[some[told]] = True
    return found


def matches(texts: Any, pattern: str) -> Numbers:
    """Return which texts have a pattern in them, in any case; a missing one has not."""
    found = pc.match_substring_regex(texts, pattern, ignore_case=True).fill_null(False)
    mask: Numbers = np.array(found.to_numpy(zero_copy_only=False))
    return mask
