// Small ticks, off until asked for. Made by WebAudio, so that no file is needed.
import { kept } from "./dom.js";

let context = null;
export let on = kept.get("sound", false);

export function setSound(wanted) {
  on = wanted;
  kept.set("sound", on);
  if (on) tick("turn");
}

const NOTES = { turn: [660, 880], lay: [240], reveal: [520, 390], hurt: [160, 120], over: [523, 659, 784] };

export function tick(kind) {
  if (!on) return;
  try {
    context ??= new AudioContext();
    (NOTES[kind] ?? NOTES.lay).forEach((pitch, k) => {
      const at = context.currentTime + 0.09 * k;
      const tone = context.createOscillator();
      const volume = context.createGain();
      tone.type = "triangle";
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.0001, at);
      volume.gain.exponentialRampToValueAtTime(0.12, at + 0.01);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.16);
      tone.connect(volume).connect(context.destination);
      tone.start(at);
      tone.stop(at + 0.18);
    });
  } catch { /* no sound here */ }
}
