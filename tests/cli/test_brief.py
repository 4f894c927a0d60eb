"""`gaia email brief` on the sample mailbox."""

from __future__ import annotations

from tests.cli.printed import Run, document


def test_the_sample_mailbox_has_a_brief_with_mail_events_and_follow_ups(run: Run) -> None:
    found = document(run, "brief", "brief", "--demo", "--evening")
    assert found["kind"] == "evening" and not found["empty"]
    assert set(found["email"]) == {"urgent", "actionable", "informational", "suspicious", "low_priority"}
    assert "Press check, spring posters" in [one["title"] for one in found["events"]]
    assert found["owe"] and found["owed"]


def test_text_is_printed_as_it_is(run: Run) -> None:
    found = run("brief", "--demo", "--to", "markdown")
    assert found.code == 0 and found.out.startswith("# ") and "## Follow-ups" in found.out


def test_what_does_not_go_together_is_refused(run: Run) -> None:
    assert run("brief", "--demo", "--last", "--evening").code == 2
    assert run("brief", "--demo", "--date", "soon").code == 2
