// The chat at the side: one line after the other to /query, and what it tells as it comes. All of it is put in as text.
const at = (id) => document.getElementById(id);
const session = crypto.randomUUID();
let run = "";
let question = "";
let ending = null;
let answer = null;
let account = "";
let elsewhere = null; // what says that a step waits in the Agent Inbox, until it turns out to be asked about here
let choices = null; // the options of the open question

function element(tag, text, name = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = name;
  return made;
}

function put(...parts) {
  at("talk").append(...parts);
  at("talk").scrollTop = at("talk").scrollHeight;
}

function row(cells, tag = "td") {
  const made = document.createElement("tr");
  made.append(...cells.map((one) => element(tag, one === null ? "" : String(one))));
  return made;
}

// What a tool answered, as a host shows it that knows no kind of it.
function card(generic) {
  const named = generic.render === "table" ? ["from", "subject"].map((one) => generic.data.columns.indexOf(one)) : [];
  const isMail = named.length && named.every((one) => one >= 0);
  const made = element(generic.render === "list" || isMail ? "ul" : "table", "", "result");
  if (isMail) {
    made.append(...generic.data.rows.map((one) => element("li", named.map((place) => one[place]).join(" · "))));
    return made;
  }
  if (generic.render === "table") made.append(row(generic.data.columns, "th"), ...generic.data.rows.map((one) => row(one)));
  else if (generic.render === "key_value") made.append(...generic.data.items.map((one) => row([one.key, one.value])));
  else if (generic.render === "list") made.append(...generic.data.items.map((one) => element("li", String(one))));
  else return element("pre", JSON.stringify(generic.data), "result");
  return made;
}

function ask(api, key, path, value, signal) {
  const headers = { "content-type": "application/json", "X-Gaia-Key": key() };
  return fetch(`${api}/v1/email/query${path}`, { method: "POST", headers, body: JSON.stringify(value), signal });
}

function told(event, api, key) {
  const words = at("chat").dataset;
  if (event.type !== "needs_input") elsewhere = null;
  if (event.type === "status") at("chat-status").textContent = event.message;
  else if (event.type === "token") {
    if (!answer) put((answer = element("p", "", "said")));
    answer.textContent += event.delta;
  } else if (event.type === "tool_call") {
    const given = Object.entries(event.args).map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ");
    put(element("p", `${event.tool} ${given}`, "tool"));
    if (event.from_mail.length) put(element("p", `${words.fromMail} ${event.from_mail.join(", ")}`, "tool bad"));
  } else if (event.type === "tool_result") {
    const folded = document.createElement("details");
    folded.append(element("summary", event.tool), card(event.generic));
    put(folded);
  } else if (event.type === "needs_confirmation") {
    const link = element("a", words.inbox);
    link.href = "#waiting";
    elsewhere = link;
    put(element("p", words.waits, "tool needs"), element("p", event.summary, "exact"), link);
  } else if (event.type === "needs_input") {
    elsewhere?.remove();
    question = event.request_id;
    put(element("p", event.question, "said"));
    choices = element("p", "", "chips");
    choices.append(...event.options.map((one) => {
      const button = element("button", one, "chip");
      button.addEventListener("click", () => respond(one, api, key));
      return button;
    }));
    put(choices);
    at("chat-line").focus();
  } else if (event.type === "final") {
    if (answer) answer.textContent = event.answer;
    else put(element("p", event.answer, "said"));
    for (const [place, id] of event.cites.slice(0, 20).entries()) {
      const link = element("a", event.cites.length > 1 ? `${words.read} ${place + 1}` : words.read, "cite");
      link.href = `#thread?of=${encodeURIComponent(`${encodeURIComponent(account)}/${encodeURIComponent(id)}`)}`;
      put(link, " ");
    }
  } else if (event.type === "error") put(element("p", event.detail, "tool bad"));
  else put(element("p", `${words.unknown} ${event.type}`, "tool"));
}

async function respond(value, api, key) {
  choices.remove();
  put(element("p", value, "you"));
  at("chat-line").focus();
  const request_id = question;
  question = "";
  answer = null;
  const response = await ask(api, key, `/${run}/respond`, { request_id, value });
  if (!response.ok) put(element("p", (await response.json()).error.message, "tool bad"));
}

async function read(response, api, key) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line.startsWith("data:")) told(JSON.parse(line.slice(5)), api, key);
  }
}

function running(is) {
  at("chat-stop").hidden = !is;
  at("chat").setAttribute("aria-busy", String(is));
  if (!is) at("chat-status").textContent = "";
}

async function say(line, api, key) {
  put(element("p", line, "you"));
  run = crypto.randomUUID();
  ending = new AbortController();
  answer = null;
  running(true);
  account = at("chat-account").value;
  try {
    const value = { query: line, run_id: run, session_id: session, can_answer_questions: true, ...(account ? { provider: account } : {}) };
    const response = await ask(api, key, "", value, ending.signal);
    if (response.ok) await read(response, api, key);
    else put(element("p", (await response.json()).error.message, "tool bad"));
  } catch (error) {
    put(element("p", ending.signal.aborted ? at("chat").dataset.stopped : String(error), "tool bad"));
  } finally {
    run = question = "";
    running(false);
  }
}

function stop(api, key) {
  if (!run) return;
  choices?.remove();
  at("chat-line").focus();
  ask(api, key, `/${run}/cancel`, {});
  ending.abort();
}

async function accounts(api, key) {
  const response = await fetch(`${api}/v1/email/accounts`, { headers: { "X-Gaia-Key": key() } });
  const known = response.ok ? (await response.json()).accounts.filter((one) => one.enabled) : [];
  at("chat-account").replaceChildren(...known.map((one) => new Option(one.address || one.id, one.id)));
  at("chat-account").hidden = known.length < 2;
}

function open(is) {
  at("chat").hidden = !is;
  at("chat-open").setAttribute("aria-expanded", String(is));
  (is ? at("chat-line") : at("chat-open")).focus();
}

export function converse(api, key) {
  at("chat-open").addEventListener("click", () => {
    open(at("chat").hidden);
    if (!at("chat").hidden && !at("chat-account").options.length) accounts(api, key);
  });
  at("chat-close").addEventListener("click", () => open(false));
  at("chat-stop").addEventListener("click", () => stop(api, key));
  at("chat-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const line = at("chat-line").value.trim();
    if (!line || (run && !question)) return;
    at("chat-line").value = "";
    question ? respond(line, api, key) : say(line, api, key);
  });
  // Before the keys of the page: Escape ends the answer that is under way, and the next one closes the panel.
  at("chat").addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    run ? stop(api, key) : open(false);
  });
}
