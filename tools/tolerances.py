"""What is read as one of the `iterations` documents though it is written otherwise."""

from collections.abc import Iterable, Iterator

from evalcore import names
from evalcore.families.iterations import (
    case,
    listed,
    sidecars,
    versions,
    words,
)
from evalcore.families.iterations.figures import INNER
from evalcore.families.iterations.stored import GROUPS, METRIC_OF

_INTRODUCTION = """\
### What is read too

Tools write these documents in many ways. What is read by tolerance is an `info` problem, and what
cannot be read a warning, with the code below, one a file, whose hint says how to write it; where no
code stands, nothing is said.
"""


_SUITES = """\
### What is one suite, version and case

| in the folder | is | code |
|---|---|---|
| runs below `<time stamp>/<skill>/` | versions of one suite of the skill | |
| dated folders whose own `evals.json` or `benchmark.json` name different skills | a suite each | |
| a `meta.json` of the open standard's runner (`name`, `relPath`, `target`, `judge`) | the suite \
of that skill, and who executed and judged its runs; `prompts.json` has the prompt of a case | |
| an eval folder: in this order one that has the id, the name or the prompt of one case of \
`evals.json` | that case, whatever the case, Unicode form and separators of its name | |
| an eval folder whose graded texts are the expectations of exactly one case | that case | \
`joined-by-texts` |
| cases without runs, and eval folders without a case | cases of their own | `cases-without-runs` |
| two eval folders with one `eval_id`, and other names or prompts | two cases | `duplicate-id` |
| names that differ only in case or Unicode form, where nothing joins them | two | `names-alike` |
| an `evals.json` elsewhere (`skills/X`, `.agents/skills/X`), if names and evals agree | the cases \
of the suite with the runs; what another copy asks otherwise is named | `evals-differ` |
| a version called `baseline`, `main` or `master`, or described as one | the oldest version | |
| two folder names of one eval id and prompt, or `X` and `X_v2` of one `file` | one case with both \
names | |
| a `grading.json` that no layout places | a suite of one run | `layout` |
| other JSON with judged items, runs, cases or trigger queries | named, not read | `not-read` |
| a run's `outputs`, a `skill-snapshot` | evidence: shown or compared, never read as documents | |
"""


def lines() -> Iterator[str]:
    """Yield the lines of the sections."""
    yield _INTRODUCTION
    yield "| document | read too | code |"
    yield "|---|---|---|"
    for document, what, code in _rows():
        yield f"| {document} | {what} | {f'`{code}`' if code else ''} |"
    yield ""
    yield _SUITES


def _rows() -> Iterator[tuple[str, str, str]]:
    yield "evals", f"a bare list, or one under {_names(names.CASES)}; one eval a `case.json`", ""
    yield "evals", f"what is asked under {_names(names.PROMPT)}", ""
    what = "fields that are not read are named, where the list or the prompts have another name"
    yield "evals", what, "unread-fields"
    yield (
        "evals, eval_metadata",
        (
            f"criteria under {_names(case.LISTS)}, as texts, objects worded by "
            f"{_names((*case.WORDINGS, 'check', 'id'))}, or lists by group; names under "
            f"{_names(case.NAMES)}"
        ),
        "",
    )
    yield (
        "evals, eval_metadata",
        (
            f"lists of criteria under any name that ends in {_names(sorted(case.OTHER_LISTS))}, "
            "such as `deterministic_assertions`"
        ),
        "",
    )
    yield (
        "evals, eval_metadata",
        "a check without a text: its type and what it looks for, as `contains: FormGroup`",
        "",
    )
    yield (
        "evals, eval_metadata",
        "an `expected_output` that is an object or a list",
        "expected-as-json",
    )
    yield from _gradings()
    yield "eval_metadata", "in the folder of the eval, the configuration or the run, or above", ""
    yield (
        "timing",
        (
            f"seconds from {_names(names.SECONDS)} or between a start and an end, tokens from "
            f"{_names(names.TOKENS)}, cost from {_names(names.COST)}, all of it also in a "
            "nested `timing`; 0 and null were not measured"
        ),
        "other-field-names",
    )
    yield "timing", "a bare number is named, not read", "no-unit"
    yield from _benchmarks()
    yield (
        "feedback",
        f"a bare list, or a map of run to text; the run under {_names(sidecars.TARGETS)}",
        "",
    )
    yield "feedback", "an id that may mean several runs", "review-of-several"
    yield "feedback", "an id that means no run", "review-without-run"
    yield (
        "history",
        (
            f"entries under {_names(versions.LISTS)}, a bare list, or under their names; "
            f"scores under {_names(versions.SCORES)} as fractions, percent or parts"
        ),
        "",
    )
    yield "history", "an entry that only shares a folder's number", "history-by-number"
    yield "history", "a history without versions is a document only", "other-history"
    yield "comparison", "one document with `cases`, each with a winner of its own", ""


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _benchmarks() -> Iterator[tuple[str, str, str]]:
    """Yield what is read as a benchmark."""
    yield (
        "benchmark",
        (
            f"evals under {_names(listed.LISTS)} as a list or by name, with configurations under "
            f"their names or under {_names(listed.SIDES)}; their checks under "
            f"{_names(names.ITEMS)}"
        ),
        "home-made-benchmark",
    )
    yield (
        "benchmark",
        (
            f"aggregates in {_names(GROUPS)}: averages of {_names(METRIC_OF)} under names like "
            "`avg_tokens` and `pass_rate_mean`, any other number under its own name, and "
            "any text as a note"
        ),
        "home-made-benchmark",
    )
    yield "benchmark", "pass rates from 1 to 100", "rates-as-percent"
    yield from (("benchmark", what, code) for what, code in _results())
    yield "benchmark", "differences as signed text, percent or percentage points", ""
    yield "benchmark", "gaps of the template (`<model-name>`) are null", "placeholder"


def _results() -> Iterator[tuple[str, str]]:
    """Yield what is read as the result of a run in a benchmark."""
    yield "one column a side, such as `ours` and `theirs`: whole numbers count of the total", ""
    yield "as sides also what has sums of its own and a column in every eval", ""
    beside = (
        "fields named after a side, before or after it, and objects with a value for each side: "
        "of its results and measures, never sides of their own"
    )
    yield beside, ""
    shape = (
        "without any such list, in a file of any name outside iterations: rates with their totals, "
        "and items, under the names of sides; other names above them are those of cases"
    )
    yield shape, ""
    yield "objects that name several skills: one suite, its cases named by skill", "several-skills"
    yield "a number that is no rate and has no total: a run without score", "no-total"
    yield f"the numbers of a run in {_names(INNER)}; 0 of 0 is no score, with `errors` an error", ""
    yield "a label with text in brackets means the run of its folder, number and result", ""
    yield "such a label that means no run of the folders: a run of its own", "label-not-joined"
    yield "prompts of evals, in each version", ""
    yield "notes as objects", "note-as-object"
    yield "nothing in it is a run or a mean: its version has none", "unread-benchmark"
    counted = (
        "means of rates, of all items, of evals passed, with unscored runs as failed, and of "
        "times and tokens with unmeasured runs as 0 are no mismatch"
    )
    yield counted, ""


def _gradings() -> Iterator[tuple[str, str, str]]:
    """Yield what is read as a grading."""
    spelled = (
        f"an item's text under {_names(words.LABELS)}, its verdict under "
        f"{_names(names.VERDICT)}, its evidence under {_names(names.EVIDENCE)}"
    )
    elsewhere = (
        "a configuration above the eval, a run above the configuration, one file an eval, flat "
        "files, and gradings beside the folder of their run"
    )
    several = (
        "items that each name their `eval_id`, and runs by name that say their case, "
        "configuration and version, also beside evals.json"
    )
    others = (name for name in names.ITEMS if name not in names.STANDARD_ITEMS)
    known = (
        (f"items under {_names(names.STANDARD_ITEMS)}", ""),
        (f"items under {_names(others)}, or a bare list", "list-name"),
        (spelled, "item-field"),
        (
            (
                "a verdict as a word, such as PASS or no, or as 1 or 0; null and words like `n/a` "
                "are unscored"
            ),
            "verdict-word",
        ),
        ("totals under other names, as percent or as `3/4`; they are recomputed", "summary-name"),
        ("the items of several runs or of both configurations in one file", "several-runs"),
        (
            "the configuration from a field of the file where no folder tells it",
            "config-from-field",
        ),
        (elsewhere, "layout"),
        ("totals alone, without a list of items", "no-list"),
        (
            "a verdict that is no known word, such as PARTIAL: an item or a run without score",
            "unknown-verdict",
        ),
        ("a list named after another configuration, such as `baseline_expectations`", ""),
        ("another list of judged items is named, not read", "second-list"),
        (several, "several-runs"),
        (
            "the same eval, configuration and verdicts in two folders: the second is superseded",
            "copied-run",
        ),
        ("no items, but some in `outputs/grading.json`: named, not read", "grading-in-outputs"),
        ("indexes and summaries are compared with the runs that they name", "totals-without-run"),
    )
    for what, code in known:
        yield "grading", what, code
