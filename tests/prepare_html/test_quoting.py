"""Quoted replies in HTML, as many programs mark them."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.html.quoting import is_attribution
from gaia_understanding.prepare.html.read import read_html

NEW = "Friday suits me, see you there."
OLD = "Shall we meet on Friday at noon?"
BY = "On Mon, 2 Mar 2026 at 10:00, Bo Berg &lt;bo@example.org&gt; wrote:"

CONVENTIONS = {
    "gmail": '<div dir=ltr>{new}</div><br><div class="gmail_quote"><div class="gmail_attr">{by}<br></div>'
    '<blockquote class="gmail_quote" style="margin:0">{old}</blockquote></div>',
    "gmail without blockquote": '{new}<div class="gmail_quote">{by}<br>{old}</div>',
    "apple": "<div>{new}</div><div><br><blockquote type=cite><div>{by}</div><div>{old}</div></blockquote></div>",
    "apple, attribution before": "<div>{new}</div><div>{by}</div><br><blockquote type=cite>{old}</blockquote>",
    "thunderbird": "{new}<br><div class=moz-cite-prefix>{by}</div><blockquote type=cite "
    "cite='mid:1'>{old}</blockquote>",
    "outlook 2007": "<p class=MsoNormal>{new}</p><div style='border:none;border-top:solid "
    "#B5C4DF 1.0pt;padding:3.0pt 0cm 0cm 0cm'>"
    "<p class=MsoNormal><b>From:</b> Bo<br><b>Sent:</b> Monday<br><b>To:</b> Ann<br>"
    "<b>Subject:</b> Lunch</p></div><p>{old}</p>",
    "outlook 2016": "<p>{new}</p><div><div style='border:none;border-top:solid #E1E1E1 "
    "1.0pt;padding:3.0pt 0in 0in 0in'>"
    "<p><b>Von:</b> Bo<br><b>Gesendet:</b> Montag<br><b>An:</b> Ann<br><b>Betreff:</b> Essen"
    "</p></div></div><p>{old}</p>",
    "outlook web": "<div>{new}</div><hr><div id=divRplyFwdMsg><b>From:</b> Bo<br></div><div>{old}</div>",
    "outlook web, nested": "<div>{new}</div><div id=appendonsend></div><hr><div "
    "id=x_divRplyFwdMsg>From: Bo</div><div>{old}</div>",
    "outlook for mac": "<div>{new}</div><span id=OLK_SRC_BODY_SECTION><div>From: Bo</div><div>{old}</div></span>",
    "hotmail": "{new}<br><hr id=stopSpelling>Date: Mon<br>From: Bo<br>{old}",
    "yahoo": "<div>{new}</div><div class=yahoo_quoted id=yahoo_quoted_1><div>{by}</div><div>{old}</div></div>",
    "zimbra": "<div>{new}</div><hr id=zwchr data-marker=__DIVIDER__><div "
    "data-marker=__HEADERS__>From: Bo</div><div>{old}</div>",
    "proton": "<div>{new}</div><div class=protonmail_quote>{by}<br><blockquote "
    "class=protonmail_quote type=cite>{old}</blockquote></div>",
    "zoho": "<div>{new}</div><div class=zmail_extra><div>---- {by} ----</div><blockquote>{old}</blockquote></div>",
    "tutanota": "<div>{new}</div><div>{by}</div><blockquote class=tutanota_quote>{old}</blockquote>",
    "gmx": "<div>{new}</div><div name=quote style='margin:10px'>{by}<br>{old}</div>",
    "spark": "<div>{new}</div><div name=messageReplySection>{by}<blockquote type=cite>{old}</blockquote></div>",
    "a rule and headers": "<div>{new}<hr>Date: Mon<br>To: ann@example.com<br>From: Bo<br>Subject: x<br><br>{old}</div>",
    "a header table": "<div>{new}</div><hr><table><tr><td>From:</td><td>Bo</td></tr><tr><td>Sent:</td><td>Mon</td></tr>"
    "<tr><td>To:</td><td>Ann</td></tr></table><p>{old}</p>",
    "plain blockquote with attribution": "<p>{new}</p><p>02.03.2026, 10:00, Bo "
    "&lt;bo@example.org&gt;:</p><blockquote>{old}</blockquote>",
    "original message in blockquote": "<p>{new}</p><blockquote><p>----- Original Message -----"
    "</p><p>{old}</p></blockquote>",
    "plain blockquote at the end of a reply": "<p>{new}</p><blockquote>{old}</blockquote>",
}


@pytest.mark.parametrize("name", CONVENTIONS)
def test_quoted_mail_is_parted_from_the_new_text(name: str) -> None:
    result = read_html(CONVENTIONS[name].format(new=NEW, old=OLD, by=BY), reply=True)
    assert " ".join(result.new.split()) == NEW
    assert OLD in result.quoted
    assert result.quoted_how


def test_replies_between_quotes_are_new_text() -> None:
    result = read_html(
        f"<div class=gmail_quote><div class=gmail_attr>{BY}</div><blockquote "
        f"class=gmail_quote>First question?</blockquote>"
        "<div>First answer.</div><blockquote class=gmail_quote>Second question?</blockquote>"
        "<div>Second answer.</div></div>",
        reply=True,
    )
    assert result.new.split("\n\n") == ["First answer.", "Second answer."]
    assert "First question?" in result.quoted
    assert "Second question?" in result.quoted


def test_a_reply_below_the_quote_is_new_text() -> None:
    result = read_html(f"<p>{BY}</p><blockquote type=cite>{OLD}</blockquote><p>{NEW}</p>", reply=True)
    assert result.new.strip() == NEW


def test_a_quotation_in_an_article_stays() -> None:
    markup = f"<p>The minister said:</p><blockquote>{OLD}</blockquote><p>That was all.</p>"
    result = read_html(markup)
    assert OLD in result.new
    assert result.quoted == ""


def test_a_closing_quotation_stays_when_the_mail_is_no_reply() -> None:
    assert OLD in read_html(f"<p>{NEW}</p><blockquote>{OLD}</blockquote>").new


def test_a_forwarded_mail_with_nothing_above_is_the_content() -> None:
    markup = (
        "<div class=gmail_quote><div class=gmail_attr>---------- Forwarded message ---------<br>From: Bo<br></div>"
        f"<p>{OLD}</p></div>"
    )
    result = read_html(markup, forward=True)
    assert OLD in result.new
    assert result.whole
    assert result.quoted == ""


def test_a_forwarded_mail_below_a_note_is_quoted_with_its_own_quotes() -> None:
    markup = (
        f"<p>{NEW}</p><div class=gmail_quote><div class=gmail_attr>---------- Forwarded "
        f"message ---------<br>From: Bo</div>"
        f"<p>{OLD}</p><blockquote class=gmail_quote>older</blockquote><p>regards</p></div>"
    )
    result = read_html(markup, forward=True)
    assert result.new.strip() == NEW
    assert "older" in result.quoted
    assert "regards" in result.quoted


def test_a_reply_that_adds_nothing_has_no_new_text() -> None:
    result = read_html(
        f"<br><div class=gmail_quote>{BY}<blockquote class=gmail_quote>{OLD}</blockquote></div>", reply=True
    )
    assert result.new == ""
    assert OLD in result.quoted


def test_a_marked_signature_is_parted() -> None:
    result = read_html(f"<p>{NEW}</p><div class=gmail_signature>Ann Lee<br>Head of Tea</div>")
    assert result.new.strip() == NEW
    assert result.signature == "Ann Lee\nHead of Tea"


@pytest.mark.parametrize(
    "line",
    [
        "On 1 May 2026 at 10:00, Ann <a@example.com> wrote:",
        "Am 01.05.2026 um 10:00 schrieb Ann Lee:",
        "Le 1 mai 2026 à 10:00, Ann Lee <a@example.com> a écrit :",
        "El 1 de mayo de 2026, Ann Lee escribió:",
        "2026-05-01 10:00 Ann <a@example.com>:",
        "Ann Lee wrote:",
    ],
)
def test_attribution_lines_are_known(line: str) -> None:
    assert is_attribution(line)


@pytest.mark.parametrize("line", ["Here is the schedule for 2026:", "Please note:", "He wrote a book.", ""])
def test_other_lines_are_no_attributions(line: str) -> None:
    assert not is_attribution(line)
