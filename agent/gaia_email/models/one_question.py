"""Ask the user's chosen model one question, through the guard and in turn with other programs. Entry: `ask_one`.

For code that shows text to a model outside the sorting of mail: it finds the server, waits for the lease, has the model
proved to run here, and records what was sent. Use `asking` for several questions.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Literal

from gaia_email.models.answer_store import LedgerAnswers
from gaia_email.models.broker import broker_of
from gaia_email.models.choice import ModelChoice, read_choice
from gaia_email.models.client import CALL_FORMS, FORMS, Form, ModelClient, ModelQuestion, ModelReply
from gaia_email.models.refused import GuardRefused
from gaia_email.models.servers import ModelServer, find
from gaia_email_registry.errors import NotFound
from gaia_understanding.cascade.answers import ModelCost

AskedTier = Literal["T1", "T2", "T3", "speech"]
"""The tier whose model is asked; `speech` is any transcribing model at the chosen server."""

_FORMS: dict[str, Form] = {form: form for form in FORMS}
_CALL_FORMS: dict[str, Form] = {form: form for form in CALL_FORMS}


async def ask_one(
    question: ModelQuestion,
    environ: Mapping[str, str],
    *,
    why: str,
    tier: AskedTier = "T3",
    account: str | None = None,
    interactive: bool = True,
    tell: Callable[[str], None] = lambda said: None,
) -> ModelReply:
    """Ask once. A question with an empty schema is answered in free text.

    Args:
        question: The question.
        environ: See `asking`.
        why: The purpose, as shown in the event log.
        tier: The tier whose model is asked; T2's if it has none.
        account: The account whose mail is shown; None if there is no single one.
        interactive: True if a user waits.
        tell: Receives messages for a waiting user.

    Raises:
        NotFound: No model is chosen, or no server that has it answers.
        GuardRefused: The model is not known to run here and is not trusted; nothing was sent.
        QuestionTooLarge: The question does not fit into its context.
        Unanswered: There was no complete answer.
    """
    async with asking(
        environ, why=why, tier=tier, account=account, interactive=interactive, tell=tell
    ) as client:
        reply = await client.ask(question)
        if reply.oddity and reply.is_usable:
            tell(reply.oddity)
        reply.answer()
        return reply


async def transcriber(environ: Mapping[str, str]) -> str:
    """Return the name of the model for transcribing speech; empty if there is none, or no model is chosen."""
    try:
        return (await _server(read_choice(environ), "speech"))[1]
    except (NotFound, GuardRefused):
        return ""


@asynccontextmanager
async def asking(
    environ: Mapping[str, str],
    *,
    why: str,
    tier: AskedTier = "T3",
    account: str | None = None,
    interactive: bool = True,
    tell: Callable[[str], None] = lambda said: None,
) -> AsyncGenerator[ModelClient, None]:
    """Give the block a model client for any number of questions in one turn of the lease.

    Args:
        environ: The environment that locates the choice, the leases and the ledger.
        why: The purpose, as shown in the event log.
        tier: The tier whose model is asked; T2's if it has none.
        account: The account whose mail is shown; None if there is no single one.
        interactive: True if a user waits.
        tell: Receives messages for a waiting user.

    Raises:
        NotFound: No model is chosen, or no server that has it answers.
        GuardRefused: The server is refused, or its model may not be shown mail; this is in the event log.
    """
    try:
        async with _asking(environ, why, tier, account, interactive, tell) as client:
            yield client
    except GuardRefused as error:
        LedgerAnswers(environ).record_refusal(account, error.message, why)
        raise


@asynccontextmanager
async def _asking(
    environ: Mapping[str, str],
    why: str,
    tier: AskedTier,
    account: str | None,
    interactive: bool,
    tell: Callable[[str], None],
) -> AsyncGenerator[ModelClient, None]:
    chosen = read_choice(environ)
    server, model = await _server(chosen, tier)
    broker, place = broker_of(environ), server.address.place
    form = _FORMS.get(broker.form_of(place, server.version, model) or "", FORMS[0])
    calls = f"{model} (calls)"
    call_form = _CALL_FORMS.get(broker.form_of(place, server.version, calls) or "", CALL_FORMS[0])

    def waits() -> None:
        tell(f"Waiting until another program is done with its model; then {model}.")

    async with (
        broker.lease(place, model, interactive=interactive, waits=waits),
        ModelClient(server, model, chosen, form=form) as client,
    ):
        client.call_form = call_form
        try:
            yield client
        finally:
            if client.call_form != call_form:
                broker.learn_form(place, server.version, calls, client.call_form)
            if client.sent:
                cost = ModelCost(model=model, place=place, asked=1, sent=client.sent)
                LedgerAnswers(environ).note(account, cost, why=why)


async def _server(chosen: ModelChoice, tier: str) -> tuple[ModelServer, str]:
    model = chosen.tiers.get(tier) or chosen.tiers.get("T2")
    if model is None:
        raise NotFound("No language model is chosen.", hint="gaia email models use")
    if tier == "speech":
        for server in await find(chosen.address):
            for one in server.models:
                if one.transcribes:
                    return server, one.name
        raise NotFound(
            "The model server has no model that transcribes.",
            hint="get one such as whisper there, then try again.",
        )
    for server in await find(chosen.address):
        if server.model(model) is not None or server.kind == "llama.cpp":
            return server, model
    raise NotFound(f"No server that has {model} answers.", hint="gaia email models says what is missing")
