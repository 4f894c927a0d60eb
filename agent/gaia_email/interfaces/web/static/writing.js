// Writing: ghost text from the user's own sentences or the model of this machine, chips, rewording, the way back.
const AHEAD_MS = 700;
const FEWEST_CHARS = 3;
let timer = 0;
let ahead = "";

const letter = () => document.querySelector("[data-letter]");
const body = () => letter()?.querySelector("textarea");

// What stands before the cursor, where nothing but white space follows on its line.
function open(area) {
  const rest = area.value.slice(area.selectionEnd).split("\n", 1)[0];
  return area.selectionStart === area.selectionEnd && !rest.trim() ? area.value.slice(0, area.selectionStart) : "";
}

function ofHabit(text) {
  const begun = text.split("\n").pop().split(/[.!?…]\s/).pop().trimStart();
  if (begun.length < FEWEST_CHARS) return "";
  const endings = letter().dataset.endings.split("\n");
  const found = endings.find((one) => one.length > begun.length && one.toLowerCase().startsWith(begun.toLowerCase()));
  return found ? found.slice(begun.length) : "";
}

function show(area, text) {
  ahead = text;
  const ghost = letter().querySelector(".ghost");
  const rest = document.createElement("span");
  rest.textContent = text;
  ghost.replaceChildren(area.value.slice(0, area.selectionStart), rest);
  const said = document.getElementById("ghost-said");
  said.textContent = text ? `${said.dataset.takes}: ${text}` : "";
}

// What the model wrote that is to be checked, or was left out; it stays until the model writes again.
function told({ to_check, withheld }) {
  const box = document.getElementById("reworded");
  const lines = to_check.map((one) => `${box.dataset.check} ${one}`);
  if (withheld) lines.push(box.dataset.leftOut.replace("%", withheld));
  box.replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line, dir: "auto" })));
  box.hidden = !lines.length;
}

async function asked(api, key, text, task) {
  const response = await fetch(`${api}/v1/email/reword`, {
    method: "POST",
    headers: { "content-type": "application/json", "X-Gaia-Key": key() },
    body: JSON.stringify({ text: text.slice(-4000), task, account: letter().dataset.account }),
  });
  return { ok: response.ok, answer: await response.json() };
}

export function typed(area, text) {
  area.focus();
  // The one way of changing a text that the browser can undo.
  document.execCommand("insertText", false, text);
}

function put(area, text, atEnd) {
  const place = atEnd ? -1 : area.value.indexOf("…");
  if (place >= 0) area.setSelectionRange(place, place + 1);
  else if (atEnd) area.setSelectionRange(area.value.length, area.value.length);
  typed(area, atEnd ? `\n\n${text}` : text);
}

export function write(api, key, problem) {
  document.addEventListener("input", ({ target }) => {
    if (target !== body()) return;
    clearTimeout(timer);
    const before = open(target);
    show(target, before && ofHabit(before));
    if (ahead || !letter().dataset.model || before.trim().length < 20) return;
    timer = setTimeout(async () => {
      const { ok, answer } = await asked(api, key, before, "continue");
      if (!ok || target !== body() || open(target) !== before) return;
      told(answer);
      if (answer.text) show(target, /\s$/.test(before) ? answer.text : ` ${answer.text}`);
    }, AHEAD_MS);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && letter()?.contains(event.target)) {
      event.preventDefault();
      return letter().requestSubmit();
    }
    if (event.target !== body()) return;
    if (event.key === "ArrowRight" && ahead && !event.shiftKey) {
      event.preventDefault();
      typed(event.target, ahead);
    }
    if (event.key.startsWith("Arrow") || event.key === "Escape") show(event.target, "");
  });
  document.addEventListener("click", async ({ target }) => {
    const on = (what) => target.closest(what);
    if (on("[data-put]")) put(body(), on("[data-put]").dataset.put);
    if (on("[data-put-end]")) put(body(), on("[data-put-end]").dataset.putEnd, true);
    const wanted = on("[data-reword]");
    if (wanted) {
      const area = body();
      if (area.selectionStart === area.selectionEnd) area.select();
      const [from, to] = [area.selectionStart, area.selectionEnd];
      const { ok, answer } = await asked(api, key, area.value.slice(from, to), wanted.dataset.reword);
      if (!ok) return problem(answer, false);
      told(answer);
      if (!answer.text) return;
      area.setSelectionRange(from, to);
      typed(area, answer.text);
    }
    const kind = on("[data-write]")?.dataset.write;
    if (kind) {
      const of = document.querySelector('#page input[name="of"]:checked') || document.querySelector('#acts input[name="of"]');
      if (of) location.hash = `compose?kind=${kind}&of=${encodeURIComponent(of.value)}`;
    }
  });
  // A new mail has an address of its own, so that a reload finds it again.
  document.addEventListener("htmx:after:swap", () => {
    const page = document.querySelector("#page [data-text]");
    const area = page && body();
    // The cursor stands where words are missing: at the first gap, else above the sign-off; whoever writes moves it.
    const isNew = area && !area.dataset.begun;
    if (area) area.dataset.begun = "yes";
    if (isNew && document.activeElement === area) {
      const gap = area.value.indexOf("…");
      area.setSelectionRange(Math.max(gap, 0), gap + 1);
    }
    if (page && location.hash === "#compose") history.replaceState(null, "", `#compose?text=${page.dataset.text}`);
  });
}
