"""Drafts: changed in words, by answers and patches, compared, over after an hour."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_email.app import App
from gaia_email_automations.authoring.describing import worth_a_look
from gaia_email_automations.authoring.drafts import DRAFTS, KEPT_S, AutomationDraft
from gaia_email_automations.authoring.patching import apply_patch, diff
from gaia_email_automations.definition import AutomationDefinition
from gaia_email_automations.draft_use_cases import (
    MOST_PROPOSED,
    DraftWish,
    all_drafts,
    clean_drafts,
    found_draft,
    import_draft,
    propose,
    propose_to_person,
    refine,
)
from gaia_email_automations.store import AutomationStore
from gaia_email_registry.errors import BadArgument, NeedsApproval, NotFound
from tests.origins import PERSON
from tests.plugins.automations.samples import definition

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b/~", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab/~"), inner, max_size=4),
    max_leaves=12,
)
OBJECT = st.dictionaries(st.sampled_from("xy"), JSON)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(clock: Clock) -> App:
    return App(clock=clock)


def drafted(app: App, words: str) -> AutomationDraft:
    return propose(app, DraftWish(words=words, zone="Europe/Berlin", model="never"))


@given(old=OBJECT, new=OBJECT)
def test_the_difference_makes_the_new_of_the_old(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert apply_patch(old, diff(old, new)) == new
    assert diff(new, new) == []


def test_a_truth_is_another_value_than_a_one() -> None:
    assert diff({"a": 1}, {"a": True}) == [{"op": "replace", "path": "/a", "value": True}]


@pytest.mark.parametrize(
    "patch",
    [
        [{"op": "test", "path": "/name", "value": "other"}],
        [{"op": "remove", "path": "/nothing"}],
        [{"op": "fly", "path": "/name"}],
        [{"op": "add", "path": "name", "value": 1}],
        [{"op": "replace", "path": "", "value": 1}],
        [{}],
        [{"op": "add", "path": "/x", "value": 1}] * 101,
    ],
)
def test_a_patch_that_does_not_fit_is_refused_and_changes_nothing(patch: list[dict[str, Any]]) -> None:
    before = definition()
    with pytest.raises(BadArgument):
        apply_patch(before, patch)
    assert before == definition()


@pytest.mark.parametrize(
    ("words", "path", "value"),
    [
        ("weekdays only", "/triggers/0/cron", "30 7 * * 1-5"),
        ("on mondays and fridays", "/triggers/0/cron", "30 7 * * 1,5"),
        ("weekends at 9:00", "/triggers/0/cron", "0 9 * * 0,6"),
        ("at 4 pm", "/triggers/0/cron", "0 16 * * *"),
        ("every 30 minutes", "/triggers/0/cron", "*/30 * * * *"),
        ("call it Mornings", "/name", "Mornings"),
    ],
)
def test_a_clock_is_changed_in_words_and_shown_as_a_difference(
    app: App, words: str, path: str, value: str
) -> None:
    draft = drafted(app, "every day at 7:30, give me the brief")
    changed = refine(app, draft.draft_id, words=words, model="never")
    assert changed.changes == ([{"op": "replace", "path": path, "value": value}],)
    assert found_draft(app, draft.draft_id) == changed


def test_steps_are_added_and_taken_away_in_words(app: App) -> None:
    draft = drafted(app, "when a newsletter arrives, archive it")
    more = refine(app, draft.draft_id, words="also mark it as read and tell bob", model="never")
    assert [one["action"] for one in more.template.definition["plan"]] == [
        "archive_email",
        "mark_read",
        "send_email",
    ]
    assert more.template.missing == ("recipient",)
    less = refine(app, draft.draft_id, words="without send", model="never")
    assert less.changes[-1] == [{"op": "remove", "path": "/plan/2"}]
    assert less.template.missing == ()
    refine(app, draft.draft_id, words="without archive", model="never")
    with pytest.raises(BadArgument, match="nothing would be left"):
        refine(app, draft.draft_id, words="without read", model="never")


def test_mail_is_narrowed_down_in_words(app: App) -> None:
    draft = drafted(app, "when a newsletter arrives, archive it")
    changed = refine(app, draft.draft_id, words="only from acme.example", model="never")
    (trigger,) = changed.template.definition["triggers"]
    assert trigger["filters"]["sender"] == {"regex": r"(?i)[@.]acme\.example$"}
    with pytest.raises(BadArgument, match="no address"):
        refine(app, draft.draft_id, words="only from bob", model="never")
    with pytest.raises(BadArgument, match="No clock"):
        refine(app, draft.draft_id, words="at 8:00", model="never")


def test_a_change_that_is_not_understood_changes_nothing(app: App) -> None:
    draft = drafted(app, "every day at 7:30, give me the brief")
    with pytest.raises(BadArgument, match="not understood"):
        refine(app, draft.draft_id, words="more like that", model="never")
    assert found_draft(app, draft.draft_id) == draft


def test_answers_and_patches_change_a_draft(app: App) -> None:
    draft = drafted(app, "when an invoice arrives, tell finance")
    answered = refine(app, draft.draft_id, values={"recipient": "fin@example.com"})
    assert answered.template.fill()["plan"][0]["config"]["to"] == ["fin@example.com"]
    patched = refine(app, draft.draft_id, patch=[{"op": "replace", "path": "/name", "value": "Bills"}])
    assert patched.template.values == {"recipient": "fin@example.com"}
    assert patched.template.definition["name"] == "Bills"


def test_a_draft_is_over_after_an_hour(app: App, clock: Clock) -> None:
    draft = drafted(app, "every day at 7:30, give me the brief")
    clock.now += KEPT_S - 1
    assert all_drafts(app) == [draft]
    clock.now += 2
    assert all_drafts(app) == []
    with pytest.raises(NotFound, match="an hour"):
        refine(app, draft.draft_id, words="weekdays only")


def test_what_is_over_is_deleted_once_a_day(app: App, clock: Clock) -> None:
    drafted(app, "every day at 7:30, give me the brief")
    clock.now += KEPT_S + 1
    clean_drafts(app)
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        document = ledger.documents.read(tx, DRAFTS)
    assert document is not None and document.value == {}


def test_broad_tools_and_answers_without_a_schema_are_warned_of() -> None:
    task: dict[str, Any] = {"step_id": "task", "action": "agent_task", "config": {"prompt": "x"}}

    def warned(**config: Any) -> set[str]:
        whole = definition({**task, "config": {**task["config"], **config}})
        return {one.pointer for one in worth_a_look(msgspec.convert(whole, AutomationDefinition))}

    assert warned() == {"/plan/0/config/output_schema"}
    assert warned(output_schema={"type": "object"}, tools=["search_emails"]) == set()
    assert warned(output_schema={"type": "object"}, tools=["post.*"]) == {"/plan/0/config/tools"}
    assert "/plan/0/config/tools" in warned(tools=[f"tool_{number}" for number in range(6)])


def test_an_imported_definition_is_a_draft_and_not_saved(app: App) -> None:
    draft = import_draft(app, definition(name="Elsewhere"))
    assert (draft.by, draft.template.missing) == ("file", ())
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        assert AutomationStore.of(ledger).all(tx) == []
    with pytest.raises(BadArgument, match="no definition"):
        import_draft(app, {"name": "x"})


def test_what_the_agent_proposes_is_a_question_and_asked_once(app: App) -> None:
    wish = DraftWish(words="when a newsletter arrives, archive it", model="never")
    draft = propose_to_person(app, wish, why="You said so.", origin=PERSON)
    propose_to_person(app, wish, why="You said so.", origin=PERSON)
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        assert AutomationStore.of(ledger).all(tx) == []
        waiting = ledger.pending.select(tx, type="notify")
    assert len(waiting) == 1
    assert draft.expires_at > app.clock() + 6 * 86_400
    for number in range(MOST_PROPOSED - 1):
        propose_to_person(
            app, DraftWish(words=f"when a{number}@x.example writes, star it"), why="", origin=PERSON
        )
    with pytest.raises(NeedsApproval, match="wait already"):
        propose_to_person(app, DraftWish(words="when zoe@x.example writes, star it"), why="", origin=PERSON)
