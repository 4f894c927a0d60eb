"""How a hidden guest orders the shape or content of a machine's answer. Read by `injection` only."""

from __future__ import annotations

import re
from functools import lru_cache

OUTPUT = r"(?:your|the) (?:\w+ )?(?:response|reply|answer|output|summary|message)(?:'s)?"

_WITHIN = r"(?:[^.?!\n]|[.?!](?=[^\s\"”']))"
"""Inside a sentence; the point of `example.com` does not end it."""

_MANIPULATION = (
    rf"(?:"
    rf"\b(?:convert|replace|substitute|scramble|jumble|anagram|misspell|rearrange|combine|remove|group|swap|encode|"
    rf"shuffle|reverse|translate|render|capitali[sz]e)\b[^.?!\n]{{1,80}}\b(?:in|of|from|with(?:in)?|using)?\s?{OUTPUT}"
    rf"|\b(?:render|provide|write|give|deliver|format|phrase|end|begin|start|answer)\b {OUTPUT} "
    rf"(?:using|with(?:out)?|in|as|by|with the)\b"
    rf"|\b(?:modify|enhance|augment|alter|change|adjust|extend|pad) {OUTPUT} (?:to|with|by)\b"
    rf"|\b(?:integrate|insert|introduce|embed|inject|incorporate|weave|append|sneak)\b{_WITHIN}{{1,160}}"
    rf"\b(?:in|into|to|within) {OUTPUT}"
    rf"|\badd\b [\"“'][^\n]{{1,160}}[\"”'][^.?!\n]{{0,40}} to {OUTPUT}"
    rf"|\b(?:add|include) (?:a|an) (?:sentence|line|statement|paragraph|phrase|compelling reason|remark)\b"
    rf"[^.?!\n]{{0,60}}\b(?:in|to) {OUTPUT}"
    rf"|^in your (?:response|reply|answer|output|summary), "
    rf"(?:suggest|tease|recommend|mention|promote|encourage|claim|say|insist|state|advertise|urge)\b"
    rf"|\b(?:substitute|replace)\b (?:the )?"
    rf"(?:letters|vowels|consonants|every (?:second|third|fourth|other) (?:letter|word))\b"
    rf"|\b(?:use|using) (?:\w+ ){{1,4}}(?:for|as) (?:\w+ ){{0,3}}(?:letters|vowels|words|keywords) in {OUTPUT}"
    rf"|\brandom typos in {OUTPUT}"
    rf")"
)

_TASK = (
    r"^(?:please )?(?:"
    r"(?:write|compose|develop|draft|create|generate|provide|give me|produce)\b (?:me )?(?:a|an|the)?\s?(?:\w+ ){0,3}"
    r"(?:poem|short story|story|haiku|song|speech"
    r"|essay|letter to|limerick|introduction for|example of how|joke|python|script that|code)"
    r"|explain (?:the|how|what)\b(?! (?:\w+ ){0,3}(?:you|your|our|we|us|this|attached)\b)"
    r"|describe the (?:life|process|concept|history|theory|water|structure|role)"
    r"|break down the plot"
    r"|translate (?:the following|this|'|\"|“)"
    r"|provide the (?:\w+ )?(?:equivalent|translation|word|definition|meaning)"
    r"|(?:what|who) (?:is|are|was|were|wrote|invented|discovered|painted) (?:the )?"
    r"(?:capital|(?:main )?causes?|primary|meaning|"
    r"difference|square root|play|novel|theory|population|\S+ in (?:english|french|german|spanish|japanese|russian))"
    r"|who (?:wrote|invented|discovered|painted|composed)\b"
    r"|what(?:'s| is) ['\"‘“][^'\"’”\n]{1,60}['\"’”] in [a-z]+"
    r"|how do you say ['\"‘“]"
    r"|how (?:do|does) (?:\w+ ){1,2}(?:work|function)\?"
    r"|how do i (?:solve|calculate|compute|prove|factor|integrate)\b"
    r"|can you show me (?:a|an|how) (?:\w+ ){0,3}(?:function|example|program|script|code)"
    r")"
)


@lru_cache(maxsize=1)
def manipulation() -> re.Pattern[str]:
    """Orders about letters, words and content of `your response`; searched for in a folded sentence."""
    return re.compile(_MANIPULATION)


@lru_cache(maxsize=1)
def task() -> re.Pattern[str]:
    """Homework for an assistant that a letter between people seldom holds; matched on a folded sentence."""
    return re.compile(_TASK)
