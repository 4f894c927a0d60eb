// Keys to commands. What there is stands in the table of the help, which is made from the one registry of keys.
import { current, move, imply, toggle } from "./rows.js";

const NEXT_MS = 1500;
let first = "";
let timer = 0;

const place = () => document.querySelector("#page [data-place]")?.dataset.place || "";
// What is answered in the Agent Inbox is what the cursor is on, never another one.
const OF_CARD = ["approve", "edit", "reject", "cohort", "open"];
const find = (command, more = "") => {
  const what = `[data-command="${command}"]${more}`;
  if (["waiting", "integrations"].includes(place()) && OF_CARD.includes(command)) return current()?.querySelector(what);
  return current()?.closest("li")?.querySelector(what) || document.querySelector(`#page ${what}`) || document.querySelector(`#frame ${what}`) || document.querySelector(`body > form ${what}`);
};

function bindings() {
  const here = place();
  const found = new Map();
  for (const row of document.querySelectorAll("#help [data-keys]")) {
    const places = row.dataset.places.split(" ");
    if (!places.includes("everywhere") && !places.includes(here)) continue;
    row.dataset.keys.split("|").forEach((keys, index) => found.set(keys, [row.dataset.command, index + 1]));
  }
  return found;
}

function section(by) {
  const tabs = [...document.querySelectorAll("#page .tabs a:not(#label-new)")];
  const at = tabs.findIndex((one) => one.hasAttribute("aria-current"));
  if (tabs.length) location.hash = tabs[(at + by + tabs.length) % tabs.length].hash;
}

function press(command, index) {
  const commands = {
    down: () => move(1),
    up: () => move(-1),
    next_section: () => section(1),
    previous_section: () => section(-1),
    select: toggle,
    help: () => document.getElementById("help").showModal(),
    chat: () => document.getElementById("chat-open").click(),
    open: () => (find("open") || current())?.click(),
    undo: () => (document.querySelector("#notes [data-undo]") || find("undo")).click(),
  };
  if (commands[command]) return commands[command]();
  const menu = find(command)?.closest("summary") && find(command);
  if (menu) return openMenu(menu);
  imply();
  find(command, ["move", "teach"].includes(command) ? `[data-index="${index}"]` : "")?.click();
}

function openMenu(summary) {
  imply();
  const details = summary.parentElement;
  details.open = !details.open;
  if (details.open) details.querySelector(".menu button, .menu a, table, ul")?.focus();
}

function closeWhatIsOpen() {
  const open = document.querySelector("details[data-menu][open]");
  if (!open) return false;
  open.open = false;
  open.querySelector("summary").focus();
  return true;
}

export function listen() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const isTyping = event.target.matches("input:not([type=checkbox]), textarea, select");
    if (isTyping) return event.key === "Escape" && document.getElementById("page").focus();
    if (event.key.length === 1 && document.querySelector("#frame [data-keys=off]")) return;
    if (event.key === "Escape" && closeWhatIsOpen()) return event.preventDefault();
    const known = bindings();
    const keys = first ? `${first} ${event.key}` : event.key;
    clearTimeout(timer);
    first = "";
    if (known.has(keys)) {
      event.preventDefault();
      return press(...known.get(keys));
    }
    if ([...known.keys()].some((one) => one.startsWith(`${keys} `))) {
      event.preventDefault();
      first = keys;
      timer = setTimeout(() => { first = ""; }, NEXT_MS);
    }
  });
}
