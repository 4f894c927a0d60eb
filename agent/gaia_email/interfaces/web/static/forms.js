// Forms: what was typed is not looked at anew until it is saved; a choice that decides about fields shows them.
const formOf = (target) => target.closest?.("form[data-form]");

export const isEdited = () => Boolean(document.querySelector("#page [data-edited]"));

export function tend(problem) {
  document.addEventListener("input", ({ target }) => formOf(target)?.setAttribute("data-edited", ""));
  document.addEventListener("change", ({ target }) => {
    if (!target.matches("select[data-shows]")) return;
    const again = formOf(target).querySelector("[data-shows-again]");
    again.value = `show:${target.dataset.shows}`;
    formOf(target).requestSubmit(again);
  });
  // The zone that this browser is in, for what is said of times of the day.
  document.addEventListener("submit", ({ target }) => {
    const zone = target.querySelector("[data-zone]");
    if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  }, true);
  document.addEventListener("submit", (event) => {
    const { target } = event;
    if (!target.matches("[data-filter]")) return;
    event.preventDefault();
    const wanted = [...new FormData(target)].filter(([, value]) => value);
    location.hash = wanted.length ? `${target.dataset.filter}?${new URLSearchParams(wanted)}` : target.dataset.filter;
  });
  // An export is fetched with the session's key and saved as a file; nothing of it stays in the page.
  document.addEventListener("submit", async (event) => {
    const { target } = event;
    if (!target.matches("[data-export]")) return;
    event.preventDefault();
    const asked = Object.fromEntries([...new FormData(target).keys()].map((name) => [name, true]));
    const response = await fetch(`${document.body.dataset.api}/v1/email/export`, {
      method: "POST", headers: { "content-type": "application/json", "X-Gaia-Key": sessionStorage.getItem("gaia-key") },
      body: JSON.stringify(asked),
    });
    if (!response.ok) return problem(await response.json(), false, response.status);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = target.dataset.export;
    link.click();
    URL.revokeObjectURL(link.href);
  });
  // What was saved is answered with a note; its form begins anew with what the page then holds.
  document.addEventListener("htmx:before:response", ({ detail }) => {
    const { ctx } = detail;
    if (!ctx.response.raw.ok || !ctx.response.raw.headers.has("x-gaia-note")) return;
    ctx.target = document.getElementById("notes");
    ctx.swap = "innerHTML";
    const form = ctx.sourceElement && formOf(ctx.sourceElement);
    form?.removeAttribute("data-edited");
    form?.reset();
    const to = ctx.response.raw.headers.get("x-gaia-go");
    if (to) location.hash = to;
  });
  document.addEventListener("htmx:after:swap", ({ detail }) => {
    const { id } = detail.ctx.target;
    if (!id?.startsWith("form-")) return;
    const wanted = document.getElementById(id)?.querySelector("[data-focus]");
    for (let one = wanted?.closest("details"); one; one = one.parentElement.closest("details")) one.open = true;
    wanted?.focus();
    document.getElementById(id)?.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
