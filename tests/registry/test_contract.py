"""The tool table, its inputs and its generated schemas."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.fields import without_blanks
from gaia_email_registry.contract.tools import MANY_MESSAGES, TOOLS, effective_risk
from gaia_email_registry.errors import BadArgument

ROOT = Path(__file__).resolve().parents[2]

READ = {"read_email", "search_emails", "list_email_labels", "list_filters", "get_filter"}
WRITE = {
    "modify_email",
    "batch_modify_emails",
    "draft_email",
    "create_label",
    "update_label",
    "get_or_create_label",
    "download_attachment",
}


def test_the_conventions_tiers_are_as_decided() -> None:
    core = [spec for spec in TOOLS.values() if spec.core]
    assert len(core) == 19
    for spec in core:
        expected = "read" if spec.name in READ else "write" if spec.name in WRITE else "destructive"
        assert spec.risk == expected, spec.name


def test_every_tool_has_a_tier_a_short_name_and_a_reversal_that_exists() -> None:
    for name, spec in TOOLS.items():
        assert spec.name == name
        assert spec.risk in ("read", "write", "destructive")
        assert len(name) <= 48 and name.replace("_", "").isalpha()
        assert spec.description
        assert not spec.reversed_by or spec.reversed_by in TOOLS
        assert not (spec.risk == "read" and spec.reversed_by)


@pytest.mark.parametrize(
    ("name", "arguments", "risk"),
    [
        ("batch_modify_emails", {"messageIds": ["x"] * MANY_MESSAGES}, "write"),
        ("batch_modify_emails", {"messageIds": ["x"] * (MANY_MESSAGES + 1)}, "destructive"),
        ("batch_modify_emails", {"messageIds": json.dumps(["x"] * 101)}, "destructive"),
        ("reply_to_email", {"draft": True}, "write"),
        ("reply_to_email", {"draft": "true"}, "destructive"),
        ("forward_email", {}, "destructive"),
        ("delete_label", {"unusedOnly": True}, "write"),
        ("delete_label", {"unusedOnly": "true"}, "destructive"),
        ("create_filter", {"dryRun": True}, "read"),
        ("create_filter", {"dryRun": "true"}, "destructive"),
        ("create_filter_from_template", {"dryRun": True}, "read"),
        ("read_email", {}, "read"),
    ],
)
def test_arguments_can_change_the_risk(name: str, arguments: dict[str, object], risk: str) -> None:
    assert effective_risk(name, arguments) == risk


def test_the_schemas_cover_the_table_and_generated_files_are_fresh() -> None:
    text = files("gaia_email_registry.contract").joinpath("schemas.json").read_text(encoding="utf-8")
    assert list(json.loads(text)) == list(TOOLS)
    schemas = pytest.importorskip("tools.contract_schemas", reason="not run from the repository")
    table = pytest.importorskip("tools.settings_table", reason="not run from the repository")
    for path, expected in [*schemas.generate(), *table.generate()]:
        assert (ROOT / path).read_text(encoding="utf-8") == expected, f"stale: {path}"


def test_sloppy_arguments_are_understood() -> None:
    given, dropped = inputs.read_arguments(
        inputs.CreateFilter,
        {"criteria": '{"hasAttachment": "true", "size": "5"}', "action": {"addLabelIds": "L1"}, "x": 1},
    )
    assert given.criteria.has_attachment is True
    assert given.criteria.size == 5
    assert given.action.add_label_ids == ["L1"]
    assert dropped == ["x"]


def test_an_argument_is_found_under_other_spellings_but_its_own_wins() -> None:
    given, dropped = inputs.read_arguments(
        inputs.ReadEmails, {"messageIds": ["a"], "ids": ["b"], "Format": "raw"}
    )
    assert (given.ids, given.format, dropped) == (["b"], "raw", [])
    deleted, _ = inputs.read_arguments(inputs.DeleteEmail, {"message_id": "m", "permanent": None})
    assert (deleted.message_id, deleted.permanent) == ("m", False)


BLANK: list[object] = [
    "",
    " ",
    "null",
    "None",
    "undefined",
    None,
    [],
    ["null"],
    [""],
    [None],
    '["null"]',
    "[]",
]


def _optional_arguments() -> list[tuple[type[inputs.ToolInput], str, object]]:
    """Every optional argument of every tool, with what it is when it is not given."""
    models: list[type[inputs.ToolInput]] = [getattr(inputs, spec.input) for spec in TOOLS.values()]
    models += [
        inputs.FilterCriteriaInput,
        inputs.FilterActionInput,
        inputs.TemplateParameters,
        inputs.LabelChange,
    ]
    return [
        (model, field.alias or name, field.get_default(call_default_factory=True))
        for model in models
        for name, field in model.model_fields.items()
        if not field.is_required() and (field.alias or name) not in model.empty_counts
    ]


@pytest.mark.parametrize("blank", BLANK, ids=repr)
def test_an_optional_argument_that_says_nothing_counts_as_not_given(blank: object) -> None:
    found = _optional_arguments()
    assert len(found) > 90
    for model, name, default in found:
        kept = without_blanks({name: blank}, optional={name: "list" in str(_annotation(model, name))})
        if "list" not in str(_annotation(model, name)) and isinstance(blank, str) and blank.startswith("["):
            continue  # a text may look like a list
        assert kept == {}, (model, name, default)


def _annotation(model: type[inputs.ToolInput], name: str) -> object:
    return next(field.annotation for own, field in model.model_fields.items() if name in (field.alias, own))


@pytest.mark.parametrize("blank", ["", "null", ["null"], []], ids=repr)
def test_blank_arguments_are_left_out_at_every_depth(blank: object) -> None:
    given, _ = inputs.read_arguments(
        inputs.CreateFilter,
        {
            "criteria": {"from": "ann@example.com", "to": blank, "size": blank, "hasAttachment": blank},
            "action": {"addLabelIds": blank, "removeLabelIds": ["INBOX"], "forward": blank},
            "dryRun": blank,
        },
    )
    assert (given.criteria.size, given.criteria.has_attachment, given.criteria.to) == (None, None, None)
    assert given.action.add_label_ids is None and given.action.remove_label_ids == ["INBOX"]
    assert given.dry_run is False


def test_a_blank_synonym_does_not_push_out_what_is_given() -> None:
    given, _ = inputs.read_arguments(inputs.ListEmails, {"limit": "", "maxResults": 5, "pageToken": "null"})
    assert (given.limit, given.cursor) == (5, None)


def test_a_list_loses_only_the_items_that_say_nothing() -> None:
    given, _ = inputs.read_arguments(
        inputs.ModifyEmail, {"messageId": "m", "addLabelIds": ["STARRED", "null", "", "None"]}
    )
    assert given.add_label_ids == ["STARRED", "None"], "a label may be called None"


@pytest.mark.parametrize("blank", ["", "null", "None", ["null"], []], ids=repr)
def test_a_required_argument_is_read_as_it_is(blank: object) -> None:
    if isinstance(blank, str):
        assert inputs.read_arguments(inputs.SearchEmails, {"query": blank})[0].query == blank
        draft, _ = inputs.read_arguments(
            inputs.DraftEmail, {"to": "a@b.example", "subject": blank, "body": blank}
        )
        assert (draft.subject, draft.body) == (blank, blank)
    else:
        with pytest.raises(BadArgument, match="query"):
            inputs.read_arguments(inputs.SearchEmails, {"query": blank})


def test_an_empty_value_empties_what_it_can_empty() -> None:
    draft, _ = inputs.read_arguments(
        inputs.UpdateDraft,
        {"draft_id": "d", "subject": "", "body": "", "cc": [], "bcc": "", "from": "", "to": "null"},
    )
    assert (draft.subject, draft.body, draft.cc, draft.bcc) == ("", "", [], [])
    assert draft.from_ is None and draft.to is None
    away, _ = inputs.read_arguments(inputs.SetVacation, {"enabled": True, "start": "", "end": "null"})
    assert (away.start, away.end) == ("", None)


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        ({}, "ids"),
        ({"ids": []}, "ids"),
        ({"ids": ["x"] * 10_001}, "ids"),
        ({"ids": ["x"], "format": "pretty"}, "format"),
        ({"ids": {"a": 1}}, "ids"),
        ({"ids": "[" * 100_000}, "ids.0"),
    ],
)
def test_a_wrong_argument_is_named(arguments: dict[str, object], argument: str) -> None:
    with pytest.raises(BadArgument) as caught:
        inputs.read_arguments(inputs.ReadEmails, arguments)
    assert caught.value.argument == argument
