"""Organisational domains and free-mail providers. Entry: `organisational_domain`, `is_free_mail`.

The full Public Suffix List is 300 kB; the multi-label suffixes under which organisations really register fit
into a short table. An unknown one costs precision (two organisations under it look like one), so sender-keyed
cohorts ask for more than this.
"""

from __future__ import annotations

from functools import lru_cache


def wordset(text: str) -> frozenset[str]:
    """The words of `text`, separated by white space."""
    return frozenset(text.split())


_SECOND_LEVEL = wordset(
    "ac co com edu gov gob gouv go gen ltd me mil net ne nhs nom or org plc police sch web"
)
_COUNTRIES = wordset(
    "ae af ag ar at au ba bd bh bn bo br bw by bz cn co cr cu cy do dz ec eg et fj fr gh gi gt hk hu id "
    "il im in iq ir jm jo jp ke kh kr kw lb lk ly ma mm mo mt mx my mz na ng ni np nz om pa pe pg ph pk "
    "pl pr ps pt py qa ro rs ru rw sa sb sg sv th tj tn tr tt tw tz ua ug uk uy uz ve vn ye yu za zm zw"
)
_SHARED_HOSTS = wordset(
    "github.io gitlab.io netlify.app vercel.app herokuapp.com web.app firebaseapp.com pages.dev "
    "workers.dev blogspot.com azurewebsites.net cloudfront.net amazonaws.com wordpress.com weebly.com "
    "wixsite.com myshopify.com onrender.com fly.dev glitch.me repl.co ngrok.io ngrok-free.app duckdns.org "
    "sharepoint.com onmicrosoft.com r2.dev substack.com beehiiv.com"
)
_FREE_MAIL = wordset(
    "gmail.com googlemail.com outlook.com outlook.de outlook.fr hotmail.com hotmail.co.uk hotmail.de "
    "hotmail.fr hotmail.es hotmail.it live.com live.co.uk live.nl live.fr msn.com yahoo.com yahoo.co.uk "
    "yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.co.jp yahoo.com.br yahoo.co.in ymail.com rocketmail.com "
    "aol.com icloud.com me.com mac.com gmx.de gmx.net gmx.com gmx.at gmx.ch web.de t-online.de freenet.de "
    "mail.com mail.ru inbox.ru bk.ru list.ru yandex.ru yandex.com rambler.ru proton.me protonmail.com "
    "protonmail.ch pm.me tutanota.com tuta.io tutamail.com fastmail.com fastmail.fm zoho.com hey.com "
    "posteo.de posteo.net mailbox.org orange.fr wanadoo.fr free.fr laposte.net sfr.fr bbox.fr libero.it "
    "virgilio.it tiscali.it alice.it tin.it uol.com.br bol.com.br terra.com.br ig.com.br sapo.pt "
    "telefonica.net ziggo.nl kpnmail.nl planet.nl xs4all.nl home.nl hetnet.nl upcmail.nl telenet.be "
    "skynet.be bluewin.ch seznam.cz wp.pl o2.pl onet.pl interia.pl qq.com 163.com 126.com sina.com "
    "naver.com daum.net hanmail.net comcast.net verizon.net att.net sbcglobal.net cox.net charter.net "
    "earthlink.net btinternet.com virginmedia.com sky.com talktalk.net rediffmail.com shaw.ca rogers.com "
    "sympatico.ca bigpond.com optusnet.com.au xtra.co.nz duck.com mailinator.com yahoo.ca yahoo.com.au yahoo.com.mx "
    "yahoo.com.ar hotmail.be hotmail.nl live.be live.de live.it outlook.es outlook.it outlook.com.br "
    "juno.com netzero.net netscape.net prodigy.net compuserve.com mindspring.com usa.net excite.com lycos.com "
    "bellsouth.net pacbell.net swbell.net ameritech.net snet.net roadrunner.com rr.com adelphia.net optonline.net "
    "windstream.net frontier.com frontiernet.net centurylink.net centurytel.net embarqmail.com q.com mchsi.com "
    "cableone.net suddenlink.net hushmail.com inbox.com videotron.ca bell.net telus.net cogeco.ca eastlink.ca "
    "btopenworld.com talk21.com ntlworld.com blueyonder.co.uk tiscali.co.uk virgin.net freeserve.co.uk lineone.net "
    "supanet.com plus.net madasafish.com onetel.com orange.net eircom.net arcor.de chello.at aon.at hispeed.ch "
    "neuf.fr club-internet.fr aliceadsl.fr cegetel.net noos.fr voila.fr numericable.fr ono.com terra.es ya.com "
    "wanadoo.es fastwebnet.it inwind.it iol.it email.it oi.com.br globo.com clix.pt netcabo.pt chello.nl casema.nl "
    "quicknet.nl zonnet.nl tele2.nl wxs.nl telia.com spray.se online.no mail.dk iinet.net.au westnet.com.au "
    "paradise.net.nz clear.net.nz mweb.co.za telkomsa.net"
)


@lru_cache(maxsize=4096)
def organisational_domain(host: str) -> str:
    """The domain an organisation registered, of a host name in any case: `mail.example.co.uk` → `example.co.uk`.

    A name that is itself a suffix, an address literal or empty comes back as it is (lower case).
    """
    labels = host.lower().strip(".").split(".")
    if len(labels) <= 2 or labels[-1].isdigit():
        return ".".join(labels)
    tail = ".".join(labels[-2:])
    multi = tail in _SHARED_HOSTS or (labels[-1] in _COUNTRIES and labels[-2] in _SECOND_LEVEL)
    return ".".join(labels[-3:] if multi else labels[-2:])


def is_free_mail(domain: str) -> bool:
    """Whether anybody can have an address at `domain`, so that it says nothing about an organisation."""
    return domain in _FREE_MAIL or organisational_domain(domain) in _FREE_MAIL


def domain_of(address: str) -> str:
    """The part after the last `@`, lower case; empty when there is none."""
    return address.rpartition("@")[2].lower().strip(".>") if "@" in address else ""
