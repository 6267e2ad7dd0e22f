/**
 * Builds the curve of a recording from its samples: the probability of speech and the loudness, 100 values a second.
 *
 * Memory: one block of samples and the curve so far.
 */
import { type Detector, FRAME, RUN_UP } from './neural-detector.ts';

/** Samples for one value of the curve. */
const STEP = 160;
/** Frames in ten minutes. */
const BLOCK_FRAMES = 18_750;
/** Frames kept of the block before: the run-up and the samples that the network sees twice. */
const KEPT = RUN_UP + 1;
/** Values of 36 hours, the limit of a subtitle. Audio after that is ignored. */
const MAX_VALUES = 36 * 3_600 * 100;

export interface CurveBuilder {
  /** Adds bytes of 16-bit samples. A sample may be split between two calls. */
  add(bytes: Uint8Array): Promise<void>;
  /** Seconds of audio that were analysed. */
  seconds(): number;
  end(): Promise<{ speech: Uint8Array; level: Uint8Array }>;
}

export function createCurveBuilder(detector: Detector): CurveBuilder {
  const block = new Int16Array((KEPT + BLOCK_FRAMES) * FRAME);
  const [likely, level] = [growing(), growing()];
  /** Samples in the block, of which the first `before` frames belong to the block before. */
  let [filled, before] = [0, 0];
  let [loudest, inStep, odd] = [0, 0, -1];

  /** Detects speech in the full frames of the block, and with `isLast` in the last frame that is not full. */
  const detectBlock = async (isLast: boolean): Promise<void> => {
    const frames = (isLast ? Math.ceil(filled / FRAME) : Math.floor(filled / FRAME)) - before;
    if (frames > 0)
      for (const one of await detector.detect(block.subarray(0, filled), frames, before))
        likely.add(Math.round(one * 255));
    const keep = Math.min(KEPT, before + Math.max(0, frames));
    block.copyWithin(0, filled - keep * FRAME, filled);
    [filled, before] = [keep * FRAME, keep];
  };

  const addLoudness = (samples: Int16Array): void => {
    let [most, at] = [loudest, inStep];
    for (const sample of samples) {
      const loud = sample < 0 ? -sample : sample;
      if (loud > most) most = loud;
      if (++at < STEP) continue;
      level.add(Math.min(255, Math.round((most * 255) / 32_767)));
      [most, at] = [0, 0];
    }
    [loudest, inStep] = [most, at];
  };

  const addSamples = async (samples: Int16Array): Promise<void> => {
    for (let at = 0; at < samples.length && level.length < MAX_VALUES;) {
      const part = samples.subarray(at, at + block.length - filled);
      block.set(part, filled);
      addLoudness(part);
      filled += part.length;
      at += part.length;
      if (filled === block.length) await detectBlock(false);
    }
  };

  return {
    async add(bytes) {
      let rest = bytes;
      if (odd >= 0 && bytes.length > 0) {
        // A piece ended inside a sample.
        await addSamples(samplesOf(Uint8Array.of(odd, bytes[0] ?? 0)));
        [rest, odd] = [bytes.subarray(1), -1];
      }
      if (rest.length % 2 === 1) odd = rest.at(-1) ?? 0;
      await addSamples(samplesOf(rest));
    },
    seconds: () => (likely.length * FRAME) / 16_000,
    async end() {
      await detectBlock(true);
      const values = level.done();
      return { speech: spread(likely.done(), values.length), level: values };
    },
  };
}

/** Returns the whole samples of bytes, which may have any alignment. */
function samplesOf(bytes: Uint8Array): Int16Array {
  // A Buffer would slice itself without a copy.
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : new Uint8Array(bytes);
  return new Int16Array(aligned.buffer, aligned.byteOffset, Math.floor(bytes.length / 2));
}

/** Converts values of 32 ms into values of 10 ms: each is that of the frame in which its middle lies. */
export function spread(likely: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(length);
  for (let i = 0; i < length; i++)
    out[i] = likely[Math.min(likely.length - 1, Math.floor((i * STEP + STEP / 2) / FRAME))] ?? 0;
  return out;
}

function growing(): { readonly length: number; add(value: number): void; done(): Uint8Array } {
  let bytes = new Uint8Array(65_536);
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(value) {
      if (length === bytes.length) {
        const larger = new Uint8Array(bytes.length * 2);
        larger.set(bytes);
        bytes = larger;
      }
      bytes[length++] = value;
    },
    done: () => bytes.slice(0, length),
  };
}
