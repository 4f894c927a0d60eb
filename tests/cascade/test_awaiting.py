"""A person who says plainly what is wanted waits for an answer, whether with a question mark or without."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


@pytest.mark.parametrize(
    "text",
    [
        "The lamp came broken for the second time. I want a full refund and an explanation from you.",
        "Why was my card charged twice in May?",
        "The badge does not open the door and nobody is at the desk. Any help would be great!",
        "The minutes are attached. Please confirm receipt and let me know if you have any questions.",
    ],
)
def test_an_answer_is_awaited(mail: MakeMail, text: str) -> None:
    assert BuiltinTier().judge(mail(text), Context(owner=frozenset({OWNER}))).needs_reply


@pytest.mark.parametrize(
    "text",
    [
        "The minutes are attached. Let me know if you have any questions.",
        "I want to say how good the concert was. Why not go again, as we always say.",
        "Thanks for the answer, that was all.",
    ],
)
def test_no_answer_is_awaited(mail: MakeMail, text: str) -> None:
    assert not BuiltinTier().judge(mail(text), Context(owner=frozenset({OWNER}))).needs_reply
