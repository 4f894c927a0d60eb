"""Which events pass a filter."""

from __future__ import annotations

from typing import Any

import pytest

from gaia_email_automations.filters import FilterWarnings, compile_filter
from gaia_email_automations.matching import EventSubscription, TriggerIndex
from gaia_email_registry.errors import BadArgument

EVENT: dict[str, Any] = {
    "type": "message.triaged",
    "account_id": "me@example.org",
    "sender": "Ann@Example.org",
    "subject": "Invoice 12",
    "payload": {
        "score": 0.9,
        "bucket": "actionable",
        "labels": ["INBOX", "bills"],
        "flag": True,
        "none": None,
    },
}


def passes(rule: dict[str, Any]) -> bool:
    return compile_filter(rule).matches(EVENT, FilterWarnings())


@pytest.mark.parametrize(
    "rule",
    [
        {},
        {"payload.bucket": {"equals": "actionable"}},
        {"payload.none": {"equals": None}},
        {"payload.bucket": {"not_equals": "urgent"}},
        {"payload.missing": {"not_equals": "x"}},
        {"payload.missing": {"not_in": ["x"]}},
        {"payload.missing": {"exists": False}},
        {"payload.none": {"exists": True}},
        {"subject": {"starts_with": "Invoice"}},
        {"sender": {"ends_with": "example.org"}} | {"sender": {"ends_with": "Example.org"}},
        {"subject": {"contains": "voice"}},
        {"payload.labels": {"contains": "bills"}},
        {"subject": {"regex": r"^Invoice \d+$"}},
        {"payload.score": {"gt": 0.5, "lte": 0.9}},
        {"payload.score": {"gte": 0.9, "lt": 1}},
        {"subject": {"gt": "A"}},
        {"payload.bucket": {"in": ["urgent", "actionable"]}},
        {"payload.bucket": {"not_in": ["urgent"]}},
        {"$or": [{"subject": {"equals": "x"}}, {"payload.flag": {"equals": True}}]},
        {"$and": [{"payload.flag": {"equals": True}}, {"$not": {"subject": {"equals": "x"}}}]},
    ],
)
def test_an_event_passes_what_holds_of_it(rule: dict[str, Any]) -> None:
    assert passes(rule)
    assert not passes({"$not": rule})


@pytest.mark.parametrize(
    "rule",
    [
        {"payload.missing": {"equals": None}},
        {"payload.bucket": {"equals": "Actionable"}},
        {"payload.missing": {"exists": True}},
        {"payload.missing": {"contains": "x"}},
        {"payload.score": {"gt": 0.5, "lt": 0.6}},
        {"payload.bucket.deeper": {"exists": True}},
        {"$or": [{"subject": {"equals": "x"}}]},
    ],
)
def test_an_event_does_not_pass_what_does_not_hold(rule: dict[str, Any]) -> None:
    assert not passes(rule)


@pytest.mark.parametrize(
    "rule",
    [
        {"payload.score": {"equals": "0.9"}},
        {"payload.flag": {"equals": 1}},
        {"payload.flag": {"gt": 0}},
        {"payload.score": {"not_equals": "x"}},
        {"payload.score": {"regex": "9"}},
        {"payload.score": {"lt": "x"}},
        {"payload.flag": {"not_in": [1, 0]}},
        {"subject": {"contains": 1}},
    ],
)
def test_values_of_unlike_kinds_never_match_and_are_counted(rule: dict[str, Any]) -> None:
    warned = FilterWarnings()
    assert not compile_filter(rule).matches(EVENT, warned)
    assert warned.unlike == 1


@pytest.mark.parametrize(
    ("rule", "at"),
    [
        ({"subject": {"like": "x"}}, "/subject/like"),
        ({"subject": "x"}, "/subject"),
        ({"$nor": []}, "/$nor"),
        ({"$or": []}, "/$or"),
        ({"$or": [{"a": {"regex": "(?=x)"}}]}, "/$or/0/a/regex"),
        ({"a": {"regex": r"(x)\1"}}, "/a/regex"),
        ({"a": {"regex": "(" * 1000}}, "/a/regex"),
        ({"a": {"regex": "((a{100}){100}){100}"}}, "/a/regex"),
        ({"a": {"in": "x"}}, "/a/in"),
        ({"a": {"exists": 1}}, "/a/exists"),
        ({"a": {"gt": None}}, "/a/gt"),
    ],
)
def test_a_wrong_filter_is_refused_at_its_place(rule: dict[str, Any], at: str) -> None:
    with pytest.raises(BadArgument) as refused:
        compile_filter(rule)
    assert refused.value.argument == at


def test_a_filter_without_end_is_refused() -> None:
    rule: dict[str, Any] = {}
    for _ in range(1000):
        rule = {"$not": rule}
    with pytest.raises(BadArgument, match="nested"):
        compile_filter(rule)


def test_an_expression_that_takes_others_for_ever_takes_no_time() -> None:
    rule = compile_filter({"subject": {"regex": "(a+)+$"}})
    assert not rule.matches({"subject": "a" * 100_000 + "b"}, FilterWarnings())


def subscription(number: int, filters: Any, account: str = "me@example.org") -> EventSubscription:
    return EventSubscription(
        trigger_id=f"t{number}", account_id=account, event_type="message.triaged", filters=filters
    )


def test_one_bad_filter_beside_many_good_ones_disturbs_none() -> None:
    good = [subscription(number, {"payload.bucket": {"equals": "actionable"}}) for number in range(999)]
    index = TriggerIndex([subscription(999, {"subject": {"regex": "("}}), *good])
    assert list(index.broken) == ["t999"]
    assert index.matching(EVENT) == [f"t{number}" for number in range(999)]


def test_an_event_meets_only_its_account_type_and_value() -> None:
    index = TriggerIndex(
        [
            subscription(1, {"payload.bucket": {"equals": "actionable"}}),
            subscription(2, {"payload.bucket": {"equals": "urgent"}}),
            subscription(3, {}, account="you@example.org"),
            subscription(4, {"payload.flag": {"equals": 1}}),
            subscription(5, {"subject": {"contains": "Invoice"}}),
            EventSubscription(trigger_id="t6", account_id="me@example.org", event_type="message.*"),
            EventSubscription(trigger_id="t7", account_id="me@example.org", event_type="action.*"),
        ]
    )
    assert index.matching(EVENT) == ["t1", "t5", "t6"]
    assert index.unlike == {"t4": 1}
    assert set(index.matching({**EVENT, "account_id": None})) == {"t1", "t3", "t5", "t6"}
