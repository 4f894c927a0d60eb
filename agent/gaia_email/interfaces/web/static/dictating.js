// Dictation: speech is recorded here, cut where it is quiet, and written down by the model server of this machine.
import { typed } from "./writing.js";

const RATE = 16_000;
const PIECE_S = 20;
const QUIET_S = 4; // in the last seconds of a piece the quietest moment is looked for
const STEP = RATE / 20;
const MOST_S = 300;
const FIRST_MS = 250; // after which the button says that it listens
let recorder = null;

function text(view, at, letters) {
  [...letters].forEach((one, place) => view.setUint8(at + place, one.charCodeAt(0)));
}

// A WAV file of 16 bits, which every server that transcribes reads.
function wav(samples) {
  const view = new DataView(new ArrayBuffer(44 + 2 * samples.length));
  text(view, 0, "RIFF");
  view.setUint32(4, 36 + 2 * samples.length, true);
  text(view, 8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, 2 * RATE, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(view, 36, "data");
  view.setUint32(40, 2 * samples.length, true);
  samples.forEach((one, place) => view.setInt16(44 + 2 * place, 32_767 * Math.max(-1, Math.min(1, one)), true));
  return new Uint8Array(view.buffer);
}

function quietest(samples, from, to) {
  const loud = (at) => samples.subarray(at, at + STEP).reduce((sum, one) => sum + one * one, 0);
  let found = to;
  let least = Infinity;
  for (let at = from; at + STEP <= to; at += STEP) {
    const sum = loud(at);
    if (sum < least) [least, found] = [sum, at + STEP / 2];
  }
  return found;
}

function pieces(samples) {
  const found = [];
  let from = 0;
  while (samples.length - from > PIECE_S * RATE) {
    const to = quietest(samples, from + (PIECE_S - QUIET_S) * RATE, from + PIECE_S * RATE);
    found.push(samples.subarray(from, to));
    from = to;
  }
  return [...found, samples.subarray(from)];
}

async function samplesOf(blob) {
  const context = new OfflineAudioContext(1, 1, RATE);
  const heard = await context.decodeAudioData(await blob.arrayBuffer()).catch(() => null);
  if (!heard) return new Float32Array();
  const mixed = new Float32Array(heard.length);
  for (let channel = 0; channel < heard.numberOfChannels; channel += 1)
    heard.getChannelData(channel).forEach((one, place) => { mixed[place] += one / heard.numberOfChannels; });
  return mixed;
}

function base64(bytes) {
  let found = "";
  for (let at = 0; at < bytes.length; at += 0x8000) found += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(found);
}

async function writeDown(blob, button, api, key, problem) {
  const { account } = button.closest("form").dataset;
  const area = button.closest("form").querySelector("textarea");
  const samples = await samplesOf(blob);
  if (!samples.length) return problem({ error: { message: button.dataset.unheard } }, false);
  for (const piece of pieces(samples)) {
    const response = await fetch(`${api}/v1/email/dictation`, {
      method: "POST",
      headers: { "content-type": "application/json", "X-Gaia-Key": key() },
      body: JSON.stringify({ audio: base64(wav(piece)), account }),
    });
    const answer = await response.json();
    if (!response.ok) return problem(answer, false);
    if (!answer.text || !area.isConnected) continue;
    const before = area.value.slice(0, area.selectionStart);
    typed(area, `${before && !/\s$/.test(before) ? " " : ""}${answer.text}`);
  }
}

async function record(button, api, key, problem) {
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch {
    return problem({ error: { message: button.dataset.refused } }, false);
  }
  const parts = [];
  recorder = new MediaRecorder(stream);
  const ends = setTimeout(() => recorder.stop(), MOST_S * 1000);
  const words = button.textContent;
  recorder.addEventListener("dataavailable", ({ data }) => {
    parts.push(data);
    if (data.size && recorder) button.textContent = button.dataset.listens;
  });
  recorder.addEventListener("stop", async () => {
    clearTimeout(ends);
    const type = recorder.mimeType;
    recorder = null;
    for (const track of stream.getTracks()) track.stop();
    button.setAttribute("aria-pressed", "false");
    button.textContent = words;
    button.setAttribute("aria-busy", "true");
    try {
      await writeDown(new Blob(parts, { type }), button, api, key, problem);
    } catch (error) {
      problem({ error: { message: String(error) } }, false);
    } finally {
      button.removeAttribute("aria-busy");
    }
  });
  recorder.start(FIRST_MS);
  button.setAttribute("aria-pressed", "true");
}

export function dictate(api, key, problem) {
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-dictate]");
    if (button && !button.hasAttribute("aria-busy")) recorder ? recorder.stop() : record(button, api, key, problem);
  });
  // Whoever leaves the page has finished speaking.
  addEventListener("hashchange", () => recorder?.stop());
}
