"""Names that phishing likes to borrow, and the domains their owners really send from. Read by `domains`.

One line a brand: name, its domains, and `~` where the name is also an ordinary word or family name, so that it
proves little by itself. A brand's national domains (`amazon.de`) need not be
listed. A name may have several lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

_TABLE = """
paypal: paypal.com paypal-communication.com paypalobjects.com
microsoft: microsoft.com microsoftonline.com office.com office365.com live.com outlook.com windows.com sharepoint.com
microsoft: microsoftemail.com onmicrosoft.com azure.com msn.com
outlook: outlook.com microsoft.com office.com live.com ~
office365: office365.com office.com microsoft.com
onedrive: onedrive.com live.com microsoft.com
sharepoint: sharepoint.com microsoft.com sharepointonline.com
google: google.com googlemail.com youtube.com gmail.com withgoogle.com googleapis.com
gmail: gmail.com google.com googlemail.com
youtube: youtube.com google.com
apple: apple.com icloud.com me.com ~
icloud: icloud.com apple.com me.com
itunes: itunes.com apple.com
amazon: amazon.com amazonses.com amazonaws.com primevideo.com audible.com ~
netflix: netflix.com
facebook: facebook.com facebookmail.com fb.com meta.com metamail.com
instagram: instagram.com mail.instagram.com facebookmail.com
whatsapp: whatsapp.com whatsapp.net
linkedin: linkedin.com
twitter: twitter.com x.com
tiktok: tiktok.com tiktokv.com bytedance.com
snapchat: snapchat.com
telegram: telegram.org ~
discord: discord.com discordapp.com ~
dropbox: dropbox.com dropboxmail.com
docusign: docusign.com docusign.net
adobe: adobe.com adobesign.com
zoom: zoom.us zoom.com ~
slack: slack.com slack-mail.com ~
github: github.com githubusercontent.com
gitlab: gitlab.com
atlassian: atlassian.com atlassian.net jira.com bitbucket.org
salesforce: salesforce.com
shopify: shopify.com
stripe: stripe.com ~
square: squareup.com square.com ~
intuit: intuit.com
quickbooks: quickbooks.com intuit.com
xero: xero.com
wise: wise.com transferwise.com ~
revolut: revolut.com
klarna: klarna.com klarna.de
venmo: venmo.com
cashapp: cash.app square.com
zelle: zellepay.com
coinbase: coinbase.com
binance: binance.com
kraken: kraken.com ~
metamask: metamask.io
blockchain: blockchain.com ~
ledger: ledger.com ~
trezor: trezor.io
chase: chase.com jpmorgan.com jpmchase.com ~
jpmorgan: jpmorgan.com chase.com jpmchase.com
wellsfargo: wellsfargo.com
bankofamerica: bankofamerica.com bofa.com
citibank: citibank.com citi.com
capitalone: capitalone.com
americanexpress: americanexpress.com aexp.com amex.com
mastercard: mastercard.com
usbank: usbank.com
barclays: barclays.com barclays.co.uk barclaycard.co.uk
hsbc: hsbc.com hsbc.co.uk
lloyds: lloydsbank.co.uk lloydsbank.com lloydsbanking.com ~
natwest: natwest.com
santander: santander.com santander.co.uk santander.es
halifax: halifax.co.uk ~
monzo: monzo.com
sparkasse: sparkasse.de
volksbank: volksbank.de vr.de
commerzbank: commerzbank.de commerzbank.com
deutschebank: deutsche-bank.de db.com
postbank: postbank.de
comdirect: comdirect.de
ingdiba: ing.de ing-diba.de ing.com
bnpparibas: bnpparibas.com bnpparibas.net bnpparibas.fr
creditagricole: credit-agricole.fr ca-paris.fr
societegenerale: societegenerale.fr socgen.com
boursorama: boursorama.fr boursorama.com boursobank.com
labanquepostale: labanquepostale.fr
ameli: ameli.fr assurance-maladie.fr
bbva: bbva.com bbva.es
caixabank: caixabank.com caixabank.es
bankinter: bankinter.com
unicredit: unicredit.it unicredit.eu unicreditgroup.eu
intesasanpaolo: intesasanpaolo.com
posteitaliane: poste.it posteitaliane.it
itau: itau.com.br
bradesco: bradesco.com.br
nubank: nubank.com.br
rabobank: rabobank.nl rabobank.com
abnamro: abnamro.nl abnamro.com
digid: digid.nl
mijnoverheid: mijn.overheid.nl overheid.nl
belastingdienst: belastingdienst.nl
postnl: postnl.nl postnl.com
postfinance: postfinance.ch
swisscom: swisscom.com swisscom.ch
ubs: ubs.com ~
dhl: dhl.com dhl.de dhl.co.uk dhl.fr deutschepost.de
fedex: fedex.com
ups: ups.com ~
usps: usps.com usps.gov
royalmail: royalmail.com royalmail.co.uk
hermes: myhermes.co.uk evri.com hermesworld.com ~
evri: evri.com
dpd: dpd.com dpd.co.uk dpd.de dpd.fr
chronopost: chronopost.fr
laposte: laposte.fr laposte.net
correos: correos.es correos.com
ebay: ebay.com ebay.de ebay.co.uk ebayinc.com
walmart: walmart.com
target: target.com ~
costco: costco.com
bestbuy: bestbuy.com
alibaba: alibaba.com alibaba-inc.com
aliexpress: aliexpress.com
etsy: etsy.com
zalando: zalando.com zalando.de
booking: booking.com ~
airbnb: airbnb.com
expedia: expedia.com
uber: uber.com ~
lyft: lyft.com
spotify: spotify.com
disneyplus: disneyplus.com disney.com
hulu: hulu.com
steam: steampowered.com steamcommunity.com valvesoftware.com ~
playstation: playstation.com sony.com
xbox: xbox.com microsoft.com
nintendo: nintendo.com nintendo.net
epicgames: epicgames.com
roblox: roblox.com
verizon: verizon.com verizonwireless.com
tmobile: t-mobile.com
vodafone: vodafone.com vodafone.de vodafone.co.uk vodafone.it
telekom: telekom.de telekom.com t-online.de
comcast: comcast.com comcast.net xfinity.com
xfinity: xfinity.com comcast.com
irs: irs.gov ~
hmrc: hmrc.gov.uk gov.uk
medicare: medicare.gov cms.gov
norton: norton.com nortonlifelock.com ~
mcafee: mcafee.com
lastpass: lastpass.com
bitwarden: bitwarden.com
onepassword: 1password.com agilebits.com
okta: okta.com
cloudflare: cloudflare.com
godaddy: godaddy.com
namecheap: namecheap.com
hostinger: hostinger.com
ionos: ionos.com ionos.de 1und1.de
strato: strato.de strato.com
ovhcloud: ovhcloud.com ovh.com ovh.net
mailchimp: mailchimp.com mandrillapp.com mailchimpapp.net
hubspot: hubspot.com
wetransfer: wetransfer.com
canva: canva.com
figma: figma.com
notion: notion.so notion.com makenotion.com ~
openai: openai.com chatgpt.com
fidelity: fidelity.com ~
vanguard: vanguard.com ~
schwab: schwab.com
robinhood: robinhood.com ~
ticketmaster: ticketmaster.com ticketmaster.co.uk
ryanair: ryanair.com
lufthansa: lufthansa.com miles-and-more.com
bahn: bahn.de deutschebahn.com ~
elster: elster.de ~
usaa: usaa.com
regions: regions.com ~
suntrust: suntrust.com truist.com
truist: truist.com
citizensbank: citizensbank.com
visa: visa.com ~
nationwide: nationwide.co.uk nationwide.com ~
tdbank: td.com tdbank.com
pnc: pnc.com ~
keybank: key.com keybank.com
navyfederal: navyfederal.org
huntington: huntington.com ~
wachovia: wachovia.com
washingtonmutual: wamu.com
wamu: wamu.com
fifththird: 53.com
egold: e-gold.com
westernunion: westernunion.com
moneygram: moneygram.com
skype: skype.com microsoft.com
yahoo: yahoo.com yahooinc.com yahoo-inc.com ~
aol: aol.com ~
standardbank: standardbank.co.za standardbank.com
absa: absa.co.za absa.africa ~
nedbank: nedbank.co.za
westpac: westpac.com.au
commbank: commbank.com.au cba.com.au
commonwealthbank: commbank.com.au cba.com.au
anz: anz.com anz.co.nz ~
nab: nab.com.au ~
scotiabank: scotiabank.com
cibc: cibc.com
desjardins: desjardins.com
interac: interac.ca
icici: icicibank.com
hdfc: hdfcbank.com hdfcbank.net
bancolombia: bancolombia.com.co bancolombia.com
mercadolibre: mercadolibre.com mercadolivre.com.br
mercadopago: mercadopago.com mercadopago.com.br
livelo: livelo.com.br
kbc: kbc.be kbc.com ~
belfius: belfius.be
bpost: bpost.be
raiffeisen: raiffeisen.ch raiffeisen.at raiffeisen.de rbinternational.com ~
nordea: nordea.com nordea.fi nordea.dk nordea.se
danskebank: danskebank.dk danskebank.com danskebank.co.uk
swedbank: swedbank.se swedbank.com
postnord: postnord.com postnord.se postnord.dk
bouyguestelecom: bouyguestelecom.fr
impots: impots.gouv.fr dgfip.finances.gouv.fr ~
agenciatributaria: agenciatributaria.gob.es correo.aeat.es
seguridadsocial: seg-social.es
bancoposta: poste.it posteitaliane.it
trustwallet: trustwallet.com
kucoin: kucoin.com
bybit: bybit.com
opensea: opensea.io
cpanel: cpanel.net cpanel.com
zimbra: zimbra.com synacor.com
efax: efax.com
ringcentral: ringcentral.com
geeksquad: geeksquad.com bestbuy.com
telstra: telstra.com telstra.com.au bigpond.com
optus: optus.com.au
canadapost: canadapost.ca canadapost-postescanada.ca
auspost: auspost.com.au
australiapost: auspost.com.au
correios: correios.com.br
aramex: aramex.com
dkb: dkb.de ~
targobank: targobank.de
n26: n26.com
mygov: my.gov.au mygov.gov.au
dvla: dvla.gov.uk gov.uk
internalrevenueservice: irs.gov
lloydsbank: lloydsbank.co.uk lloydsbank.com lloydsbanking.com
bankofscotland: bankofscotland.co.uk lloydsbanking.com
hmrevenue: hmrc.gov.uk gov.uk
ctt: ctt.pt ~
assurancemaladie: ameli.fr assurance-maladie.fr
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brand:
    """A brand: `common` when its name is an ordinary word, too."""

    name: str
    domains: frozenset[str]
    common: bool


@lru_cache(maxsize=1)
def brands() -> dict[str, Brand]:
    """Brand name (lower case, no spaces) → brand."""
    found: dict[str, Brand] = {}
    for line in _TABLE.strip().split("\n"):
        name, _, rest = line.partition(":")
        words = rest.split()
        domains = frozenset(word for word in words if word != "~")
        if name in found:
            domains |= found[name].domains
        found[name] = Brand(name=name, domains=domains, common="~" in words)
    return found


@lru_cache(maxsize=1)
def brand_domains() -> frozenset[str]:
    """Every real domain of every brand."""
    return frozenset(domain for brand in brands().values() for domain in brand.domains)
