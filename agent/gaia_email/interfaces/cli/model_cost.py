"""The cost of asking a language model, in sentences for `--explain-cost`. Entry: `cost_lines`."""

from __future__ import annotations

from gaia_email.triage.inbox import Inbox
from gaia_understanding.cascade.answers import PASSES, ModelCost

NONE_CHOSEN = (
    "No language model is chosen: the rules and the model that ships judged everything; 0 calls, 0 tokens. "
    "gaia email models shows what runs on this machine."
)


def cost_lines(inbox: Inbox) -> list[str]:
    """Return the model's messages, calls, tokens, seconds and bytes, and the effect of its answers."""
    cost = inbox.cost
    if cost is None:
        return [NONE_CHOSEN]
    moved = sum(
        one.verdict.second is not None and one.verdict.second.stands == "model" for one in inbox.judged
    )
    heard = sum(one.verdict.second is not None for one in inbox.judged)
    lines = [_asked(cost)] if cost.asked else ["Nothing new was asked: 0 calls, 0 tokens."]
    known = f"; {cost.recalled:,} answered earlier" if cost.recalled else ""
    lines.append(
        f"{heard:,} of {len(inbox.judged):,} messages have a second word{known}; it moved {moved:,} to another bucket."
    )
    if cost.invalid or cost.failed:
        lines.append(
            f"{cost.invalid:,} answers did not hold, {cost.failed:,} calls failed; they count for nothing."
        )
    return lines


def _asked(cost: ModelCost) -> str:
    calls = ", ".join(f"{cost.calls[made_in]} {made_in}" for made_in in PASSES if cost.calls.get(made_in))
    waited = f", {cost.waited_s:.1f} s of them waiting for another program" if cost.waited_s >= 0.1 else ""
    total = sum(cost.calls.values())
    return (
        f"Asked {cost.model} at {cost.place} about {cost.asked:,} messages: {total} calls ({calls}), "
        f"{cost.tokens_in:,} tokens in, {cost.tokens_out:,} out, {cost.seconds:.1f} s{waited}, slowest call "
        f"{cost.slowest_s:.1f} s, {cost.sent / 1000:,.0f} kB."
    )
