"""Tier 0: rules and the small learned model that ships; no model server. Entry: `BuiltinTier`.

`judging.py` does the work and is imported for the first message: if every verdict is stored already
(`gaia_email.triage.verdict_rows`), no message is judged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gaia_understanding.cascade.verdict import Context, Seen, Verdict
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.steps import Steps, last

if TYPE_CHECKING:
    from gaia_understanding.cascade.model.features import Features
    from gaia_understanding.cascade.priority import RuleFindings


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinTier:
    """The tier of rules; the same message and context always give the same verdict.

    Attributes:
        trusted_servers: Authserv-ids of the user's mail server (RFC 8601), lower case, as the user configured them.
        summaries: True if verdicts get their one-line summary; callers that do not show it save the time.
        model: True if the learned model gives its opinion; without it the rules decide alone.
        lessons: True if an owner's lessons may be applied to the verdicts; callers without an owner save the time.
    """

    trusted_servers: frozenset[str] = frozenset()
    summaries: bool = True
    model: bool = True
    lessons: bool = True

    @property
    def name(self) -> str:
        """Always `T0`."""
        return "T0"

    def judge(self, prepared: Prepared, context: Context) -> Verdict:
        """Understand one message; see `Tier`."""
        return last(self.judging(prepared, context))

    def judging(self, prepared: Prepared, context: Context) -> Steps[Verdict]:
        """Judge one message in steps; `gaia_understanding.steps` takes many messages through each step."""
        from gaia_understanding.cascade import judging

        return (
            yield from judging.judging(
                prepared,
                context,
                trusted=self.trusted_servers,
                summaries=self.summaries,
                model=self.model,
                lessons=self.lessons,
            )
        )

    def features(self, prepared: Prepared, context: Context) -> Features:
        """Return the learned model's features of a message, for training."""
        from gaia_understanding.cascade import priority
        from gaia_understanding.cascade.model.features import features_of

        found = self.findings(prepared, context)
        return features_of(found, priority.bucket_of(found))

    def extract_owner_features(self, prepared: Prepared, context: Context) -> Seen:
        """Return the features of a message that an owner's model uses."""
        from gaia_understanding.cascade import priority
        from gaia_understanding.cascade.model.features import features_of
        from gaia_understanding.cascade.model.owner import look

        teachable = replace(self, lessons=True).judge(prepared, context).teachable
        if teachable is not None:
            return teachable.seen
        found = self.findings(prepared, context)  # the learned model has no say
        bucket = priority.bucket_of(found)
        return look(features_of(found, bucket), found.facts.sender.address, bucket, None)

    def findings(self, prepared: Prepared, context: Context) -> RuleFindings:
        """Return the rules' findings before the learned model's opinion, to measure what the model adds."""
        from gaia_understanding.cascade.judging import finding

        return last(finding(prepared, context, self.trusted_servers))[0]
