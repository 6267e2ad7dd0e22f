/**
 * Detects speech with WebRTC's detector, a few kilobytes of WebAssembly, on machines that cannot load the neural one.
 *
 * It decides yes or no for every 10 ms and takes much music for speech, so cues must fit better before they are moved.
 */
import { type Detector, FRAME } from './neural-detector.ts';

const RATE = 16_000;
/** Samples of one decision. */
const STEP = 160;
/** The strictest of its four modes. */
const STRICT = 3;

export async function loadLightDetector(): Promise<Detector> {
  const { default: load } = await import('@echogarden/fvad-wasm');
  const fvad = await load();
  const handle = fvad._fvad_new();
  if (fvad._fvad_set_sample_rate(handle, RATE) !== 0 || fvad._fvad_set_mode(handle, STRICT) !== 0)
    throw new Error('the light detector cannot be set up');
  const room = fvad._malloc(STEP * 2);

  return {
    detect: (samples, frames, before) => {
      const out = new Float32Array(frames);
      // It keeps its own state between calls, so that no run-up is needed.
      for (let at = before * FRAME; at + STEP <= samples.length; at += STEP) {
        fvad.HEAP16.set(samples.subarray(at, at + STEP), room >> 1);
        const frame = Math.floor((at + STEP / 2) / FRAME) - before;
        const isSpeech = fvad._fvad_process(handle, room, STEP) === 1;
        if (isSpeech && frame < frames) out[frame] = Math.min(1, (out[frame] ?? 0) + (STEP / FRAME) * 1.04);
      }
      return Promise.resolve(out);
    },
  };
}
