"""What holds for any HTML: nothing raises, nothing visible is invented."""

from __future__ import annotations

import re
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_mail.mime.model import ParsedMessage
from gaia_understanding.prepare.html.read import read_html
from gaia_understanding.prepare.invisible import reveal
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.prepare.pipeline import prepare

MakeMessage = Callable[..., ParsedMessage]

UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U000e0000-\U000e01ef]"
)
CHARACTER_TRICKS = {
    "zero-width",
    "bidi-control",
    "unicode-tags",
    "variation-selectors",
    "filler",
    "soft-hyphen",
    "combining",
}

PIECES = """
<div>|</div>|<p style="display:none">|</p>|<span style="color:#fff">|</span>|<b>|</b>|<br>|<hr>|<pre>|</pre>
<!-- some words in a comment -->|<blockquote>|</blockquote>|<blockquote type=cite>|<div class=gmail_quote>
<table bgcolor=black>|<tr>|<td>|</table>|<a href="https://a.example/">|</a>|<style>.x{display:none}</style>
<i class=x>|</i>|<font color=white>|</font>|<img src="https://t.example/1.gif" width=1 height=1>|<li>|<ul>|</ul>
<ol>|</ol>|<template>|</template>|<title>|</title>|<noscript>|<script>|</script>|<p style="font-size:0">
<p style="visibility:hidden">|On 1 May 2026 at 10:00, Ann <i>x</i> wrote:|From: Ann|Sent: Monday|To: Bo|&nbsp;
Subject: tea|&zwnj;|&lt;|-- |---------- Forwarded message ---------|<![CDATA[|<!DOCTYPE html>|</html>|<body>
"""
STRANGE = ["\u200b", "\u202e", "\u00ad", "\ufeff", "\u0301", "é", "会", "\U000e0041", "\U0001f600"]
pieces = st.sampled_from(PIECES.strip().replace("\n", "|").split("|"))
words = st.text(alphabet=st.sampled_from([*"abc xyz .:>\n\t", *STRANGE]), max_size=12)
markup = st.lists(pieces | words, max_size=40).map("".join)


def _solid(text: str) -> str:
    return "".join(text.split())


def _check_removals(prepared: Prepared, html: str, text: str) -> None:
    plain = _solid(UNSEEN.sub("", text))
    for removal in prepared.removed:
        assert removal.text or removal.how in CHARACTER_TRICKS
        assert removal.chars >= 0
        if removal.step != "hidden" or removal.how in CHARACTER_TRICKS:
            continue
        wanted = _solid(UNSEEN.sub("", removal.text))
        shown = read_html(html)
        runs = _solid(UNSEEN.sub("", reveal(" ".join(run.text for run in shown.hidden))[0]))
        assert wanted in runs or wanted in plain or wanted in _solid(html)


@settings(max_examples=300, deadline=None)
@given(
    html=markup, text=words | st.lists(words, max_size=6).map("\n".join), subject=words, reply=st.booleans()
)
def test_any_message_is_prepared_and_what_was_removed_is_in_it(
    make_message: MakeMessage, html: str, text: str, subject: str, reply: bool
) -> None:
    message = make_message(
        text=text, html=html, subject=subject, in_reply_to="<2@example.com>" if reply else ""
    )
    prepared = prepare(message)
    assert UNSEEN.search(prepared.normalized) is None
    assert UNSEEN.search(prepared.quoted) is None
    assert "\n\n\n" not in prepared.normalized
    assert prepared.normalized == prepared.normalized.strip()
    _check_removals(prepared, html, text)


@settings(max_examples=300, deadline=None)
@given(html=markup, text=words)
def test_preparing_what_was_prepared_finds_nothing_more_hidden(
    make_message: MakeMessage, html: str, text: str
) -> None:
    first = prepare(make_message(text=text, html=html))
    second = prepare(make_message(text=first.normalized))
    assert [removal for removal in second.removed if removal.step == "hidden"] == []


@settings(max_examples=300, deadline=None)
@given(html=markup, reply=st.booleans(), forward=st.booleans())
def test_no_visible_word_is_lost_when_html_is_parted(html: str, reply: bool, forward: bool) -> None:
    result = read_html(html, reply=reply, forward=forward)
    parts = _solid(result.new) + _solid(result.quoted) + _solid(result.signature)
    assert sorted(parts) == sorted(_solid(result.text))


@settings(max_examples=100, deadline=None)
@given(html=st.text(max_size=300))
def test_any_text_can_be_read_as_html(html: str) -> None:
    read_html(html)
    read_html(f"<style>{html}</style><p style='{html}'>{html}</p><p class={html}>")
