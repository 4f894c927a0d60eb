"""Cards of automations: definitions, runs, files saved by runs, and drafts."""

from __future__ import annotations

from typing import Final

from gaia_email.app.documents.layouts.layout import CardLayout, CardTable, Column, Lines

_HEADLINE = "{{ name }} · {{ status }} · version {{ version }} · {{ account }}  {{ id|short }}"
_ENDED = (
    Lines(of="triggers", line="{{ says }}{{ ' (off)' if not enabled }}"),
    Lines(
        line="runs: {% for status, count in runs|dictsort %}{{ count }} {{ status }}{{ ', ' if not loop.last }}"
        "{% else %}none yet{% endfor %}"
    ),
)
_CHANGES = Lines(
    of="changes",
    line="{{ {'add': '+', 'remove': '-', 'replace': '~'}[op]|default(op) }} {{ path or '/' }}"
    "{% if op != 'remove' %} {{ value|json }}{% endif %}",
)

LIST: Final = CardLayout(
    parts=(Lines(of="automations", line=_HEADLINE, below=_ENDED),),
    empty="nothing is automated yet; gaia email automations add FILE saves a definition.",
)

ONE: Final = CardLayout(
    parts=(
        Lines(
            of="[automation]",
            line=_HEADLINE,
            below=(
                *_ENDED,
                Lines(of="steps", line="{{ it }}"),
                Lines(of="allowed_flows", line="without a question: {{ it }}"),
                Lines(of="asked_flows", line="asked about in every run: {{ it }}"),
            ),
        ),
    )
)

ACTIONS: Final = CardLayout(
    parts=(
        Lines(
            of="actions",
            line="{{ name }} {{ '{' }}{% for field in config_schema.properties|default({}) %}{{ field }}"
            "{{ '?' if field not in config_schema.required|default([]) }}{{ ', ' if not loop.last }}{% endfor %}"
            "{{ '}' }}",
            below=(Lines(line="{{ description[:300] }}"),),
        ),
    )
)

_ERRORS = Lines(of="errors", line="{{ pointer or '/' }}: {{ message }}")
ERRORS: Final = CardLayout(parts=(_ERRORS,))

_DESCRIBED = (
    Lines(of="summary", line="  {{ it|verbatim }}"),
    Lines(line="  worth checking:"),
    Lines(of="checks", line="    {{ says }}"),
)

CHECK: Final = CardLayout(
    parts=(
        _ERRORS,
        Lines(of="warnings", line="worth a look: {{ pointer }}: {{ message }}"),
        *_DESCRIBED,
        Lines(of="flows", line="untrusted text decides: {{ it }}"),
        Lines(line=(("good", "{{ 'it can be saved.' if is_valid }}"),)),
    )
)

BEFORE_SAVING: Final = CardLayout(
    parts=(
        *_DESCRIBED,
        Lines(
            of="flows",
            line="untrusted text decides: {{ it }} "
            "({{ 'goes on without a question' if it in allowed else 'is asked about in every run' }})",
        ),
    )
)
"""The full effect of a check or a draft; `allowed` are the flows that the user allows."""

RUN: Final = CardLayout(
    parts=(
        Lines(
            of="[run]",
            line="{{ automation }} (version {{ version }}) · {{ status }}  {{ id|short }}",
            below=(
                Lines(line="why: {{ why }}"),
                Lines(line="{% if inputs %}inputs: {{ inputs|json }}{% endif %}"),
                Lines(
                    of="steps",
                    line="{{ step_id }}: {{ action }} · {{ state }}"
                    "{% if attempts > 1 %} after {{ attempts }} tries{% endif %}. {{ why }}",
                    below=(
                        Lines(line="{% if config %}{{ config|json }}{% endif %}"),
                        Lines(of="log", line="{{ it[:300] }}"),
                        Lines(
                            line="{% if confirmation_id and state == 'waiting' %}"
                            "gaia email approve {{ confirmation_id|short }}{% endif %}"
                        ),
                    ),
                ),
                Lines(line="{% if not_begun %}not begun: {{ not_begun }}{% endif %}"),
                Lines(line=(("bad", "{{ error }}"),)),
            ),
        ),
    )
)

RUNS: Final = CardLayout(
    parts=(
        CardTable(
            of="runs",
            columns=(
                Column(title="id", cell="{{ id|short }}"),
                Column(title="automation", cell="{{ automation }}", wraps=True),
                Column(title="status", cell="{{ status }}"),
                Column(title="created", cell="{{ created_at|moment }}"),
                Column(title="why", cell="{{ why }}", wraps=True),
                Column(title="error", cell="{{ error }}", wraps=True),
            ),
        ),
    ),
    empty="nothing was run yet.",
)

TEST: Final = CardLayout(
    parts=(
        Lines(
            of="firings",
            line="{{ at|moment }} {{ trigger }}: {{ about }} {{ error }}",
            below=(
                Lines(of="configs|items", line="{{ it[0] }}: {{ it[1]|json }}"),
                Lines(of="unknown|items", line="{{ it[0] }}: not known before it runs. {{ it[1] }}"),
            ),
        ),
    ),
    empty="it would not have fired.",
)

TOKEN: Final = CardLayout(
    parts=(Lines(line="{{ token }}"),),
    hints=("Send it as a bearer token to POST {{ path }}. It is not shown again.",),
)

REMOVED: Final = CardLayout(parts=(Lines(line="removed {{ name }}."),))

FILES: Final = CardLayout(
    parts=(
        Lines(
            of="files",
            line="{{ id|short }}  {{ name }} · {{ kind }} · {{ bytes }} bytes · {{ visibility }} · "
            "{% if expires_at %}until {{ expires_at|moment }}{% else %}kept{% endif %}",
        ),
    ),
    empty="no run has kept a file.",
)

FILE_LINK: Final = CardLayout(
    parts=(Lines(line="{{ path }}"),),
    hints=("It opens {{ file.name }} until {{ expires_at|moment }}, below the address of gaia email serve.",),
)

DRAFT: Final = CardLayout(
    parts=(
        Lines(
            of="[it]",
            line="{{ name }} · draft {{ id }} by {{ by }}, until {{ expires_at|moment }}",
            below=(
                Lines(of="summary", line="{{ it|verbatim }}"),
                _CHANGES,
                _ERRORS,
                Lines(of="notes", line="note: {{ it }}"),
                Lines(of="[review] if review", line="{{ by }} says: {{ summary }}"),
                Lines(line="worth checking:"),
                Lines(of="checks", line="  {{ says }}{% if remark %} ({{ remark }}){% endif %}"),
                Lines(of="warnings", line="  {{ pointer }}: {{ message }}"),
                Lines(
                    of="missing",
                    line="{% set question = questions.properties[it] %}open: {{ question.title }}"
                    "{% if question.enum is defined %} One of: {{ question.enum }}.{% endif %}",
                    below=(Lines(line="gaia email automations refine {{ id }} --set {{ it }}=VALUE"),),
                ),
            ),
        ),
    ),
    next="{% if is_complete %}gaia email automations save {{ id }}{% endif %}",
)

DRAFTS: Final = CardLayout(
    parts=(
        Lines(
            of="drafts",
            line="{{ id }}  {{ name }} (by {{ by }}{% if missing %}, {{ missing }} open{% endif %}), "
            "until {{ expires_at|moment }}",
        ),
    ),
    empty="there are no drafts; gaia email automations propose makes one.",
)

STARTERS: Final = CardLayout(
    parts=(
        Lines(of="starters", line="{{ name }}: {{ says }}", below=(Lines(of="asks", line="  {{ it }}"),)),
    ),
    next="gaia email automations propose --starter NAME",
)

DIFFERENCE: Final = CardLayout(parts=(_CHANGES,), empty="nothing was changed.")
