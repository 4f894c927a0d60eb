// One stream of events a browser: the tab that holds the lock reads it and tells the others; hidden tabs rest.
const LOCK = "gaia-live";
const COALESCE_MS = 200;
const LOOK_MS = 60_000;
const AGAIN_MS = 2000;
const STEP_S = 5;

export function follow(api, sessionKey, changed, problem, well) {
  const others = new BroadcastChannel(LOCK);
  let last = "";
  let timer = 0;
  let stop = new AbortController();

  const told = () => {
    if (document.hidden || timer) return;
    timer = setTimeout(() => {
      timer = 0;
      changed();
    }, COALESCE_MS);
  };
  others.addEventListener("message", ({ data }) => {
    last = data || last;
    told();
  });

  async function read(signal, began) {
    const headers = { "X-Gaia-Key": sessionKey() };
    if (last) headers["Last-Event-ID"] = last;
    const response = await fetch(`${api}/v1/email/events`, { headers, signal });
    if (response.status === 401) {
      others.postMessage("");
      return problem({}, true, 401);
    }
    began();
    let rest = "";
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return true;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line.startsWith("id:")) last = line.slice(3).trim();
      if (lines.some((line) => line.startsWith("data:"))) {
        others.postMessage(last);
        told();
      }
    }
  }

  async function lead(signal) {
    let isDown = false;
    while (!signal.aborted) {
      try {
        if ((await read(signal, () => isDown && (well(), told()))) === false) return;
        isDown = true;
      } catch (error) {
        if (signal.aborted) return;
        isDown = true;
        problem({ said: "down" }, false);
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  function contend() {
    stop = new AbortController();
    const { signal } = stop;
    navigator.locks.request(LOCK, { signal }, () => lead(signal)).catch(() => {});
  }

  document.addEventListener("visibilitychange", () => {
    stop.abort();
    if (document.hidden) return;
    contend();
    told();
  });
  setInterval(told, LOOK_MS);
  // A state that may be over by itself says how soon to look.
  let waited = 0;
  setInterval(() => {
    const soon = [...document.querySelectorAll("[data-again-s]")].map((one) => Number(one.getAttribute("data-again-s")));
    waited = soon.length ? waited + STEP_S : 0;
    if (!soon.length || waited < Math.min(...soon)) return;
    waited = 0;
    told();
  }, STEP_S * 1000);
  if (!document.hidden) contend();
}
