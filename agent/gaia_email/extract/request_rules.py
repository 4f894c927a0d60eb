"""What asking somebody for something looks like: the English table.

Read by `requests`; other languages are in `request_rules_intl`. The first rule that matches decides, so exceptions
stand before what they are exceptions to. Strengths were set by hand and checked on one half of the Parakweet set,
then measured on the other.
"""

from __future__ import annotations

from gaia_email.extract.request_rule import Rule, anywhere, opening, unmarked
from gaia_email.extract.wordlists import alternatives

_VERB_PHRASES = (
    "send resend call forward review confirm check reply respond email e-mail mail fax print "
    "schedule reschedule "
    "book update fix add remove delete approve sign submit complete fill provide bring pick_up "
    "pick_a pick_one "
    "ask tell remind let_me let_us let_him let_her let_them give_me give_us give_him give_her "
    "give_them get_back "
    "get_me get_us get_in get_with get_this get_a get_the_attached get_some get_him get_her "
    "get_them make_sure "
    "make_the make_any make_a make_an make_these ensure look_into look_at look_over look_for take_a_look "
    "take_a_moment take_care take_the take_this take_out find_out find_a find_the figure_out "
    "talk_to talk_with "
    "speak_to speak_with meet_me meet_us meet_with join_us join_me join_the come_by come_over "
    "come_to come_and come_with come_down come_here have_a_look have_a_read look_them look_it lend "
    "keep_me keep_us keep_in keep_an_eye keep_your keep_this put_the put_this put_together "
    "put_me put_it put_your ship_it ship_the "
    "set_up arrange prepare draft write read_the read_this read_and verify advise contact return "
    "rsvp register "
    "upload share attach include move cancel change_the change_your use_the use_this try_to "
    "go_ahead hold_off "
    "hold_on wait_for wait_until stop_by order_the pay_the pay_this ring text_me ping drop_me "
    "drop_by drop_us "
    "drop_off phone invite remember don't_forget do_not_forget consider see_if see_me see_attached see_the "
    "see_below see_whether coordinate proceed run_this run_the follow_up clean_up think_about "
    "work_with discuss "
    "notify inform reset renew activate answer assign clarify comment_on compare correct describe distribute "
    "edit explain identify implement inspect install investigate list make_yourself merge nominate note_the "
    "open_the order pass_on pass_along post_the pull_together push replace report request_a resolve select "
    "save_the_date scan specify start stop suggest sync test touch_base transfer turn_in "
    "turn_off turn_on vote "
    "watch_for watch_out withdraw plan_to plan_on be_sure be_prepared be_ready be_there don't do_not never "
    "show_me show_up help_me help_us hurry leave_me leave_the listen mark_your mark_the say_hello say_hi "
    "sort_out swing_by vet allow_me double_check double-check doublecheck collect deploy finish finalize "
    "finalise migrate rotate upgrade_the"
)
_VERBS = alternatives(_VERB_PHRASES)
_VERB_FIRSTS = " ".join(phrase.partition("_")[0] for phrase in _VERB_PHRASES.split())
_CLAUSE_FIRSTS = (
    "if when whenever once before after to in as should unless until while since because for on "
    "given with at by "
    "assuming otherwise this next first second then also"
)
_AFTER_A_CLAUSE = (
    r"(?:if|when|whenever|once|before|after|to|in order to|as soon as|should you|unless|until|while|since"
    r"|because|for|on|as|given|with|at|in|by|assuming|otherwise|this time|next time|first|second|then|also)"
    r"\b[^.!?]{2,140}?(?:,|;| -) ?(?:then |just |simply |go ahead and )?(?:"
)
AFTER_CLAUSE = (
    "visit",
    "click",
    "use",
    "see",
    "go to",
    "look",
    "take",
    "give",
    "get",
    "make",
    "come",
    "put",
    "try",
    "reset",
)
"""Verbs that ask when they follow a clause, beyond those that ask at the beginning of a sentence."""
_MAYBE = r"(?: really| very much| certainly| greatly)?"
_DONE = (
    "submitted|completed|returned|signed|approved|done|paid|filed|finished|reviewed|sent|updated|renewed"
    "|received|confirmed|resolved|addressed"
)

_WHICH = "the|your|my|our|this|that|these|those|there|any|anyone|anybody|everyone|everybody|somebody|someone"

# In rules for any place an alternative that begins with a plain letter is passed over most quickly.
_WORRY = r"(?:worry|fret|panic|bother)\b(?![^.!]*\bplease\b)"
_BELIEVE = r"(?: you)?(?: not)? believe (?:it|that|this|what|how)\b"
_WITHOUT_US = r"(?: \w+){0,3} without (?:me|us)\b"

ENGLISH: tuple[Rule, ...] = (
    opening(
        "directive",
        0.85,
        r"(?:please |kindly )?(?:confirm|acknowledge) (?:receipt|that you (?:have )?(?:got|received))\b",
        firsts="please kindly confirm acknowledge",
    ),
    opening(
        "directive",
        0.85,
        r"(?:i|we) (?:want|demand|expect|request|require|insist on) (?:a|an|my|our|the|to be)\b[^.!?]{0,40}?"
        r"\b(?:refund\w*|replacement|money back|explanation|reply|response|answer|apology|credited|reimburse\w*)\b",
        r"any (?:help|advice|guidance|pointers|suggestions|feedback|tips) (?:would|will|is|on this)\b[^?]{0,30}"
        r"\b(?:great\w*|appreciated|welcome|helpful|wonderful)\b",
        firsts="i we any",
    ),
    opening(
        "question",
        0.8,
        r"why (?:was|were|is|are|did|does|do|has|have|am|can't|hasn't|haven't|isn't|wasn't|didn't|doesn't) "
        r"(?:i|we|my|our|it|the|this|that|he|she|they|there)\b[^.!]*\?",
        firsts="why",
    ),
    anywhere(
        "courtesy",
        0.1,
        "no_ not_ n't_ nothing directly how_ hope who_knows guess_what right? you_know thank thanks worry fret "
        "needn't congratulating welcoming believe you_even who_would who_knew who_could you_say who_cares "
        "what_else_is what_could without",
        r"no (?:further )?(?:action|response|reply|answer)\b(?: (?:is |are )?(?:needed|required"
        r"|necessary|expected))?",
        r"no need to (?:reply|respond|do|worry|answer|act)\b",
        r"do(?: not|n't) (?:need to|have to) (?:do|reply|respond|answer|take)\b",
        r"nothing (?:is )?(?:needed|required|to do)\b|nothing (?:more |else |further )?(?:that )?you (?:need"
        r"|have) to\b",
        rf"do(?: not|n't) {_WORRY}|needn't {_WORRY}|no need to {_WORRY}",
        r"join (?:me|us) in (?:congratulating|welcoming|wishing|thanking)\b",
        r"do(?: not|n't) reply (?:directly )?(?:to )?(?:this|$)",
        r"do not reply\b|reply to this e-?mail directly",
        r"how are (?:you|things)\b(?! (?:going to|getting|planning|coming|doing with))",
        r"how(?:'s| is) it going|how have you been|how was your\b",
        r"hope (?:you|all|this|everything|things)\b[^?]*$",
        r"who knows\?|guess what\?|why not\?$|right\?$|you know\?$",
        r"who (?:would|could) have (?:thought|guessed|known|imagined)\b|who would've\b|who knew\b|who cares\b",
        rf"c(?:an|ould){_BELIEVE}|w(?:ould|on't|ill not|ill|ould not|ouldn't){_BELIEVE}",
        r"what (?:do|can|could|would) you (?:even )?(?:say|do|expect)(?: to (?:that|this))?\?$|how can you even\b",
        r"what else is new\b|what could (?:possibly )?go wrong\b",
        rf"go ahead{_WITHOUT_US}|start{_WITHOUT_US}|begin{_WITHOUT_US}|carry on{_WITHOUT_US}",
        r"isn't (?:it|that)[^?]{0,40}\?",
        r"thanks? (?:you )?(?:for|so much|again|kindly)\b[^?]{0,60}$",
    ),
    anywhere(
        "promotion",
        0.15,
        "unsubscribe opt opting receive receiving browser sender senders contacts address "
        "addressbook privacy_policy rights_reserved no_longer turn_off turn_this turn_these turn_them add rate leave "
        "notification activate_your verify_your",
        r"unsubscribe\b|opt[- ]out\b|stop receiving\b|(?:wish|want|like|prefer) (?:not )?to receive\b",
        r"(?:not|rather not|no longer) (?:want |wish )?(?:to )?receive\b|no longer want\b",
        r"view (?:it |this )?(?:email |message )?(?:in|on) (?:your |a |the )?(?:web )?browser",
        r"safe senders?\b|address ?book\b|privacy policy\b|all rights reserved\b|to your contacts\b",
        r"turn (?:this|these|them) off|turn off these|add (?:us|\S{1,60}@\S{1,60}) to|rate (?:us|it)\b",
        r"leave us a\b|notification settings|to (?:activate|verify) your (?:subscription|e-?mail)",
    ),
    opening(
        "promotion",
        0.25,
        r"(?:please )?(?:click|tap) (?:on )?(?:here|above|below|the (?:link|button))",
        r"(?:act (?:now|fast)|shop|buy now|order now|save (?:up|big|now|\d|\$)|earn|claim your|don't miss)\b",
        r"get (?:free|up to|your free|\d|\$|started)",
        r"(?:sign up|subscribe|upgrade (?:now|today)|try (?:it )?(?:free|now|for free)|learn more"
        r"|find out more)\b",
        r"(?:read more|see (?:more|who|all)|start your|enjoy|discover|explore|download (?:now|the app|our))\b",
        r"check (?:it|them|us|this) out|(?:follow|like) us|join (?:now|free|today)|play now|go here",
        r"visit (?:our|us|www|http)|connect with|contact me now|register (?:now|today)",
        firsts="please click tap act shop buy order save earn claim don't get sign subscribe upgrade "
        "try learn find read "
        "see start enjoy discover explore download check follow like join play go visit connect "
        "contact register",
    ),
    anywhere(
        "courtesy",
        0.3,
        "question questions queries concerns concern problem problems issues issue trouble need_help "
        "any_help further_help more_help assistance feel_free hesitate there_s there_is can_be else_i else_we",
        r"(?:any|further|other|additional|more|some) (?:questions?|queries|concerns|problems?"
        r"|issues|trouble)\b"
        r"(?![^.!]*\?)",
        r"(?:have|got) (?:a )?questions?\b[^?]*\b(?:call|contact|let|ask|email)\b",
        r"need(?: any| further| more)? (?:help|assistance)\b[^?]*\b(?:contact|call|let|reach|ask)\b",
        r"feel free\b|don't hesitate\b|do not hesitate\b|if (?:i|we) can be of\b|anything else (?:i|we) can\b",
        r"if there(?:'s| is) anything\b",
    ),
    anywhere(
        "courtesy",
        0.35,
        "keep retain print share did_this anything_else something_is if_in_doubt squeeze let_me_tell let_me_mention "
        "give_me_until tell_your give_my hug love_to suspicious treat nothing_i nothing_we "
        "anything something_wrong need_something is_something have_something 's_something 've_something",
        r"(?:keep|retain|print|save) (?:this|the) (?:e-?mail|mail|message|receipt|confirmation|letter|notice"
        r"|document)\b",
        r"please (?:keep|retain)(?: this)?\W*$|bring this (?:e-?mail|mail|message)\b",
        r"(?:do not|don't|never) share (?:it|this|your|that)\b|did this help\?|report suspicious\b"
        r"|treat (?:it|this) as confidential|nothing (?:i|we)(?:'d|'ll)? (?:need|want)\b|something wrong with this\b",
        r"let (?:me|us) (?:tell you|mention|explain|start|begin|say|assure)\b|give me until\b",
        r"if in doubt,|(?:let (?:me|us) know|tell us|call us|contact us) if (?:you need|there is|there's|i've|i have) "
        r"(?:anything|something|misheard)\b",
        r"give (?:him|her|them|your \w+|my \w+) (?:a |my )?(?:squeeze|hug|kiss|love|regards|best)\b",
    ),
    anywhere(
        "directive",
        0.95,
        "let_ lemme",
        r"(?=le)(?<!i'll )(?<!i will )(?<!we'll )(?<!we will )(?<!him )(?<!her )(?<!and )(?:let|lemme) "
        r"?(?!you )(?:me|us|him|her|them|everyone|\w{1,20}) know\b",
    ),
    anywhere(
        "courtesy",
        0.35,
        "please",
        r"please (?:see|find) (?:the |my |our |your )?(?:\w+ ){0,2}(?:attached|enclosed|below)\W*$"
        r"|please update your (?:records|address book|contacts|address list)\b"
        r"|please (?:note|be (?:aware|advised|informed|assured)|rest assured|find (?:attached|enclosed|below)"
        r"|accept|enjoy|excuse|forgive"
        r"|disregard|ignore|bear with)\b(?![^.]*\bplease\b)",
    ),
    anywhere(
        "promotion",
        0.45,
        "please",
        r"please (?:click|tap|visit|go to|follow (?:the|these|this)|use the (?:link|button))\b",
    ),
    opening(
        "courtesy",
        0.35,
        r"(?:attached|enclosed|herewith|below)[, ]+(?:please|kindly) find\b(?![^.]*\bplease\b[^.]*\bplease\b)",
        firsts="attached enclosed herewith below",
    ),
    anywhere(
        "directive",
        0.92,
        "please pls plz kindly",
        r"(?<!to )(?:please|pls|plz|kindly)\b(?! (?:every|your)\b)",
    ),
    anywhere(
        "directive",
        0.92,
        "can_ could_ would_you would_u will_you will_u would_some would_any will_some won't_you "
        "can't_you might_i "
        "might_you may_i may_we couldn't_you would_it",
        r"(?=[cwm])(?<![a-z] )(?<![a-z])(?:can|could|would|will|won't|can't|couldn't|might|may) "
        r"(?:you|u|ya|y'all|one of you|someone|somebody|anyone|we|i|the two of you)\b(?! "
        r"(?:believe|imagine)\b)",
        r"(?:and|so|but|or|then|if so|if not|possible) (?:can|could|would|will|won't) (?:you|u"
        r"|someone|we|i)\b",
    ),
    anywhere(
        "directive",
        0.9,
        "can_you could_you would_you will_you can_u could_u",
        r"(?:can|could|would|will) (?:you|u|one of you) [^.!]*\?",
    ),
    anywhere(
        "directive",
        0.85,
        "would_you do_you 'd_you would_u",
        r"(?:would|do|'d) (?:you|u) (?:mind|be (?:willing|able|interested|available|so kind|up for|ok|okay)"
        r"|like|care|prefer|want|consider)\b",
    ),
    anywhere(
        "directive",
        0.82,
        "appreciate grateful appreciated it_would_be why_don how_about what_about wondering "
        "curious wanted_to i'd_like we'd_like "
        "would_like i_need we_need i_want we_want need_you want_you i_ask we_ask i_expect "
        "we_expect give_me give_us give_him give_her drop_me drop_us "
        "shoot_me shoot_us get_back any_idea* any_suggestion* any_thought* any_luck any_news "
        "any_update* any_word any_chance any_comment* any_input any_help any_feedback require "
        "await look_forward could_use i_really we_really like_you like_all",
        rf"(?:i|we)(?:'d| would| should)?{_MAYBE} (?:appreciate|be grateful)\b",
        r"it would be (?:\w{1,12} )?(?:great|helpful|nice|good|useful|best|appreciated|wonderful|fantastic)\b"
        r"(?: \w{1,12})? (?:if|to)\b",
        r"(?:is|would be|are) (?:much |greatly |very much |most )?appreciated|why don't (?:you|we)\b",
        r"(?:how|what) about\b",
        r"(?:i|we)(?: was| were| am| are|'m|'re)? (?:just )?(?:wondering|curious) (?:if|whether"
        r"|what|when|how)\b",
        r"(?:i|we) (?:just )?wanted to (?:know|ask|see|check|find out)\b",
        r"(?:i|we) (?:would like|'d like|want|need|ask|expect) (?:all of |each of |both of )?"
        r"(?:you|everyone|everybody|your)\b(?! to (?:know|have|join|be aware))",
        r"(?:i|we)'d like (?:you|everyone|your)\b|(?:need|want) (?:you|your)\b",
        r"(?:give|drop|shoot) (?:me|us|him|her) (?:a |an )?(?:call|ring|shout|note|line|e-?mail|buzz)\b",
        r"get back (?:to|with) (?:me|us)\b",
        r"any (?:ideas?|suggestions?|thoughts?|luck|news|updates?|word|chance|comments?|input"
        r"|help|feedback)\b"
        r"[^.!]*\?",
        r"(?:i|we) (?:really )?(?:need|could use|require|would like|look forward to|await)(?: \w{1,12})? "
        r"(?:your|an answer|a response|a reply|feedback|input|confirmation|approval)\b",
    ),
    anywhere(
        "need",
        0.72,
        "must need_to needs_to have_to has_to ought_to should required_to requested_to asked_to you_better",
        r"you(?: \w{1,12})? (?:must|need to|needs to|have to|ought to|are required to|are "
        r"(?:requested|asked) to"
        r"|will (?:need|have) to|'ll (?:need|have) to|better|should(?! (?:see|have|receive|now|already)))\b",
        rf"(?:need|needs|must|have|has) to be (?:{_DONE})\b|must be (?:{_DONE})\b",
        r"(?:we|i) need to (?:get|make|have|talk|discuss|meet|know|decide|set|reach|schedule|find"
        r"|hear|see|sit"
        r"|review)\b",
    ),
    anywhere(
        "need",
        0.72,
        "required requested needed asked_to urged_to encouraged_to expected_to is_imperative is_important "
        "is_essential is_critical is_vital suggest recommend propose i_ask we_ask i_request we_request i_urge "
        "insist remember_to forget make_sure be_sure make_certain be_certain",
        r"(?:action|response|reply|rsvp|your (?:approval|signature|response|review|confirmation|input))"
        r" (?:is )?(?:required|needed|requested)\b",
        r"(?:are|is) (?:required|requested|asked|urged|encouraged|expected) to\b",
        r"it is (?:imperative|important|essential|critical|vital) (?:that|to)\b",
        r"(?:i|we) (?:suggest|recommend|propose|ask|request|urge|insist)(?: that)? (?:you|we|to|that|all)\b",
        r"remember to\b|don't forget\b|do not forget\b",
        r"(?<!to )(?<!will )(?<!'ll )(?:be|make) (?:sure|certain) (?:to|that|you|and)\b",
    ),
    anywhere(
        "need",
        0.7,
        "from_you",
        r"(?:missing|outstanding|needed|required|wanted|want|need|needs|wants|expecting|hoping for|answer"
        r"|reply|yes or no)"
        r" [^.!?]{0,40}\bfrom you\b(?! (?:soon|again)\W*$)",
    ),
    anywhere(
        "need",
        0.7,
        "waiting_for_you waiting_on_you waiting_for_your waiting_on_your wait_for_your depends_on_you blocked "
        "stuck on_hold "
        "can't cannot until_you once_you without_your unless_you if_you soon_as_you your_call yours_to your_decision "
        "say_the_word just_say you_decide as_you_like only_you the_only has_to_come have_to_come needs_to_come "
        "need_to_come "
        "yes_or_no hear heard no_word no_reply no_answer no_news do_u",
        r"(?:waiting|wait) (?:for|on) (?:you|your)\b(?! (?:at|in|to arrive))|(?:depends|hangs) on you\b",
        r"(?:blocked|stuck|on hold|can't|cannot|can not) [^.!?]{0,60}\b(?:until|unless|without|before) (?:you|your)\b",
        r"(?:once|as soon as|until|after) you(?:'ve| have)? (?:sign|signed|approve|approved|confirm|confirmed"
        r"|agree|agreed"
        r"|decide|decided|tell|told|said|say|send|sent|reply|replied|answer|answered)\b",
        r"(?:it's |it is |that's )?(?:your call|up to you|as you like|you decide|yours to decide"
        r"|your decision)\W*(?:$|[.,;])",
        r"say the word\b|just say (?:if|whether|when|which|yes|so)\b|yes or no (?:from|to|by|please)\b",
        r"only you (?:can|have|know|could)\b|you(?:'re| are) the only (?:one|person)\b",
        r"(?:has|have|needs|need) to come from you\b",
        r"(?:haven't|have not|hadn't|not) (?:yet )?hear[d]? (?:back |anything )?from you\b|no (?:word|reply"
        r"|answer|news)"
        r" (?:yet )?from you\b|(?:if|unless) i (?:don't )?hear from you\b",
        r"if you (?:tell|told|give|gave|send|sent|let|sign|approve|come|pay|could|can|would) [^.!?]{3,120}\b(?:i|we|it|"
        r"they|you) (?:can|could|will|'ll|would|have|need)\b",
        r"do u\b",
    ),
    anywhere(
        "need",
        0.65,
        "requires_your awaiting awaits needs want wants need lacks",
        r"(?:needs?|wants?|requires?|awaits?|awaiting|lacks?) (?:\w+ ){0,2}your\b(?! (?:attention, )?help us)",
        r"(?:i|we|they|he|she)(?:'d| would| will|'ll)?(?: \w+)? (?:still |only |just |urgently )?need "
        r"(?:the|this|that|these|an|a|two|one|both|read|write|access)\b(?! (?:bit|little|few (?:days|weeks)"
        r"|day|week|break"
        r"|moment|minute|while|lot|new|month))",
        r"what (?:i|we) (?:still )?(?:don't have|do not have|need|'m missing) (?:is|are)\b",
    ),
    anywhere(
        "need",
        0.65,
        "missing lacking short_of outstanding empty only_one the_only received",
        r"(?:i'm|i am|we're|we are)(?: still| only)? (?:missing|lacking|short of)\b",
        r"(?:your|yours)\b[^.!?]{0,60}\b(?:is|are|'s) (?:still )?(?:missing|outstanding|empty"
        r"|(?:the only )?(?:one|ones) "
        r"(?:that )?(?:i|we) (?:don't|do not|still)|the only)\b",
        r"(?:only|still|one) (?:\w+ ){0,3}(?:i|we) (?:don't|do not|haven't|have not) (?:have|got|received)\b",
    ),
    anywhere(
        "need",
        0.65,
        "suffice sufficient suffices enough is_fine like_to_know like_to_hear like_to_learn wants_to_know "
        "want_to_know asks_you ask_you asking_you like_it like_them like_this like_the like_your",
        r"(?:short|brief|quick|simple|written|one-line|rough)? ?(?:answer|reply|line|lines|word|note|statement|"
        r"confirmation|figure|number|e-?mail|message|yes|ok)\b[^.!?]{0,60}\b(?:would suffice|is sufficient|is enough|"
        r"are enough|will do|would do|would help|is fine|would be enough|suffices)\b",
        r"(?:would|\w{1,8}'d) like to (?:know|hear|learn) "
        r"(?:[^.!?]{0,40})\b(?:whether|if|what|which|when|how|from you)\b|wants? to know (?:whether|if|what"
        r"|which|when)\b",
        r"(?:asks?|must ask|have to ask|asking) you (?:to|for|whether|if)\b",
        r"(?:i'd|i would|we'd|we would) like (?:it|them|this|the \w+|your \w+)\b[^.!?]{0,40}\b(?:by|before|back|in)\b",
    ),
    anywhere(
        "need",
        0.65,
        "must have_to has_to need_to needs_to queue inbox in-tray payable",
        r"(?:employees?|members?|staff|users?|participants?|students?|managers?|parents?|everyone|everybody|colleagues?|"
        r"all|applicants?|drivers?|applications?|claims?|files?|forms?|nominations?|requests?|proposals?)"
        r" (?:must|have to|has to|need to|needs to|are to|is to)\b",
        r"(?:every|each) (?:\w+ ){1,2}(?:must|has to|needs to)\b",
        r"(?:must|has to|have to|need to|needs to) (?:be (?:in|with|at|on|uploaded|handed|transferred|settled"
        r"|lodged)|reach)"
        r"\b",
        r"(?:is|are|waiting) (?:waiting )?in your (?:\w+ )?(?:queue|inbox|list|in-tray)\b|payable (?:by|within"
        r"|until|on)\b",
    ),
    opening(
        "directive",
        0.75,
        r"(?:where|how far|how) (?:are|do|did) (?:we|you|things) (?:\w+ )?(?:on|with|stand)\b",
        r"did (?:you|u|we) (?:\w+,? ?){1,9}$|where (?:is|are) (?:you|we|it|the|my)\b(?: \w+){0,7}$",
        firsts="where how did",
    ),
    opening("directive", 0.75, r"(?:let's|lets|let us|shall we)\b", firsts="let's lets let shall"),
    opening(
        "need",
        0.65,
        r"(?:a|an|one|even a|just a|only a) (?:short |quick |rough |brief |simple |written )?(?:figure|number"
        r"|answer|word|line"
        r"|yes|ok|confirmation|reply|photo|copy|scan|signature|decision|statement)\b[^.!?]{0,40}\b(?:by|before|until|today"
        r"|asap|from you|would|will)\b",
        firsts="a an one even just only",
    ),
    opening(
        "directive",
        0.75,
        r"(?:"
        + _VERBS
        + r")\b(?! (?:of|from|was|is|are|were|has|had|volume|by the|finished|completed|planned"
        r"|scheduled|failed|passed|number|status|confirmed|date|time)\b| \d[\d-]{3})",
        firsts=_VERB_FIRSTS,
    ),
    opening(
        "directive",
        0.7,
        _AFTER_A_CLAUSE + _VERBS + r"|" + "|".join(AFTER_CLAUSE) + r")\b",
        firsts=_CLAUSE_FIRSTS,
    ),
    anywhere(
        "directive",
        0.65,
        "let's lets call_me mail_me send_me send_us give_me give_us drop_me",
        r"(?:let's|lets|call me|e-?mail me|send (?:me|us)|give (?:me|us)|drop me)\b",
    ),
    anywhere(
        "need",
        0.75,
        "grateful obliged thankful value welcome glad_to happy_to pleased_to interested_to love_your love_to have_your "
        "look_forward_to looking_forward_to hoping_you hoped_you hoping_that_you return_it return_them send_it "
        "send_them",
        r"(?:grateful|obliged|thankful) (?:if|for (?:your|a|any) (?:quick |short |brief )?(?:text|answer|reply|response"
        r"|comments?|views?|thoughts|confirmation|advice|feedback|input|decision|approval|figures|signature|ok|word"
        r"|line|note))\b",
        r"(?:i|we)(?:'d| would) (?:very much |really |greatly )?(?:value|welcome|like to have|like) (?:to (?:have"
        r"|hear) )?(?:your|hearing your|having your)\b|i'd love (?:to have |to hear )?your\b",
        r"(?:would|should|'d) (?:also )?be (?:very )?(?:glad|happy|pleased|interested) to (?:learn|hear|know|have"
        r"|get)(?: \w+){0,3} (?:your|from you|whether|if|what|which|when|how)\b",
        r"look(?:ing)? forward to (?:hearing|learning|knowing|having|receiving|getting) (?:which|whether|what|when|if"
        r"|how|your)\b",
        r"(?:hoping|hoped) (?:that )?you (?:might|could|can"
        r"|would (?:be able|be willing|send|help|take|join|agree|consider|let|give|look|speak))\b",
        r"let (?:me|us) have (?:your|the|a)\b|(?:return|send) (?:it|them) (?:back )?to (?:me|us)\b",
    ),
    unmarked(
        "question",
        0.6,
        r"(?:do|have) (?:you|we|they|u|any of you|either of you|y'all)",
        rf"(?:does|has) (?:he|she|it|{_WHICH})",
        r"did (?:you|u|we|i|he|she|they|it|your|anyone|anybody)",
        r"are (?:you|we|they|u|these|those|the|your|there|my|our)",
        rf"is (?:he|she|it|{_WHICH})",
        r"(?:can|could|will|would) (?:he|she|they|it|the|your|this|that)",
        r"(?:should|shall) (?:i|we|he|she|they)\b(?![^?]*,)|am i",
        r"(?:what|where|when|how)(?:'s| (?:do|does|did|are|is|was|can|will|would|should|shall|have|has)) "
        rf"(?:you|we|they|u|i|he|she|it|{_WHICH})",
        r"(?:what|which) (?:time|day|date|size|colou?r|ones?|address|number) (?:is|are|do|does|did|shall|should|will"
        r"|works|suits)",
        r"any (?:chance|news|word|updates?|luck|ideas?|thoughts|objections?) (?:of|on|from|if|whether|yet|about|how)",
        firsts="do have does has did are is can could will would should shall am what where when how which any",
    ),
    opening(
        "question",
        0.85,
        r"(?:do|did|are|have|were|has|is|was) (?:you|u|your|y'all|we|there|it|this|that|the|any|anyone|he|she"
        r"|they|anybody|everyone|everything)\b[^.!]*\?",
        firsts="do did are have were has is was",
    ),
    opening(
        "question",
        0.8,
        r"(?:what|when|where|which|who|whose|whom|how|did|does|is|are|was|should|shall|may|am|has)\b[^.!]*\?",
        firsts="what when where which who whose whom how did does is are was should shall may am has",
    ),
    opening(
        "question",
        0.45,
        r"(?:why|want|wanna|ready|looking for|tired of|need|got|ever|sound)\b[^.!]*\?",
        firsts="why want wanna ready looking tired need got ever sound",
    ),
    anywhere("question", 0.7, "?", r"(?:you|your|u|we|us)\b[^.!]*\?\W{0,5}$"),
    anywhere("question", 0.55, "?", r"\w[^?]*\?\W{0,5}$"),
)
