"""Cards of the user's decisions: policy, switches, labels, lessons and remembered sentences."""

from __future__ import annotations

from typing import Final

from gaia_email.app.documents.layouts.layout import CardLayout, CardTable, Column, Facts, Lines

_SWITCHES = (
    (
        "stopped",
        "{% if switches.stopped_at is not none %}since {{ switches.stopped_at|instant }}; gaia email resume ends that"
        "{% endif %}",
    ),
    (
        "paused",
        "{% if switches.paused_at is not none %}since {{ switches.paused_at|instant }}; gaia email resume ends that"
        "{% endif %}",
    ),
    (
        "travel mode",
        "{% if switches.travel_until is not none %}until {{ switches.travel_until|instant }}{% endif %}",
    ),
)

POLICY: Final = CardLayout(
    parts=(
        CardTable(
            of="cohorts",
            columns=(
                Column(title="cohort", cell="{{ name }}"),
                Column(
                    title="level",
                    cell="L{{ level }} {{ level_name }}{% if default_level not in (none, level) %}"
                    " (usually L{{ default_level }}){% endif %}",
                ),
                Column(title="holds for mail", cell="{{ match|join('; ') }}", wraps=True),
            ),
        ),
        Facts(
            facts=(
                ("VIPs", "{{ vips|length or 'none named' }}"),
                (
                    "protected",
                    "{{ (protected.senders + protected.labels + protected.threads)|length or 'nothing' }}",
                ),
                (
                    "quiet hours",
                    "{% if quiet_hours %}{{ quiet_hours.start }} to {{ quiet_hours.end }} ({{ quiet_hours.zone }})"
                    "{% else %}none{% endif %}",
                ),
                (
                    "newsletters",
                    "{{ 'left by one click from L5' if unsubscribe else 'never left without asking' }}",
                ),
                (
                    "conventions",
                    "{% for one in conventions if one.set_to not in ('as-judged', 'usual') %}{{ one.name }} "
                    "{{ one.set_to }}{{ ', ' if not loop.last }}{% else %}as judged{% endfor %}",
                ),
                ("learning", "from your {{ 'words and deeds' if behaviour else 'words alone' }}"),
                ("unsure", "below {{ unsure_below|percent }}, which lowers the level by one"),
                *_SWITCHES,
            )
        ),
        Lines(
            of="proposals",
            line="{{ reason }}",
            below=(Lines(line="gaia email policy set --cohort {{ cohort }} --level {{ to_level }}"),),
        ),
    )
)

EXPLANATION: Final = CardLayout(
    parts=(
        Lines(line=(("strong", "{{ subject or '(no subject)' }}"),)),
        Lines(line=(("quiet", "{{ from|sender or '(no sender)' }}"),)),
        Lines(of="sentences", line="{{ it }}"),
    )
)

SWITCHED: Final = CardLayout(
    parts=(
        Lines(line=(("quiet", "{{ 'That is how it is already.' if not changed }}"),)),
        Facts(facts=_SWITCHES),
        Lines(
            line="{% if switches.stopped_at is none and switches.paused_at is none and switches.travel_until is none %}"
            "Nothing is paused, stopped or in travel mode.{% endif %}"
        ),
    )
)

CONVENTIONS: Final = CardLayout(
    parts=(
        CardTable(
            of="conventions",
            columns=(
                Column(title="name", cell="{{ name }}"),
                Column(title="set to", cell="{{ set_to }}"),
                Column(title="about", cell="{{ about }}", wraps=True),
            ),
        ),
    ),
    hints=("gaia email policy convention NAME VALUE sets one, such as: bills actionable.",),
)

VIPS: Final = CardLayout(
    parts=(Lines(of="vips", line="{{ it }}"),), empty="there are none; gaia email vip add ADDRESS names one."
)

PROTECTED: Final = CardLayout(
    parts=(
        Lines(of="protected.senders", line="sender {{ it }}"),
        Lines(of="protected.labels", line="label {{ it }}"),
        Lines(of="protected.threads", line="thread {{ it }}"),
    ),
    empty="there are none; gaia email protect add --sender ADDRESS protects a sender.",
)

TEMPLATES: Final = CardLayout(
    parts=(
        Lines(
            of="templates",
            line=(
                ("strong", "{{ name }}: "),
                ("warn", "{{ problem }}"),
                (
                    "plain",
                    "{% if not problem %}for {{ cohorts or 'no cohort yet' }}{{ '; always asks' if always_asks }}"
                    "{% endif %}",
                ),
            ),
        ),
    ),
    empty="there are no templates; write them into email/templates below GAIA_HOME (usually ~/.gaia), as "
    "docs/policy.md says.",
)

_READ_AS = "{{ words }}{% if without %}; not {{ without }}{% endif %}"

LABELS: Final = CardLayout(
    parts=(
        Lines(
            of="labels",
            line="{{ id }}  {{ name }}: {{ sentence }}"
            "{% if threads is not none %}  {{ threads }} threads, {{ unread }} unread{% endif %}",
        ),
    ),
    empty='there are none; gaia email labels create Travel "flights, hotels and train tickets" makes one.',
)

LABEL: Final = CardLayout(parts=(Lines(line="{{ id }}  {{ name }}: " + _READ_AS),))

_LABEL_SHOWN = "showing {{ shown }} of {{ total }}, of {{ inbox }} threads in the inbox."

LABEL_THREADS: Final = CardLayout(
    notes=("{% set words = label.words %}{% set without = label.without %}looked for: " + _READ_AS,),
    parts=(
        Lines(
            of="threads",
            line="{{ thread.id }}  {{ thread.from|person }} · {{ thread.subject }}  ({{ because }})",
        ),
    ),
    empty=_LABEL_SHOWN,
    hints=(_LABEL_SHOWN,),
)

LESSONS: Final = CardLayout(
    parts=(
        CardTable(
            of="lessons",
            columns=(
                Column(title="lesson", cell="{{ number }}", is_number=True),
                Column(
                    title="what",
                    cell="{% if was == bucket %}stays {{ bucket }}{% else %}{{ was }} → {{ bucket }}{% endif %}",
                ),
                Column(title="sender", cell="{{ sender }}", wraps=True),
                Column(title="since", cell="{{ deed|deed }}"),
            ),
        ),
    ),
    empty="nothing was taught yet. next: gaia email teach",
    hints=("gaia email lessons forget N takes one back.",),
)

REMEMBERED: Final = CardLayout(
    parts=(Lines(of="sentences", line="{{ n }}  {{ text }}  (said in {{ said_in }})"),),
    empty='nothing is remembered; gaia email remember "I sign with A." changes that.',
)
