"""Raw bytes in header fields: read by the charset that the message declares, not guessed."""

from __future__ import annotations

import time

import pytest

from gaia_mail.mime.read import parse_message
from gaia_mail.mime.scan import scan_headers

TEXTS = {
    "gb2312": ("gbk", "会议纪要请查收"),
    "gb18030": ("gb18030", "会议纪要𠀀"),
    "big5": ("big5", "會議紀要請查收"),
    "koi8-r": ("koi8_r", "Протокол совещания"),
    "koi8-u": ("koi8_u", "Протокол з Києва"),
    "windows-1251": ("cp1251", "Счёт"),
    "iso-8859-2": ("iso8859_2", "Zápis z porady příloha"),
    "windows-1250": ("cp1250", "Žluťoučký kůň"),
    "iso-8859-7": ("iso8859_7", "Πρακτικά συνάντησης"),
    "iso-8859-9": ("iso8859_9", "Şirket toplantısı"),
    "windows-1255": ("cp1255", "פרוטוקול הפגישה"),
    "windows-1256": ("cp1256", "محضر الاجتماع"),
    "windows-1257": ("cp1257", "Ąžuolas"),
    "tis-620": ("tis_620", "รายงานการประชุม"),
    "euc-kr": ("euc_kr", "회의 자료"),
    "euc-jp": ("euc_jp", "会議の議事録"),
    "shift_jis": ("shift_jis", "会議の表ソ"),
    "iso-2022-jp": ("iso2022_jp", "会議の議事録"),
    "iso-2022-kr": ("iso2022_kr", "회의 자료"),
    "hz-gb-2312": ("hz", "会议纪要"),
    "macintosh": ("mac_roman", "café à Noël"),
}
CASES = pytest.mark.parametrize(("charset", "codec", "text"), [(c, *rest) for c, rest in TEXTS.items()])


def header(name: bytes) -> bytes:
    return (
        b"Subject: " + name + b"\r\nFrom: " + name + b" <a@a.example>\r\nTo: " + name + b" <t@a.example>\r\n"
        b'Cc: "' + name + b'" <c@a.example>\r\nReply-To: ' + name + b" <r@a.example>\r\nMIME-Version: 1.0\r\n"
    )


def names(raw: bytes) -> set[str]:
    """Every name in the message's header, its attachments' names without their extension."""
    message = parse_message(raw)
    people = (*message.to, *message.cc, *message.reply_to)
    assert message.sender is not None
    assert [person.address[1:] for person in (message.sender, *people)] == ["@a.example"] * 4
    return {
        message.subject,
        message.sender.name,
        *(person.name for person in people),
        *(each.filename.removesuffix(".pdf") for each in message.attachments),
    }


@CASES
def test_the_charset_of_the_text_reads_subject_and_names(charset: str, codec: str, text: str) -> None:
    name = text.encode(codec)
    raw = header(name) + f"Content-Type: text/plain; charset={charset}\r\n\r\n".encode() + name
    assert names(raw) == {text}
    assert scan_headers(raw).subject == text


@CASES
def test_the_charset_of_a_part_reads_the_header_and_file_names(charset: str, codec: str, text: str) -> None:
    name = text.encode(codec)
    parts = (
        f'Content-Type: text/plain;\r\n\tcharset="{charset}"\r\n\r\n'.encode() + name,
        b'Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="'
        + name
        + b'.pdf"\r\n\r\nx',
        b"Content-Type: application/pdf; name=" + name + b".pdf\r\n\r\nx",
        b"Content-Type: application/pdf\r\nContent-Disposition: attachment;\r\n filename*="
        + b"".join(b"%%%02X" % byte for byte in name + b".pdf")
        + b"\r\n\r\nx",
    )
    body = b"".join(b"--s\r\n" + part + b"\r\n" for part in parts) + b"--s--\r\n"
    raw = header(name) + b"Content-Type: multipart/mixed; boundary=s\r\n\r\n" + body
    assert len(parse_message(raw).attachments) == 3
    assert names(raw) == {text}


def test_utf_8_is_read_as_utf_8_whatever_is_declared() -> None:
    raw = header("Протокол".encode()) + b"Content-Type: text/plain; charset=koi8-r\r\n\r\nx"
    assert names(raw) == {"Протокол"}


def test_a_file_name_in_the_charset_of_its_own_part_is_read_by_that() -> None:
    raw = (
        header(b"x") + b"Content-Type: multipart/mixed; boundary=s\r\n\r\n--s\r\n"
        b"Content-Type: text/plain; charset=iso-8859-2\r\n\r\nx\r\n--s\r\n"
        b"Content-Disposition: attachment; filename=\xd3\xde\xa3\xd4.csv\r\n"
        b"Content-Type: text/csv; charset=koi8-r\r\n\r\nx\r\n--s--\r\n"
    )
    assert [each.filename for each in parse_message(raw).attachments] == ["счёт.csv"]


def test_a_name_whose_declared_charset_is_wrong_is_read_by_that_of_the_text() -> None:
    percent = "".join(f"%{byte:02X}" for byte in "发票.pdf".encode("gbk"))
    raw = (
        header(b"x") + b"Content-Type: multipart/mixed; boundary=s\r\n\r\n--s\r\n"
        b"Content-Type: text/plain; charset=gbk\r\n\r\nx\r\n--s\r\nContent-Type: application/pdf\r\n"
        b"Content-Disposition: attachment; filename*=utf-8''" + percent.encode() + b"\r\n\r\nx\r\n--s--\r\n"
    )
    assert [each.filename for each in parse_message(raw).attachments] == ["发票.pdf"]


def test_html_that_declares_its_charset_itself_and_encoded_words_count_as_well() -> None:
    name = "Протокол".encode("koi8_r")
    html = b'Content-Type: text/html\r\n\r\n<meta http-equiv=x content="text/html; charset=koi8-r">' + name
    assert names(header(name) + html) == {"Протокол"}
    word = b"Comments: =?koi8-r?B?8NLP?=\r\nContent-Type: text/html\r\n\r\nx"
    assert names(header(name) + word) == {"Протокол"}


def test_a_subject_cut_inside_a_character_keeps_the_characters_before() -> None:
    raw = b"Subject: " + "会议纪要请查收".encode("gbk")[:-1] + b"\r\nFrom: a@a.example\r\n"
    subject = parse_message(raw + b"Content-Type: text/plain; charset=gbk\r\n\r\nx").subject
    assert subject.startswith("会议纪要请查")


def test_a_charset_in_which_letters_are_others_changes_no_header() -> None:
    for charset in ("utf-16", "cp037", "cp500", "utf-7"):
        raw = header(b"Zo+AOs- \xe9") + f"Content-Type: text/plain; charset={charset}\r\n\r\nx".encode()
        assert names(raw) == {"Zo+AOs- é"}


def test_charsets_are_looked_for_once_however_many_parts_ask() -> None:
    part = b'--s\r\nContent-Disposition: attachment; filename="\xd3\xde.pdf"\r\n\r\nx\r\n'
    raw = header(b"x") + b"Content-Type: multipart/mixed; boundary=s\r\n\r\n" + part * 5_000
    began = time.process_time()
    assert len(parse_message(raw).attachments) == 5_000
    assert time.process_time() - began < 5
