"""Questions about labels and filters: the state after the call."""

from __future__ import annotations

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.inputs import ToolInput
from gaia_email_registry.contract.wire import FilterAction, FilterCriteria, Label
from gaia_email_registry.errors import BadArgument
from gaia_mail.asking.rules import rule_lines
from gaia_mail.mime.address import parse_addresses
from gaia_mail.query.nodes import And, Field, Query
from gaia_mail_mcp import convention
from gaia_mail_mcp.surface import filters
from gaia_mail_mcp.surface.call import Surface
from gaia_mail_mcp.surface.labels import find_label
from gaia_mail_mcp.surface.questions.mail import describe_people
from gaia_mail_mcp.surface.questions.model import ApprovalQuestion


async def about_rules(surface: Surface, name: str, given: ToolInput) -> ApprovalQuestion:
    """Return the question about a label or a filter.

    Raises:
        MailError: It does not exist, or is invalid.
    """
    match given:
        case inputs.DeleteLabel():
            label = await find_label(surface, given.id)
            if label["type"] == "system":
                raise BadArgument(convention.system_label_kept(given.id), argument="id")
            return await _about_label(surface, label)
        case inputs.CreateFilter():
            return await _about_filter(
                surface, filters.criteria_of(given.criteria), filters.action_of(given.action)
            )
        case inputs.CreateFilterFromTemplate():
            return await _about_filter(surface, *filters.from_template(given))
        case inputs.DeleteFilter():
            found = await filters.find_filter(surface, given.filter_id)
            lines = rule_lines(found["criteria"], found["action"], await _label_names(surface))
            return ApprovalQuestion(text="\n".join(["Delete this filter?", *lines]))
        case _:
            raise BadArgument(f"This version cannot show what {name} would do, so it is refused.")


async def _about_label(surface: Surface, label: Label) -> ApprovalQuestion:
    """Return the question with the number of affected messages, which is compared after the approval."""
    query = Query(
        root=And(parts=(Field(name="in", value="anywhere"), Field(name="label", value=label["name"])))
    )
    page = await surface.mailbox.search(query, limit=1)
    count = f"{'' if page.exact else 'about '}{page.total} {'message' if page.total == 1 else 'messages'}"
    return ApprovalQuestion(
        text=f'Delete the label "{convention.one_line(label["name"])}" and take it off every message ({count})?\n'
        "Which messages had it is not kept.",
        content=label["id"],
    )


async def _about_filter(surface: Surface, criteria: FilterCriteria, action: FilterAction) -> ApprovalQuestion:
    lines = [
        "Create this filter for all new mail?",
        *rule_lines(criteria, action, await _label_names(surface)),
    ]
    target = action.get("forward")
    if target:
        lines += await describe_people(
            surface, "Every such mail would be sent on to", "forward", parse_addresses(target)
        )
    return ApprovalQuestion(text="\n".join(lines))


async def _label_names(surface: Surface) -> dict[str, str]:
    return {label["id"]: label["name"] for label in await surface.mailbox.labels()}
