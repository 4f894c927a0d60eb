// The brief read aloud by the voice of this machine's browser: headings in words, titles of eight words, Skip and More.
let at = -1;

const lines = () => [...document.querySelectorAll("#aloud li")];
const button = (name) => document.querySelector(`[data-aloud="${name}"]`);

function shown() {
  const start = button("start");
  if (!start) return;
  const isOn = at >= 0;
  start.setAttribute("aria-pressed", String(isOn));
  button("skip").hidden = button("more").hidden = !isOn;
}

function say(text, then) {
  const spoken = new SpeechSynthesisUtterance(text);
  spoken.lang = document.documentElement.lang;
  spoken.addEventListener("end", then);
  speechSynthesis.speak(spoken);
}

function end() {
  at = -1;
  speechSynthesis.cancel();
  shown();
}

function from(place) {
  speechSynthesis.cancel();
  const line = lines()[place];
  if (!line) return end();
  at = place;
  shown();
  document.getElementById("aloud-now").textContent = line.textContent;
  say(line.textContent, () => at === place && from(place + 1));
}

function more() {
  const place = at;
  speechSynthesis.cancel();
  const { more: text } = lines()[place].dataset;
  say(text || lines()[place].textContent, () => at === place && from(place + 1));
}

export function readAloud() {
  document.addEventListener("click", ({ target }) => {
    const wanted = target.closest("[data-aloud]")?.dataset.aloud;
    if (wanted === "start") at >= 0 ? end() : from(0);
    if (wanted === "skip") from(at + 1);
    if (wanted === "more") more();
  });
  addEventListener("hashchange", () => at >= 0 && end());
  document.addEventListener("htmx:after:swap", shown);
}
