"""Label tools: list, create, update, delete, get or create."""

from __future__ import annotations

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.wire import Label, LabelResult, LabelsResult, Undo
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp import convention
from gaia_mail_mcp.surface.call import Surface, ToolReply, handles, undo

_SHOWN = {"messageListVisibility": "show", "labelListVisibility": "labelShow"}
"""Visibility of a label that does not specify it, as in the Gmail API."""


@handles(inputs.ListEmailLabels)
async def list_email_labels(surface: Surface, given: inputs.ListEmailLabels) -> ToolReply:
    """List all labels."""
    labels = await surface.mailbox.labels()
    answer: LabelsResult = {"labels": labels}
    return ToolReply(text=convention.list_email_labels(labels), data=answer)


@handles(inputs.CreateLabel)
async def create_label(surface: Surface, given: inputs.CreateLabel) -> ToolReply:
    """Create a label."""
    label = await surface.mailbox.create_label(given.name, _visibility(given))
    back = undo("delete_label", id=label["id"])
    return ToolReply(text=convention.create_label(label), data=_result(label, back))


@handles(inputs.UpdateLabel)
async def update_label(surface: Surface, given: inputs.UpdateLabel) -> ToolReply:
    """Change a label's name or visibility."""
    before = await find_label(surface, given.id)
    try:
        label = await surface.mailbox.update_label(given.id, given.name, _visibility(given))
    except NotFound:
        raise _not_found(given.id) from None
    back = undo(
        "update_label",
        id=label["id"],
        name=before["name"],
        **{
            key: value
            for key, default in _SHOWN.items()
            if (value := before.get(key, default)) != label.get(key, default)
        },
    )
    return ToolReply(text=convention.update_label(label), data=_result(label, back))


@handles(inputs.DeleteLabel)
async def delete_label(surface: Surface, given: inputs.DeleteLabel) -> ToolReply:
    """Delete a label from all messages; there is no undo, because its messages are not recorded."""
    label = await find_label(surface, given.id)
    if label["type"] == "system":
        raise BadArgument(convention.system_label_kept(given.id), argument="id")
    if given.unused_only:
        name = label["name"].replace('"', " ")
        if (await surface.mailbox.search(parse_query(f'in:anywhere label:"{name}"'), limit=1)).ids:
            raise BadArgument(f"{label['name'][:200]} was not deleted: a message carries it.", argument="id")
    try:
        label = await surface.mailbox.delete_label(given.id)
    except NotFound:
        raise _not_found(given.id) from None
    return ToolReply(text=convention.delete_label(label["name"]), data=_result(label, None))


@handles(inputs.GetOrCreateLabel)
async def get_or_create_label(surface: Surface, given: inputs.GetOrCreateLabel) -> ToolReply:
    """Return the label with this name, in any case; create it if there is none."""
    wanted = given.name.casefold()
    for label in await surface.mailbox.labels():
        if label["name"].casefold() == wanted:
            text = convention.get_or_create_label(label, created=False)
            return ToolReply(text=text, data=_result(label, None))
    label = await surface.mailbox.create_label(given.name, _visibility(given))
    text = convention.get_or_create_label(label, created=True)
    return ToolReply(text=text, data=_result(label, undo("delete_label", id=label["id"])))


async def find_label(surface: Surface, label_id: str) -> Label:
    """Return the label with this id.

    Raises:
        NotFound: There is none.
    """
    for label in await surface.mailbox.labels():
        if label["id"] == label_id:
            return label
    raise _not_found(label_id)


def _not_found(label_id: str) -> NotFound:
    return NotFound(convention.label_not_found(label_id), argument="id")


def _visibility(given: inputs.CreateLabel | inputs.UpdateLabel | inputs.GetOrCreateLabel) -> dict[str, str]:
    chosen = {
        "messageListVisibility": given.message_list_visibility,
        "labelListVisibility": given.label_list_visibility,
    }
    return {key: value for key, value in chosen.items() if value is not None}


def _result(label: Label, back: Undo | None) -> LabelResult:
    answer: LabelResult = {"ok": True, "ids": [label["id"]], "failed": [], "label": label}
    if back is not None:
        answer["undo"] = back
    return answer
