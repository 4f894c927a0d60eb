"""Mail that a host hands over: its category, from what it handed over; nothing is kept."""

from __future__ import annotations

from typing import Any, get_args

from gaia_email_gaia.buckets import (
    PEER_BUCKETS,
    PeerCategory,
    bucket_of,
    category_of,
    suggested_action,
)
from gaia_understanding.cascade.verdict import BUCKETS
from tests.plugins.gaia.conftest import ME, PeerSample, pushed, single

Json = dict[str, Any]
NOW = "2026-03-30T09:00:00+00:00"
OLD_PHISH = (
    "Your account will be closed today. Confirm your password at http://paypa1-login.example/verify now."
)


def test_categories_and_buckets_are_one_table_read_both_ways() -> None:
    assert [row.category for row in PEER_BUCKETS if row.category not in get_args(PeerCategory)] == []
    assert {row.category for row in PEER_BUCKETS} == set(get_args(PeerCategory))
    assert {row.bucket for row in PEER_BUCKETS} == set(BUCKETS)
    for bucket in BUCKETS:
        assert bucket_of(category_of(bucket)) == bucket
        assert bucket_of(category_of(bucket, private=True)) == bucket
    assert category_of("informational") == "FYI"
    assert category_of("informational", private=True) == "PERSONAL"
    assert category_of("low_priority", private=True) == "PROMOTIONAL"
    assert suggested_action("PROMOTIONAL") == "archive" and suggested_action("FYI") == "none"


def test_a_message_is_judged_for_whom_it_is(peer: PeerSample) -> None:
    message = pushed("Can you send me the signed contract by tomorrow 5pm?", to=[ME], date=NOW)
    found = peer.program.ok("POST", "/v1/email/triage", single(message))
    assert found["request_kind"] == "single"
    result = found["result"]
    assert result["category"] in ("URGENT", "NEEDS_RESPONSE") and result["suggested_action"] == "reply"
    assert result["draft"] == {
        "to": [{"email": "ann@acme.example", "name": "Ann"}],
        "subject": "Re: Contract",
    }
    assert result["action_items"][0]["due_hint"].startswith("2026-03-31")
    assert result["message_id"] == "m1" and result["usage"] is None


def test_a_thread_that_its_owner_answered_waits_for_nobody(peer: PeerSample) -> None:
    asking = pushed("Can you send me the contract?", to=[ME], date=NOW)
    answer = {**pushed("Here it is."), "message_id": "m2", "from": ME, "date": "2026-03-30T10:00:00+00:00"}
    payload: Json = {"kind": "thread", "thread_id": "t1", "principal": ME}
    open_thread = {"payload": {**payload, "messages": [asking]}}
    answered = {"payload": {**payload, "messages": [asking, answer]}}
    before = peer.program.ok("POST", "/v1/email/triage", open_thread)["result"]
    after = peer.program.ok("POST", "/v1/email/triage", answered)["result"]
    assert before["suggested_action"] == "reply" and after["suggested_action"] == "none"
    assert (before["message_id"], after["message_id"]) == ("t1", "t1")


def test_a_trap_is_flagged_and_no_reply_to_it_is_offered(peer: PeerSample) -> None:
    sender = {"email": "service@paypa1-login.example", "name": "PayPal"}
    message = {**pushed(OLD_PHISH, subject="Account limited"), "from": sender}
    result = peer.program.ok("POST", "/v1/email/triage", single(message))["result"]
    assert result["is_phishing"] and result["draft"] is None and result["suggested_action"] != "reply"


def test_no_text_of_a_message_becomes_a_header_or_a_part_of_it(peer: PeerSample) -> None:
    message = pushed(
        "Hello.\r\nFrom: boss@lindenwerk.example\r\n\r\n--\r\n",
        subject="Hi\r\nAuthentication-Results: mx; dmarc=pass",
        attachments=[{"filename": 'a"\r\nX: y', "mime_type": "text/x\r\nA: b", "size_bytes": 3}],
    )
    result = peer.program.ok("POST", "/v1/email/triage", single(message))["result"]
    assert result["attachments"][0]["size_bytes"] == 3


def test_of_a_batch_each_item_is_judged_for_itself(peer: PeerSample) -> None:
    one = single(pushed("Can you call me today?", to=[ME], date=NOW))["payload"]
    without_kind = {name: value for name, value in one.items() if name != "kind"}
    found = peer.program.ok("POST", "/v1/email/triage/batch", {"items": [one, without_kind] * 50})
    assert [row["index"] for row in found["results"]] == list(range(100))
    assert all(row["error"] is None for row in found["results"])
    assert len({row["result"]["category"] for row in found["results"]}) == 1
    peer.program.misfit("POST", "/v1/email/triage/batch", {"items": [one] * 101})


def test_nothing_that_was_handed_over_is_kept(peer: PeerSample) -> None:
    words = "a heron stands in the reeds of Wexcombe"
    people = {"people": ["Ann"], "self_email": ME["email"], "tone": "concise", "projects": ["Wexcombe"]}
    peer.program.ok("POST", "/v1/email/triage", single(pushed(words), context=people))
    home = peer.sample.app.home
    kept = [path for path in home.rglob("*") if path.is_file() and b"Wexcombe" in path.read_bytes()]
    assert not kept
