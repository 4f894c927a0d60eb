"""Authentication-Results: what is believed, and from whom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_email.mailbox.receiving_server import Receivers
from gaia_mail.mime.model import Headers
from gaia_mail.mime.receiving import FieldPosition
from gaia_understanding.cascade.sender.authentication import parse, read
from tests.cascade.test_suspicion import Judge, MakeMail

RECEIVED = (
    "Received",
    "from mx.shop.example (mx [192.0.2.1]) by in.home.example with ESMTPS id 1; Wed, 4 Mar 2026",
)
OLDER = ("Received", "from laptop by mx.shop.example with ESMTP; Wed, 4 Mar 2026")


def results(server: str, verdict: str = "pass") -> tuple[str, str]:
    return (
        "Authentication-Results",
        f"{server}; dkim={verdict} header.d=shop.example; spf={verdict}; dmarc={verdict}",
    )


HOME = frozenset({"in.home.example"})
GOOGLE = (
    "Received",
    "from mx.shop.example (mx [192.0.2.1]) by mx.google.com with ESMTPS id 1; Wed, 4 Mar 2026",
)
INNER = ("Received", "by 2002:a05:6402:1 with SMTP id a; Wed, 4 Mar 2026")


def test_a_provider_that_writes_the_header_itself_is_believed() -> None:
    found = read(Headers((INNER, GOOGLE, results("mx.google.com"))))
    assert (found.dmarc, found.spf, found.dkim, found.trusted) == ("pass", "pass", "pass", True)


def test_exchange_online_names_no_server() -> None:
    taken = ("Received", "from a.prod.outlook.com by b.eurprd01.prod.outlook.com with HTTPS")
    stated = (
        "Authentication-Results",
        "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=shop.example; dmarc=fail",
    )
    assert read(Headers((taken, stated, OLDER))).trusted
    assert not read(Headers((RECEIVED, stated))).trusted


def test_a_server_nobody_knows_is_shown_but_not_believed() -> None:
    found = read(Headers((RECEIVED, results("mx.attacker.example"))))
    assert (found.dmarc, found.trusted) == ("pass", False)


FORGED = results("in.home.example")
LAYOUTS = {
    "below the Received of the server that is imitated": (RECEIVED, FORGED),
    "above it, where the server wrote none": (FORGED, RECEIVED),
    "with a Received of its own below": (RECEIVED, FORGED, OLDER),
    "with a forged Received of the same server": (RECEIVED, FORGED, RECEIVED, OLDER),
    "twice": (RECEIVED, FORGED, FORGED),
}


@pytest.mark.parametrize("fields", LAYOUTS.values(), ids=LAYOUTS)
def test_a_header_with_the_receiving_hosts_name_proves_nothing_by_itself(
    fields: tuple[tuple[str, str], ...],
) -> None:
    assert not read(Headers(fields)).trusted


def test_a_configured_server_is_believed_without_a_received_header() -> None:
    found = read(Headers((results("mx.provider.example", "fail"),)), frozenset({"mx.provider.example"}))
    assert (found.dmarc, found.trusted) == ("fail", True)


def test_of_two_headers_of_the_trusted_server_the_topmost_counts() -> None:
    fields = (results("in.home.example", "fail"), RECEIVED, OLDER, results("in.home.example", "pass"))
    found = read(Headers(fields), HOME)
    assert (found.dmarc, found.trusted) == ("fail", True)


@pytest.mark.parametrize("fields", [(RECEIVED, OLDER, FORGED), (GOOGLE, OLDER, results("mx.google.com"))])
def test_a_header_below_another_servers_received_is_never_believed(
    fields: tuple[tuple[str, str], ...],
) -> None:
    assert not read(Headers(fields), HOME).trusted


def _habit(*messages: tuple[tuple[str, str], ...]) -> frozenset[FieldPosition]:
    found = Receivers()
    for fields in messages:
        found.note(Headers(fields))
    return found.find_own_fields()


def test_a_server_that_writes_it_into_nearly_all_mail_is_believed_in_that_place_only() -> None:
    places = _habit(*[(RECEIVED, results("in.home.example"), OLDER)] * 19, (RECEIVED, OLDER))
    assert read(Headers((RECEIVED, results("in.home.example", "fail"), OLDER)), receivers=places).trusted
    assert not read(Headers((results("in.home.example"), RECEIVED)), receivers=places).trusted
    assert not read(Headers((RECEIVED, results("mx.other.example"))), receivers=places).trusted


def test_below_a_genuine_header_a_forged_one_says_nothing() -> None:
    places = _habit(*[(RECEIVED, results("in.home.example"))] * 20)
    fields = (RECEIVED, results("in.home.example", "fail"), FORGED)
    assert read(Headers(fields), receivers=places).dmarc == "fail"


@pytest.mark.parametrize(("with_it", "without"), [(11, 0), (30, 10), (0, 40)])
def test_too_little_mail_or_too_small_a_share_of_it_is_no_habit(with_it: int, without: int) -> None:
    assert not _habit(*[(RECEIVED, FORGED)] * with_it, *[(RECEIVED,)] * without)


def test_messages_that_never_came_in_do_not_count() -> None:
    own = (("Subject", "sent by the user"),)
    assert _habit(*[(RECEIVED, FORGED)] * 20, *[own] * 50)


FIELDS = st.lists(
    st.sampled_from([OLDER, FORGED, results("mx.google.com"), results("evil.example"), RECEIVED, GOOGLE]),
    max_size=6,
)


@given(forged=FIELDS, verdict=st.sampled_from(["pass", "fail", "none"]))
def test_nothing_below_what_the_provider_wrote_changes_what_is_believed(
    forged: list[tuple[str, str]], verdict: str
) -> None:
    written = (INNER, GOOGLE, results("mx.google.com", verdict))
    assert read(Headers((*written, *forged))) == read(Headers(written))


@given(forged=FIELDS)
def test_an_attacker_alone_is_never_believed(forged: list[tuple[str, str]]) -> None:
    mine = [field for field in forged if field != GOOGLE]
    assert not read(Headers((RECEIVED, *mine))).trusted


@pytest.mark.parametrize(
    "value", ["in.home.example; dmarc=pass", "mx.google.com; dkim=pass; spf=pass; dmarc=pass"]
)
def test_an_unproved_header_lowers_no_warning(mail: MakeMail, judge: Judge, value: str) -> None:
    def score(*headers: tuple[str, str]) -> float:
        text = "Your mailbox is full. Confirm your password at http://192.0.2.9/login within 24 hours."
        return judge(mail(text, sender="it@work.example", name="IT", headers=headers)).flags.phishing.score

    assert score(RECEIVED, ("Authentication-Results", value)) >= score(RECEIVED)


def test_arc_headers_are_not_read() -> None:
    fields = (RECEIVED, ("ARC-Authentication-Results", "i=1; in.home.example; dmarc=pass"))
    assert read(Headers(fields)).dmarc == "none"


def test_no_header_means_none() -> None:
    found = read(Headers((RECEIVED,)))
    assert (found.spf, found.dkim, found.dmarc, found.trusted) == ("none", "none", "none", False)


@pytest.mark.parametrize(
    ("value", "server", "expected"),
    [
        ("mx.example.org; spf=pass smtp.mailfrom=a.example", "mx.example.org", {"spf": "pass"}),
        ("mx.example.org 1; none", "mx.example.org", {}),
        (
            "mx.example.org; dkim=fail (bad (nested) sig) header.d=x; dkim=pass header.d=y",
            "mx.example.org",
            {"dkim": "pass"},
        ),
        (
            'mx.example.org; dmarc=fail reason="a; spf=pass" header.from=x',
            "mx.example.org",
            {"dmarc": "fail"},
        ),
        ("MX.Example.Org; DMARC=Pass", "mx.example.org", {"dmarc": "pass"}),
        ("spf=pass; dkim=pass", "", {"spf": "pass", "dkim": "pass"}),
        ("mx.example.org; spf=hardfail", "mx.example.org", {"spf": "fail"}),
        ("mx.example.org; spf=splendid", "mx.example.org", {}),
        ("", "", {}),
    ],
)
def test_the_header_is_parsed_as_rfc_8601_says(value: str, server: str, expected: dict[str, str]) -> None:
    assert parse(value) == (server, expected)
