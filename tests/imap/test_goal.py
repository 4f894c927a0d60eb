"""Plans that lead from the copies of a message to the labels wanted, whenever they are broken off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gaia_imap_mcp.change.label_plan import ImapLabelPlan, LabelGoal, LabelSupport, goal_of, plan
from gaia_imap_mcp.index.store import MessageCopy
from gaia_imap_mcp.protocol.labels_from_flags import join, labels_and_flags

NAMES = {"INBOX": "INBOX", "SENT": "Sent", "TRASH": "Trash", "SPAM": "Junk", "": "Archive", "Work": "Work"}
WORDS = ("Garden", "$Important", "Work")
ANY = ("INBOX", "SENT", "TRASH", "SPAM", "Work", "Garden", "IMPORTANT", "UNREAD", "STARRED")


def copy(label: str, *marks: str, uid: int = 1) -> MessageCopy:
    return MessageCopy(folder=NAMES[label], label=label, uidvalidity=1, uid=uid, marks=tuple(sorted(marks)))


class Server:
    """A mailbox with one message in it, whose commands are done one copy at a time."""

    def __init__(self, message_copies: Sequence[MessageCopy], *, moves: bool) -> None:
        self.message_copies = {(found.folder, found.uid): found for found in message_copies}
        self.moves = moves
        self.uid = 1000

    def steps(self, made: ImapLabelPlan) -> Iterator[None]:
        for store, copies in made.stores.items():
            for copy in copies:
                key = (copy.folder, copy.uid)
                marks = (set(self.message_copies[key].marks) | set(store.add)) - set(store.remove)
                self.message_copies[key] = replace(self.message_copies[key], marks=tuple(sorted(marks)))
                yield
        for transfer, copies in made.copies.items():
            for copy in copies:
                self.copy(copy, transfer.label)
                yield
        for transfer, copies in made.moves.items():
            for copy in copies:
                self.copy(copy, transfer.label)
                if not self.moves:
                    yield
                del self.message_copies[copy.folder, copy.uid]
                yield
        for copies in made.removals.values():
            for copy in copies:
                del self.message_copies[copy.folder, copy.uid]
                yield

    def copy(self, copy: MessageCopy, label: str) -> None:
        self.uid += 1
        made = replace(
            self.message_copies[copy.folder, copy.uid], folder=NAMES[label], label=label, uid=self.uid
        )
        self.message_copies[made.folder, made.uid] = made

    def labels(self) -> frozenset[str]:
        found = labels_and_flags([(copy.label, join(copy.marks)) for copy in self.message_copies.values()])
        assert found is not None
        return frozenset(found.labels.split("\x1f")) - {""}


def reached(server: Server, goal: LabelGoal, ground: LabelSupport, stops: Sequence[int]) -> None:
    """Carry the goal out, broken off after so many steps each time; the message is never gone meanwhile."""
    leaving: list[MessageCopy] = []
    for stop in [*stops, 1000, 1000]:
        made = plan(list(server.message_copies.values()), goal, ground, leaving)
        leaving += [copy for moved in made.moves.values() for copy in moved]
        for number, _ in enumerate(server.steps(made), 1):
            assert server.message_copies
            if number >= stop:
                break
    assert plan(list(server.message_copies.values()), goal, ground, leaving).is_empty


COPIES = st.lists(
    st.tuples(
        st.sampled_from(["INBOX", "SENT", "", "Work", "TRASH", "SPAM"]),
        st.sets(st.sampled_from([*WORDS, "\\Seen", "\\Flagged", "\\Answered", "$Forwarded"])),
    ),
    min_size=1,
    max_size=4,
)


@example(copies=[("", set())], add=frozenset({"INBOX"}), remove=frozenset(), stops=[1], moves=False)
@given(
    copies=COPIES,
    add=st.frozensets(st.sampled_from(ANY)),
    remove=st.frozensets(st.sampled_from(ANY)),
    stops=st.lists(st.integers(1, 4), max_size=3),
    moves=st.booleans(),
)
def test_any_change_arrives_at_the_labels_wanted_however_often_it_is_broken_off(
    copies: list[tuple[str, set[str]]],
    add: frozenset[str],
    remove: frozenset[str],
    stops: list[int],
    moves: bool,
) -> None:
    message_copies = [copy(label, *marks, uid=number) for number, (label, marks) in enumerate(copies, 1)]
    server = Server(message_copies, moves=moves)
    ground = LabelSupport(folders=frozenset({"Work"}), keywords=True, moves=moves)
    wanted = (server.labels() - remove) | add
    goal = goal_of(wanted, message_copies, ground, changed=add | remove)
    answered = {
        mark for copy in message_copies for mark in copy.marks if mark in ("\\Answered", "$Forwarded")
    }
    reached(server, goal, ground, stops)
    found = server.labels()
    for flag in {"UNREAD", "STARRED"} & (add | remove):
        assert (flag in found) == (flag in wanted)
    if wanted & {"TRASH", "SPAM"}:
        assert found & {"TRASH", "SPAM", "INBOX", "SENT"} == {goal.folders[0]}
        assert {found.folder for found in server.message_copies.values()} == {NAMES[goal.folders[0]]}
    else:
        assert found - {"UNREAD", "STARRED"} == wanted - {"UNREAD", "STARRED"}
    if len(message_copies) == 1:
        assert answered == {m for c in server.message_copies.values() for m in c.marks if m in answered}
        assert len(server.message_copies) == len(goal.folders)


def test_a_label_that_is_a_folder_is_the_place_of_what_has_no_other() -> None:
    ground = LabelSupport(folders=frozenset({"Work"}), keywords=True)
    inbox = [copy("INBOX", "\\Seen")]
    assert goal_of(frozenset({"Work"}), inbox, ground, changed=frozenset()).folders == ("Work",)
    beside = goal_of(frozenset({"INBOX", "Work"}), inbox, ground, changed=frozenset())
    assert (beside.folders, beside.words) == (("INBOX",), frozenset({"Work"}))
    bare = goal_of(frozenset({"INBOX", "Work"}), inbox, replace(ground, keywords=False), changed=frozenset())
    assert (bare.folders, bare.words) == (("INBOX", "Work"), frozenset())


@pytest.mark.parametrize(
    ("labels", "origins", "folders"),
    [
        (set[str](), ("INBOX",), ("INBOX",)),
        (set[str](), ("",), ("",)),
        (set[str](), (), ("",)),
        (set[str](), ("INBOX", "Work"), ("INBOX", "Work")),
        ({"SPAM"}, ("SPAM",), ("SPAM",)),
        ({"INBOX"}, ("Work",), ("INBOX",)),
    ],
)
def test_out_of_trash_a_message_goes_where_it_was_unless_told_otherwise(
    labels: set[str], origins: tuple[str, ...], folders: tuple[str, ...]
) -> None:
    ground = LabelSupport(folders=frozenset({"Work"}), keywords=True)
    goal = goal_of(frozenset(labels), [copy("TRASH")], ground, changed=frozenset(), origins=origins)
    assert goal.folders == folders


def test_on_gmail_labels_are_changed_where_the_message_is() -> None:
    ground = LabelSupport(folders=frozenset(), keywords=False, gmail=True)
    held = [copy("", "\\Seen", "+\\Inbox", "+Work", "+\\Draft")]
    wanted = frozenset({"DRAFT", "Garden", "IMPORTANT", "STARRED"})
    goal = goal_of(wanted, held, ground, changed=frozenset({"STARRED"}))
    made = plan(held, goal, ground)
    (store,) = made.stores
    assert set(store.add) == {"\\Flagged", "+Garden", "+\\Important"}
    assert set(store.remove) == {"+\\Inbox", "+Work"}
    assert not made.moves and not made.removals and not made.copies


def test_on_gmail_trash_and_spam_are_folders_and_nothing_is_expunged_on_the_way() -> None:
    ground = LabelSupport(folders=frozenset(), keywords=False, gmail=True)
    held = [copy("", "+\\Inbox")]
    goal = goal_of(frozenset({"TRASH", "UNREAD"}), held, ground, changed=frozenset())
    made = plan(held, goal, ground)
    assert [transfer.label for transfer in made.moves] == ["TRASH"]
    assert not made.removals
    back = goal_of(frozenset({"INBOX"}), [copy("TRASH")], ground, changed=frozenset(), origins=("",))
    assert (back.folders, back.words) == (("",), frozenset({"\\Inbox"}))
