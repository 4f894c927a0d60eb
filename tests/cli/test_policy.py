"""`policy`, `vip`, `protect`, `pause`, `resume`, `stop`, `travel-mode`: the documents, and what they change."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from gaia_email.interfaces.cli import output, person
from gaia_email.interfaces.cli.person import Terminal
from gaia_email.interfaces.cli.zones import this_zone
from gaia_email.ledger import NewAction, NewItem, NewLedgerEvent, open_ledger
from gaia_email.ledger.policy_store import has_ledger, load_policy
from gaia_email.ledger.template_files import templates_directory
from gaia_email.policy.document import Policy
from gaia_email_registry.errors import BadArgument
from tests.cli.printed import Run, document
from tests.maildirs import link_mail
from tests.origins import PERSON


@pytest.fixture(scope="module")
def source(sample_maildir: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A third of the sample: what is asked here is the same of any mail."""

    def left_out(above: str, names: list[str]) -> list[str]:
        messages = sorted(names) if Path(above).name in ("cur", "new") else []
        return [name for number, name in enumerate(messages) if number % 3]

    folder = tmp_path_factory.mktemp("part") / "Maildir"
    shutil.copytree(sample_maildir, folder, ignore=left_out, copy_function=link_mail)
    return ("--maildir", str(folder))


@pytest.fixture
def on_a_terminal(monkeypatch: pytest.MonkeyPatch, plain_terminal: None) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda: True)


def events() -> list[dict[str, Any]]:
    with open_ledger() as ledger, ledger.read() as tx:
        return [event.payload for event in ledger.events.since(tx, kind="policy.changed")]


def threads(run: Run, command: str, source: tuple[str, str]) -> list[dict[str, Any]]:
    buckets = json.loads(run(command, *source, "--json").out)["buckets"]
    return [row for rows in buckets.values() for row in rows]


def test_a_new_user_has_the_defaults_and_reading_them_makes_no_database(
    run: Run, source: tuple[str, str]
) -> None:
    found = document(run, "policy", "policy", "list")
    assert found["version"] == 0
    assert [cohort["level"] for cohort in found["cohorts"]] == [2, 5, 5, 4, 1, 2, 1, 2]
    document(run, "vip", "vip", "list")
    document(run, "protect", "protect", "list")
    (first, *_) = threads(run, "triage", source)
    document(run, "policy-explain", "policy", "explain", first["id"], *source)
    document(run, "policy-change", "policy", "test", "--cohort", "social", "--level", "1", *source)
    assert not has_ledger(os.environ)


def test_lowering_a_level_is_saved_at_once_with_an_event(run: Run) -> None:
    found = document(run, "policy-change", "policy", "set", "--cohort", "newsletters", "--level", "2")
    assert (found["saved"], found["needs_yes"], found["version"]) == (True, False, 1)
    assert load_policy(environ=os.environ).policy.cohort("newsletters").level == 2
    (event,) = events()
    assert (event["what"], event["cohort"], event["to"]) == ("level", "newsletters", "L2 suggest per message")


def test_raising_a_level_needs_a_yes(run: Run) -> None:
    asked = document(run, "policy-change", "policy", "set", "--cohort", "default", "--level", "5", code=5)
    assert (asked["saved"], asked["needs_yes"]) == (False, True)
    assert load_policy(environ=os.environ).policy == Policy()
    agreed = document(run, "policy-change", "policy", "set", "--cohort", "default", "--level", "5", "--yes")
    assert agreed["saved"]
    assert load_policy(environ=os.environ).policy.cohort("default").level == 5


@pytest.mark.usefixtures("on_a_terminal")
@pytest.mark.parametrize(("answer", "code", "level"), [(True, 0, 5), (False, 5, 2)])
def test_on_a_terminal_the_person_is_asked(
    run: Run, monkeypatch: pytest.MonkeyPatch, answer: bool, code: int, level: int
) -> None:
    class Screen(Terminal):
        shown = ""

        def show(self, text: str) -> None:
            Screen.shown += text

        def line(self) -> str:
            return Screen.shown.split()[-3] if answer else "y"

        def forget_typed(self) -> None:
            pass

        def close(self) -> None:
            pass

    monkeypatch.setattr(person, "open_terminal", lambda: Screen(-1))
    monkeypatch.setattr(person, "known", person.PersonKnown())
    assert run("policy", "set", "--cohort", "default", "--level", "5").code == code
    assert load_policy(environ=os.environ).policy.cohort("default").level == level


def test_level_six_is_refused_by_name(run: Run) -> None:
    result = run("policy", "set", "--cohort", "social", "--level", "6", "--yes")
    assert result.code == 2
    assert "fully delegated" in result.err


@pytest.mark.parametrize(
    "args",
    [
        ("set",),
        ("set", "--cohort", "social"),
        ("set", "--level", "3"),
        ("set", "--cohort", "social", "--level", "3", "--unsubscribe", "on"),
        ("quiet-hours", "22:00"),
        ("quiet-hours", "22:00", "7", "--zone", "UTC"),
        ("cohort", "add", "Mine!", "--level", "1", "--match", "list:x"),
        ("cohort", "add", "mine", "--level", "1", "--match", "somebody"),
        ("cohort", "remove", "social"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error_and_changes_nothing(run: Run, args: tuple[str, ...]) -> None:
    assert run("policy", *args).code == 2
    assert not has_ledger(os.environ)


def test_a_cohort_that_is_not_there_is_named_and_changes_nothing(run: Run) -> None:
    result = run("policy", "set", "--cohort", "nobody", "--level", "3")
    assert result.code == 1 and "There is no cohort 'nobody'" in result.err
    assert not has_ledger(os.environ)


def test_other_settings_are_set_one_at_a_time(run: Run) -> None:
    assert run("policy", "set", "--unsubscribe", "on", "--yes").code == 0
    assert run("policy", "set", "--unsure-below", "80").code == 0
    assert run("policy", "set", "--unsure-below", "70").code == 5
    assert run("policy", "quiet-hours", "22:00", "07:00", "--zone", "Europe/Berlin").code == 0
    found = document(run, "policy", "policy", "list")
    assert (found["unsubscribe"], found["unsure_below"]) == (True, 0.8)
    assert found["quiet_hours"] == {"start": "22:00", "end": "07:00", "zone": "Europe/Berlin"}
    assert run("policy", "quiet-hours", "off").code == 5
    assert run("policy", "quiet-hours", "off", "--yes").code == 0
    assert load_policy(environ=os.environ).policy.quiet_hours is None


def test_triage_and_inbox_follow_the_stored_policy(run: Run, source: tuple[str, str]) -> None:
    before = threads(run, "triage", source)
    sender = next(row["from"]["address"] for row in before if row["plan"]["mode"] == "apply")
    run("protect", "add", "--sender", sender)
    run("policy", "set", "--cohort", "newsletters", "--level", "0")
    for old, new in zip(before, threads(run, "triage", source), strict=True):
        if new["from"]["address"] == sender:
            assert (new["plan"]["action"], new["plan"]["mode"]) == ("keep", "leave")
        elif new["plan"]["cohort"] == "newsletters":
            assert new["plan"]["mode"] == "leave"
        else:
            assert new["plan"] == old["plan"]


def test_a_vip_is_sorted_as_one(run: Run, source: tuple[str, str]) -> None:
    person = next(
        row
        for row in threads(run, "inbox", source)
        if row["cohort"] == "cross_org" and row["confidence"] > 0.7
    )
    document(run, "policy-change", "vip", "add", person["from"]["address"].upper())
    assert document(run, "vip", "vip", "list")["vips"] == [person["from"]["address"].lower()]
    again = next(row for row in threads(run, "triage", source) if row["id"] == person["id"])
    assert (again["cohort"], again["plan"]["cohort"], again["plan"]["level"]) == ("vip", "vip", 2)
    assert again["priority"] >= person["priority"]
    assert run("vip", "remove", person["from"]["address"]).code == 5
    assert run("vip", "remove", person["from"]["address"], "--yes").code == 0
    assert run("vip", "remove", person["from"]["address"], "--yes").code == 1


def test_a_cohort_of_ones_own_takes_its_mail(run: Run, source: tuple[str, str]) -> None:
    row = next(row for row in threads(run, "triage", source) if row["plan"]["cohort"] == "transactional")
    domain = row["from"]["address"].partition("@")[2]
    added = ("policy", "cohort", "add", "shops", "--match", f"domain:{domain}", "--level", "1")
    assert run(*added).code == 5
    assert run(*added, "--yes").code == 0
    found = document(run, "policy-explain", "policy", "explain", row["id"], *source)
    assert (found["cohort"], found["level"], found["plan"]["mode"]) == ("shops", 1, "leave")
    assert f"your rule domain:{domain} holds" in found["matched"]
    own = next(one for one in document(run, "policy", "policy", "list")["cohorts"] if one["own"])
    assert own["match"] == [f"domain:{domain}"]
    assert run("policy", "cohort", "remove", "shops", "--yes").code == 0
    assert [event["what"] for event in events()] == ["cohort_added", "cohort_removed"]


def test_a_test_on_a_mailbox_counts_and_saves_nothing(run: Run, source: tuple[str, str]) -> None:
    rows = threads(run, "triage", source)
    archived = sum(row["plan"]["mode"] == "apply" and row["plan"]["action"] == "archive" for row in rows)
    found = document(
        run, "policy-change", "policy", "test", "--cohort", "newsletters", "--level", "2", *source
    )
    tried = found["backtest"]
    assert tried["total"] == len(rows)
    counted = [
        one["count"] for one in tried["before"] if (one["mode"], one["action"]) == ("apply", "archive")
    ]
    assert counted == [archived]
    assert 0 < tried["changed"] <= tried["total"]
    assert len(tried["borderline"]) == min(5, tried["changed"])
    assert not found["saved"]


def test_explanations_are_sentences_and_agree_with_triage(run: Run, source: tuple[str, str]) -> None:
    for row in threads(run, "triage", source)[:4]:
        found = document(run, "policy-explain", "policy", "explain", row["id"], *source)
        assert found["plan"]["mode"] == row["plan"]["mode"]
        assert found["effective_level"] == row["plan"]["level"]
        assert all(sentence.endswith(".") for sentence in found["sentences"])


def test_pause_stop_resume_and_travel_mode_are_switches_with_events(run: Run) -> None:
    assert document(run, "switches", "pause")["switches"]["paused_at"] is not None
    assert not document(run, "switches", "pause")["changed"]
    stopped = document(run, "switches", "stop")["switches"]
    assert stopped["stopped_at"] >= stopped["paused_at"]
    away = document(run, "switches", "travel-mode", "--until", "2999-12-31")["switches"]
    assert away["travel_until"] > 3e10
    resumed = document(run, "switches", "resume")["switches"]
    assert (resumed["paused_at"], resumed["stopped_at"]) == (None, None)
    assert resumed["travel_until"] == away["travel_until"]
    assert document(run, "switches", "travel-mode", "--until", "off")["switches"]["travel_until"] is None
    told = [event["what"] for event in events()]
    assert told == ["paused", "stopped", "travel_mode", "resumed", "travel_mode"]


@pytest.mark.parametrize("until", ["2001-01-01", "soon", "2026-13-01"])
def test_travel_mode_wants_a_day_to_come(run: Run, until: str) -> None:
    assert run("travel-mode", "--until", until).code == 2


def test_stop_shows_what_was_done(run: Run) -> None:
    action = NewAction(account_id="me@home.example", message_id="m1", action_type="archive", payload={})
    with open_ledger() as ledger, ledger.write() as tx:
        ledger.actions.plan(tx, [action])
    (done,) = document(run, "switches", "stop")["done"]
    assert (done["action_type"], done["message_id"], done["state"]) == ("archive", "m1", "planned")


def test_stop_voids_what_waits_for_an_answer(run: Run) -> None:
    item = NewItem(type="question", account_id="me@home.example", proposal={}, origin=PERSON)
    with open_ledger() as ledger, ledger.write() as tx:
        ledger.pending.add(tx, [item])
    run("pause")
    with open_ledger() as ledger, ledger.read() as tx:
        assert len(ledger.pending.select(tx)) == 1
    run("stop")
    with open_ledger() as ledger, ledger.read() as tx:
        assert ledger.pending.select(tx) == []
        assert len(ledger.pending.select(tx, state="void")) == 1


def test_a_step_that_was_proposed_is_earned_once_it_is_taken(run: Run) -> None:
    granted = NewLedgerEvent(kind="approval.granted", payload={"cohort": "intra_org"})
    with open_ledger() as ledger, ledger.write() as tx:
        ledger.events.append(tx, *[granted] * 20)
    (proposal,) = document(run, "policy", "policy", "list")["proposals"]
    assert (proposal["cohort"], proposal["to_level"]) == ("intra_org", 3)
    run("policy", "set", "--cohort", "intra_org", "--level", "3", "--yes")
    found = document(run, "policy", "policy", "list")
    assert found["proposals"] == []
    assert next(one["earned"] for one in found["cohorts"] if one["name"] == "intra_org") == 1


def test_templates_are_listed_with_what_is_wrong_with_them(run: Run) -> None:
    folder = templates_directory(os.environ)
    folder.mkdir(parents=True)
    (folder / "thanks.md").write_text(
        "---\ncohorts: intra_org\n---\nThank you, {{name}}.\n", encoding="utf-8"
    )
    (folder / "broken.md").write_text("{{", encoding="utf-8")
    broken, thanks = document(run, "policy-templates", "policy", "templates")["templates"]
    assert "not closed" in broken["problem"]
    assert (thanks["cohorts"], thanks["slots"], thanks["always_asks"]) == (["intra_org"], ["name"], False)


@pytest.mark.usefixtures("on_a_terminal")
def test_the_cards_are_for_reading(run: Run, source: tuple[str, str]) -> None:
    run("protect", "add", "--label", "Tax")
    run("travel-mode", "--until", "2999-12-31")
    listed = run("policy", "list").out
    for words in ("newsletters", "L5 autonomous", "travel mode", "protected"):
        assert words in listed
    (first, *_) = threads(run, "triage", source)
    assert "By itself the agent may" in run("policy", "explain", first["id"], *source).out
    tried = run("policy", "test", "--cohort", "newsletters", "--level", "2", *source).out
    assert "messages by itself, instead of" in tried
    assert "no past mail" in run("policy", "set", "--cohort", "social", "--level", "1").out
    assert "label Tax" in run("protect", "list").out
    assert "there are none" in run("vip", "list").err
    assert "Nothing was changed in the last day" in run("stop").out
    assert "that is how it is already" in run("stop").out.lower()


def test_hostile_words_reach_the_terminal_visibly(run: Run) -> None:
    shown = run("protect", "add", "--label", "a\x1b[31mb")
    assert shown.code == 2
    assert "\x1b" not in shown.err + shown.out


def test_the_zone_of_the_machine_is_named_or_asked_for(tmp_path: Path) -> None:
    zone = tmp_path / "zoneinfo" / "Europe" / "Berlin"
    zone.parent.mkdir(parents=True)
    zone.touch()
    link = tmp_path / "localtime"
    link.symlink_to(zone)
    assert this_zone({}, link) == "Europe/Berlin"
    assert this_zone({"TZ": "America/New_York"}, link) == "America/New_York"
    assert this_zone({"TZ": "CET-1CEST"}, link) == "Europe/Berlin"
    with pytest.raises(BadArgument, match="cannot be told"):
        this_zone({}, tmp_path / "nothing")
