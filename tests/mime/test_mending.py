"""The text of a mail is found though its headers lie about its encoding, its type or its parts."""

from __future__ import annotations

import base64

import pytest

from gaia_mail.mime.read import parse_message

TOP = b"From: Kim <kim@example.com>\nTo: robin@home.example\nSubject: boiler\nMIME-Version: 1.0\n"
TEXT = "The boiler is repaired and the bill of 140 euros comes by post next week.\n"
PLAIN = TEXT.encode()
ENCODED = base64.encodebytes(PLAIN * 3)
PARTS = b"--cut\nContent-Type: text/plain\n\n" + PLAIN + b"--cut\nContent-Type: image/png\n\nx\n--cut--\n"


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        pytest.param(b"Content-Transfer-Encoding: base64\n", PLAIN, id="text that says it is base64"),
        pytest.param(b"Content-Type: text/plain\n", ENCODED, id="base64 that does not say so"),
        pytest.param(
            b"Content-Type: text/plain\n",
            b"The boiler is re=\npaired and =\nthe bill of 140 euros comes by post next week.\n",
            id="quoted-printable that does not say so",
        ),
        pytest.param(b"Content-Type: application/octet-stream\n", PLAIN, id="octets that are text"),
        pytest.param(b"Content-Disposition: attachment\n", PLAIN, id="an attachment that is all there is"),
        pytest.param(b"Content-Type: text/plain charset=us-ascii\n", PLAIN, id="a type run into its charset"),
        pytest.param(b"Content-Type: multipart/mixed\n", PARTS, id="a boundary that is not named"),
        pytest.param(
            b'Content-Type: text/plain\nContent-Type: multipart/mixed; boundary="cut"\n',
            PARTS,
            id="two types",
        ),
        pytest.param(b"", PARTS, id="parts without a type"),
        pytest.param(
            b"Content-Type: multipart/mixed\n",
            b"--cut\nContent-Transfer-Encoding: base64\n\n" + ENCODED,
            id="one part and no boundary named",
        ),
    ],
)
def test_text_is_found_whatever_the_header_says(headers: bytes, body: bytes) -> None:
    message = parse_message(TOP + headers + b"\n" + body)
    assert TEXT.strip() in message.text
    assert "Content-Type" not in message.text


def test_a_footer_below_base64_is_kept_beside_its_text() -> None:
    body = ENCODED + b"\n_______________\nYou are on the list of tenants of house 12\n"
    text = parse_message(TOP + b"Content-Transfer-Encoding: base64\n\n" + body).text
    assert text.count(TEXT) == 3
    assert text.endswith("You are on the list of tenants of house 12\n")


def test_parts_without_a_blank_line_below_their_header_keep_the_parts_inside_apart() -> None:
    raw = (
        TOP
        + b'Content-Type: multipart/mixed; boundary="outer"\n\n--outer\n'
        + b'Content-Type: multipart/alternative; boundary="inner"\n--inner\nContent-Type: text/plain\n'
        + PLAIN
        + b"--inner--\n--outer--\n"
    )
    assert TEXT.strip() in parse_message(raw).text


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        pytest.param(b"Content-Type: application/octet-stream\n", b"\x00\x01\x02PNG\xff" * 9, id="no text"),
        pytest.param(
            b'Content-Type: application/octet-stream\nContent-Disposition: attachment; filename="a.txt"\n',
            PLAIN,
            id="a named file",
        ),
    ],
)
def test_a_file_stays_a_file(headers: bytes, body: bytes) -> None:
    message = parse_message(TOP + headers + b"\n" + body)
    assert not message.text
    assert len(message.attachments) == 1


@pytest.mark.parametrize(
    "body",
    [
        "deadbeef" * 8 + "\n",
        "Total = 4\nRest =\nSum =\n5 = 5 =x\n",
        "https://shop.example/?a=\n1&b=zz and more\n",
        "-- \nKim\n",
        "--cut here--\nContent comes first.\n",
    ],
)
def test_text_that_only_resembles_an_encoding_stays_as_it_is(body: str) -> None:
    assert parse_message(TOP + b"\n" + body.encode()).text == body
