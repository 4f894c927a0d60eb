"""Organisational domains and look-alikes."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_mail.domains import is_free_mail, organisational_domain
from gaia_understanding.cascade.sender.brands import brands
from gaia_understanding.cascade.sender.confusables import mixes_scripts, skeleton
from gaia_understanding.cascade.sender.lookalikes import (
    brand_spoken_for,
    find_brand,
    imitates_known,
    imitation,
    lures_in,
    one_slip,
    other_ending,
)
from gaia_understanding.cascade.traps.links import host_of, suspicious
from gaia_understanding.prepare.model import Link


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("mail.example.com", "example.com"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("example.com", "example.com"),
        ("shop.example.com.br", "example.com.br"),
        ("me.github.io", "me.github.io"),
        ("EXAMPLE.ORG.", "example.org"),
        ("localhost", "localhost"),
        ("192.0.2.7", "192.0.2.7"),
        ("", ""),
    ],
)
def test_the_organisational_domain_is_what_was_registered(host: str, expected: str) -> None:
    assert organisational_domain(host) == expected


@pytest.mark.parametrize("host", ["gmail.com", "outlook.com", "web.de", "yahoo.co.uk"])
def test_free_mail_is_no_organisation(host: str) -> None:
    assert is_free_mail(host)


@pytest.mark.parametrize(
    ("host", "real"),
    [
        ("paypa1.com", "paypal.com"),
        ("xn--pypal-4ve.com", "paypal.com"),
        ("rnicrosoft.com", "microsoft.com"),
        ("micros0ft-support.net", "microsoft.com"),
        ("paypal-login.example", "paypal.com"),
        ("netflixbilling-update.com", "netflix.com"),
        ("paypal.com.secure.example", "paypal.com"),
        ("apple-id-verification.net", "apple.com"),
        ("gooogle.com", "google.com"),
        ("dropbpx.com", "dropbox.com"),
        ("linkdein.com", "linkedin.com"),
        ("netfliy.com", "netflix.com"),
        ("wells-fargo-alert.com", "wellsfargo.com"),
        ("chase-bank-security.net", "chase.com"),
        ("githuh-alerts.example", "github.com"),
        ("signin-ebay.far.example", "ebay.com"),
        ("amazon.security-check.net", "amazon.com"),
        ("bank-one.com.pay.example", "bank-one.com"),
    ],
)
def test_look_alike_domains_are_recognised(host: str, real: str) -> None:
    found = imitation(host)
    assert found is not None
    assert found.real == real


@pytest.mark.parametrize(
    "host",
    [
        "paypal.com",
        "mail.paypal.com",
        "amazon.de",
        "paypal.co.uk",
        "applewoodfarms.com",
        "uberflip.com",
        "firstservice.com",
        "example.com",
        "targetmuseum.org",
        "purchase.example",
        "orange-grove.example",
        "gmail.com",
        "stripes.example",
        "zoological.example",
        "",
    ],
)
def test_honest_domains_are_left_alone(host: str) -> None:
    assert imitation(host) is None


def test_a_domain_close_to_a_correspondents_is_recognised() -> None:
    known = frozenset({"northwind-traders.example", "gmail.com"})
    slipped = imitates_known("northwind-tradres.example", known)
    assert slipped is not None
    assert slipped.real == "northwind-traders.example"
    assert imitates_known("mail.northwind-traders.example", known) is None
    assert imitates_known("somewhere-else.example", known) is None
    assert imitates_known("gmial.example", known) is None


@pytest.mark.parametrize(
    "host",
    [
        "n0rthwind-traders.example",
        "northwind-traders.pay-now.example",
        "northwind-traders-invoices.example",
        "northwind-traders.example.mail.test",
        "northwindtraders.example",
        "northwind-tradera.example",
    ],
)
def test_a_correspondents_domain_is_known_behind_every_disguise(host: str) -> None:
    found = imitation(host) or imitates_known(host, frozenset({"northwind-traders.example"}))
    assert found is not None
    assert found.real == "northwind-traders.example"


@pytest.mark.parametrize(
    "host", ["northwind.forge.test", "northwind.lists.forge.test", "mail.northwind.forge.test"]
)
def test_the_place_that_a_host_lends_its_customer_imitates_nobody(host: str) -> None:
    assert imitates_known(host, frozenset({"northwind.example"})) is None


@pytest.mark.parametrize("host", ["northwind.staff-login.test", "signin.northwind.forge.test"])
def test_a_known_name_before_words_that_invite_trust_is_an_imitation(host: str) -> None:
    found = imitates_known(host, frozenset({"northwind.example"}))
    assert found is not None
    assert found.how == "borrows"


def test_another_ending_of_a_known_domain_is_found() -> None:
    known = frozenset({"northwind-traders.example"})
    assert other_ending("northwind-traders.test", known) == "northwind-traders.example"
    assert other_ending("mail.northwind-traders.example", known) == ""
    assert other_ending("elsewhere.test", known) == ""


@pytest.mark.parametrize(
    ("text", "brand"),
    [
        ("notice | your paypal account is limited | regards", "paypal"),
        ("netflix: your payment | dear member | bye", "netflix"),
        ("notice | sign in with your apple id | bye", "apple"),
        ("cart | you may pay with paypal or klarna | the shop", ""),
        ("your booking | your booking is confirmed | hotel", ""),
        ("news | adobe raises prices again | the editors", ""),
    ],
)
def test_a_text_speaks_for_a_brand_only_when_it_says_so(text: str, brand: str) -> None:
    found = brand_spoken_for(text)
    assert (found.name if found else "") == brand


def test_names_made_of_lures_are_counted() -> None:
    assert lures_in("parcel-customs-fee.example") == 3
    assert lures_in("harbour-kitchen.example") == 0
    assert lures_in("support.example") == 0


def test_the_skeleton_of_a_homograph_is_that_of_the_name() -> None:
    assert skeleton("раураl") == skeleton("paypal")
    assert skeleton("g00gle") == skeleton("google")
    assert skeleton("ᴘaypal") == skeleton("paypal")
    assert skeleton("example") != skeleton("sample")


def test_mixed_scripts_are_seen_in_one_word_only() -> None:
    assert mixes_scripts("Pаypal")
    assert not mixes_scripts("Иван Smith")


@pytest.mark.parametrize(
    ("name", "brand"),
    [
        ("PayPal Support", "paypal"),
        ("Netflix", "netflix"),
        ("Wells Fargo Alerts", "wellsfargo"),
        ("Apple Support", "apple"),
    ],
)
def test_display_names_claim_brands(name: str, brand: str) -> None:
    found = find_brand(name)
    assert found is not None
    assert found.name == brand


@pytest.mark.parametrize(
    "name", ["Dana Reyes", "Apple Tree Nursery", "Chase Miller", "Target Shooting Club", ""]
)
def test_ordinary_names_claim_nothing(name: str) -> None:
    assert find_brand(name) is None


@given(st.text(alphabet="abcdefg", min_size=3, max_size=8), st.integers(0, 7), st.sampled_from("abcxyz"))
def test_one_slip_knows_every_single_edit(word: str, at: int, letter: str) -> None:
    at = min(at, len(word) - 1)
    assert one_slip(word, word[:at] + word[at + 1 :])
    assert one_slip(word, word[:at] + letter + word[at:])
    assert not one_slip(word, word)
    assert not one_slip(word, word + "xyz")


@given(st.text(max_size=80))
def test_no_host_makes_the_rules_raise(host: str) -> None:
    imitation(host)
    imitates_known(host, frozenset({"northwind-traders.example"}))
    organisational_domain(host)
    host_of(f"http://{host}/")


@given(
    st.sampled_from(["http:", "https:", "HTTPS:", "httpsx:"]),
    st.text(alphabet="/:@?#[]ab.1%\\\n\té℀ ", max_size=14),
)
def test_the_host_of_a_link_is_the_one_that_a_whole_parse_finds(scheme: str, rest: str) -> None:
    try:
        expected = (urlsplit(scheme + rest).hostname or "").lower().rstrip(".")
    except ValueError:
        expected = ""
    assert host_of(scheme + rest) == expected


@pytest.mark.parametrize("first", ["https://bank.example", "https://bank.example/", "https://"])
def test_a_link_that_begins_like_the_one_before_it_is_looked_at_by_itself(first: str) -> None:
    pair = (Link(text="bank", url=first), Link(text="bank", url="https://bank.example@192.0.2.9/login"))
    found = suspicious(pair, "bank.example", many_links=False)
    assert [finding.kind for finding in found] == ["numeric_host"]


def test_there_are_about_150_brands_with_real_domains() -> None:
    assert len(brands()) >= 140
    assert all(brand.domains for brand in brands().values())


@pytest.mark.parametrize(
    ("text", "url", "kind"),
    [
        ("paypal.com", "https://paypa1-login.example/x", "imitation"),
        ("our site", "http://192.0.2.9/login", "numeric_host"),
        ("bank.example", "https://bank.example@other.example/", "userinfo"),
        ("my-bank.example", "https://elsewhere.example/", "text_differs"),
        ("here", "https://bit.ly/abc", "shortener"),
        ("here", "https://prize.xyz/login", "cheap_domain"),
    ],
)
def test_bad_links_are_named(text: str, url: str, kind: str) -> None:
    found = suspicious((Link(text=text, url=url),), "sender.example", many_links=False)
    assert kind in {finding.kind for finding in found}


def test_ordinary_links_are_not() -> None:
    links = (
        Link(text="Read more", url="https://click.sender.example/t/1"),
        Link(text="shop.example", url="https://www.shop.example/a"),
        Link(text="report.pdf", url="https://files.example/1"),
        Link(text="write to me", url="mailto:dana@friends.example"),
    )
    assert suspicious(links, "sender.example", many_links=False) == ()
