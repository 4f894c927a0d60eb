"""Cards of mail: habits, summaries, postponed messages, follow-ups and meetings."""

from __future__ import annotations

from typing import Final

from gaia_email.app.documents.layouts.layout import CardLayout, Facts, Lines

HABITS: Final = CardLayout(
    parts=(
        Facts(
            facts=(
                ("messages", "{{ messages }} in the last 90 days"),
                (
                    "you",
                    "{% if name %}{{ name }}"
                    '{% if signature %}, signs "{{ signature|lines|first }}"{% endif %}'
                    "{% if zone_minutes is not none %}, at {{ zone_minutes|offset }}{% endif %}{% endif %}",
                ),
                (
                    "you write",
                    "{% for language, share in languages|items %}{{ language }} {{ share|percent }}, {% endfor %}"
                    "{% if languages %}as {{ exemplars }} of your messages show{% endif %}",
                ),
                ("you answer", "{% if answer_h is not none %}usually within {{ answer_h|hours }}{% endif %}"),
                (
                    "close",
                    "{% for one in people[:5] %}{{ one.name or one.address }} ({{ one.answered }} answered, within "
                    "{{ one.answer_h|hours }}){{ ', ' if not loop.last }}{% endfor %}{{ people|beyond(5) }}",
                ),
                ("close", "{{ 'gaia email vip add ADDRESS' if people }}"),
                (
                    "newsletters",
                    "{% for one in newsletters[:5] %}{{ one.name or one.address }} ({{ one.count }})"
                    "{{ ', ' if not loop.last }}{% endfor %}{{ newsletters|beyond(5) }}",
                ),
                ("newsletters", "{{ 'gaia email unsubscribe --sender ADDRESS' if newsletters }}"),
            )
        ),
    )
)

SUMMARY: Final = CardLayout(
    parts=(
        Lines(line=(("strong", "{{ subject or '(no subject)' }}"),)),
        Lines(
            of="lines",
            line="• {{ text }}",
            below=(Lines(line=(("quiet", "{{ from|person }}, {{ message }}"),)),),
        ),
        Lines(
            line=(
                (
                    "quiet",
                    "{% if made_by == 'model' %}By the language model you chose; each name, number and date stands in "
                    "the message named beside it.{% else %}Lines taken out of the messages themselves (T0); no model "
                    "wrote any of it.{% endif %}",
                ),
            )
        ),
        Lines(line=(("warn", "{{ said }}"),)),
        Lines(
            line=(
                (
                    "warn",
                    "{% if dropped %}{{ dropped }} of its sentences did not hold and are not shown.{% endif %}",
                ),
            )
        ),
        Lines(
            of="warned",
            line=(("bad", "⚠ {{ from|sender }} looks like {{ warnings|join(' and ') }} ({{ id }})"),),
        ),
        Lines(
            line=(
                (
                    "warn",
                    "{% if withheld %}{{ withheld }} messages are left out: suspect or protected.{% endif %}",
                ),
            )
        ),
    ),
    next="gaia email show {{ newest }} {{ source }}",
)

_PUT_OFF = (
    "{{ from|person }} · {{ subject }}{% if until %}  until {{ until|as('%a %d %b, %H:%M') }}{% endif %}"
    "  {{ id }}"
)

LATER: Final = CardLayout(
    parts=(
        Lines(
            of="reply_later",
            title=(("strong", "To be answered {{ reply_later|length }}"),),
            line=_PUT_OFF,
            number=("{{ account }}", "{{ id }}"),
        ),
        Lines(
            of="snoozed",
            title=(("strong", "Snoozed {{ snoozed|length }}"),),
            line=_PUT_OFF,
            number=("{{ account }}", "{{ id }}"),
        ),
    ),
    empty="nothing is put off.",
)


def _owed(of: str, title: str, *, number: tuple[str, str] | None) -> Lines:
    """Return lines for owed threads, with a command for those that wait longer than usual."""
    return Lines(
        of=of,
        title=(("strong", title),),
        number=number,
        line=(
            (
                "strong",
                "{% for one in people %}{{ one.name or one.address }}{{ ', ' if not loop.last }}"
                "{% else %}(nobody named){% endfor %}",
            ),
            ("plain", " · {{ subject or '(no subject)' }}"),
        ),
        right=(
            ("bad", "{% if due %}" + _WAITED + "{% endif %}"),
            ("quiet", "{% if not due %}" + _WAITED + "{% endif %}"),
        ),
        below=(
            Lines(line=(("quiet", "{{ why }}  {{ id }}"),)),
            Lines(line="{% if late %}{{ it|usually }}: gaia email draft {{ id }}{% endif %}"),
        ),
    )


_WAITED = (
    "{% if not (due and days >= 20) %}{{ days|counted('working day', 'working days') if days else 'less than a working "
    "day' }}{% if until %}, by {{ until|as('%a %d %b') }}{% endif %}{% endif %}"
)
"""Waiting time and deadline; empty for a thread listed under the long-overdue heading."""

_MESSAGE = ("{{ account }}", "{{ id }}")


def _side(owes: str, heading: str) -> tuple[Lines, Lines]:
    """Return the lines for what one side owes, long-overdue threads separately."""
    recent, old = (f"followups|owed('{owes}', is_old={is_old})" for is_old in ("false", "true"))
    return (
        _owed(recent, f"{heading} {{{{ ({recent})|length }}}}", number=_MESSAGE),
        _owed(
            old,
            f"{heading}, overdue for 20 working days or more: {{{{ ({old})|length }}}}",
            number=_MESSAGE,
        ),
    )


FOLLOWUPS: Final = CardLayout(
    parts=(
        *_side("you", "You owe"),
        *_side("they", "They owe"),
        Lines(
            line=(
                (
                    "quiet",
                    "{{ threads }} threads followed, {{ settled }} settled"
                    "{% if waiting %}, {{ waiting }} put off{% endif %}",
                ),
            )
        ),
    ),
    next="{% if followups %}gaia email followups{{ ' ' ~ source if source }} --dismiss ID{% endif %}",
)

FOLLOWUP: Final = CardLayout(
    parts=(
        Lines(
            line="{% if said == 'waiting' %}put off{% else %}{{ {'you': 'you owe', 'they': 'they owe', "
            "'done': 'settled', 'nothing': 'nothing is owed'}[owes] }}{% endif %}: {{ subject }}"
        ),
    )
)

MEETINGS: Final = CardLayout(
    parts=(
        Lines(
            of="meetings",
            line=(
                (
                    "strong",
                    "{{ start|as('%a %H:%M') }} {{ title }}{% if location %} · {{ location }}{% endif %}",
                ),
            ),
            below=(
                Lines(
                    line="with {% for one in who %}{{ one.name or one.address }}{{ ', ' if not loop.last }}"
                    "{% else %}nobody known{% endfor %}"
                ),
                Lines(
                    of="threads",
                    line=(("quiet", "{{ sender }} · {{ subject }}  {{ id }}{{ '  📎' if has_files }}"),),
                ),
                _owed("owe", "you owe", number=None),
                _owed("owed", "they owe", number=None),
            ),
        ),
    ),
    empty="no meetings.",
)
