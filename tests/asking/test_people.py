"""Who mail would go to: where they are, whether the user knows them, and names that imitate addresses."""

from __future__ import annotations

import pytest

from gaia_mail.asking.people import affiliation_of, ascii_form, imitates, recipients, same
from gaia_mail.mime.address import parse_addresses
from gaia_mail.mime.model import MailboxAddress

OWN = ("me@corp.example", "me@gmail.com")


@pytest.mark.parametrize(
    ("address", "where"),
    [
        ("ME@corp.example", "own"),
        ("ada@corp.example", "inside"),
        ("ada@mail.corp.example", "inside"),
        ("ada@other.example", "other_organisation"),
        ("ada@gmail.com", "free_mail"),
        ("ada@corp.example.other.example", "other_organisation"),
        ("ada", "other_organisation"),
    ],
)
def test_an_address_stands_somewhere_seen_from_the_users_own(address: str, where: str) -> None:
    assert affiliation_of(address, OWN) == where


def test_a_free_mail_domain_makes_nobody_a_colleague() -> None:
    assert affiliation_of("ada@gmail.com", ["me@gmail.com"]) == "free_mail"


def test_two_spellings_are_the_same_only_where_no_two_owners_could_have_them() -> None:
    assert same("ADA@Corp.Example") == same("ada@corp.example")
    assert same("ada@straße.example") != same("ada@strasse.example")


@pytest.mark.parametrize(
    "name",
    [
        "boss@corp.example",
        "The boss <boss@corp.example>",
        "boss＠corp.example",
        "boss﹫corp.example",
        "boss ⓐ corp.example",
        "bo\u200bss@corp\u2060.example",
        "boss@corp。example",
        "=?utf-8?q?boss=40corp.example?=",
        "=?utf-8?b?PT91dGYtOD9xP2Jvc3M9NDBjb3JwLmV4YW1wbGU/PQ==?=",
        "evil@other.example and boss@corp.example",
        "x" * 3_000,
    ],
)
def test_a_name_that_shows_another_address_is_a_disguise(name: str) -> None:
    assert imitates(name, "evil@other.example")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Ada Lovelace",
        "ADA@corp.example",
        "'ada@corp.example'",
        "Ada @ Corp",
        "Ada (ada@corp.example)",
        "@ada",
    ],
)
def test_an_ordinary_name_is_none(name: str) -> None:
    assert not imitates(name, "ada@corp.example", OWN)


def test_the_users_own_address_in_a_name_is_a_disguise_however_it_is_written() -> None:
    own = '"the boss"@corp.example'
    assert imitates(f"for {own}", "evil@other.example", [own])
    assert not imitates(own, own, [own])


def test_a_name_in_another_script_is_the_same_as_its_form_on_the_wire() -> None:
    assert not imitates("ada@bücher.example", "ada@xn--bcher-kva.example")
    assert imitates("ada@bücher.example", "ada@buecher.example")
    assert ascii_form("ada@bücher.example") == "ada@xn--bcher-kva.example"
    assert ascii_form("ada@corp.example") == ""


def test_a_quoted_encoded_name_is_found_through_the_parser() -> None:
    header = "=?utf-8?q?=22boss=40corp=2Eexample=22?= <evil@other.example>"
    (found,) = recipients([("to", parse_addresses(header)[0])], own=OWN, known=None, in_text=())
    assert found.disguise
    assert found.address == "evil@other.example"


def test_who_is_known_and_who_stands_only_in_text_is_told_apart() -> None:
    named = [
        MailboxAddress(name="", address=f"{who}@other.example") for who in ("written", "read", "both", "new")
    ]
    found = recipients(
        [("to", mailbox) for mailbox in named],
        own=OWN,
        known=["Written@other.example", "both@other.example"],
        in_text=["READ@other.example", "both@other.example"],
    )
    assert [(person.only_in_text, person.never_written) for person in found] == [
        (False, False),
        (True, True),
        (False, False),
        (False, True),
    ]


def test_where_nobody_could_look_it_up_nobody_is_called_new() -> None:
    (found,) = recipients(
        [("to", MailboxAddress(name="", address="a@other.example"))], own=OWN, known=None, in_text=()
    )
    assert not found.never_written


def test_the_user_is_never_new_to_themselves_and_a_group_without_address_is_nobody() -> None:
    me, nobody = (
        MailboxAddress(name="", address="me@corp.example"),
        MailboxAddress(name="undisclosed", address=""),
    )
    (found,) = recipients([("to", me), ("cc", nobody)], own=OWN, known=(), in_text=OWN)
    assert (found.standing, found.never_written, found.only_in_text) == ("own", False, False)
