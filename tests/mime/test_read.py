"""Reading messages: structure, charsets, attachments and what is said about anomalies."""

from __future__ import annotations

import pytest

from gaia_mail.mime.read import parse_message

HEAD = (
    b"From: Ada <ada@example.com>\r\nTo: bob@example.org\r\nSubject: Plan\r\nMessage-ID: <1@example.com>\r\n"
)


def mixed(*parts: bytes, end: bytes = b"--b--\r\n") -> bytes:
    body = b"".join(b"--b\r\n" + part + b"\r\n" for part in parts)
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + body + end


def test_a_plain_message_is_read_without_defects() -> None:
    message = parse_message(HEAD + b"Date: Tue, 3 Nov 2026 09:14:00 +0100\r\n\r\nHello\r\nBob\r\n")
    assert message.subject == "Plan"
    assert message.sender is not None and message.sender.address == "ada@example.com"
    assert message.text == "Hello\nBob\n"
    assert message.date is not None and message.date.isoformat() == "2026-11-03T09:14:00+01:00"
    assert message.defects == ()


def test_repeated_fields_keep_their_order_and_case() -> None:
    message = parse_message(b"Received: one\nRECEIVED: two\n folded\n" + HEAD + b"\n")
    assert message.headers.get_all("received") == ("one", "two folded")
    assert message.headers.fields()[1][0] == "RECEIVED"
    assert message.headers["sUbJeCt"] == "Plan"


def test_alternatives_give_text_and_html() -> None:
    raw = HEAD + (
        b"Content-Type: multipart/alternative; boundary=x\n\npreamble\n--x\n\nplain\n--x\n"
        b"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        b"<p>caf=C3=A9</p>\n--x--\nepilogue\n"
    )
    message = parse_message(raw)
    assert (message.text, message.html, message.attachments) == ("plain", "<p>café</p>", ())
    assert message.content_type == "multipart/alternative"


@pytest.mark.parametrize(
    ("charset", "codec", "text"),
    [
        ("koi8-r", "koi8_r", "Привет, мир"),
        ("iso-2022-jp", "iso2022_jp", "こんにちは"),
        ("gb18030", "gb18030", "你好世界"),
        ("windows-1251", "cp1251", "Привет"),
        ("x-mac-roman", "mac_roman", "déjà vu"),
        ("utf-7", "utf_7", "Grüße"),
        ("ks_c_5601-1987", "cp949", "안녕하세요"),
        ("utf-16", "utf_16", "zwei Bytes ü"),
        ("iso-8859-1", "cp1252", "“quoted” – €"),
    ],
)
def test_declared_charsets_are_decoded(charset: str, codec: str, text: str) -> None:
    raw = HEAD + f"Content-Type: text/plain; charset={charset}\n\n".encode() + text.encode(codec)
    message = parse_message(raw)
    assert message.text == text
    assert message.defects == ()


@pytest.mark.parametrize(
    ("declared", "data", "text", "defect"),
    [
        ("us-ascii", "naïve".encode(), "naïve", "the text says it is us-ascii but is not"),
        ("x-unknown", "naïve".encode(), "naïve", "the text says it is in an unknown charset, x-unknown"),
        (
            "utf-8",
            "Überraschung für Jürgen".encode("cp1252"),
            "Überraschung für Jürgen",
            "says it is utf-8 but is not",
        ),
        (
            "utf-8",
            "é".encode() * 40 + b"\xff",
            "é" * 40 + "\ufffd",
            "the text has bytes that are not valid utf-8",
        ),
        ("unicode_escape", b"\\u0041", "\\u0041", ""),
        ("zlib", b"x", "x", ""),
    ],
)
def test_a_wrong_charset_is_told_and_the_text_still_read(
    declared: str, data: bytes, text: str, defect: str
) -> None:
    message = parse_message(HEAD + f"Content-Type: text/plain; charset={declared}\n\n".encode() + data)
    assert message.text == text
    assert any(defect in found for found in message.defects) or not defect


def test_long_text_in_another_charset_is_detected() -> None:
    text = "Сегодня мы встретимся в девять часов утра, чтобы обсудить новый договор. " * 6
    message = parse_message(HEAD + b"Content-Type: text/plain; charset=utf-8\n\n" + text.encode("cp1251"))
    assert message.text == text


@pytest.mark.parametrize(
    ("field", "subject"),
    [
        (b"=?utf-8?q?caf=C3?= =?utf-8?q?=A9?=", "café"),
        (b"=?UTF-8?B?SGVsbG8=?=\n =?UTF-8?B?IHRoZXJl?=", "Hello there"),
        (b"=?iso-8859-1?Q?a b c?= end", "a b c end"),
        (b"=?utf-8?b?SGVsbG8?=", "Hello"),
        (b"=?iso-8859-1?Q?Fr\xf6sche?=", "Frösche"),
        (b"=?x-none?q?abc?=", "abc"),
        (b"=?utf-8?q?abc", "=?utf-8?q?abc"),
        ("naïve".encode(), "naïve"),
        (b"na\xefve", "naïve"),
        (b"=?utf-8?q?a=0D=0ABcc:_x@y.z?=", "a Bcc: x@y.z"),
    ],
)
def test_subjects_are_decoded_however_broken(field: bytes, subject: str) -> None:
    assert parse_message(b"Subject: " + field + b"\n\n").subject == subject


@pytest.mark.parametrize(
    ("disposition", "filename"),
    [
        (b'attachment; filename="../../x"', "x"),
        (b'attachment; filename="C:\\\\dir\\\\a.pdf"', "a.pdf"),
        (b"attachment; filename*=utf-8''r%C3%A9sum%C3%A9.pdf", "résumé.pdf"),
        (b"attachment; filename*0*=iso-8859-1'en'r%E9; filename*1=sum.pdf", "résum.pdf"),
        (b'attachment; filename="=?utf-8?q?r=C3=A9.pdf?="', "ré.pdf"),
        ('attachment; filename="ré.pdf"'.encode(), "ré.pdf"),
        ('attachment; filename="a\u202egpj.exe"'.encode(), "agpj.exe"),
        (b'attachment; filename=".."', ""),
        (b"attachment; filename=a b.txt", "a b.txt"),
        (b'attachment; filename="unclosed.txt', "unclosed.txt"),
    ],
)
def test_file_names_become_bare_and_safe(disposition: bytes, filename: str) -> None:
    part = b"Content-Type: application/pdf\r\nContent-Disposition: " + disposition + b"\r\n\r\nx"
    (attachment,) = parse_message(mixed(b"\r\nhi", part)).attachments
    assert attachment.filename == filename
    assert attachment.id == "2"


def test_base64_attachments_are_decoded_and_broken_ones_told() -> None:
    head = b"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    message = parse_message(mixed(head + b"aGVsbG8=", head + b"aGVs\r\n!!bG8"))
    assert [part.content for part in message.attachments] == [b"hello", b"hello"]
    assert message.defects == ("a part's base64 has characters that do not belong there",)


def test_inline_images_are_attachments_marked_inline() -> None:
    part = b"Content-Type: image/png\r\nContent-Disposition: inline\r\nContent-ID: <logo@x>\r\n\r\nx"
    (image,) = parse_message(mixed(b"\r\nhi", part)).attachments
    assert image.inline and image.content_id == "logo@x"


def test_an_attached_message_is_named_after_its_subject() -> None:
    inner = b"Content-Type: message/rfc822\r\n\r\nSubject: Old/new plan\r\n\r\ninner text"
    message = parse_message(mixed(b"\r\nouter", inner))
    (attachment,) = message.attachments
    assert attachment.filename == "Old-new plan.eml"
    assert message.text == "outer"


def test_a_digest_holds_messages() -> None:
    raw = (
        HEAD
        + b"Content-Type: multipart/digest; boundary=d\n\n--d\n\nSubject: one\n\n1\n--d\n\nSubject: two\n\n2\n--d--\n"
    )
    assert [a.filename for a in parse_message(raw).attachments] == ["one.eml", "two.eml"]


def test_the_text_of_a_message_that_is_only_a_forward_is_found() -> None:
    raw = HEAD + b"Content-Type: message/rfc822\n\nSubject: inner\n\nthe real words"
    message = parse_message(raw)
    assert message.text == "the real words"
    assert message.subject == "Plan"
    assert len(message.attachments) == 1


def test_calendars_are_kept_and_attachments_only_when_named() -> None:
    bare = b"Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR"
    named = b"Content-Type: text/calendar; name=i.ics\r\n\r\nBEGIN:VCALENDAR"
    message = parse_message(mixed(bare, named))
    assert message.calendars == ("BEGIN:VCALENDAR", "BEGIN:VCALENDAR")
    assert [a.filename for a in message.attachments] == ["i.ics"]


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMIAG",
        b"Content-Type: multipart/encrypted; boundary=b\n\n--b\nContent-Type: application/pgp-encrypted\n\n--b--\n",
        b"\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n",
    ],
)
def test_encrypted_mail_says_so(rest: bytes) -> None:
    message = parse_message(HEAD + rest)
    assert message.encrypted
    assert any("encrypted" in defect for defect in message.defects)


@pytest.mark.parametrize(
    ("raw", "text", "defect"),
    [
        (b"", "", "the message is empty"),
        (b"just words\nand more", "just words\nand more", "the message has no header"),
        (b"\xef\xbb\xbf" + HEAD + b"\r\nhi", "hi", "the message begins with a byte order mark"),
        (HEAD.replace(b"\r\n", b"\r") + b"\rhi\rho", "hi\nho", "lines end in bare carriage returns"),
        (HEAD + b"\r\nn\0ul", "nul", "the text has NUL characters"),
        (
            HEAD + b"no colon here\r\nX-A: 1\r\n\r\nhi",
            "hi",
            "the header has lines that are not header fields",
        ),
        (HEAD + b"words at once", "words at once", "the header does not end with an empty line"),
        (HEAD + b"X-Cut: in the mid", "", "the header does not end with an empty line"),
        (mixed(b"\r\none", end=b""), "one\n", "the message ends inside a part"),
        (
            HEAD + b"Content-Type: multipart/mixed\n\n--q\n\none\n--q--\n",
            "one",
            "does not say where its parts begin",
        ),
        (HEAD + b"Content-Type: multipart/mixed; boundary=z\n\nwords", "words", "has none of the parts"),
        (HEAD + b"Date: whenever\n\nhi", "hi", "the date cannot be read"),
        (b"Subject: x\n\nhi", "hi", "the message does not say who sent it"),
        (HEAD + b"Content-Transfer-Encoding: x-magic\n\nhi", "hi", "unknown transfer encoding"),
    ],
)
def test_anomalies_are_told_in_words_and_read_past(raw: bytes, text: str, defect: str) -> None:
    message = parse_message(raw)
    assert message.text == text
    assert any(defect in found for found in message.defects), message.defects


def test_an_mbox_from_line_is_passed_over_silently() -> None:
    message = parse_message(b"From ada@example.com Tue Nov  3 09:14:00 2026\n" + HEAD + b"\r\nhi")
    assert (message.subject, message.text, message.defects) == ("Plan", "hi", ())
