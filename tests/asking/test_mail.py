"""What a person is shown of the very bytes that would be sent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gaia_mail.html_shown import UNFINISHED, html_shown
from gaia_mail.mime.compose import NewMessage, OutgoingFile, compose_message
from tests.asking.mails import FULL, PLAIN, at, shown, written


def test_every_recipient_is_there_with_field_name_and_address() -> None:
    assert [(one.field, one.name, one.address, one.standing) for one in shown(FULL).recipients] == [
        ("to", "Ada", "ada@corp.example", "inside"),
        ("to", "Bob", "bob@other.example", "other_organisation"),
        ("cc", "", "carl@gmail.com", "free_mail"),
        ("bcc", "", "dora@other.example", "other_organisation"),
    ]


def test_of_many_recipients_and_of_several_fields_none_is_left_out() -> None:
    many = replace(PLAIN, to=tuple(at(f"p{number}@other.example") for number in range(500)))
    assert len(shown(many).recipients) == 500
    twice = written(
        "To: two@other.example\nCc: three@other.example\nBcc: four@other.example, five@other.example\n"
    )
    assert {one.address.partition("@")[0] for one in shown(twice).recipients} == {
        "ada",
        "two",
        "three",
        "four",
        "five",
    }


def test_more_recipients_than_are_read_are_told() -> None:
    everybody = ", ".join(f"p{number}@other.example" for number in range(1_200))
    assert any("recipients or more" in defect for defect in shown(written(f"Cc: {everybody}\n")).unread)


def test_what_stands_among_recipients_and_is_no_address_is_told() -> None:
    assert shown(written("Cc: the whole team\n")).unread == ("cc names no address: the whole team",)


def test_a_mail_of_the_account_is_from_the_account() -> None:
    assert shown(PLAIN).from_account
    assert not shown(replace(PLAIN, sender=at("me@other.example"))).from_account
    assert not shown(written("Sender: evil@other.example\n")).from_account
    assert not shown(b"To: ada@corp.example\r\n\r\nHello").from_account
    assert not shown(b"From: me@corp.example, evil@other.example\r\n\r\nHello").from_account


def test_where_answers_and_receipts_would_go_is_shown() -> None:
    assert not shown(FULL).replies_elsewhere
    elsewhere = shown(replace(FULL, reply_to=(at("me@corp.example"), at("evil@other.example"))))
    assert elsewhere.replies_elsewhere
    assert [one.address for one in elsewhere.reply_to] == ["me@corp.example", "evil@other.example"]
    asked = shown(
        written(
            "Disposition-Notification-To: a@other.example\nReturn-Receipt-To: b@other.example\n"
            "X-Confirm-Reading-To: c@other.example\n"
        )
    )
    assert [one.address for one in asked.receipts] == [
        "a@other.example",
        "b@other.example",
        "c@other.example",
    ]
    assert asked.headers == ()


@pytest.mark.parametrize("name", ["Auto-Submitted", "Resent-To", "List-Unsubscribe", "X-Anything"])
def test_a_field_beyond_the_usual_ones_is_named(name: str) -> None:
    assert shown(written(f"{name}: something\n")).headers == ((name, "something"),)


def test_html_that_says_the_same_is_not_shown_again() -> None:
    assert shown(FULL).html_text == ""
    html = '<html><body><p>As\n  promised.</p><img src="cid:logo"></body></html>'
    assert shown(replace(FULL, html=html)).html_text == ""
    linked = replace(
        FULL, text="See it at https://a.example/x", html='See <a href="https://a.example/x">it</a>'
    )
    assert shown(linked).html_text == "See it <https://a.example/x>"
    named = replace(
        FULL, text="At https://a.example/x", html='At <a href="https://a.example/x">https://a.example/x</a>'
    )
    assert shown(named).html_text == ""


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<p>As agreed.</p>", "As agreed."),
        (
            '<p><a href="https://evil.example/?q=1">As promised.</a></p>',
            "As promised. <https://evil.example/?q=1>",
        ),
        (
            '<p>As promised.<img src="https://evil.example/1.gif"></p>',
            "As promised. <https://evil.example/1.gif>",
        ),
        ("<p>As promised.</p><div>And more</div>", "As promised.\nAnd more"),
        ('<p style="color:white">As promised. Pay Eve.</p>', "As promised. Pay Eve."),
        ("<p>As promised.</p><noscript>Pay Eve</noscript>", "As promised.\nPay Eve"),
        ('<p>As promised.</p><img alt="Pay Eve" src="cid:x">', "As promised.\nPay Eve"),
    ],
)
def test_html_that_says_something_else_is_shown_as_text(html: str, said: str) -> None:
    assert shown(replace(FULL, html=html)).html_text == said


@pytest.mark.parametrize(
    ("html", "hidden"),
    [
        ('<p>As promised.<span style="display:none">Pay Eve</span></p>', "Pay Eve"),
        ('<p>As promised.<span style="FONT-SIZE: 0px;">Pay <b>Eve</b></span></p>', "Pay Eve"),
        ("<p>As promised.<span hidden>Pay Eve</span></p>", "Pay Eve"),
        ("<p>As promised.<!-- the code is 1234 --></p>", "comment: the code is 1234"),
        ("<!-- the code is 1234 --><p>As promised.</p>", "comment: the code is 1234"),
        ("<title>1234</title><p>As promised.</p>", "title: 1234"),
        ("<p>As promised.</p><script>steal()</script>", "script: steal()"),
        ("<style>p{content:'1234'}</style><p>As promised.</p>", "style: p{content:'1234'}"),
        ('<p data-code="1234">As promised.</p>', "data-code: 1234"),
        ('<p title="1234">As promised.</p>', "title: 1234"),
        (f'<p class="{"a" * 130}">As promised.</p>', f"class: {'a' * 130}"),
        ("<p>As promised.</p><template>1234</template>", "template: <template>1234</template>"),
    ],
)
def test_what_html_hides_is_shown_as_hidden(html: str, hidden: str) -> None:
    found = shown(replace(FULL, html=html))
    assert found.html_text == ""
    assert found.hidden == (hidden,)


def test_an_ordinary_line_height_and_a_charset_hide_nothing() -> None:
    html = '<meta charset="utf-8"><meta http-equiv="Content-Type" content="text/html; charset=utf-8">'
    assert (
        shown(replace(FULL, html=f'{html}<p style="line-height:1;opacity:0.9">As promised.</p>')).hidden == ()
    )


def test_html_alone_and_another_vendors_version_are_shown() -> None:
    assert shown(replace(PLAIN, text="", html="<p>Only this</p>")).html_text == "Only this"
    amp = written(
        "Content-Type: multipart/alternative; boundary=b\n",
        "--b\n\nHello\n--b\nContent-Type: text/x-amp-html\n\n<p>Pay Eve</p>\n--b--\n",
    )
    assert shown(amp).html_text == "Pay Eve"


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "hostile",
    [
        "<div>" * 200_000,
        "<a href=x><table><tr><td>" * 20_000,
        f"<b {' '.join(f'a{number}' for number in range(100_000))}>",
        "<a href=x><i>" * 400,
        f"<p style='{'font-size: 0' * 50_000}'>",
    ],
)
def test_hostile_html_is_shown_in_bounded_time(hostile: str) -> None:
    found = shown(replace(PLAIN, html=f"{hostile}the end"))
    assert "the end" in found.html_text or any("the end" in hidden for hidden in found.hidden)


@pytest.mark.parametrize(
    "end",
    [
        '<b title="> the code <i> is 1234',
        "<b the code is 1234",
        "<!-- the code is 1234",
        "<title>the code is 1234",
    ],
)
@pytest.mark.parametrize("filler", ["", "<p></p>" * 2_000])
def test_html_whose_end_a_parser_drops_is_shown_as_written(end: str, filler: str) -> None:
    html = f"<p>As promised.</p>{filler}{end}"
    found = shown(replace(FULL, html=html))
    assert (found.html_text, found.hidden) == (html, (UNFINISHED,))


def test_a_link_inside_something_hidden_and_odd_characters_are_read() -> None:
    found = html_shown(
        '\ud800<div hidden><a href="https://evil.example/">x</a></div><a href="mailto:a@b">a@b</a>'
    )
    assert found.hidden == ("x <https://evil.example/>",)
    assert found.text == "?a@b"


def test_attachments_have_name_type_size_and_an_attached_mail_its_subject() -> None:
    inner = compose_message(replace(PLAIN, subject="The secret plan"))
    mail = replace(
        FULL,
        attachments=(
            *FULL.attachments,
            OutgoingFile(filename="", content_type="message/rfc822", content=inner),
        ),
    )
    found = shown(mail).attachments
    assert [(part.name, part.content_type, part.size) for part in found[:2]] == [
        ("a.pdf", "application/pdf", 6),
        ("b.txt", "text/plain", 6),
    ]
    assert (found[2].content_type, found[2].subject) == ("message/rfc822", "The secret plan")


def test_a_mail_that_is_only_another_mail_shows_no_text_of_its_own() -> None:
    only = shown(written("Content-Type: message/rfc822\n", "Subject: Inner\n\nInner text"))
    assert only.text == ""
    assert [part.subject for part in only.attachments] == ["Inner"]


def test_a_calendar_entry_is_a_part_that_is_told() -> None:
    entry = written(
        "Content-Type: text/calendar\nContent-Transfer-Encoding: base64\n", "QkVHSU46VkNBTEVOREFS"
    )
    assert [(part.content_type, part.size) for part in shown(entry).attachments] == [("text/calendar", 15)]


def test_text_that_could_not_be_read_as_written_is_told() -> None:
    broken = written("Content-Type: multipart/mixed; boundary=b\n", "no parts here")
    assert shown(broken).unread


@pytest.mark.parametrize("raw", [b"", b"\0\xff\r\n\r\n\xfe", b"From: <\r\nTo: ,,,\r\n\r\n", b"\n" * 100])
def test_whatever_the_bytes_are_something_is_shown(raw: bytes) -> None:
    assert len(shown(raw).digest) == 64


def test_the_same_mail_with_another_bcc_is_another_mail() -> None:
    assert shown(FULL).digest == shown(FULL).digest
    assert shown(FULL).digest != shown(replace(FULL, bcc=(at("evil@other.example"),))).digest


def test_a_disguise_among_recipients_is_marked() -> None:
    mail: NewMessage = replace(PLAIN, to=(at("evil@other.example", "me@corp.example"),))
    assert [one.disguise for one in shown(mail).recipients] == [True]
