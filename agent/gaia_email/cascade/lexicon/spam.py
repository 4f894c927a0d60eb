"""Words of unsolicited mail, by scheme. Read by `spam`, which holds the weights."""

from __future__ import annotations

from gaia_email.cascade.phrases import Table

SPAM: Table = {
    "spam_advance_fee": {
        "en": "confidential business proposal; strictly confidential; "
        "next of kin; late husband; late father; million dollars; million united states dollars; million usd; "
        "million pounds; beneficiary; foreign account; transfer of funds; transfer the sum; sum of us$; inheritance; "
        "strictest confidence; utmost confidence; business proposal; mutual benefit; "
        "diplomatic courier; fund transfer; unclaimed fund; deceased client; dear beneficiary; god bless you; "
        "barrister; central bank of; federal ministry; contract payment; i am the son of; i am the wife of; "
        "widow of; president of; foreign partner; risk free transaction; you have won; lottery; lucky winner; "
        "compensation fund; humanitarian; western union; consignment; over-invoiced; nigeria; lagos; sierra leone",
        "de": "millionen dollar; millionen euro; erbschaft; begünstigter; lotteriegewinn; sie haben gewonnen",
        "fr": "millions de dollars; millions d'euros; héritage; bénéficiaire; vous avez gagné; loterie",
        "es": "millones de dólares; millones de euros; herencia; beneficiario; ha ganado; lotería",
        "it": "milioni di dollari; milioni di euro; eredità; beneficiario; hai vinto; lotteria",
        "pt": "milhões de dólares; milhões de euros; herança; beneficiário; você ganhou; loteria",
        "nl": "miljoen dollar; miljoen euro; erfenis; begunstigde; u heeft gewonnen; loterij",
    },
    "spam_pills": {
        "any": "viagra; cialis; levitra; phentermine; xanax; valium; vicodin; xenical; propecia; hgh; "
        "human growth hormone; weight loss; lose weight; diet pills; online pharmacy; no prescription; "
        "prescription drugs; penis; enlargement; erection; erectile; sexual; libido; fat burning; burn fat; "
        "anti-aging; anti aging; herbal; miracle cure; lose up to; pounds in; cbd gummies; keto; testosterone; "
        "male enhancement; impotence; hair loss; wrinkles; cellulite; natural remedy",
    },
    "spam_adult": {
        "any": "xxx; porn; porno; pornographic; hot girls; teen sex; hardcore; nude; naked girls; adult site; "
        "adult supersite; free sex; sexy; horny; sluts; pussy; webcam girls; live cams; over 18; 18 years or older; "
        "adult dating; hot singles; singles in your area; lesbians; paysite; escort; babes; fuck; "
        "lonely housewives; meet women; dating service",
    },
    "spam_money": {
        "any": "make money; earn money; extra income; work from home; work at home; home based business; "
        "home-based business; financial freedom; get rich; be your own boss; millionaire; earn $; earn up to $; "
        "$ per week; a week from home; part time income; easy money; unlimited income; residual income; "
        "multi-level; mlm; downline; pyramid; chain letter; passive income; bitcoin investment; "
        "guaranteed profit; guaranteed income; forex signals; double your; investment opportunity; "
        "business opportunity; stock alert; hot stock; penny stock; strong buy; undervalued; potential earnings; "
        "cash bonus; fast cash; instant cash; money making; quit your job; start earning; "
        "six figure; legal notice to investors; forward-looking statements; "
        "multi level marketing; network marketing; envelopes; government grants; free grant; reports to",
    },
    "spam_credit": {
        "any": "lowest rates; mortgage rates; mortgage; refinance; home loan; home equity; consolidate your; "
        "debt consolidation; debt free; get out of debt; bad credit; credit repair; credit card debt; "
        "pre-approved; preapproved; no credit check; life insurance; insurance quote; free quote; "
        "low interest; apply now; cash advance; payday loan; interest rates are; merchant account; "
        "accept credit cards; credit report; your credit; term life; extended warranty; lenders; "
        "judicial judgments; unsecured credit; bankruptcy; quick loan; loan offer; irs",
    },
    "spam_casino": {
        "any": "online casino; poker bonus; free chips; slots; sportsbook; betting; jackpot; roulette; "
        "gambling; free spins; you're a winner; you are a winner; claim your prize; sweepstakes; "
        "you have been selected; congratulations you; lucky draw; free vacation; vacation package; free cruise; "
        "free gift; gift card winner; free cell phone",
    },
    "spam_bulk_tools": {
        "any": "million email addresses; million emails; bulk email; bulk e-mail; email marketing; e-mail marketing; "
        "email addresses; targeted email; mailing list cd; opt-in list; opt-in email; search engine placement; "
        "search engines; search engine ranking; web traffic; website traffic; seo services; "
        "first page of google; rank your website; email leads; fresh leads; cable descrambler; descrambler; "
        "university diploma; diplomas; bachelors, masters; replica watches; rolex; cheap software; oem software; "
        "toner cartridges; ink cartridges; printer cartridges; satellite tv; free satellite; dvd copy; copy dvd; "
        "spy software; detective; background check; internet spy; norton systemworks; domain names for; "
        "hosting plan; your web site listed; cigarettes; burn dvd; advertise your; fax broadcasting; "
        "long distance; cents per minute; cents a minute; web design company; bulk mail; conference calls for",
    },
    "spam_hype": {
        "any": "100% free; absolutely free; totally free; completely free; free of charge; no obligation; no cost; "
        "risk free; risk-free; no risk; money back; money-back guarantee; satisfaction guaranteed; 100% guaranteed; "
        "guaranteed; act now; limited time; limited time offer; order now; order today; call now; call today; "
        "toll free; toll-free; amazing; incredible; once in a lifetime; as seen on; this is not spam; not spam; "
        "one time mailing; one-time mailing; will not be contacted again; no gimmicks; no strings attached; "
        "what are you waiting for; don't delay; full refund; while supplies last; special promotion; "
        "click here now; visit our website; free trial; free membership; free access; free info; "
        "lowest price; lowest prices; best price; bargain; for free; for only $; only $; all for only; buy now; "
        "click here; click below; free sample; instant access; sign up now; discover how; "
        "why pay; never pay; save up to; compare rates; you won't believe; revolutionary; breakthrough",
    },
    "spam_removal": {
        "any": "to be removed; be removed from; removed from this list; removed from our; remove in the subject; "
        "remove as the subject; remove yourself; remove me; "
        "you may remove; removal instructions; to remove your; for removal; remove your email; unsubscribe from this; "
        "you are receiving this email because you opted; opted in; opt-in; opt in; opt-out; opted-in; "
        "you received this email because you signed; section 301; s. 1618; bill 1618; "
        "this message is sent in compliance; this is a one time; wish to be removed; like to be removed; "
        "prefer not to receive; future mailings; subject line; excluded from; no longer wish to receive; "
        "take you off; list removal; third party; affiliate; partner sites; your email address was; unsolicited; "
        "to opt out; received this in error; if you do not wish; stop further",
    },
    "spam_removal_strong": {
        "any": "remove in the subject; remove as the subject; remove in subject; remove in the subject line; "
        "with remove; word remove; removal instructions; section 301; s. 1618; bill 1618; one time mailing; "
        "one-time mailing; to be removed; removed from all future; removed from future; removed from our; "
        "wish to be removed; like to be removed; prefer not to receive; future mailings; opted-in; opt-in; "
        "opted in; further transmissions; excluded from future; our mailing list; this email is sent in compliance; "
        "this is not spam; this is not a spam; not considered spam; unsolicited commercial; list removal; "
        "receive future offers; future offers; special offers from",
    },
    "spam_salutation": {
        "any": "dear friend; dear sir or madam; dear sir; dear sir/madam; dear madam; dear customer; dear beneficiary; "
        "hello friend; dear homeowner; dear home owner; dear internet user; dear valued customer; dear winner; "
        "attn:; attention:; dear candidate; dear business owner; dear webmaster; dear opportunity seeker; "
        "fellow entrepreneur; dear consumer; dear subscriber; dear member; dear computer user; "
        "my dear; dearest; good day",
    },
    "spam_crypto": {
        "any": "recorded you; your webcam; send bitcoin; bitcoin wallet; btc wallet; bitcoin address; "
        "i hacked; i have access to your; compromising video; pay the ransom; your darkest secret; "
        "pornographic websites; infected your; your contacts will; private key of; seed phrase giveaway; "
        "crypto giveaway; double your bitcoin; airdrop",
    },
    "spam_tagged": {"any": "adv:; adv; adult:; [adv]; [spam]; ***spam***; (ad)"},
}
