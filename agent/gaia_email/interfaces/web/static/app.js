// The frame of the pages: the session's key on each request, one address a page, errors as sentences, notes, dialogs.
import { converse } from "./chat.js";
import { dictate } from "./dictating.js";
import { isEdited, tend } from "./forms.js";
import { readAloud } from "./aloud.js";
import { listen } from "./keys.js";
import { follow } from "./live.js";
import { afterSwap, beforeSwap, remember } from "./rows.js";
import { write } from "./writing.js";

const KEY = "gaia-key";
const HAD = "gaia-had-session";
const at = (id) => document.getElementById(id);
const tabs = new BroadcastChannel("gaia-session");
let isRefresh = false;
let lastList = "inbox";
let isOver = false; // the session ended: the key of the next one, which another tab opens, starts this page anew

function keep(key) {
  sessionStorage.setItem(KEY, key);
  sessionStorage.setItem(HAD, "yes"); // what opens next is not this tab's first session
}

const sessionKey = () => sessionStorage.getItem(KEY) || "";
// A tab that is opened anew asks the others, so that the key is written nowhere.
tabs.addEventListener("message", ({ data }) => {
  if (data.asks && sessionKey()) tabs.postMessage({ key: sessionKey() });
  if (data.key && !sessionKey()) {
    keep(data.key);
    if (isOver) location.reload();
    tabs.dispatchEvent(new Event("known"));
  }
});

function fromOtherTabs() {
  return new Promise((resolve) => {
    tabs.addEventListener("known", resolve, { once: true });
    tabs.postMessage({ asks: true });
    setTimeout(resolve, 300);
  });
}

// A session for a code, or for the link it stands in.
async function takeCode(text) {
  const code = text.trim().replace(/^.*code=/, "");
  const response = await fetch("/v1/session", {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ code }),
  });
  const answer = await response.json();
  if (!response.ok) return problem(answer, false);
  keep(answer.key);
  tabs.postMessage({ key: answer.key });
  return true;
}

async function openSession() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code) {
    history.replaceState(null, "", location.pathname);
    await takeCode(code);
  }
  if (!sessionKey()) await fromOtherTabs();
  return Boolean(sessionKey());
}

const said = (name) => document.querySelector(`[data-said="${name}"]`).textContent;

// Without a session there is nothing to show but how to open one: the first, or the next.
function ended() {
  const name = isOver || sessionStorage.getItem(HAD) ? "ended" : "first";
  isOver = true;
  sessionStorage.removeItem(KEY);
  at("alerts").replaceChildren();
  if (document.querySelector('#page [data-place="ended"]')) return false;
  const shown = at(name).content.cloneNode(true);
  document.title = shown.querySelector("title").textContent;
  shown.querySelector("title").remove();
  at("page").replaceChildren(shown);
  at("page").querySelector("h1").focus();
  return false;
}

// What is wrong, as text: in place of the page where the page could not be had, else beside it.
function problem(answer, instead, status) {
  if (status === 401) return ended();
  const error = answer.error || { message: said(answer.said || "failed") };
  const box = document.createElement("div");
  box.className = instead ? "state" : "note bad";
  for (const [tag, text] of [["strong", error.message], ["span", error.hint]]) {
    if (!text) continue;
    const line = document.createElement(tag);
    line.textContent = text;
    box.append(line, " ");
  }
  (instead ? at("page") : at("alerts")).replaceChildren(box);
  return false;
}

const route = () => location.hash.slice(1) || "inbox";

// To look again is not worth it while another page is on its way, and would end that.
let under = 0;
async function show(refresh) {
  if (refresh && (under || isEdited() || at("page").querySelector("[data-still]"))) return;
  isRefresh = refresh;
  if (!/^(thread|compose|label$)/.test(route())) lastList = route();
  const swap = refresh ? "innerMorph" : "innerHTML";
  under += refresh ? 0 : 1;
  try {
    await htmx.ajax("GET", `ui/${route()}`, { source: "#page", target: "#page", swap });
  } finally {
    under -= refresh ? 0 : 1;
  }
}

function markPage() {
  const hash = `#${route()}`;
  const links = [...document.querySelectorAll("#frame nav a")];
  const place = at("page").querySelector("[data-place]")?.dataset.place;
  const named = (page) => links.find((one) => one.dataset.page === page);
  const exact = links.find((one) => one.hash === hash) || named(route().split("?")[0]) || named(place);
  for (const one of links) one === exact ? one.setAttribute("aria-current", "page") : one.removeAttribute("aria-current");
}

document.addEventListener("htmx:config:request", ({ detail }) => {
  detail.ctx.request.headers["X-Gaia-Key"] = sessionKey();
});
document.addEventListener("htmx:before:response", (event) => {
  const { ctx } = event.detail;
  if (ctx.response.raw.ok) return ctx.request.method === "POST" && at("alerts").replaceChildren();
  const isPage = ctx.target === at("page") && (ctx.response.raw.headers.get("content-type") || "").startsWith("text/html");
  if (isPage && (!isRefresh || at("page").querySelector('[data-place="state"]'))) return; // a state has its own page
  event.preventDefault();
  if (isPage) return; // what is shown stays, and the frame says what holds
  const instead = ctx.target === at("page") && !isRefresh;
  const { status } = ctx.response;
  ctx.response.raw.json().then((answer) => problem(answer, instead || status === 401, status), () => problem({}, instead));
});
document.addEventListener("htmx:error", ({ detail }) => {
  if (detail.ctx) problem({ said: "down" }, false);
});
document.addEventListener("htmx:before:swap", ({ detail }) => {
  if (detail.ctx.target !== at("page")) return;
  if (detail.ctx.request.method === "POST") isRefresh = false;
  beforeSwap();
});
// In the same task as the swap, so that no key falls between a row that is gone and the focus on the next one.
document.addEventListener("htmx:before:settle", ({ target }) => {
  if (target === at("page")) afterSwap(isRefresh);
});
document.addEventListener("htmx:after:swap", ({ detail }) => {
  const { target } = detail.ctx;
  markPage();
  const own = at("page").querySelector("[data-hash]");
  // A look again is about the page that is left by now, where the address says another one.
  const isLook = isRefresh && detail.ctx.sourceElement === at("page");
  if (own && !isLook && location.hash !== own.dataset.hash) history.replaceState(null, "", own.dataset.hash);
  if (at("back")) at("back").href = `#${lastList}`;
  if (target === at("dialog")) at("dialog").showModal();
  if (target === at("notes")) at("notes").dataset.since = String(Date.now());
});
// What was done with the mail that is read leads back to the list.
document.addEventListener("htmx:finally:request", ({ detail }) => {
  const { ctx } = detail;
  if (ctx.request.method === "POST" && ctx.response?.raw.ok && (ctx.sourceElement?.closest(".thread-page #acts") || ctx.sourceElement?.matches("[data-done]"))) location.hash = lastList;
  if (ctx.response?.raw.ok && ctx.sourceElement?.closest("[data-away]")) location.hash = "inbox";
});
// A run tells of each message: while the page is looked at again, what comes meanwhile is one more look afterwards.
let looks = 0;
document.body.addEventListener("gaia:changed", async () => {
  if (!sessionKey()) return;
  looks = Math.min(looks + 1, 2);
  if (looks === 2) return;
  for (; looks; looks -= 1) await show(true);
});
addEventListener("hashchange", () => {
  if (route() === "page") return at("page").focus();
  at("alerts").replaceChildren();
  for (const open of document.querySelectorAll("dialog[open]")) open.close();
  const isInbox = route().startsWith("inbox"); // after a lesson the next look at the inbox counts it anew
  show(false).then(() => isInbox && htmx.trigger(at("frame"), "gaia:opened"));
});

document.addEventListener("click", ({ target }) => {
  const on = (what) => target.closest(what);
  const copied = on("[data-copy]");
  if (copied) navigator.clipboard.writeText(copied.dataset.copy).then(() => copied.classList.add("good"));
  if (on("[data-dismiss]")) at("notes").replaceChildren();
  if (on("[data-close]")) at("dialog").close();
  if (on("[data-again]")) htmx.trigger(document.body, "gaia:changed");
  if (on('button[data-command="help"]')) at("help").showModal();
  const skip = on("a.skip");
  if (skip) at("page").focus();
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (!menu.contains(target) || on(".menu")) menu.open = false;
  }
});
document.addEventListener("submit", (event) => {
  const { go } = event.target.dataset;
  if (go) {
    event.preventDefault();
    location.hash = `${go}?${new URLSearchParams(new FormData(event.target))}`;
  }
  if (event.target.matches("[data-code]")) {
    event.preventDefault();
    takeCode(event.target.code.value).then((isOpen) => isOpen && location.reload());
  }
  if (!event.target.matches("[data-search]")) return;
  event.preventDefault();
  location.hash = `search?q=${encodeURIComponent(event.target.q.value)}`;
});
setInterval(() => {
  const notes = at("notes");
  if (Date.now() - Number(notes.dataset.since || 0) > 20_000 && !notes.matches(":hover, :focus-within")) notes.replaceChildren();
}, 5000);

async function begin() {
  remember();
  tend(problem);
  write(document.body.dataset.api, sessionKey, problem);
  converse(document.body.dataset.api, sessionKey);
  dictate(document.body.dataset.api, sessionKey, problem);
  readAloud();
  if (!(await openSession())) return ended();
  htmx.trigger(at("frame"), "gaia:opened");
  await show(false);
  htmx.trigger(at("frame"), "gaia:opened"); // the first look at an inbox counts it
  follow(document.body.dataset.api, sessionKey, () => htmx.trigger(document.body, "gaia:changed"), problem,
    () => at("alerts").replaceChildren());
}
listen();
performance.mark("keys"); // from here on they are taken (benchmarks/web_peer.py)
if (document.readyState === "complete") begin();
else addEventListener("load", begin);
