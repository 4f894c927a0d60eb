"""Signs of mail to many in the headers: mailing lists, newsletters, automatic mail. Entry: `read`.

RFC 2369 (List-*), RFC 2919 (List-Id), RFC 8058 (one-click), RFC 3834 (Auto-Submitted), and the traces of
commercial mailing services.
"""

from __future__ import annotations

from dataclasses import dataclass

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import Headers
from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.verdict import UnsubscribeTargets

_TABLE = WordTable("gaia_understanding.cascade", "sender/lists.txt")

_TARGET = lazy_pattern(r"<\s*([^<>\s]{1,2000})\s*>")
_BULK_PRECEDENCE = frozenset({"bulk", "junk"})
_SENDER_SERVICES = (
    ("x-mailgun-sid", "mailgun"),
    ("x-sg-eid", "sendgrid"),
    ("x-ses-outgoing", "amazon ses"),
    ("x-mc-user", "mailchimp"),
    ("x-mandrill-user", "mandrill"),
    ("x-pm-message-id", "postmark"),
    ("x-campaignid", "campaign"),
    ("x-campaign", "campaign"),
    ("x-mailer-lid", "campaign"),
    ("x-sfmc-stack", "salesforce"),
    ("x-hs-cid", "hubspot"),
    ("x-klaviyo-message-id", "klaviyo"),
    ("x-rpcampaign", "return path"),
    ("x-csa-complaints", "certified sender"),
    ("x-mailin-campaign", "brevo"),
    ("x-sib-id", "brevo"),
    ("x-cmail-campaign-id", "campaign monitor"),
    ("x-feedback-id", "feedback"),
)
_MACHINE_HEADERS = _TABLE.phrases("machine_headers")
_SERVICES = frozenset(name for name, _ in _SENDER_SERVICES)
_MACHINES = frozenset(_MACHINE_HEADERS)
_NAMES = (
    _SERVICES
    | _MACHINES
    | {
        "list-unsubscribe",
        "list-id",
        "list-post",
        "x-beenthere",
        "mailing-list",
        "precedence",
        "auto-submitted",
        "feedback-id",
        "x-mailer",
        "x-priority",
        "importance",
    }
)
_MASS_MAILERS = _TABLE.phrases("mass_mailers")


@dataclass(slots=True, kw_only=True)
class ListFacts:
    """The findings of `read` in the headers of a message.

    Attributes:
        unsubscribe: The targets to unsubscribe; None without a List-Unsubscribe header.
        list_id: The List-Id value, empty if there is none.
        discussion: A mailing list on which people write to each other (List-Post, or list software).
        bulk: Sent to many at once, as a header declares.
        automatic: Auto-Submitted or the like: no person pressed "send".
        auto_reply: An automatic answer, such as an out-of-office note.
        service: A sending service left its mark.
        evidence: The value of the header that shows it most plainly.
        mailer: The X-Mailer value, empty if there is none.
        important: The sender marked it as important (X-Priority, Importance).
    """

    unsubscribe: UnsubscribeTargets | None = None
    list_id: str = ""
    discussion: bool = False
    bulk: bool = False
    automatic: bool = False
    auto_reply: bool = False
    service: bool = False
    evidence: str = ""
    mailer: str = ""
    important: bool = False


def read(headers: Headers) -> ListFacts:
    """Read every list and bulk header; of several with one name, all are considered."""
    present = {name: headers[name] for name in headers.those_of(_NAMES)}
    if not present:
        return ListFacts()
    first = present.get
    targets = first("list-unsubscribe", "")
    list_id = first("list-id", "")
    post = first("list-post", "") or first("x-beenthere", "") or first("mailing-list", "")
    precedence = first("precedence", "").strip().lower()
    submitted = first("auto-submitted", "")
    automatic = submitted.strip().lower()[:4] == "auto"
    machine = service = ""
    if not _MACHINES.isdisjoint(present):
        machine = next(present[name] for name in _MACHINE_HEADERS if name in present)
    if not _SERVICES.isdisjoint(present):
        service = next(present[name] for name, _ in _SENDER_SERVICES if name in present)
    feedback, mailer = first("feedback-id", ""), first("x-mailer", "")
    discussion = bool(post) and not post.strip().lower().startswith("no")
    service_seen = bool(service or feedback) or _is_mass_mailer(mailer)
    auto_reply = "replied" in submitted.lower() or bool(first("x-autoreply")) or precedence == "auto_reply"
    return ListFacts(
        unsubscribe=_unsubscribe(targets, headers.get_all("list-unsubscribe-post")) if targets else None,
        list_id=list_id,
        discussion=discussion,
        bulk=bool(targets or list_id or post) or precedence in _BULK_PRECEDENCE or precedence == "list",
        automatic=automatic or bool(machine) or auto_reply,
        auto_reply=auto_reply,
        service=service_seen,
        evidence=list_id or targets or submitted or machine or first("precedence", "") or service or feedback,
        mailer=mailer,
        important=first("x-priority", "")[:1] in ("1", "2") or first("importance", "")[:1] in ("h", "H"),
    )


def _is_mass_mailer(mailer: str) -> bool:
    lowered = mailer.lower()
    return bool(mailer) and any(name in lowered for name in _MASS_MAILERS)


def _unsubscribe(value: str, post: tuple[str, ...]) -> UnsubscribeTargets:
    """Return the targets, https before http (RFC 8058 requires https), and the first mailto."""
    url = mailto = ""
    for match in _TARGET.finditer(value[:8000]):
        target = match[1]
        scheme = target[:8].lower()
        if scheme.startswith("mailto:"):
            mailto = mailto or target
        elif scheme.startswith("https://") and not url.lower().startswith("https://"):
            url = target
        elif scheme.startswith("http://"):
            url = url or target
    one_click = url.lower().startswith("https://") and bool(post) and "one-click" in post[0].lower()
    return UnsubscribeTargets(one_click=one_click, url=url, mailto=mailto)
