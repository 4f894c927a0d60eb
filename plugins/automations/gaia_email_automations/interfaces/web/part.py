"""The plug-in's pages, for the core. Entries: `PAGES`, `KEYS`."""

from __future__ import annotations

from gaia_email.app.languages.speaking import N_
from gaia_email.interfaces.keys import KeyBinding
from gaia_email.interfaces.web.plugged import PageLink, PagePart, PageSlot
from gaia_email_automations.interfaces.web.draft_pages import draft_routes
from gaia_email_automations.interfaces.web.pages import automation_routes
from gaia_email_automations.interfaces.web.slack_pages import slack_routes

KEYS = (KeyBinding(command="automations", help="automations", page=("g m",)),)

PAGES = PagePart(
    package="gaia_email_automations.interfaces.web",
    routes=(automation_routes, draft_routes, slack_routes),
    links=(PageLink(page="automations", title=N_("Automations")),),
    slots=(
        PageSlot(name="activity", template="automation_activity.html", operation="automation_runs"),
        PageSlot(name="integration", template="slack_buttons.html"),
        PageSlot(name="integration_menu", template="slack_menu.html"),
        PageSlot(name="add_integration", template="slack_add.html"),
        PageSlot(name="schedule", template="slack_schedule.html"),
    ),
    forgets=(("slack", "remove_webhook"),),
)
