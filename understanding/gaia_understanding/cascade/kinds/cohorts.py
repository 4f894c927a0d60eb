"""The cohort of a message: the group of its sender, which decides how much the agent may do. Entry: `cohort_of`.

The order is that of the specification; the first match wins. Cohorts that trust a sender do not apply to mail
that fails DMARC or whose domain imitates another one: anyone can write a name into `From`.
"""

from __future__ import annotations

from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.sender.sender import organisations
from gaia_understanding.cascade.tables import wordset
from gaia_understanding.cascade.verdict import Category, Cohort, Context, trusts_sender

NEWSLETTER_DOMAINS = wordset(
    "substack.com beehiiv.com mailchimpapp.net mcsv.net mcdlv.net rsgsv.net list-manage.com "
    "convertkit.com convertkit-mail.com convertkit-mail2.com ghost.io buttondown.email buttondown.com "
    "revue.email tinyletter.com campaign-archive.com cmail19.com cmail20.com createsend.com medium.com "
    "morningbrew.com newsletter.com mailerlite.com sendfox.com aweber.com constantcontact.com ccsend.com "
    "sparkpostmail.com"
)
SOCIAL_DOMAINS = wordset(
    "facebookmail.com facebook.com linkedin.com twitter.com x.com instagram.com pinterest.com tiktok.com "
    "snapchat.com reddit.com redditmail.com quora.com nextdoor.com meetup.com tumblr.com xing.com "
    "viadeo.com mastodon.social bsky.app strava.com goodreads.com discord.com discordapp.com vk.com "
    "badoo.com tinder.com bumble.com hinge.co threads.net social.com youtube.com twitch.tv myspace.com "
    "hi5.com academia-mail.com researchgate.net researchgatemail.net couchsurfing.com classmates.com"
)
_VIP_EXCHANGES = 3


def learned_vip(context: Context) -> bool:
    """Return True after at least three exchanges and an answer to more than half of the mail received."""
    return (
        min(context.received_before, context.written_to) >= _VIP_EXCHANGES
        and context.written_to > context.received_before / 2
    )


def cohort_of(facts: RuleFacts, category: Category) -> Cohort:
    """Return the first cohort that matches; the content `category` says what kind of machine wrote.

    Machines of the user's own organisation are colleagues, except for receipts. A network or a shop without
    the header to unsubscribe is recognised by what it sends, once it is a known sender.
    """
    sender, lists, context = facts.sender, facts.lists, facts.context
    trusted = trusts_sender(facts.authentication, facts.imitates is not None)
    if (context.vip or learned_vip(context)) and trusted:
        return "vip"
    if lists.unsubscribe is not None or sender.organisation in NEWSLETTER_DOMAINS:
        return "newsletters"
    if sender.organisation in SOCIAL_DOMAINS:
        return "social"
    own = not sender.free_mail and sender.organisation in organisations(context.owner)
    if category == "receipts" or (category == "notifications" and not own):
        return "transactional"
    if category in ("newsletters", "promotions", "social") and trusted and not own and _is_mailing(facts):
        return "social" if category == "social" else "newsletters"
    if context.first_contact:
        return "first_contact"
    if own:
        return "intra_org" if trusted else "default"
    if sender.organisation and not sender.free_mail:
        return "cross_org"
    return "default"


def _is_mailing(facts: RuleFacts) -> bool:
    """Return True for a repeated sender without answers who writes by a program or with a way to unsubscribe."""
    context, lists = facts.context, facts.lists
    if not context.received_before or context.written_to or context.owner_in_thread:
        return False
    return lists.bulk or lists.service or facts.sender.kind != "person" or facts.view.has("bulk_text")


def withheld(facts: RuleFacts) -> tuple[Cohort, ...]:
    """Return the cohorts that would apply if the name in `From` were reliable; none if it is."""
    sender, context = facts.sender, facts.context
    if trusts_sender(facts.authentication, facts.imitates is not None):
        return ()
    held: list[Cohort] = ["vip"] if context.vip or learned_vip(context) else []
    if sender.organisation in organisations(context.owner) and not sender.free_mail:
        held.append("intra_org")
    return tuple(held)
