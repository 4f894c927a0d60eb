"""Mail as many kinds of people write it, without names, dates or links: what must not be misjudged."""

from __future__ import annotations

Mail = tuple[str, str, str]
"""Sender, subject and text."""

OFFERS: list[Mail] = [
    (
        "Velora Sneakers <hello@velora.example>",
        "Ends at midnight: 60% off everything",
        "Last call! Our biggest sale of the year ends TONIGHT at 11:59pm. Use code RUN60 at checkout. "
        "Shop now before your size is gone.",
    ),
    (
        "deals@gadgethut.example",
        "Only 3 hours left",
        "Your cart misses you. Complete your purchase within 3 hours and we throw in free shipping. Act now!",
    ),
    (
        "Marta from BrightCourses <marta@brightcourses.example>",
        "Your discount expires today",
        "Hi there,\n\nJust a quick reminder that your personal 40% discount on the Data Bootcamp expires "
        "today at 6pm. Reserve your seat now, there are only four places left.\n\nMarta",
    ),
    (
        "Skyline Travel <offers@skyline-travel.example>",
        "URGENT: flight prices go up tomorrow",
        "Prices for your favourite destinations rise tomorrow morning. Book today and save up to 200 EUR "
        "per person.",
    ),
    (
        "Premium Club <club@wine-cellar.example>",
        "FINAL NOTICE: your VIP upgrade is waiting",
        "Dear customer, this is the final notice. Claim your complimentary VIP upgrade before midnight or"
        " lose it forever.",
    ),
    (
        "sales@crmwizard.example",
        "Your free trial is about to end - upgrade now",
        "You've got 24 hours left on the special upgrade price. Upgrade today to lock in 50% off for "
        "life. Don't miss out.",
    ),
    (
        "Gym Nova <team@gymnova.example>",
        "Today only: join for 1 euro",
        "TODAY ONLY. No joining fee, first month 1 euro. Sign up before 8pm at the front desk or online.",
    ),
    (
        "Fashionista Weekly <news@fashionista.example>",
        "Hurry! Flash sale starts NOW",
        "48 hours of pure madness: up to 70% off dresses. Hurry, stocks are limited!",
    ),
    (
        "Cloudhoster <promo@cloudhoster.example>",
        "Action required: claim your $100 credit",
        "Action required! Your $100 credit is about to expire. Claim it by end of day by adding a paid "
        "server to your account.",
    ),
    (
        "Grand Casino <vip@grandcasino.example>",
        "Respond immediately: 500 free spins",
        "You must respond within 2 hours to get your 500 free spins. Immediate response needed!",
    ),
    (
        "info@solar-savings.example",
        "Government grant closes this Friday - last chance for homeowners",
        "Homeowners in your area qualify for free solar panels. The scheme closes this Friday. Reply YES "
        "now to secure yours.",
    ),
    (
        "Book Barn <barn@bookbarn.example>",
        "Don't miss out: 3 for 2 ends in 5 hours",
        "In five hours our 3 for 2 is over. Stock up for winter!",
    ),
    (
        "Nora at Leadfox <nora@leadfox.example>",
        "Last chance to book your slot, Alex",
        "I'm closing my calendar for this month tonight. There's one slot left for a free audit of your "
        "website. Shall I hold it for you until 5pm?",
    ),
    (
        "tickets@stadium.example",
        "Selling fast: only today presale",
        "Presale only today until 20:00. Secure your seats before everybody else.",
    ),
    (
        "Dr. Slim <care@drslim.example>",
        "You must see this before midnight",
        "Doctors hate it. Lose 10 kilos in 10 days. Offer disappears at midnight.",
    ),
    (
        "invest@gold-now.example",
        "Act before the market closes",
        "Gold explodes. Get in before the market closes today and double your money.",
    ),
]
TAKEN_BACK: list[Mail] = [
    (
        "Priya Nair <priya@orbitlabs.example>",
        "Outage last night - resolved",
        "Hi,\n\nThe database was down for about 40 minutes last night and we lost some write traffic. "
        "Everything is restored. No action is needed from you, this is only for your information.\n\nPriya",
    ),
    (
        "ops@orbitlabs.example",
        "CRITICAL: failover executed",
        "Critical failover of the payment cluster was executed at 03:12. All services are healthy. "
        "Nothing for you to do.",
    ),
    (
        "Security Team <security@orbitlabs.example>",
        "Urgent patch applied to all laptops",
        "An urgent security patch for a critical vulnerability was rolled out to all laptops overnight. "
        "You don't need to do anything.",
    ),
    (
        "Ben Alder <ben.alder@orbitlabs.example>",
        "Emergency drill today at 14:00",
        "There'll be an emergency drill at 14:00 today. You'll hear the alarm. No action required on your"
        " part, just carry on.",
    ),
    (
        "Facilities <facilities@orbitlabs.example>",
        "Water leak on floor 3",
        "We had a serious water leak on floor 3 this morning. Plumbers are already there and the area is "
        "closed off. You need not do anything.",
    ),
    (
        "Dana <dana@family.example>",
        "Don't worry!!",
        "Mum had a bit of a scare and went to hospital this morning, but she's home again and fine. No "
        "need to call or come over, just so you know.",
    ),
    (
        "legal@orbitlabs.example",
        "Lawsuit update",
        "The urgent motion against us was dismissed by the court today. This is purely informational, no "
        "response needed.",
    ),
    (
        "noreply@bank.example",
        "Unusual sign-in blocked",
        "We blocked an unusual sign-in attempt to your account. Your account is safe and no action is "
        "required.",
    ),
    (
        "IT Desk <it@northfield.example>",
        "ALERT: brief mail outage",
        "There was a brief outage of the mail system between 7 and 7:20. You may have seen errors. It's "
        "all sorted, so please carry on as normal.",
    ),
    (
        "hr@northfield.example",
        "Urgent correction to payroll",
        "The urgent correction to last month's payroll went through this morning. You'll see it on your "
        "next payslip; you don't have to do a thing.",
    ),
    (
        "Marek <marek@northfield.example>",
        "Heads up: fire brigade",
        "The fire brigade is in the building because of a burnt toast in the kitchen. Nothing serious, no"
        " evacuation, all good.",
    ),
    (
        "noreply@provider.example",
        "Emergency maintenance completed",
        "We had to carry out emergency maintenance on our core routers tonight. Your services were not "
        "affected. This message is for your records.",
    ),
    (
        "payments@shop.example",
        "Payment problem solved",
        "The critical problem with card payments was solved at 10:40. Customers are not required to take "
        "any steps.",
    ),
    (
        "Ines Roth <ines.roth@northfield.example>",
        "client complaint",
        "The client complained loudly yesterday about the missing parts. I've dealt with it and they're "
        "calm again. You can ignore the thread.",
    ),
]
NOTES: list[Mail] = [
    (
        "Tess <tess.moran@gmail.com>",
        "hi",
        "Hey, was thinking of you today. Hope the new flat feels like home already! xx",
    ),
    (
        "jonas.keller@outlook.com",
        "Photos",
        "Here are the photos from Sunday. The one with the dog is my favourite.",
    ),
    (
        "nana47@yahoo.com",
        "",
        "Happy birthday sweetheart. Call when you can. Love Nana",
    ),
    (
        "Rob <robbie.t@gmail.com>",
        "great to see you",
        "Really good to catch up last night. Let's not leave it another two years!",
    ),
    (
        "mira@posteo.example",
        "Thanks",
        "Thanks so much for watching the kids yesterday, they had a wonderful time.",
    ),
    (
        "k.ito@icloud.com",
        "We landed",
        "Landed safely, the weather is gorgeous. Will write more tomorrow.",
    ),
    (
        "Sam Okafor <samokafor@gmail.com>",
        "that recipe",
        "That recipe you asked about is attached. The trick is to rest the dough overnight.",
    ),
    (
        "lena@uni.example",
        "coffee",
        "I'm in the library until four if you fancy a coffee.",
    ),
    (
        "pete@pete-and-co.example",
        "Congrats",
        "Just heard about the promotion. Well deserved, congratulations!",
    ),
    (
        "ines@example.org",
        "New number",
        "Hi, this is my new number: 555 0142. Old one stops working on Friday. Ines",
    ),
    (
        "Gus <gus@gus-home.example>",
        "snow",
        "Woke up to half a metre of snow here. The dogs have gone mad with joy.",
    ),
    (
        "m.l.2009@web.example",
        "",
        "Thank you for the lovely evening. Paul still talks about your lasagne.",
    ),
    (
        "Bea <beatrix@hotmail.com>",
        "Remember this?",
        "Found this picture of us at the lake in '98. We were so young!",
    ),
    (
        "theo@posteo.example",
        "reading",
        "Finished the book you lent me. The ending got me. I'll bring it back when we meet.",
    ),
    (
        "olli@work.example",
        "sorry",
        "Sorry for being short with you on the phone earlier. Long day.",
    ),
    (
        "Jae <jae.park@gmail.com>",
        "Good luck",
        "Thinking of you for the interview. You'll smash it.",
    ),
]
NAMELESS: list[Mail] = [
    (
        "harriet@northfield.example",
        "Quick call this afternoon?",
        "Are you free for ten minutes this afternoon to go over the numbers?",
    ),
    (
        "tom@northfield.example",
        "Draft contract",
        "Please look over the draft contract and send me your comments by Thursday.",
    ),
    (
        "accounts@northfield.example",
        "Question about invoice 4471",
        "Why is the shipping charge on invoice 4471 twice as high as last time?",
    ),
    (
        "v.petrov@supplier.example",
        "Samples",
        "The samples are ready. When can your driver collect them?",
    ),
    (
        "g@northfield.example",
        "standup",
        "Moving standup to 9:45 tomorrow, dentist.",
    ),
    (
        "office@school.example",
        "Parents' evening",
        "Could you let us know which slot on 12 March suits you for the parents' evening?",
    ),
]
QUESTIONS: list[Mail] = [
    (
        "Milo <milo@northfield.example>",
        "Do you have a minute?",
        "Could you jump on a short call before lunch?",
    ),
    (
        "olga@client.example",
        "Charged twice?",
        "Why do I see two charges for March?",
    ),
    (
        "Theo Brandt <theo@brandt-bau.example>",
        "Termin",
        "Passt Ihnen Dienstag um zehn?",
    ),
    (
        "judith@client.example",
        "Upgrade",
        "Is it possible to upgrade our plan in the middle of the month?",
    ),
    (
        "ahmed@partner.example",
        "Pricing",
        "Can you send me your price list?",
    ),
    (
        "Lou Chen <lou.chen@gmail.com>",
        "bike",
        "Is the bike still for sale?",
    ),
    (
        "ray@client.example",
        "Refund status",
        "When will I get my refund?",
    ),
    (
        "h.wu@vendor.example",
        "demo",
        "Would Tuesday at three work for the demo you asked for?",
    ),
    (
        "steve@example.com",
        "Access",
        "Can you grant me access to the shared folder?",
    ),
    (
        "Nadia <nadia@partner.example>",
        "webinar slides",
        "Do you still have the slides from the webinar?",
    ),
    (
        "dora@client.example",
        "Delivery",
        "Has my parcel left already?",
    ),
    (
        "finn@northfield.example",
        "key",
        "Who has the key to the archive?",
    ),
    (
        "Marie <marie@agence.example>",
        "photos",
        "Pouvez-vous m'envoyer les photos ?",
    ),
    (
        "w.stone@client.example",
        "Login",
        "How do I reset my PIN?",
    ),
    (
        "Kofi <kofi@partner.example>",
        "intro",
        "Could you introduce me to your head of purchasing?",
    ),
    (
        "lisa@client.example",
        "discount",
        "Do students get a discount?",
    ),
]
TONES: list[Mail] = [
    (
        "CFO Office <cfo@northfield.example>",
        "Important: budget principles for next year",
        "Colleagues, please read the attached budget principles carefully. They're extremely important "
        "for the planning of all departments.",
    ),
    (
        "Dr. Alan Voss <voss@clinic.example>",
        "Strategic review",
        "The strategic review is critical for our future. I would like to hear your views at some point.",
    ),
    (
        "audit@northfield.example",
        "Audit findings",
        "The audit identified several significant weaknesses in our purchasing process. Management is "
        "expected to respond in writing.",
    ),
    (
        "Helen <helen@northfield.example>",
        "Disappointed",
        "I must say I'm very disappointed with how the launch was handled. This can't happen again.",
    ),
    (
        "marc@northfield.example",
        "Key customer unhappy",
        "Our largest customer is unhappy with the roadmap. It is essential that we take this seriously "
        "this year.",
    ),
    (
        "Greta <greta@northfield.example>",
        "We must talk about quality",
        "It is vital that quality becomes everybody's first priority. I expect each of us to live up to it.",
    ),
    (
        "board@northfield.example",
        "Grave situation of the industry",
        "The situation of our industry is grave. Please study the attached analysis.",
    ),
    (
        "Omar <omar@northfield.example>",
        "Frustrated",
        "Honestly I'm frustrated. Every time I raise this topic nothing happens. Please take it to heart.",
    ),
    (
        "works.council@northfield.example",
        "Strong objection",
        "The works council strongly objects to the planned shift model and reserves all further steps. "
        "Please give us your position.",
    ),
]
EMERGENCIES: list[Mail] = [
    (
        "security@northfield.example",
        "Possible intrusion",
        "We see data leaving the customer database towards an unknown address. About 12,000 records may "
        "be affected. The containment team is on it.",
    ),
    (
        "soc@northfield.example",
        "Unauthorised access to HR share",
        "Somebody from outside copied files of the HR share an hour ago. Investigate immediately.",
    ),
    (
        "Monitoring <alerts@northfield.example>",
        "Checkout is down",
        "The checkout has been failing for all customers for 20 minutes. Orders are being lost.",
    ),
    (
        "lars@northfield.example",
        "production",
        "Production just went down after the deploy, customers can't log in.",
    ),
    (
        "Ruth Abel <ruth@bigclient.example>",
        "Your system has lost our data",
        "Since this morning all our records are gone from your system. Our call centre is standing still.",
    ),
    (
        "cto@northfield.example",
        "Ransomware on file server",
        "Files on the file server are being encrypted right now. Do not connect to it.",
    ),
    (
        "ops@northfield.example",
        "Server room overheating",
        "The temperature in the server room is 41 degrees and rising, both air conditioners failed.",
    ),
    (
        "support@northfield.example",
        "Key account reports showstopper",
        "Our biggest account reports a showstopper in the live system. It needs fixing right away.",
    ),
    (
        "it@northfield.example",
        "Security incident",
        "Customer passwords were possibly exposed. The security team needs your help.",
    ),
    (
        "nurse@school.example",
        "Your son",
        "Your son had an accident in the gym and hurt his arm. He's with the school nurse.",
    ),
    (
        "night.shift@northfield.example",
        "Line 4",
        "Line 4 stands still since 02:00, hydraulic hose burst. Forty pallets for the morning truck are "
        "not packed.",
    ),
    (
        "Petra <petra@northfield.example>",
        "phished",
        "I think I entered my password on a fake page ten minutes ago and now my mailbox is sending mails"
        " by itself.",
    ),
    (
        "ciso@northfield.example",
        "Incident declared",
        "We have declared a security incident. An attacker has admin rights on two domain controllers.",
    ),
    (
        "caretaker@building.example",
        "Water",
        "Water is pouring through the ceiling of your office and runs into the cabinet with the contracts.",
    ),
    (
        "babysitter.kim@gmail.com",
        "Leo",
        "Leo has a high temperature and keeps vomiting. I can't reach you on the phone.",
    ),
    (
        "ops@northfield.example",
        "orders not arriving",
        "No orders have come in from the shop for two hours. Something is wrong with the interface.",
    ),
    (
        "sandra@bigclient.example",
        "All our screens are blank",
        "All our screens went blank after your update and 200 agents cannot take calls.",
    ),
    (
        "dba@northfield.example",
        "disk",
        "The main disk array lost its second drive. If a third one goes, the data is gone. Replacement "
        "needed now.",
    ),
    (
        "Guard <guard@northfield.example>",
        "Broken window",
        "Somebody smashed the window of the warehouse and the laptops are missing.",
    ),
]
TRIFLES: list[Mail] = [
    (
        "City Library <library@city.example>",
        "Item due tomorrow",
        "A reminder that 'The Long Way Home' is due back tomorrow. You can renew it online.",
    ),
    (
        "Ellie <ellie@northfield.example>",
        "Cake tomorrow?",
        "I'm baking tomorrow for the team. Any wishes? Totally fine if you're too busy to answer!",
    ),
    (
        "Frank <frank@northfield.example>",
        "Lunch tomorrow",
        "Lunch tomorrow at half past twelve at the Thai place? No worries if you can't make it.",
    ),
    (
        "Pool club <club@pool.example>",
        "Locker",
        "Your locker rental runs out tomorrow. Drop by the desk whenever you like to renew it.",
    ),
    (
        "Sue <sue@northfield.example>",
        "Book club",
        "Book club is tomorrow evening, come along if you feel like it.",
    ),
    (
        "Meera <meera@northfield.example>",
        "survey",
        "If you have two minutes, the canteen survey closes tomorrow. Completely optional.",
    ),
    (
        "Makerspace <hello@makerspace.example>",
        "Your badge",
        "Your badge has to be renewed by tomorrow. If you forget, the front desk simply makes you a new one.",
    ),
    (
        "Lotte <lotte@northfield.example>",
        "Plants",
        "Would be nice if somebody watered the plants tomorrow, but they survive a day longer too.",
    ),
    (
        "Karim <karim@northfield.example>",
        "football pool",
        "The football pool closes tomorrow at noon, join in if you want.",
    ),
    (
        "toy.library@town.example",
        "Return date tomorrow",
        "The puzzle you borrowed is due back tomorrow.",
    ),
    (
        "Ann <ann@northfield.example>",
        "Tea tomorrow?",
        "Fancy a cup of tea tomorrow at 4? If not, another time.",
    ),
]
DEMANDS: list[Mail] = [
    (
        "Martin Kessler CEO <ceo.office221@gmail.com>",
        "Quick favour",
        "Are you at your desk? I need you to handle a payment for me discreetly before noon. I'm in a "
        "meeting and can't talk. Reply with your mobile number.",
    ),
    (
        "Anna Holt <anna.holt@mail-executive.example>",
        "Confidential",
        "I need a wire of 38,400 EUR made to a new supplier today. Keep this between us until the deal is"
        " public. I'll send the account details.",
    ),
    (
        "accounts@stahlwerk-nord-billing.example",
        "Change of bank details",
        "Dear customer, our bank account has changed. Please make all outstanding payments to the new "
        "account DE12 3456 0000 as of today and confirm by return.",
    ),
    (
        "Paul <paul.s.away@outlook.com>",
        "Help please",
        "I'm stranded in Lisbon, my wallet was stolen. Could you send me 1,500 by Western Union today? "
        "I'll pay you back as soon as I'm home.",
    ),
    (
        "Director <director.private@proton.example>",
        "gift cards",
        "I need you to buy five gift cards of 100 each for clients right now. Scratch the back and send "
        "me the codes. It's a surprise so don't tell anybody.",
    ),
    (
        "CEO <ceo@northfield-group.example>",
        "Transfer",
        "Please process a transfer of $74,000 at once and tell no one. I will explain later.",
    ),
    (
        "chief.executive@consultant.example",
        "Acquisition",
        "We are about to close an acquisition. I need you to send the deposit of 120,000 within the hour."
        " Absolute discretion, speak to nobody, only by email.",
    ),
    (
        "solicitor@lawfirm-partners.example",
        "Completion funds",
        "Further to the purchase of your property: our client account is under audit, please send the "
        "completion funds to the following account instead, today.",
    ),
    (
        "Sandra Miles <s.miles@workmail.example>",
        "payroll",
        "I've changed banks. Please update my direct deposit before the next payroll, the new routing "
        "number is 021000. Please do it today.",
    ),
    (
        "grandson.mike@mail.example",
        "its me",
        "Grandma its me, I had an accident with a rented car and they want 3000 in cash or I go to jail. "
        "Please send it today and don't tell dad.",
    ),
    (
        "Geraldine Fox <g.fox@executive-mail.example>",
        "Are you available",
        "I need this done discreetly: a vendor has to be paid 27,500 before the end of the day. Send me "
        "our current balance first and I'll forward the beneficiary.",
    ),
    (
        "IT supplier <billing@netserv-invoices.example>",
        "Updated remittance details",
        "Our bank was changed due to a merger. Kindly remit invoice 2210 to the new IBAN below and "
        "disregard former details.",
    ),
    (
        "kate.l@inbox.example",
        "emergency",
        "I'm at the hospital in Prague and my cards are blocked. Could you wire me 900 euro? I'll return "
        "it on Monday, promise. Please don't tell mum.",
    ),
    (
        "Chairman <chairman@boardroom-mail.example>",
        "Strictly private",
        "A confidential takeover requires a deposit of 210,000 EUR today. You were chosen for your "
        "discretion. Contact the lawyer for the account. Nobody else must know.",
    ),
    (
        "Mark D. <mark.d.work@gmail.com>",
        "Task",
        "I'm in back-to-back meetings. Get me ten Apple cards at 100 each and photograph the codes, I'll "
        "refund you tonight.",
    ),
    (
        "hr-payroll@northfeild.example",
        "Salary account",
        "Please note my salary should go to another account starting this month. Here are the details: "
        "IBAN GB00 1111.",
    ),
    (
        "Notary <office@notary-transfer.example>",
        "House purchase",
        "There is a problem with our escrow account. Transfer the purchase price today to the account "
        "below instead, otherwise the appointment will be cancelled.",
    ),
    (
        "Tax Office <collector@revenue-service.example>",
        "Arrest warrant",
        "You owe 4,310 in back taxes. Pay within two hours by voucher or an arrest warrant will be executed.",
    ),
    (
        "secretary@northfield-ceo.example",
        "On behalf of the CEO",
        "The CEO asks you to settle the attached invoice at once and not to mention it to anyone until "
        "the announcement.",
    ),
]

HONEST: list[Mail] = [
    (
        "Pia Holm <pia@holm-printing.example>",
        "Invoice 118",
        "Please find our invoice over 420 EUR, payable within 14 days.",
    ),
    (
        "Lee <lee@gardenclub.example>",
        "Membership",
        "The yearly fee of 30 pounds is due in May. You can pay cash at the meeting.",
    ),
    (
        "Tess <tess@home.example>",
        "Train",
        "My train is stuck in Ulm. I'll be there at nine, don't wait with dinner.",
    ),
    (
        "Notary Office <office@notary.example>",
        "Your appointment",
        "Please bring your passport on Monday at ten.",
    ),
    (
        "Sam <sam@gmail.com>",
        "Surprise",
        "Don't tell Mia, but we're throwing her a party on Saturday. It's a surprise!",
    ),
    (
        "Rae <rae@northfield.example>",
        "Order",
        "This stays confidential until Friday: we are moving to the new building.",
    ),
]
