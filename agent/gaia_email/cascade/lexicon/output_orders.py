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
    rf"|\b(?:modify|enhance|augment|alter|change|adjust|extend|pad) {OUTPUT} (?:to|with|by|so)\b"
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
    rf"|^(?:please )?(?:encode|reverse|scramble|encrypt|obfuscate)\b[^.?!\n]{{0,40}}\b{OUTPUT}"
    rf"|\bevery (?:sentence|word|line) (?:of|in) {OUTPUT} (?:must|should|has to)\b"
    rf"|\b(?:use|using)\b[^.?!\n]{{1,50}}\b(?:in place of|instead of)\b[^.?!\n]{{1,30}}\b(?:in|for) {OUTPUT}"
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
    r"|(?:list|name|give me|suggest|recommend|outline) (?:me )?(?:a|an|the|some|two|three|four|five|six|seven|eight"
    r"|nine|ten|\d+)"
    r" (?:\w+ ){0,2}(?:causes|reasons|benefits|facts|examples|tips|ways|types|kinds|countries|cities|planets|books"
    r"|films"
    r"|movies|recipes?|ingredients|synonyms|advantages|symptoms|events|names for)\b(?! (?:you|we|why|for our|of our))"
    r"|summari[sz]e the (?:plot|novel|play|history|story|theory|book)\b|(?:calculate|compute) \d"
    r"|convert \d+(?:\.\d+)? (?:degrees|miles|kilomet|pounds|kilos|feet|inches|celsius|fahrenheit)"
    r"|solve (?:the|this|for) (?:equation|quadratic|integral|puzzle|x\b|riddle)|define (?:the )?(?:term|word|concept)\b"
    r"|compare and contrast\b|outline the (?:history|plot|steps in|process)"
    r"|tell me (?:a|another|some) (?:joke|story|riddle|fun fact|fairy ?tale|bedtime story)|set (?:a|an) (?:reminder"
    r"|timer|alarm)\b"
    r"|(?:find|search for|look up) (?:me )?(?:some |recent |the latest )?(?:articles|information|papers|studies|news"
    r"|research"
    r"|statistics)\b (?:on|about)|(?:determine|analy[sz]e|classify|identify) the (?:sentiment|emotion|tone|mood"
    r"|sales trends"
    r"|market trends|main themes?)\b|how many (?:\w+ ){1,3}(?:are|is|does) (?:there )?(?:in|on) (?:the (?:solar"
    r"|world|united|"
    r"universe|human|bible|earth)|a (?:year|mile|kilometer|dozen|leap|pound|gallon))"
    r"|what are (?:the|some) (?:\w+ )?(?:benefits|advantages|symptoms|side effects|types|stages|ingredients|rules"
    r"|effects|uses) of"
    r"|(?:give|provide) (?:me )?(?:a|an) (?:\w+ )?(?:overview|explanation|definition|history|recipe)\b"
    r"|can you (?:help me debug|explain (?:what|how|why)|recommend a (?:good )?(?:book|film|movie|novel|series|song))"
    r"|recommend (?:me )?(?:a|an|some) (?:good )?(?:\w+ ){0,2}(?:book|books|film|movie|movies|novel|series|song"
    r"|songs|podcast)"
    r"|play (?:some|a) (?:\w+ )?(?:music|song|game)|create (?:a|an) (?:\w+ )?(?:slogan|workout|meal plan|playlist"
    r"|logo|quiz)"
    r"|describe the water cycle|before (?:answering|responding|replying),? (?:visit|open|fetch|go to|send|call)"
    r"|from now on,? (?:answer|respond|speak|act|reply) (?:as|like|only)\b"
    r"|(?:respond|answer|reply|speak) (?:only )?(?:in|as|like|using) (?:a |an |the )?(?:pirate|pig latin|riddles?"
    r"|rhymes?"
    r"|emojis?|morse|binary|base64|klingon|latin|hexadecimal|uppercase|lowercase|capital letters|haikus?|rot13"
    r"|cipher)\b"
    r"|how do i (?:solve|calculate|compute|prove|factor|integrate)\b"
    r"|can you show me (?:a|an|how) (?:\w+ ){0,3}(?:function|example|program|script|code)"
    r")"
)


OF_ANSWER = re.compile(r"\byour (?:final |next |whole |entire )?(?:response|reply|answer|output|summary)\b")
"""What is ordered about; a person who writes it speaks of other things of the reader's, too."""

_ANSWER_ORDER = (
    r"^(?:please )?(?:also )?(?:mention|claim|promote|include|add|tell|ask|say|state|advertise|use|end|start|begin"
    r"|insert|assert"
    r"|suggest|recommend|write)\b"
)


@lru_cache(maxsize=1)
def answer_order() -> re.Pattern[str]:
    """The beginning of an order about what an answer is to say."""
    return re.compile(_ANSWER_ORDER)


@lru_cache(maxsize=1)
def manipulation() -> re.Pattern[str]:
    """Orders about letters, words and content of `your response`; searched for in a folded sentence."""
    return re.compile(_MANIPULATION)


@lru_cache(maxsize=1)
def task() -> re.Pattern[str]:
    """Homework for an assistant that a letter between people seldom holds; matched on a folded sentence."""
    return re.compile(_TASK)
