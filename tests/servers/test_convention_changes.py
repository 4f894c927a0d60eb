"""A mailbox with the tools of the convention alone is changed and changed back; the word of its server is looked up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gaia_email_registry.errors import BadArgument, ProviderError
from tests.cli.printed import Run
from tests.cli.test_connected_files import subjects
from tests.servers.convention_box import ME, ConventionBox
from tests.servers.test_convention_looks import Looks, looking

POST = ("--server", "post")
USER = (*POST, "--user", ME)
WRITES = {"batch_modify_emails", "modify_email", "get_or_create_label", "delete_label", "send_email"}


@pytest.fixture
def box(run: Run, tmp_path: Path) -> ConventionBox:
    found = ConventionBox(tmp_path)
    found.serve()
    return found


def changing_calls(box: ConventionBox) -> set[str]:
    return {tool for tool, _ in box.calls()} & WRITES


def news_everywhere(box: ConventionBox) -> None:
    """A mailbox in which triage finds something that it does by itself."""
    held = box.held()
    for number in range(4):
        held["mail"][f"n{number}"] = {**held["mail"]["m3"], "subject": f"Weekly news {number}"}
    box.write(held)


@pytest.mark.parametrize("fault", ["", "one-by-one"])
def test_a_triage_is_applied_and_undone(fault: str, run: Run, box: ConventionBox) -> None:
    box.serve(fault)
    news_everywhere(box)
    before = {id_: box.labels(id_) for id_ in box.held()["mail"]}
    assert run("policy", "set", "--cohort", "first_contact", "--level", "4", "--yes").code == 0
    told = run("triage", *USER, "--apply", "--yes", "--json")
    assert told.code == 0, told.err
    after = {id_: box.labels(id_) for id_ in box.held()["mail"]}
    moved = {id_ for id_ in before if after[id_] != before[id_]}
    assert moved and all("gaia/processed" in after[id_] for id_ in moved)
    assert all("INBOX" in after[id_] for id_ in before if "INBOX" in before[id_]), "nothing is put away"
    assert after["m2"] == before["m2"], "what is starred is left alone"
    undone = run("undo", *POST)
    assert undone.code == 0, undone.err
    assert {id_: box.labels(id_) for id_ in box.held()["mail"]} == before
    assert "delete_label" not in changing_calls(box)


def test_a_message_sleeps_and_is_woken_by_undo(run: Run, box: ConventionBox) -> None:
    before = box.labels("m4")
    assert run("snooze", "m4", "--until", "3d", *POST).code == 0
    assert "INBOX" not in box.labels("m4") and "m4" not in run("inbox", *USER, "--json").out
    assert run("undo", *POST).code == 0
    assert box.labels("m4") == before
    assert subjects(run("inbox", *USER, "--json").out) >= {"Bill for the roof"}


def test_what_the_server_cannot_do_is_refused_before_anything_happens(run: Run, box: ConventionBox) -> None:
    told = run("unsubscribe", "m3", *POST, "--yes")
    assert told.code != 0 and told.err
    assert not changing_calls(box)


@pytest.mark.parametrize(
    ("fault", "said"),
    [("read-only", "can only be read here"), ("no-stars", "does not say which messages carry STARRED")],
)
def test_a_server_that_could_not_be_undone_is_not_changed(
    fault: str, said: str, run: Run, box: ConventionBox
) -> None:
    box.serve(fault)
    told = run("snooze", "m4", "--until", "3d", *POST)
    assert told.code != 0 and said in told.err
    assert not changing_calls(box)


def test_a_server_that_says_yes_and_does_nothing_is_not_believed(run: Run, box: ConventionBox) -> None:
    before = box.labels("m4")
    box.serve("yes-man")
    told = run("snooze", "m4", "--until", "3d", *POST)
    assert told.code != 0 and "do not show it" in told.err and box.labels("m4") == before
    # What was planned is done by the next run, once the server keeps its word.
    box.serve()
    assert run("triage", *USER, "--apply", "--yes", "--json").code == 0
    assert "INBOX" not in box.labels("m4")


async def change(looks: Looks, ids: list[str], add: list[str], remove: list[str]) -> dict[str, Any]:
    return await looks.ask("batch_modify_emails", messageIds=ids, addLabelIds=add, removeLabelIds=remove)


def test_what_takes_it_back_is_what_was_changed(box: ConventionBox) -> None:
    async def use(looks: Looks) -> None:
        told = await change(looks, ["m4", "m2", "m9"], ["STARRED"], ["UNREAD"])
        assert told["ids"] == ["m4", "m2"] and [one["id"] for one in told["failed"]] == ["m9"]
        assert told["undo"]["arguments"]["perMessage"] == {
            "m4": {"add": ["UNREAD"], "remove": ["STARRED"]},
            "m2": {"add": [], "remove": []},
        }

    looking(box, use)


def test_a_search_that_lags_is_asked_once_more(box: ConventionBox) -> None:
    async def use(looks: Looks) -> None:
        await looks.ask("sync_emails")
        held = box.held()

        def catch_up() -> None:
            held["mail"]["m4"]["labels"] = ["INBOX"]
            box.write(held)

        looks.meanwhile = catch_up
        assert (await change(looks, ["m4"], [], ["UNREAD"]))["ids"] == ["m4"]
        assert len(looks.paused) == 1

    looking(box, use, "yes-man")


def test_a_label_that_is_not_there_is_refused_before_the_call(box: ConventionBox) -> None:
    async def use(looks: Looks) -> None:
        with pytest.raises(BadArgument, match="no label 'Label_99'"):
            await change(looks, ["m4"], ["Label_99"], [])
        assert "batch_modify_emails" not in {tool for tool, _ in looks.calls}

    looking(box, use)


def test_another_label_than_was_asked_for_is_not_used(box: ConventionBox) -> None:
    async def use(looks: Looks) -> None:
        with pytest.raises(ProviderError, match="made 'Important'"):
            await looks.ask("get_or_create_label", name="gaia/processed")

    looking(box, use, "other-label")


def test_after_a_change_every_label_is_asked_again(box: ConventionBox) -> None:
    async def use(looks: Looks) -> None:
        cursor = (await looks.ask("sync_emails"))["cursor"]
        await change(looks, ["m4"], ["STARRED"], [])
        changed = (await looks.ask("sync_emails", cursor=cursor))["changed"]
        assert [(one["id"], one["labels"]) for one in changed] == [("m4", ["INBOX", "STARRED", "UNREAD"])]

    looking(box, use)


def test_what_was_done_stands_in_the_ledger(run: Run, box: ConventionBox) -> None:
    assert run("snooze", "m4", "--until", "3d", *POST).code == 0
    told = json.loads(run("actions", "--json").out)
    assert any(row["message_id"] == "m4" and row["account"] == "server:post" for row in told["actions"])
