"""What a mailbox knows about senders and threads."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gaia_email.mailbox.correspondents import Correspondents


def thread_of(ordinal: int) -> str:
    return "t"


def test_the_owner_is_the_most_frequent_recipient() -> None:
    history = Correspondents()
    for recipients in (["Me@x.example"], ["me@x.example", "b@x.example"], ["c@x.example"]):
        history.add("someone@y.example", recipients, 1.0)
    history.finish(None, thread_of)
    assert history.owner == {"me@x.example"}


def test_a_sender_is_new_until_either_side_wrote() -> None:
    history = Correspondents()
    history.add("ann@y.example", ["me@x.example"], 10.0)
    history.add("me@x.example", ["bob@y.example"], 20.0)
    history.finish(["me@x.example"], thread_of)
    assert history.context("ann@y.example", 10.0, "t").first_contact is True
    assert history.context("ann@y.example", 11.0, "t").first_contact is False
    assert history.context("bob@y.example", 15.0, "u").first_contact is True
    assert history.context("bob@y.example", 25.0, "u").written_to == 1


def test_nobody_can_say_who_is_new_in_a_mailbox_of_one_message() -> None:
    history = Correspondents()
    history.add("ann@y.example", ["me@x.example"], 10.0)
    history.finish(["me@x.example"], thread_of)
    assert history.context("ann@y.example", 10.0, "t").first_contact is None


def test_a_later_message_of_the_owner_answers_the_thread() -> None:
    history = Correspondents()
    history.add("ann@y.example", ["me@x.example"], 10.0)
    history.add("me@x.example", ["ann@y.example"], 20.0)
    history.add("ann@y.example", ["me@x.example"], 30.0)
    history.finish(["me@x.example"], thread_of)
    first = history.context("ann@y.example", 10.0, "t")
    last = history.context("ann@y.example", 30.0, "t")
    assert (first.answered, first.owner_in_thread) == (True, False)
    assert (last.answered, last.owner_in_thread) == (False, True)
    assert history.context("ann@y.example", 10.0, "other").answered is False


def answered(times: int, after: float, *, again: float | None = None) -> Correspondents:
    """A history in which the owner answered Ann so many times, so many seconds after her first message."""
    history = Correspondents()
    for day in range(times):
        start = day * 1_000.0
        history.add("ann@y.example", ["me@x.example"], start)
        if again is not None:
            history.add("ann@y.example", ["me@x.example"], start + again)
        history.add("me@x.example", ["ann@y.example"], start + after)
    history.finish(["me@x.example"], thread_of)
    return history


def test_how_soon_a_sender_is_answered_is_known_from_enough_answers() -> None:
    assert answered(5, 60).context("ann@y.example", 9_000.0, "t").usual_wait_s == 60
    assert answered(4, 60).context("ann@y.example", 9_000.0, "t").usual_wait_s is None
    assert answered(5, 60).context("bob@y.example", 9_000.0, "t").usual_wait_s is None


def test_a_habit_is_known_from_what_was_before_the_message() -> None:
    history = answered(9, 60)
    assert history.context("ann@y.example", 4_050.0, "t").usual_wait_s is None
    assert history.context("ann@y.example", 4_061.0, "t").usual_wait_s == 60


def test_who_writes_again_has_waited_since_the_first_time() -> None:
    assert answered(5, 60, again=30).context("ann@y.example", 9_000.0, "t").usual_wait_s == 60


def test_domains_the_owner_wrote_to_are_known() -> None:
    history = Correspondents()
    history.add("me@x.example", ["ann@y.example"], 10.0)
    history.add("eve@z.example", ["me@x.example"], 20.0)
    history.finish(["me@x.example"], thread_of)
    assert history.context("eve@z.example", 20.0, "t").known_domains == {"y.example"}


MAIL = st.tuples(
    st.sampled_from(["a@x", "b@x", "me@x"]),
    st.lists(st.sampled_from(["a@x", "b@x", "me@x"]), max_size=3),
    st.floats(0, 100),
)


@given(st.lists(MAIL, max_size=20))
def test_the_order_of_reading_does_not_matter(mails: list[tuple[str, list[str], float]]) -> None:
    forward, backward = Correspondents(), Correspondents()
    for mail in mails:
        forward.add(*mail)
    for mail in reversed(mails):
        backward.add(*mail)
    forward.finish(["me@x"], thread_of)
    backward.finish(["me@x"], thread_of)
    for sender, _, date in mails:
        assert forward.context(sender, date, "t") == backward.context(sender, date, "t")
