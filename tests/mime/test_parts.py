"""The building blocks: addresses, dates, transfer encodings, flowed text."""

from __future__ import annotations

from base64 import encodebytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_email_registry.errors import BadArgument
from gaia_mail.mime.address import parse_addresses, validate_address
from gaia_mail.mime.dates import parse_date
from gaia_mail.mime.flowed import flow, unflow
from gaia_mail.mime.scan import message_id, message_ids, scan_headers
from gaia_mail.mime.transfer import BAD_BASE64, decode_transfer, decoded_size


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a@b.co", [("", "a@b.co")]),
        ("Ada Byron <ada@example.com>", [("Ada Byron", "ada@example.com")]),
        ('a@b, "x" <c@d>', [("", "a@b"), ("x", "c@d")]),
        ('"Byron, Ada" <ada@x.co>, bob@x.co', [("Byron, Ada", "ada@x.co"), ("", "bob@x.co")]),
        ("=?utf-8?q?J=C3=BCrgen,_K?= <j@example.com>", [("Jürgen, K", "j@example.com")]),
        ('"=?utf-8?q?J=C3=BCrgen?=" <j@example.com>', [("Jürgen", "j@example.com")]),
        ("ada@example.com (Ada (the) Byron)", [("Ada (the) Byron", "ada@example.com")]),
        ("Team: a@b.co, C <c@d.co>;, e@f.co", [("", "a@b.co"), ("C", "c@d.co"), ("", "e@f.co")]),
        ("undisclosed-recipients:;", [("undisclosed-recipients", "")]),
        ("<@relay.example,@x.example:ada@example.com>", [("", "ada@example.com")]),
        ("ada @ example . com", [("", "ada@example.com")]),
        ("Ada ada@example.com", [("Ada", "ada@example.com")]),
        ("a@b.co; c@d.co", [("", "a@b.co"), ("", "c@d.co")]),
        ('"unclosed <a@b.co>, c@d.co', [("unclosed", "a@b.co"), ("", "c@d.co")]),
        ("Ada <ada@example.com", [("Ada", "ada@example.com")]),
        ("jürgen@bücher.example", [("", "jürgen@bücher.example")]),
        ("=?utf-8?q?Ada_=3Cada=40example.com=3E?=", [("Ada", "ada@example.com")]),
        ("mailto:ada@example.com", [("", "ada@example.com")]),
        ("Nobody In Particular", [("Nobody In Particular", "")]),
        ("", []),
        (",,;", []),
    ],
)  # fmt: skip
def test_address_lists_are_taken_apart(value: str, expected: list[tuple[str, str]]) -> None:
    assert [(found.name, found.address) for found in parse_addresses(value)] == expected


def test_no_more_than_a_thousand_addresses_are_read() -> None:
    assert len(parse_addresses("a@b.co," * 5000)) == 1000


@pytest.mark.parametrize(
    "text", ["a@b.co", "Ada <a@b.co>", '"B, A" <a@b.co>', "jürgen@bücher.example", "a.b+c@d-e.co.uk"]
)
def test_sendable_addresses_are_accepted(text: str) -> None:
    assert "@" in validate_address(text).address


@pytest.mark.parametrize(
    "text",
    ["", "ada", "a@b", "a@b.co, c@d.co", "a b@c.co", "a@b.co\nBcc: x@y.z", "a@-b.co", "a@@b.co", "a..b@c.co"],
)
def test_unsendable_addresses_are_refused_with_the_conventions_words(text: str) -> None:
    with pytest.raises(BadArgument) as refused:
        validate_address(text)
    assert refused.value.message == f"Recipient email address is invalid: {text}"


@pytest.mark.parametrize(
    ("value", "iso"),
    [
        ("Tue, 3 Nov 2026 09:14:00 +0100", "2026-11-03T09:14:00+01:00"),
        ("3 Nov 2026 09:14 EST", "2026-11-03T09:14:00-05:00"),
        ("Tue, 03-Nov-26 09:14:00 GMT", "2026-11-03T09:14:00+00:00"),
        ("Tue, 3 Nov 2026 09:14:00 -0000", "2026-11-03T09:14:00+00:00"),
        ("Tue, 3 Nov 2026 09:14:00 +0100 (CET)", "2026-11-03T09:14:00+01:00"),
        ("Tue, 3 Nov 2026 9:14 PM", "2026-11-03T21:14:00+00:00"),
        ("3 Nov 99 09:14:00 +0000", "1999-11-03T09:14:00+00:00"),
        ("Tue Nov  3 09:14:00 2026", "2026-11-03T09:14:00+00:00"),
        ("2026-11-03T09:14:00Z", "2026-11-03T09:14:00+00:00"),
        ("2026-11-03 09:14:00.123 +02:00", "2026-11-03T09:14:00+02:00"),
        ("Tue, 3 Nov 2026 09:14:00 +9999", "2026-11-03T09:14:00+00:00"),
        ("Tue, 03 Nov 2026 09:14:00 +0100", "2026-11-03T09:14:00+01:00"),
        ("Tue, 03 Nov 2026 09:14:00 -0000", "2026-11-03T09:14:00+00:00"),
        ("Tue, 03 Nov 2026 09:14:60 +0100", "2026-11-03T09:14:59+01:00"),
        ("Tue, 03 Nov 2026 09:14:00 +0175", "2026-11-03T09:14:00+00:00"),
        ("Tue, 03 Nov 2026 09:14:00 +01.5", "2026-11-03T09:14:00+00:00"),
        ("Tue, 03 Nov 2026 09:14:00 -1530", "2026-11-03T09:14:00+00:00"),
        ("Tue, 03 Nov 2101 09:14:00 +0100", None),
        ("Tue, 31 Feb 2026 09:14:00 +0100", None),
        ("Tu3, 03 Nov 2026 09:14:00 +0100", None),
        ("Tue, 3 Nov 12026 09:14:00 +0000", None),
        ("Mon, 1 Jan 1900 00:00:00 +0000", None),
        ("31 Feb 2026 09:14:00 +0000", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_are_read_or_honestly_unknown(value: str, iso: str | None) -> None:
    found = parse_date(value)
    assert (found.isoformat() if found else None) == iso


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        ("<a@b.example>", ("<a@b.example>",)),
        (" <a@b.example>", ("<a@b.example>",)),
        ("<a@\tb.example>", ("<a@b.example>",)),
        ("<a@b.example><c@d.example>", ("<a@b.example>", "<c@d.example>")),
        ("your mail <a@b.example> of today", ("<a@b.example>",)),
        ("<>", ()),
        ("<", ()),
        (f"<{'a' * 996}>", ()),
    ],
)
def test_ids_are_found_whatever_stands_around_them(value: str, ids: tuple[str, ...]) -> None:
    assert message_ids(value) == ids
    assert message_id(value) == (
        ids[0] if ids else f"<{value.strip('<>')[:995]}>" if value.strip("<>") else ""
    )


@given(st.text(max_size=60))
def test_no_text_makes_a_date_raise(value: str) -> None:
    assert (found := parse_date(value)) is None or found.tzinfo is not None


def test_transfer_encodings_are_undone() -> None:
    assert decode_transfer(b"a=3D=\nb = \nc", "quoted-printable")[0] == b"a=b c"
    assert decode_transfer(b"YQ==\nYg==\n", "base64")[0] == b"ab"
    assert decode_transfer(b"begin 644 x\n#0V%T\n`\nend\n", "x-uuencode")[0] == b"Cat"
    assert decode_transfer(b"as is", "8bit") == (b"as is", "")


@given(
    st.binary(max_size=120), st.lists(st.tuples(st.integers(0, 200), st.sampled_from(b"=A \n-!")), max_size=2)
)
def test_a_size_told_without_decoding_is_that_of_the_decoded_bytes(
    content: bytes, faults: list[tuple[int, int]]
) -> None:
    data = bytearray(encodebytes(content))
    assert decoded_size(bytes(data), "base64") == len(content)
    for place, byte in faults:
        data.insert(min(place, len(data)), byte)
    size = decoded_size(bytes(data), "base64")
    decoded, trouble = decode_transfer(bytes(data), "base64")
    assert size is None or (size == len(decoded) and not trouble)


LINES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=250)


@given(st.lists(LINES.filter(lambda line: not line.startswith(">")), max_size=6))
def test_flowed_text_unflows_to_what_it_was(lines: list[str]) -> None:
    text = "\n".join(line if line == "-- " else line.rstrip(" ") for line in lines)
    assert unflow(flow(text)) == text


def test_quotes_and_signatures_survive_flowing() -> None:
    text = "answer\n> quoted " + "word " * 40 + "end\n>> deeper\n\n-- \nAda"
    flowed = flow(text)
    assert all(len(line) <= 78 for line in flowed.split("\n"))
    assert unflow(flowed) == text


def test_a_header_scan_has_what_threading_needs() -> None:
    scan = scan_headers(
        b"Message-ID: <3@x>\nIn-Reply-To: Your message of today <2@x>\nReferences: <1@x>\n <2@x> <1@x>\n"
        b"List-Id: Talk <talk.example.com>\nFrom: Ada <ada@example.com>\nCc: a@b.co\nCc: c@d.co\n\nbody"
    )
    assert scan.message_id == "<3@x>"
    assert scan.in_reply_to == ("<2@x>",)
    assert scan.references == ("<1@x>", "<2@x>")
    assert scan.list_id == "talk.example.com"
    assert [found.address for found in scan.cc] == ["a@b.co", "c@d.co"]


WORDS = [
    "Alice",
    "O'Neil",
    "J.",
    "b-c_d",
    "=?utf-8?q?=C5=81u_kasz?=",
    "=?UTF-8?B?w6k=?=",
    "=?x?z?y?=",
    "'q'",
    "é",
    '"a, b"',
]
ENTRIES = st.tuples(
    st.lists(st.sampled_from(WORDS), max_size=3),
    st.sampled_from(["a@b.example", "x+y=z@c.example", "a b@c.example", "", "nobody"]),
    st.sampled_from(["<>", "", "< >"]),
)


@given(st.lists(ENTRIES, min_size=1, max_size=4), st.sampled_from([", ", ",", ",,", " ;"]))
def test_lists_of_the_usual_shape_are_read_as_any_other(
    entries: list[tuple[list[str], str, str]], separator: str
) -> None:
    texts = [
        " ".join([*words, f"{shape[:-1]}{address}{shape[-1:]}" if shape else address])
        for words, address, shape in entries
    ]
    value = separator.join(texts)
    # An empty comment is not of the usual shape, and says nothing.
    assert parse_addresses(f"z@b.example, {value}") == parse_addresses(f"() z@b.example, {value}")


@pytest.mark.parametrize(
    ("data", "decoded", "trouble"),
    [
        (b"aGVsbG8=\r\n", b"hello", ""),
        (b"aGVs\n \tbG8h\n", b"hello!", ""),
        (b"aGVsbG8", b"hello", ""),
        (b"aGVs-bG8h", b"hello!", BAD_BASE64),
        (b"aGVsbG8=--", b"hello", BAD_BASE64),
        (b"aGVsbG8=\nIQ==\n", b"hello!", BAD_BASE64),
        (b"\xffaGVsbG8=", b"hello", BAD_BASE64),
        (b"", b"", ""),
    ],
)
def test_signs_that_do_not_belong_into_base64_are_told(data: bytes, decoded: bytes, trouble: str) -> None:
    assert decode_transfer(data, "base64") == (decoded, trouble)


@pytest.mark.parametrize(
    "written",
    [
        "=?utf-8?Q?=3Cp1=40x=2Eexample=3E?=",
        "=?utf-8?B?PHAxQHguZXhhbXBsZT4=?=",
        "=?utf-8?Q?=3Cp1?=\n =?utf-8?Q?=40x=2Eexample=3E?=",
        "<=?us-ascii?Q?p1=40x=2Eexample?=>",
    ],
)
def test_ids_written_as_encoded_words_are_ids(written: str) -> None:
    raw = f"Message-ID: {written}\nIn-Reply-To: {written}\nReferences: <a@x> {written}\n\nb\n".encode()
    scan = scan_headers(raw)
    assert scan.message_id == "<p1@x.example>"
    assert scan.in_reply_to == ("<p1@x.example>",)
    assert scan.references == ("<a@x>", "<p1@x.example>")
