"""Plain forms of a labelled message: what stays, and that nothing else does."""

from __future__ import annotations

from collections.abc import Sequence
from email import message_from_bytes
from email.policy import default

import pytest

from evals.forms import bare, nameless
from gaia_understanding.cascade.understand import decode
from tests.plugins.evals.programs.conftest import Open

SHOP = b"""\
Received: from mx.shop.example by in.home.example; Mon, 2 Mar 2026 09:00:00 +0100
Authentication-Results: in.home.example; dmarc=pass
From: =?utf-8?Q?Sch=C3=B6ne_Schuhe?= <news@shop.example>
Reply-To: nobody@shop.example
To: Robin Hay <robin@home.example>, lee@home.example
Cc: "Dana, Office" <dana@home.example>
Subject: All
 shoes
Date: Mon, 2 Mar 2026 09:00:00 +0100
Message-ID: <1@shop.example>
List-Unsubscribe: <https://shop.example/u>
Precedence: bulk
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

<html><body><p>Half price.</p><p style="display:none">hidden words</p></body></html>
"""


def test_a_bare_message_keeps_who_to_whom_what_and_when() -> None:
    plain = message_from_bytes(bare(SHOP), policy=default)
    names = {name.lower() for name in plain}
    assert names - {"mime-version", "content-type", "content-transfer-encoding"} == {
        *("from", "to", "cc", "subject", "date"),
    }
    message = decode(bare(SHOP))
    whole = decode(SHOP)
    assert (message.sender, message.to, message.cc) == (whole.sender, whole.to, whole.cc)
    assert (message.subject, message.date) == ("All shoes", whole.date)


def test_markup_becomes_the_text_that_a_reader_sees() -> None:
    message = decode(bare(SHOP))
    assert message.html == ""
    assert message.text.strip() == "Half price."


def test_a_nameless_message_has_addresses_alone() -> None:
    message = decode(nameless(SHOP))
    assert message.sender is not None
    boxes = [message.sender, *message.to, *message.cc]
    assert [box.name for box in boxes] == [""] * 4
    assert [box.address.partition("@")[0] for box in boxes] == ["news", "robin", "lee", "dana"]


@pytest.mark.parametrize("raw", [b"", b"Subject: lonely\n\nNo sender.\n", b"From: nobody\nTo: <>\n\nHm.\n"])
def test_what_is_missing_stays_missing(raw: bytes) -> None:
    assert decode(bare(raw)).subject == decode(raw).subject
    assert decode(nameless(raw)).to == ()


def test_the_words_of_every_plain_message_survive(opened: Sequence[Open]) -> None:
    chosen = [one.case for one in opened[::10]]
    assert len(chosen) > 50
    for case in chosen:
        whole, plain = decode(case.raw), decode(bare(case.raw))
        if whole.text:
            assert plain.text.split() == whole.text.split(), case.name
