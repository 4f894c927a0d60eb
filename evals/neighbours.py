"""What a plain nearest neighbour makes of corrections, to compare with. Entry: `nearest`."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence

from gaia_email_evals.cases import LabelledMessage
from gaia_understanding.cascade.understand import decode
from gaia_understanding.cascade.verdict import BUCKETS, Bucket
from gaia_understanding.prepare.pipeline import prepare

Answering = Callable[[LabelledMessage], Bucket]
_WORDS = re.compile(r"\w\w+")


def nearest(corrected: Sequence[tuple[LabelledMessage, Bucket]]) -> Answering:
    """Gives each message the bucket of the corrected one that shares most of its words, the rarer the more.

    Cosine of log-scaled counts weighed by inverse document frequency. What shares no word with any gets the bucket
    that was said most often.
    """
    bags: list[tuple[Counter[str], Bucket]] = [(_words(case), bucket) for case, bucket in corrected]
    seen = Counter(word for bag, _ in bags for word in bag)
    rarity = {word: math.log((1 + len(bags)) / (1 + count)) + 1 for word, count in seen.items()}
    known: list[tuple[dict[str, float], Bucket]] = [(_unit(bag, rarity), bucket) for bag, bucket in bags]
    said: Counter[Bucket] = Counter([bucket for _, bucket in bags])
    commonest = max(BUCKETS, key=said.__getitem__)

    def answer(case: LabelledMessage) -> Bucket:
        asked = _unit(_words(case), rarity)
        shared = [_shared(asked, other) for other, _ in known]
        likest = max(shared)
        return known[shared.index(likest)][1] if likest > 0 else commonest

    return answer


def _words(case: LabelledMessage) -> Counter[str]:
    message = decode(case.raw)
    sender = message.sender.address if message.sender else ""
    text = f"{sender} {message.subject} {prepare(message).normalized}"
    return Counter(_WORDS.findall(text.lower()))


def _unit(bag: Counter[str], rarity: dict[str, float]) -> dict[str, float]:
    weighed = {word: (1 + math.log(count)) * rarity[word] for word, count in bag.items() if word in rarity}
    length = math.sqrt(math.fsum(value * value for value in weighed.values())) or 1.0
    return {word: value / length for word, value in weighed.items()}


def _shared(first: dict[str, float], second: dict[str, float]) -> float:
    return math.fsum(value * second.get(word, 0.0) for word, value in first.items())
