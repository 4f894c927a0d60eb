"""Authentication-Results: what is believed, and from whom."""

from __future__ import annotations

import pytest

from gaia_email.cascade.authentication import parse, read
from gaia_mail_mcp.mime.model import Headers

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


def test_the_host_of_the_topmost_received_header_is_believed() -> None:
    found = read(Headers((results("in.home.example"), RECEIVED)))
    assert (found.dmarc, found.spf, found.dkim, found.trusted) == ("pass", "pass", "pass", True)


def test_a_server_nobody_knows_is_shown_but_not_believed() -> None:
    found = read(Headers((RECEIVED, results("mx.attacker.example"))))
    assert (found.dmarc, found.trusted) == ("pass", False)


def test_a_configured_server_is_believed_without_a_received_header() -> None:
    found = read(Headers((results("mx.provider.example", "fail"),)), frozenset({"mx.provider.example"}))
    assert (found.dmarc, found.trusted) == ("fail", True)


def test_of_two_headers_of_the_trusted_server_the_topmost_counts() -> None:
    found = read(
        Headers((results("in.home.example", "fail"), RECEIVED, OLDER, results("in.home.example", "pass")))
    )
    assert (found.dmarc, found.trusted) == ("fail", True)


def test_a_forged_header_below_another_servers_received_is_not_believed() -> None:
    found = read(Headers((RECEIVED, OLDER, results("in.home.example"))))
    assert not found.trusted


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
