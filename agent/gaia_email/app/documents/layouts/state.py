"""Cards of how everything stands: checks, connections, runs."""

from __future__ import annotations

from typing import Final

from gaia_email.app.documents.cards.layout import CardLayout, CardTable, Column, Lines

DOCTOR: Final = CardLayout(
    parts=(
        Lines(
            of="findings",
            line=(
                ("good", "{% if ok %}ok     {% endif %}"),
                ("bad", "{% if not ok %}wrong  {% endif %}"),
                ("strong", "{{ check }}  "),
                ("plain", "{{ says }}"),
            ),
            below=(Lines(line=(("warn", "{% if mend %}     {{ mend }}{% endif %}"),)),),
        ),
        Lines(
            line=(
                (
                    "quiet",
                    "{% if wrong %}{{ wrong }} of {{ findings|length }} to mend{% else %}nothing to mend{% endif %}",
                ),
            )
        ),
    )
)

EGRESS: Final = CardLayout(
    parts=(
        CardTable(
            of="totals if connections is none",
            columns=(
                Column(title="host", cell="{{ host }}", wraps=True),
                Column(title="why", cell="{{ why }}"),
                Column(title="connections", cell="{{ connections }}", is_number=True),
                Column(title="sent", cell="{{ sent|bytes }}", is_number=True),
                Column(title="received", cell="{{ received|bytes }}", is_number=True),
                Column(title="last", cell="{{ last|moment }}"),
            ),
        ),
        CardTable(
            of="connections",
            columns=(
                Column(title="when", cell="{{ at|moment }}"),
                Column(title="program", cell="{{ program }}", wraps=True),
                Column(title="account", cell="{{ account }}", wraps=True),
                Column(
                    title="to",
                    cell="{{ host }}{% if port %}:{{ port|string }}{% endif %}{% if via %} via {{ via }}{% endif %}",
                    wraps=True,
                ),
                Column(title="why", cell="{{ why }}"),
                Column(title="sent", cell="{{ sent|bytes }}", is_number=True),
                Column(title="received", cell="{{ received|bytes }}{{ ' …' if open }}", is_number=True),
            ),
        ),
    ),
    empty="No connection was opened, as far as the egress ledger goes back.",
    hints=(
        "{% if connections is none %}{{ sent|bytes }} sent, {{ received|bytes }} received. "
        "gaia email egress --all lists each connection.{% endif %}",
        "{% if connections and connections|selectattr('open')|list %}"
        "… was open when it was written down last.{% endif %}",
    ),
)
