"""The learned view of traps: it flags a stranger's hook, holds urgency back, and accuses nobody who is known."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.model.learned import load_shipped_model
from gaia_understanding.cascade.model.suspicion import FLAGGED, add_suspicion, may_be_trap
from gaia_understanding.cascade.verdict import Context, Suspicion
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"
LINK = (("https://desk.example/open", "https://desk.example/open"),)


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


def facts(mail: Prepared, **known: object) -> RuleFacts:
    context = Context(owner=frozenset({OWNER}), **known)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return BuiltinTier().findings(mail, context).facts


def test_the_shipped_model_knows_the_question() -> None:
    model = load_shipped_model()
    assert model is not None
    assert "trap" in model.questions


def test_a_sure_model_flags_a_strangers_hook_and_says_why(mail: MakeMail) -> None:
    strange = facts(mail("Open your file here.", links=LINK))
    flagged = add_suspicion(strange, Suspicion(), 0.9)
    assert flagged.score >= 0.5
    assert flagged.reasons
    assert add_suspicion(strange, Suspicion(), FLAGGED - 0.01).score == 0.0


def test_the_rules_own_suspicion_needs_less_of_the_model(mail: MakeMail) -> None:
    strange = facts(mail("Open your file here.", links=LINK))
    assert add_suspicion(strange, Suspicion(score=0.35), 0.45).score >= 0.5


def test_what_the_rules_flag_stays_as_it_is(mail: MakeMail) -> None:
    sure = Suspicion(score=0.7, reasons=("a link leads elsewhere",))
    assert add_suspicion(facts(mail("Open it.", links=LINK)), sure, 0.99) == sure


def test_without_a_hook_nothing_is_a_trap(mail: MakeMail) -> None:
    assert not may_be_trap(
        facts(mail("Our account was closed without notice. We are locked out and furious."))
    )


@pytest.mark.parametrize("known", [{"written_to": 1}, {"owner_in_thread": True}])
def test_who_the_user_writes_to_is_never_accused_for_the_models_sake(
    mail: MakeMail, known: dict[str, object]
) -> None:
    friend = facts(mail("Open your file here.", links=LINK), **known)
    assert add_suspicion(friend, Suspicion(), 0.99).score == 0.0


def test_having_written_before_is_no_acquaintance(mail: MakeMail) -> None:
    assert may_be_trap(facts(mail("Open your file here.", links=LINK), received_before=40))
