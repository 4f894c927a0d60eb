"""Cards of what was read in mail: habits, summaries, what was put off."""

from __future__ import annotations

from typing import Final

from gaia_email.app.documents.cards.layout import CardLayout, Facts, Lines

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
            line=(("plain", "• {{ text }}"), ("quiet", "  {{ from|person }}, {{ message }}")),
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

_PUT_OFF = "{{ from|person }} · {{ subject }}{% if until %}  until {{ until|day }}{% endif %}  {{ id }}"

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
