"""Cards of the control protocol: agents of other programs, conversations, flights and events."""

from __future__ import annotations

from typing import Final

from gaia_email.app.documents.layouts.layout import CardLayout, CardTable, Column, Lines

AGENTS: Final = CardLayout(
    parts=(
        Lines(
            of="agents",
            line="{{ selector }}  {{ name }} · {% if granted_at %}may {{ actions or 'converse' }}"
            "{% if account %} about {{ account }}{% endif %}"
            "{% elif id == 'gaia-email' %}yours, which others invoke{% else %}nothing is granted to it{% endif %}",
        ),
    )
)

GRANT: Final = CardLayout(
    parts=(Lines(line="{{ key }}"),),
    hints=(
        "{{ agent_id }} may {{ actions or 'only converse' }}. Its key is not shown again; docs/control.md says how it "
        "is used.",
    ),
)

REVOKED: Final = CardLayout(parts=(Lines(line="nothing is granted to {{ agent_id }} any more."),))

CONVERSATIONS: Final = CardLayout(
    parts=(
        Lines(of="conversations", line="{{ id }}  {{ title }} · {{ kind }} · {{ participants }}"),
        Lines(of="messages", line="  {{ at|moment }} {{ actor }}: {{ body }}"),
    ),
    empty="there are no conversations yet.",
)

FLIGHTS: Final = CardLayout(
    parts=(
        CardTable(
            of="flights",
            columns=(
                Column(title="id", cell="{{ id|short }}"),
                Column(title="requester", cell="{{ requester }}"),
                Column(title="state", cell="{{ state }}"),
                Column(title="started", cell="{{ started_at|moment }}"),
                Column(title="summary", cell="{{ summary }}", wraps=True),
                Column(title="error", cell="{{ error }}", wraps=True),
            ),
        ),
    ),
    empty="nothing was run or invoked yet.",
)

FLIGHT: Final = CardLayout(
    parts=(Lines(of="flights[0].output|lines", line="{{ it|verbatim }}"),),
    notes=(
        "{{ flights[0].error or flights[0].summary }}",
        "{% if flights[0].state in ('queued', 'running') %}Another program does it; gaia email control flights shows "
        "how far it is.{% endif %}",
        "{% if flights[0].state == 'waiting' %}gaia email review answers what waits.{% endif %}",
    ),
)

TAIL: Final = CardLayout(
    parts=(Lines(of="events", line="{{ seq|string }}  {{ at|moment }} {{ kind }} {{ actor }}: {{ about }}"),),
    empty="nothing has happened yet.",
)
