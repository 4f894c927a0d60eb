// The rows of a list: which one is current, which are selected, dragged where, and focus through a swap.
let lastId = "";
let lastIndex = 0;

const rows = () => [...document.querySelectorAll("#page .row")].filter((one) => one.checkVisibility());
const box = (row) => row?.closest("li").querySelector("input[type=checkbox]");
const checked = () => [...document.querySelectorAll('#page input[name="of"]:checked')];

export function current() {
  const all = rows();
  return all.find((one) => one.contains(document.activeElement)) || all.find((one) => one.closest("li").id === lastId) || all[0];
}

function focusOn(row) {
  row.focus();
  row.scrollIntoView({ block: "nearest" });
}

export function move(by) {
  const all = rows();
  const here = all.findIndex((one) => one.contains(document.activeElement));
  const to = here < 0 ? all.indexOf(current()) : Math.min(Math.max(here + by, 0), all.length - 1);
  if (all[to]) focusOn(all[to]);
}

export function toggle() {
  const one = box(current());
  if (one) one.checked = !one.checked;
  count();
}

// What is done with nothing selected is done with the row where the cursor is.
export function imply() {
  const one = box(current());
  if (!one || checked().length) return;
  one.checked = true;
  one.dataset.implied = "";
}

function count() {
  const shown = document.getElementById("selected");
  if (shown) shown.textContent = checked().length ? `${checked().length} ✓` : "";
}

export function beforeSwap() {
  const all = rows();
  const here = all.findIndex((one) => one.contains(document.activeElement));
  if (here >= 0) lastIndex = here;
}

export function afterSwap(isRefresh) {
  count();
  // A row that went into a folded bucket is left by the browser a moment later.
  const focused = document.activeElement;
  const isLost = !focused || focused === document.body || !focused.checkVisibility();
  if (isRefresh && !isLost) return;
  const all = rows();
  const same = all.find((one) => one.closest("li").id === lastId);
  const next = same || (isRefresh ? all[Math.min(lastIndex, all.length - 1)] : all[0]);
  if (!isRefresh) scrollTo(0, 0);
  const heading = document.querySelector("#page h1");
  const wanted = document.querySelector("#page [autofocus], #page form.made [data-focus]");
  if (wanted) wanted.focus();
  else if (next && !document.querySelector("#page .brief")) focusOn(next);
  else heading?.focus();
}

export function remember() {
  document.addEventListener("focusin", ({ target }) => {
    const row = target.closest("#page .row");
    if (!row) return;
    lastId = row.closest("li").id;
    lastIndex = rows().indexOf(row);
  });
  document.addEventListener("change", count);
  document.addEventListener("click", ({ target }) => target.closest("#acts [data-command], #acts .menu button") && imply(), true);
  document.addEventListener("htmx:finally:request", () => {
    for (const one of document.querySelectorAll("[data-implied]")) {
      one.checked = false;
      delete one.dataset.implied;
    }
    count();
  });
  document.addEventListener("dragstart", ({ target, dataTransfer }) => {
    const ofLabel = target.closest?.(".tabs [data-label]");
    if (ofLabel) dataTransfer.setData("application/x-gaia-label", ofLabel.dataset.label);
    const row = target.closest?.("#page .thread");
    if (!row) return;
    if (!box(row).checked) for (const one of checked()) one.checked = false;
    box(row).checked = true;
    dataTransfer.effectAllowed = "move";
    count();
  });
  const tab = (target) => target.closest?.('.tabs a[id^="tab-"]:not(#tab-all, #tab-suspicious), .tabs [data-label]');
  document.addEventListener("dragover", (event) => tab(event.target) && event.preventDefault());
  document.addEventListener("drop", (event) => {
    const onto = tab(event.target);
    if (!onto) return;
    event.preventDefault();
    const dragged = event.dataTransfer.getData("application/x-gaia-label");
    const { label, position } = onto.dataset;
    if (dragged && label) return htmx.ajax("POST", "ui/label-place", { source: "#notes", target: "#notes", values: { label: dragged, position } });
    if (dragged) return;
    const button = label ? `[name="label"][value="${label}"]` : `[name="bucket"][value="${onto.id.slice(4)}"]`;
    document.querySelector(`#acts ${button}`).click();
  });
}
