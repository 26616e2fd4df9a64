"""Which side stands left is balanced for each judge, and nobody can tell it without the secret."""

import hashlib
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evalcore.blind.drawing import BLOCKS, a_is_left, commitment, order, task_id
from evalcore.families.reviews.models import BlindPair

Guess = Callable[[list[BlindPair], list[bool], int], bool]
SECRET = bytes(range(32))
OTHER = bytes(32)
MANY = 2_000


def pairs(number: int) -> list[BlindPair]:
    """Return so many pairs."""
    return [
        BlindPair(
            pair=f"p{at:03}",
            case_id=f"case-{at}",
            run_a=f"s::case-{at}@v1/-#1",
            run_b=f"s::case-{at}@v2/-#1",
            output_a=hashlib.sha256(f"a{at}".encode()).hexdigest(),
            output_b=hashlib.sha256(f"b{at}".encode()).hexdigest(),
        )
        for at in range(number)
    ]


def drawn(number: int, judge: str = "ana", secret: bytes = SECRET) -> list[bool]:
    """Return whether A stands left, in the order in which the judge sees the pairs."""
    known = pairs(number)
    left = a_is_left(secret, judge, known)
    return [left[pair.pair] for pair in order(secret, judge, known)]


def test_a_stands_left_in_half_of_many_pairs_and_neighbours_say_nothing_of_each_other() -> None:
    """Balance of 2,000 pairs within 3 points; serial correlation below 0.05, over 20 secrets."""
    serial = []
    for number in range(20):
        left = drawn(MANY, secret=bytes([number]) * 32)
        assert abs(sum(left) / MANY - 0.5) < 0.03
        same = sum(one == two for one, two in pairwise(left)) / (MANY - 1)
        serial.append(2 * same - 1)
    assert abs(sum(serial) / len(serial)) < 0.05


@given(st.binary(min_size=32, max_size=32), st.integers(1, 70), st.text(max_size=8))
def test_no_judge_sees_a_side_left_much_more_often(secret: bytes, number: int, judge: str) -> None:
    """Whatever the secret: of a study shorter than a block the sides differ by one at most."""
    left = drawn(number, judge, secret)
    assert abs(2 * sum(left) - number) <= (1 if number <= min(BLOCKS) else 4)


def test_block_sizes_vary_so_that_the_last_of_a_block_is_not_known() -> None:
    """After as many pairs as the smallest block has, both sides may be ahead."""
    ahead = {sum(drawn(80, f"judge {at}")[: min(BLOCKS)]) for at in range(100)}
    assert {9, 10, 11} <= ahead


def guesses() -> list[Guess]:
    """Return fifty guesses whether A stands left, from all that a judge sees and remembers."""
    found: list[Guess] = [
        lambda _, __, at: at % 2 == 0,
        lambda seen, _, at: seen[at].pair > "p1",
        lambda seen, _, at: seen[at].output_a < seen[at].output_b,
        lambda seen, _, at: len(seen[at].case_id) % 2 == 0,
        lambda _, truth, at: at > 0 and not truth[at - 1],
    ]
    return [*found, *map(_bit_of_name, range(24)), *map(_salted, range(21))]


def _bit_of_name(bit: int) -> Guess:
    return lambda seen, _, at: bool(int(task_id(SECRET, "ana", seen[at]), 16) >> bit & 1)


def _salted(salt: int) -> Guess:
    return lambda seen, _, at: bool(
        hashlib.sha256(f"{salt}{seen[at].pair}".encode()).digest()[0] & 1
    )


def test_nothing_that_a_judge_sees_predicts_the_side() -> None:
    """Guesses from ids, order, digests, names and the side before are right in at most 53 %.

    Who knew all sides so far could do better, as they are balanced; nobody does before the end.
    """
    told, right = guesses(), Counter[int]()
    assert len(told) == 50
    for number in range(4):
        secret = bytes([number]) * 32
        seen, truth = order(secret, "ana", pairs(MANY)), drawn(MANY, secret=secret)
        for place, guess in enumerate(told):
            right[place] += sum(guess(seen, truth, at) == truth[at] for at in range(MANY))
    assert max(right.values()) / (4 * MANY) <= 0.53, right.most_common(3)


def test_another_judge_and_another_secret_draw_other_sides_order_and_names() -> None:
    """The same again for the same judge, so that nothing needs to be stored."""
    known = pairs(40)
    assert drawn(40) == drawn(40)
    assert order(SECRET, "ana", known) != order(SECRET, "ben", known)
    for other in (("ben", SECRET), ("ana", OTHER)):
        judge, secret = other
        assert a_is_left(SECRET, "ana", known) != a_is_left(secret, judge, known)
        assert task_id(SECRET, "ana", known[0]) != task_id(secret, judge, known[0])
    assert len({task_id(SECRET, "ana", pair) for pair in known}) == 40


def test_the_commitment_binds_secret_sides_and_pairs() -> None:
    """Whatever of them is another gives another one."""
    known = pairs(2)
    bound = commitment(SECRET, ("v1", "v2"), known)
    changed = [known[0], replace(known[1], run_a=known[1].run_b)]
    others = {
        commitment(OTHER, ("v1", "v2"), known),
        commitment(SECRET, ("v2", "v1"), known),
        commitment(SECRET, ("v1", "v2"), known[::-1]),
        commitment(SECRET, ("v1", "v2"), changed),
    }
    assert len(others | {bound}) == 5
    assert commitment(SECRET, ("v1", "v2"), pairs(2)) == bound
