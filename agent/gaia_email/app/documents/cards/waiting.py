"""Cards of items that wait for the user's answer. Entries: `item_card`, `call_card`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.app.documents.cards.grammar import CardAction, CardChip, CardPill, ShownCard
from gaia_email.app.documents.cards.wording import HEADINGS, one_line
from gaia_email.app.documents.origins import text_of_row
from gaia_email.app.languages.formats import number_text
from gaia_email.app.languages.speaking import N_, _, ngettext
from gaia_understanding.cascade.wording.certainty import in_words

if TYPE_CHECKING:
    from gaia_email.app.documents.pending_types import ConfirmationRow, ItemRow, RecipientRow

_SEEN = CardAction(operation="approve", label=N_("Seen"), tone="good")
_YES = CardAction(operation="approve", label=N_("Approve"), tone="good")
_NO = CardAction(operation="reject", label=N_("Reject"))
_EDIT = CardAction(operation="edit", label=N_("Edit"))


def item_card(item: ItemRow) -> ShownCard:
    """Return the card of a note, question or proposal: the mail, the proposed action, and the reason for asking."""
    message, proposal, is_note = item["message"], item["proposal"], item["type"] == "notify"
    sender = message["from"]
    who, title = "", one_line(item["why"])
    if proposal["people"]:
        who, title = _counted(len(proposal["messages"])), one_line(proposal["people"])
    elif sender is not None:
        who = one_line(sender["name"] or sender["address"]) or _("(no sender)")
        title = one_line(message["subject"]) or _("(no subject)")
    answers = (_YES, _NO) if proposal["doing"] == "tell" else (_YES, _EDIT, _NO)
    sure = "" if item["confidence"] is None else in_words(item["confidence"], _)
    asker = text_of_row(item["origin"], _)
    told = (proposal["text"], item["why"] if sender is not None else "", asker)
    facts = (_(item["type"]), _(item["cohort"].replace("_", " ") or "no cohort"), sure)
    return ShownCard(
        mark=HEADINGS[proposal["bucket"]][0],
        who=who,
        title=title,
        lines=tuple(one_line(text) for text in told if text),
        pills=tuple(CardPill(text=one_line(text)) for text in facts if text),
        actions=(_SEEN,) if is_note else answers,
    )


def call_card(row: ConfirmationRow) -> ShownCard:
    """Return the card of a call to approve: effect, recipients and reason; its full texts are shown separately."""
    about = (
        row["tool"],
        row["account"],
        _("asked by {server}").format(server=row["server"]) if row["server"] else "",
    )
    told = ((_("Subject"), row["subject"]), (_("Why"), row["why"]))
    return ShownCard(
        mark="⏳",
        who="",
        title=one_line(row["text"]),
        lines=(
            *(f"{name}: {one_line(text)}" for name, text in told if text),
            one_line(text_of_row(row["origin"], _)),
        ),
        pills=(
            CardPill(text=_(row["risk"]), tone="urgent" if row["risk"] == "destructive" else "needs"),
            *(CardPill(text=one_line(text)) for text in about if text),
        ),
        chips=tuple(map(recipient_chip, row["recipients"])),
        actions=(CardAction(operation="approve", label=N_("Yes, exactly this"), tone="good"), _NO),
    )


def _counted(messages: int) -> str:
    return ngettext("{count} message", "{count} messages", messages).format(count=number_text(messages))


def recipient_chip(person: RecipientRow) -> CardChip:
    """Return a recipient as a chip; red if from another organisation, only in the text of a mail, or disguised."""
    name = f"{person['name']} <{person['address']}>" if person["name"] else person["address"]
    notes = [_(person["standing"].replace("_", " "))]
    notes += [
        text
        for is_so, text in (
            (person["only_in_text"], _("only in the text of a mail")),
            (person["never_written"], _("you never wrote to them")),
            (person["disguise"], _("the name disguises the address")),
        )
        if is_so
    ]
    is_strange = person["standing"] == "other_organisation" or person["only_in_text"] or person["disguise"]
    return CardChip(
        text=f"{_(person['field'])}: {one_line(name)} · {' · '.join(notes)}",
        kind="recipient",
        tone="urgent" if is_strange else "plain",
    )
