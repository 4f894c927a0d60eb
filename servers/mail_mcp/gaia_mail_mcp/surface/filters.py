"""Filter tools, and templates for common filters."""

from __future__ import annotations

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.wire import (
    Filter,
    FilterAction,
    FilterCriteria,
    FilterFound,
    FilterResult,
    FiltersResult,
    Undo,
)
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail.asking import rules
from gaia_mail.query.criteria import query_of
from gaia_mail_mcp import convention
from gaia_mail_mcp.mailbox import FilterStore
from gaia_mail_mcp.surface.call import Surface, ToolReply, handles, undo

MAX_TRIED = 5_000
"""Messages after which a dry run stops counting."""

_TRIED_AT_ONCE = 500
_SHOWN = 5


@handles(inputs.CreateFilter)
async def create_filter(surface: Surface, given: inputs.CreateFilter) -> ToolReply:
    """Create a filter; the text repeats the criteria and actions as given, as in the convention."""
    criteria, action = criteria_of(given.criteria), action_of(given.action)
    if given.dry_run:
        return await _try_filter(surface, criteria)
    made = await _store(surface).create_filter(criteria, action)
    asked: Filter = {"id": made["id"], "criteria": criteria, "action": action}
    return ToolReply(text=convention.create_filter(asked), data=_result(made, _delete(made)))


@handles(inputs.ListFilters)
async def list_filters(surface: Surface, given: inputs.ListFilters) -> ToolReply:
    """List all filters."""
    found = await _store(surface).filters()
    answer: FiltersResult = {"filters": found}
    return ToolReply(text=convention.list_filters(found), data=answer)


@handles(inputs.GetFilter)
async def get_filter(surface: Surface, given: inputs.GetFilter) -> ToolReply:
    """Return one filter."""
    answer: FilterFound = {"filter": await find_filter(surface, given.filter_id)}
    return ToolReply(text=convention.get_filter(answer["filter"]), data=answer)


@handles(inputs.DeleteFilter)
async def delete_filter(surface: Surface, given: inputs.DeleteFilter) -> ToolReply:
    """Delete a filter; the undo creates the same one again, under another id."""
    found = await find_filter(surface, given.filter_id)
    await _store(surface).delete_filter(given.filter_id)
    back = undo("create_filter", criteria=found["criteria"], action=found["action"])
    return ToolReply(text=convention.delete_filter(given.filter_id), data=_result(found, back))


@handles(inputs.CreateFilterFromTemplate)
async def create_filter_from_template(surface: Surface, given: inputs.CreateFilterFromTemplate) -> ToolReply:
    """Create a filter from a template."""
    criteria, action = from_template(given)
    if given.dry_run:
        return await _try_filter(surface, criteria)
    made = await _store(surface).create_filter(criteria, action)
    text = convention.create_filter_from_template(given.template, made["id"])
    return ToolReply(text=text, data=_result(made, _delete(made)))


async def find_filter(surface: Surface, filter_id: str) -> Filter:
    """Return the filter with this id.

    Raises:
        NotFound: There is none.
    """
    for found in await _store(surface).filters():
        if found["id"] == filter_id:
            return found
    raise NotFound(convention.filter_not_found(filter_id), argument="filterId")


async def _try_filter(surface: Surface, criteria: FilterCriteria) -> ToolReply:
    """Return how many existing messages a filter would match, and the newest of them, without creating it."""
    query = query_of(criteria)
    found: list[str] = []
    cursor: str | None = None
    while True:
        page = await surface.mailbox.search(query, limit=_TRIED_AT_ONCE, cursor=cursor)
        found += page.ids
        cursor = page.next_cursor
        if cursor is None or len(found) >= MAX_TRIED:
            break
    newest = await surface.mailbox.read(found[:_SHOWN], raw=False)
    matches = max(len(found), page.total) if cursor is not None else len(found)
    exact = cursor is None or page.exact
    answer: FilterResult = {"ok": True, "ids": [], "failed": [], "matches": matches, "exact": exact}
    count = f"{'' if exact else 'at least '}{matches} {'message' if matches == 1 else 'messages'}"
    lines = [f"No filter was created. It would match {count} of those there are, outside Spam and Trash."]
    lines += [
        f"- {convention.one_line(item.summary['subject']) or '(no subject)'}, "
        f"from {convention.one_line(convention.address(item.summary))}"
        for item in newest
    ]
    return ToolReply(text="\n".join(lines), data=answer)


def criteria_of(given: inputs.FilterCriteriaInput) -> FilterCriteria:
    """Return the given criteria, under the names of the Gmail API."""
    criteria: FilterCriteria = {}
    if given.from_:
        criteria["from"] = given.from_
    if given.to:
        criteria["to"] = given.to
    if given.subject:
        criteria["subject"] = given.subject
    if given.query:
        criteria["query"] = given.query
    if given.negated_query:
        criteria["negatedQuery"] = given.negated_query
    if given.has_attachment is not None:
        criteria["hasAttachment"] = given.has_attachment
    if given.exclude_chats is not None:
        criteria["excludeChats"] = given.exclude_chats
    if given.size is not None:
        criteria["size"] = int(given.size)
    if given.size_comparison:
        criteria["sizeComparison"] = given.size_comparison
    return criteria


def action_of(given: inputs.FilterActionInput) -> FilterAction:
    """Return the given actions without empty lists."""
    action: FilterAction = {}
    if given.add_label_ids:
        action["addLabelIds"] = given.add_label_ids
    if given.remove_label_ids:
        action["removeLabelIds"] = given.remove_label_ids
    if given.forward:
        action["forward"] = given.forward
    return action


def from_template(given: inputs.CreateFilterFromTemplate) -> tuple[FilterCriteria, FilterAction]:
    """Return the criteria and action of a template, as the convention defines them.

    Raises:
        BadArgument: The template's own parameter is missing.
    """
    parameters = given.parameters.model_dump(by_alias=True, exclude_none=True)
    found = rules.from_template(given.template, parameters)
    if found is None:
        needed = rules.NEEDED[given.template]
        raise BadArgument(convention.template_needs(needed, given.template), argument=f"parameters.{needed}")
    return found


def _store(surface: Surface) -> FilterStore:
    if not isinstance(surface.mailbox, FilterStore):
        raise BadArgument("This mailbox has no filters.")
    return surface.mailbox


def _delete(made: Filter) -> Undo:
    return undo("delete_filter", filterId=made["id"])


def _result(found: Filter, back: Undo) -> FilterResult:
    return {"ok": True, "ids": [found["id"]], "failed": [], "filter": found, "undo": back}
