"""Build review records, and read which run a record is about."""

import hashlib
from collections.abc import Sequence

from evalcore.disk.values import now_text
from evalcore.errors import UnknownName
from evalcore.families.reviews.basis import PROMPT
from evalcore.families.reviews.models import Basis as Digests
from evalcore.families.reviews.models import Fields, ReviewRecord
from evalcore.families.reviews.review import Chain, Review
from evalcore.ids import parse_run_id, within
from evalcore.judging.model import Basis, Judge
from evalcore.judging.storing.store import new_id


def make_record(
    fields: Fields,
    judge: Judge,
    submission: str | None,
    supersedes: str | list[str] | None = None,
    rests: Digests | None = None,
    at: str | None = None,
) -> ReviewRecord:
    """Return a record of `at`, else of now; its id is the submission, or a new one."""
    return ReviewRecord(
        id=submission or new_id(),
        type=fields.of.kind,
        fields=fields.written(),
        created_at=at or now_text(),
        created_by=judge.id,
        supersedes=supersedes,
        evalcore=rests,
    )


def superseding(chain: Chain | None) -> str | list[str] | None:
    """Return the `supersedes` of a new record that replaces every current record of a chain."""
    return one_or_list([] if chain is None else [head.id for head in chain.heads])


def one_or_list(names: Sequence[str]) -> str | list[str] | None:
    """Return ids in the form of `supersedes`: a list, one as a text, None without any."""
    return list(names) if len(names) > 1 else next(iter(names), None)


def standing_id(chain: Chain) -> str:
    """Return the id of a chain's current record; with rivals, one made of all their ids."""
    rivals = " ".join(sorted(rival.id for rival in chain.rivals))
    return part_of(chain.head.id, rivals) if rivals else chain.head.id


def rests_on(basis: Basis, key: str) -> Digests:
    """Return what a judgment of a criterion rests on, as its record says it.

    A criterion that only gradings mention is not stated: where it is defined, it says more.
    """
    prompt, criterion = basis.wordings.get(PROMPT), basis.wordings.get(key)
    return Digests(
        output_sha256=basis.output,
        prompt_sha256=basis.prompt,
        prompt_source=prompt.source if prompt is not None else None,
        criterion_sha256=criterion.sha256 if criterion is not None else None,
        criterion_source=criterion.source if criterion is not None else None,
    )


def part_of(submission: str | None, name: str) -> str:
    """Return the id of one of several records of a submission, always the same one.

    A second click may run at the same time as the first: both must store the same ids.
    """
    if submission is None:
        return new_id()
    digits = hashlib.sha256(f"{submission} {name}".encode()).hexdigest()
    # Time, version and variant of the UUID stay; the random bits come from the digest.
    return f"{submission[:20]}{digits[:3]}-{digits[3:15]}"


def about(review: Review, run_id: str | None) -> bool:
    """Say whether a record is about a run; for `None`, whether it is about no run.

    The suite's part of an id depends on the folder that was opened, so it is not compared.
    """
    named = review.fields.get("testRunId")
    if run_id is None or not isinstance(named, str):
        return run_id is None and named is None
    return within(named) == within(run_id)


def suite_of(run_id: str) -> str:
    """Return the suite of a run.

    Raises:
        UnknownName: it is not a run id.
    """
    found = parse_run_id(run_id)
    if found is None:
        raise UnknownName("run", run_id, ())
    return found.suite
