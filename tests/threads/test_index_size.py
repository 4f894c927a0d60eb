"""The thread index stays small and quick, whatever a mailbox holds."""

from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from gaia_mail.id_table import IdTable
from gaia_mail.threads import ThreadIndex

BYTES_PER_REFERENCE = 40
"""A dictionary of integers alone takes more than three times as much."""


@given(st.lists(st.integers(min_value=0, max_value=2**64 - 1), max_size=600))
def test_hashes_are_numbered_as_they_first_appear(hashes: list[int]) -> None:
    table = IdTable()
    numbers = [table.number(hashed) for hashed in hashes]
    distinct = list(dict.fromkeys(hashes))
    assert numbers == [distinct.index(hashed) for hashed in hashes]
    assert list(table.hashes) == distinct
    assert len(table) == len(distinct)


def test_ids_nobody_has_take_some_bytes_each() -> None:
    count, references = 3000, 10
    tracemalloc.start()
    try:
        index = ThreadIndex()
        for number in range(count):
            index.add(
                number,
                message_id=f"<{number}@example.com>",
                references=[f"<{number}.{place}@example.com>" for place in range(references)],
                in_reply_to=(),
                subject="",
                date=float(number),
            )
        assert index.thread_id(0) != index.thread_id(1)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < count * (references + 1) * BYTES_PER_REFERENCE


def test_a_flood_of_replies_of_one_subject_is_joined_in_linear_time() -> None:
    count = 6000
    index = ThreadIndex()
    for number in range(count):
        index.add(
            number,
            message_id="<same@example.com>" if number % 2 else f"<{number}@example.com>",
            references=(),
            in_reply_to=(),
            subject="Re: Hello",
            date=float(number // 3),
            sender=f"{number % 7}@example.com",
            recipients=[f"{place}@example.com" for place in range(7)],
        )
    assert len({index.thread_id(number) for number in range(count)}) == 1


def test_undated_messages_are_joined_whatever_their_order() -> None:
    mails = [("<a@x>", "Tea", None), ("<b@x>", "Re: Tea", 5.0), ("<c@x>", "Re: Tea", None)]

    def threads(order: tuple[int, ...]) -> dict[str, str]:
        index = ThreadIndex()
        for number, place in enumerate(order):
            message_id, subject, date = mails[place]
            index.add(
                number,
                message_id=message_id,
                references=(),
                in_reply_to=(),
                subject=subject,
                date=date,
                sender="ann@example.com",
            )
        return {mails[place][0]: index.thread_id(number) for number, place in enumerate(order)}

    expected = threads((0, 1, 2))
    assert len(set(expected.values())) == 1
    assert threads((2, 1, 0)) == expected
    assert threads((1, 2, 0)) == expected
