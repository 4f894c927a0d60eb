"""All of a long text can be seen before the answer: on the page and in the terminal; a form says where that is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp_types import CallToolResult

from gaia_email_registry.approvals import Approvals
from gaia_mail_mcp.surface.approval.settings import ApprovalSettings
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.questions.model import IN_A_FORM

LAST = "the very last words"
BODY = "".join(f"line {number} of a long letter\n" for number in range(3_000)) + LAST
MAIL: dict[str, object] = {"to": ["cy@example.com"], "subject": "Hi", "body": BODY}
SHORT = {**MAIL, "body": "Hello"}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "approvals.db"


@pytest.fixture
def waiting(ask: Any, store: Path) -> Any:
    ask.settings = SurfaceSettings(approval=ApprovalSettings(store=store))
    return ask


class FormUser:
    """Is shown a form, looks at what waits in the terminal meanwhile, and answers."""

    def __init__(self, store: Path, value: bool) -> None:
        self.store, self.value = store, value
        self.form = ""
        self.waiting: list[str] = []

    async def __call__(self, message: str, *_: object) -> object:
        self.form = message
        self.waiting = [question.asked.shown for question in Approvals(self.store).waiting()]
        return {"value": self.value}


async def _send(answer: Any) -> CallToolResult:
    found: CallToolResult = await answer("send_email", MAIL)
    return found


@pytest.mark.parametrize("value", [True, False])
def test_a_form_shows_the_beginning_and_says_where_the_whole_is(
    waiting: Any, store: Path, value: bool
) -> None:
    user = FormUser(store, value)
    result = waiting.run(_send, user)
    assert (not result.is_error, len(waiting.sent)) == (value, int(value))
    assert len(user.form) < IN_A_FORM + 500
    assert "To: cy@example.com" in user.form and "line 0 of" in user.form and LAST not in user.form
    assert "more characters]" in user.form and "`gaia email review`" in user.form
    (whole,) = user.waiting
    assert "line 0 of" in whole and LAST in whole and "more characters]" not in whole
    approvals = Approvals(store)
    assert not approvals.waiting()


def test_a_yes_in_a_form_is_good_for_one_call_only(waiting: Any, store: Path) -> None:
    answers = iter([{"value": True}, {"value": False}])

    async def user(*_: object) -> object:
        return next(answers)

    async def twice(answer: Any) -> CallToolResult:
        assert not (await _send(answer)).is_error
        return await _send(answer)

    assert waiting.run(twice, user).is_error
    assert len(waiting.sent) == 1


def test_what_fits_into_a_form_waits_nowhere_else(waiting: Any, store: Path) -> None:
    user = FormUser(store, value=True)

    async def scenario(answer: Any) -> CallToolResult:
        found: CallToolResult = await answer("send_email", SHORT)
        return found

    assert not waiting.run(scenario, user).is_error
    assert not user.waiting and "gaia email review" not in user.form


def test_every_effect_stands_before_a_text_that_is_cut(waiting: Any, store: Path) -> None:
    user = FormUser(store, value=False)

    async def scenario(answer: Any) -> CallToolResult:
        given = {"title": "Trip", "start": "2090-01-01", "attendees": ["cy@example.com"], "location": "Rome"}
        found: CallToolResult = await answer("create_calendar_event", {**given, "description": BODY})
        return found

    waiting.run(scenario, user)
    assert len(user.form) < IN_A_FORM + 500 and LAST in user.waiting[0]
    assert all(
        word in user.form for word in ("Guest: cy@example.com", "Title: Trip", "Where: Rome", "2090-01-01")
    )
