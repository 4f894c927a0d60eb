"""Cards of the current state: checks, connections, runs."""

from __future__ import annotations

from typing import Final

from gaia_email.app.documents.layouts.layout import CardLayout, CardTable, Column, Facts, Lines

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

RUNS: Final = CardLayout(
    parts=(
        CardTable(
            of="runs",
            columns=(
                Column(title="id", cell="{{ id|short }}"),
                Column(title="kind", cell="{{ kind }}"),
                Column(title="mailbox", cell="{{ mailbox }}", wraps=True),
                Column(title="state", cell="{{ state }}"),
                Column(title="started", cell="{{ started_at|moment }}"),
                Column(title="messages", cell="{{ messages }}", is_number=True),
                Column(title="actions", cell="{{ actions }}", is_number=True),
                Column(title="asked", cell="{{ asked }}", is_number=True),
                Column(title="reason", cell="{{ reason }}", wraps=True),
            ),
        ),
    ),
    empty="nothing was run yet.",
)

SCHEDULES: Final = CardLayout(
    parts=(
        CardTable(
            of="schedules",
            columns=(
                Column(title="name", cell="{{ name }}", wraps=True),
                Column(title="kind", cell="{{ kind }}"),
                Column(title="mailbox", cell="{{ mailbox }}", wraps=True),
                Column(title="cron", cell="{{ cron }}"),
                Column(title="zone", cell="{{ zone }}"),
                Column(title="overlap", cell="{{ overlap }}"),
                Column(title="active", cell="{{ active }}"),
                Column(title="last fired", cell="{{ last_fired_at|moment }}"),
            ),
        ),
    ),
    empty="nothing is scheduled.",
)

ACCOUNTS: Final = CardLayout(
    parts=(
        CardTable(
            of="accounts",
            columns=(
                Column(title="id", cell="{{ id }}"),
                Column(
                    title="address",
                    cell="{% if '@' in address or not aliases %}{{ address }}{{ ', ' if aliases }}{% endif %}"
                    "{{ aliases }}",
                    wraps=True,
                ),
                Column(title="provider", cell="{{ provider }}"),
                Column(title="server", cell="{{ server }}", wraps=True),
                Column(title="password", cell="{{ password }}"),
            ),
        ),
    ),
    empty="no account is connected. gaia email connect --email you@example.org connects an account.",
)
"""Mail files have no address of their own, so the owner's addresses are shown alone."""

CANDIDATES: Final = CardLayout(
    parts=(
        CardTable(
            of="candidates",
            columns=(
                Column(title="account", cell="{{ address }}", wraps=True),
                Column(title="provider", cell="{{ provider or 'not known yet' }}"),
                Column(
                    title="server",
                    cell="{% for trace in signals[:1] if trace.imap %}{{ trace.imap.host }}:"
                    "{{ trace.imap.port|string }}{% endfor %}",
                    wraps=True,
                ),
                Column(title="how sure", cell="{{ confidence }}"),
                Column(title="how we know", cell="{{ source }}: {{ where }}", wraps=True),
            ),
        ),
        Lines(
            of="candidates if given.verbose|default(false)",
            title=(("strong", "Every trace"),),
            line="{{ address }}",
            below=(
                Lines(
                    of="signals",
                    line="{{ source }}: {{ where }} · {{ confidence }}"
                    "{% if imap %} · {{ imap.host }}:{{ imap.port|string }}{% endif %}",
                ),
            ),
        ),
    ),
    empty="no account was found that is not connected. gaia email connect --email you@example.org adds one.",
    next="gaia email connect --email {{ candidates[0].address }}",
)

STATUS: Final = CardLayout(
    parts=(
        Facts(
            facts=(
                (
                    "accounts",
                    "{{ accounts|map(attribute='address')|join(', ') or 'none; gaia email connect connects one' }}",
                ),
                (
                    "switches",
                    "{% if switches.paused_at %}paused since {{ switches.paused_at|moment }}{% endif %}",
                ),
                (
                    "switches",
                    "{% if switches.stopped_at %}stopped since {{ switches.stopped_at|moment }}{% endif %}",
                ),
                (
                    "switches",
                    "{% if switches.travel_until %}travel mode until {{ switches.travel_until|moment }}{% endif %}",
                ),
                (
                    "switches",
                    "{% if not (switches.paused_at or switches.stopped_at or switches.travel_until) %}nothing is "
                    "paused, stopped or in travel mode{% endif %}",
                ),
                ("quiet hours", "{{ quiet_hours or 'none' }}"),
                (
                    "last run",
                    "{% if last_run %}{{ last_run.kind }} of {{ last_run.account }}, {{ last_run.started_at|moment }}, "
                    "{{ 'finished' if last_run.finished_at else 'not finished' }}{% else %}none{% endif %}",
                ),
                (
                    "waits",
                    "{% for name, count in pending|items if count %}{% set word = 'note' if name == 'notify' else name "
                    "%}{{ count|counted(word, word ~ 's') }}{{ ', ' if not loop.last else '; gaia email review' }}"
                    "{% else %}nothing{% endfor %}",
                ),
                (
                    "planned",
                    "{{ planned_actions|counted('action', 'actions') if planned_actions else 'nothing' }}",
                ),
                (
                    "scripts",
                    "{{ 'may say yes for you; gaia email policy scripts off ends that' if scripts_may_answer }}",
                ),
            )
        ),
        Facts(of="problems", facts=(("problem", "{{ it }}"),)),
        Facts(of="states", facts=(("state", "{{ it|state }}"),)),
        Facts(
            of="agreement",
            facts=(
                (
                    "agreement",
                    "{{ period }}: {{ agreed }} of {{ said }} right{% for one in buckets %}{{ '; ' if loop.first else "
                    "', ' }}{{ one.bucket|bucket }} {{ one.agreed }} of {{ one.said }}{% endfor %}",
                ),
            ),
        ),
        Facts(
            facts=(
                (
                    "teach",
                    "{% if held_back.answers %}of {{ held_back.answers }} answers held back {{ held_back.before }} "
                    "right before, {{ held_back.after }} after{% endif %}",
                ),
                (
                    "model",
                    "{% if not models %}the one that ships; gaia email models shows what else runs here"
                    "{% else %}{% for tier in ('T1', 'T2', 'T3') if models[tier] %}{{ models[tier] }} ({{ tier }})"
                    "{{ ', ' if not loop.last }}{{ ' at ' ~ models.address if loop.last and models.address }}"
                    "{% else %}the one that ships; no other is chosen{% endfor %}{% endif %}",
                ),
            )
        ),
        Facts(
            of="models.trusted if models",
            facts=(("trusted", "{{ model }} at {{ place }} may read mail, by your word"),),
        ),
        Facts(
            facts=(
                (
                    "ledger",
                    "{% if ledger %}{{ ledger.place }}{% if ledger.size is not none %}, {{ ledger.size|bytes }}"
                    "{% endif %}, {{ ledger.verdicts }} verdicts{% else %}none yet{% endif %}",
                ),
                (
                    "event log",
                    "{% if ledger %}{{ ledger.events }} events, {% if ledger.broken %}BROKEN at {{ ledger.broken }}"
                    "{% else %}{{ 'whole' if ledger.verified else 'not walked' }}{% endif %}{% endif %}",
                ),
            )
        ),
    )
)

HTTP_KEYS: Final = CardLayout(
    parts=(
        CardTable(
            of="keys",
            columns=(
                Column(title="id", cell="{{ id|short }}"),
                Column(title="name", cell="{{ name }}", wraps=True),
                Column(title="scopes", cell="{{ scopes|join(' ') }}"),
                Column(title="created", cell="{{ created_at|moment }}"),
            ),
        ),
    ),
    empty="there are no keys.",
)

MODELS: Final = CardLayout(
    parts=(
        Lines(
            of="servers",
            line=(("strong", "{{ server }}"),),
            below=(
                Lines(
                    of="models|selectattr('server', 'eq', server)|selectattr('place', 'eq', place)",
                    line=(
                        ("good", "{% if chosen_for %}→ {{ chosen_for }}  {% endif %}"),
                        ("plain", "{{ model }}"),
                        (
                            "quiet",
                            "  {{ {'here': 'runs here', 'elsewhere': 'runs elsewhere'}[where]"
                            "|default('unknown location') }}: {{ why }}",
                        ),
                    ),
                ),
            ),
        ),
        Lines(
            of="chosen.trusted",
            line=(
                (
                    "warn",
                    "⚠ {{ model }} at {{ place }} may read mail by your word; gaia email models untrust {{ model }} "
                    "ends it.",
                ),
            ),
        ),
        Lines(of="missing", line=(("plain", "{{ what }}"), ("strong", "  {{ command }}"))),
    ),
    next="{{ 'gaia email inbox --explain-cost' if chosen.address is not none and chosen.T2 }}",
)

SERVERS: Final = CardLayout(
    parts=(
        CardTable(
            of="servers",
            columns=(
                Column(title="server", cell="{{ name }}"),
                Column(title="what it is", cell="{{ target }}", wraps=True),
                Column(
                    title="tools",
                    cell="{% if tools %}{{ approved }} of {{ tools }} approved{% if changed %}, {{ changed }} changed"
                    "{% endif %}{% if new %}, {{ new }} new{% endif %}{% else %}not looked at yet{% endif %}",
                ),
            ),
        ),
    ),
    empty="no MCP server is listed. next: gaia email servers add NAME -- COMMAND, or gaia email servers import "
    "claude-desktop.",
)

TOOLS: Final = CardLayout(
    parts=(
        CardTable(
            of="tools",
            columns=(
                Column(title="tool", cell="{{ id }}"),
                Column(title="danger", cell="{{ tier }}"),
                Column(title="stands", cell="{{ standing }}"),
                Column(title="what it says", cell="{{ description[:200] }}", wraps=True),
            ),
        ),
        Lines(
            of="tools|selectattr('differences')",
            line="{{ id }}:",
            below=(Lines(of="differences", line="{{ it }}"),),
        ),
    ),
    empty="no tool is known yet.",
    hints=(
        "{% for one in tools|sort(attribute='server') if one.standing in ('new', 'changed') %}{% if loop.first %}"
        "next: gaia email servers approve {{ one.server }} shows them, asks, and lets them be called as they are."
        "{% endif %}{% endfor %}",
    ),
)
