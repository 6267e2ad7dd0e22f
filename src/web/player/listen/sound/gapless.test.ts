/** Sounds follow each other without a gap: every sample that is scheduled is counted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance } from '../../../../../test/chance.ts';
import { disableEditLists, remainingCut } from './cut.ts';
import { frameTime } from './frames.ts';
import { createGaplessDeck } from './gapless.ts';
import { levelFactor } from './level.ts';

const RATE = 1000;

/** Stands for a context: it renders what is scheduled, and its clock is moved by the test. */
function fakeContext() {
  const nodes: {
    buffer: { data: Float32Array };
    at: number;
    offset: number;
    isStopped: boolean;
    onended: (() => void) | null;
  }[] = [];
  const bufferOf = (data: Float32Array) => ({
    data,
    length: data.length,
    sampleRate: RATE,
    numberOfChannels: 1,
    duration: data.length / RATE,
    getChannelData: () => data,
    copyToChannel: (from: Float32Array) => data.set(from),
  });
  const context = {
    currentTime: 0,
    sampleRate: RATE,
    destination: {},
    createGain: () => ({
      gain: { value: 1, setTargetAtTime: () => undefined },
      connect: () => undefined,
      disconnect: () => undefined,
    }),
    createBuffer: (_channels: number, length: number) => bufferOf(new Float32Array(length)),
    createBufferSource: () => {
      const node = {
        buffer: bufferOf(new Float32Array(0)),
        at: 0,
        offset: 0,
        isStopped: false,
        onended: null as (() => void) | null,
        connect: () => undefined,
        disconnect: () => undefined,
        start: (when: number, offset: number) => {
          assert.ok(when * RATE >= Math.floor(when * RATE), 'on a frame');
          Object.assign(node, { at: Math.floor(when * RATE), offset: offset * RATE });
        },
        stop: () => (node.isStopped = true),
      };
      nodes.push(node);
      return node;
    },
    resume: () => Promise.resolve(),
    suspend: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  /** The samples that are heard from a frame on; each frame must come from one sound. */
  const heard = (from: number, frames: number): number[] =>
    Array.from({ length: frames }, (_, index) => {
      const own = nodes.filter(
        ({ buffer, at, offset, isStopped }) =>
          !isStopped && from + index >= at && from + index < at + buffer.data.length - offset,
      );
      assert.ok(own.length <= 1, `two sounds at frame ${from + index}`);
      const [node] = own;
      return node ? (node.buffer.data[from + index - node.at + node.offset] ?? Number.NaN) : Number.NaN;
    });
  /** Moves the clock, and ends what has ended by then. */
  const advance = (to: number) => {
    context.currentTime = to / RATE;
    for (const node of nodes)
      if (!node.isStopped && node.at + node.buffer.data.length - node.offset <= to) {
        const { onended } = node;
        node.onended = null;
        onended?.();
      }
  };
  return { context: context as unknown as AudioContext, bufferOf, heard, advance, first: () => nodes[0]?.at ?? 0 };
}
const events: string[] = [];
const on = {
  playing: () => events.push('playing'),
  waiting: () => events.push('waiting'),
  moved: (key: number) => events.push(`moved ${key}`),
  ended: () => events.push('ended'),
  failed: () => events.push('failed'),
};
const tone = (from: number, length: number) => Float32Array.from({ length }, (_, at) => from + at);

test('the joint of two sounds has every sample once', () => {
  const { context, bufferOf, heard, advance, first } = fakeContext();
  const random = chance(3);
  events.length = 0;
  const deck = createGaplessDeck(context, on);
  const lengths = Array.from({ length: 6 }, () => 300 + Math.floor(random() * 5000));
  let at = 0;
  const sounds = lengths.map((length, key) => {
    const sound = { key, factor: 1, buffer: bufferOf(tone(at, length)) as unknown as AudioBuffer };
    at += length;
    return sound;
  });
  const [begun, ...rest] = sounds;
  assert.ok(begun);
  deck.begin(begun, 0);
  const start = first();
  let end = start + begun.buffer.length;
  let counted = 0;
  for (const sound of rest) {
    deck.setNext(sound);
    assert.equal(deck.nextKey(), sound.key);
    // Across the joint, before the sound behind it is heard.
    const frames = end - start - counted + sound.buffer.length;
    assert.deepEqual(heard(start + counted, frames), Array.from(tone(counted, frames)));
    counted += frames;
    advance(end);
    end += sound.buffer.length;
  }
  advance(end);
  assert.deepEqual(events, ['moved 1', 'moved 2', 'moved 3', 'moved 4', 'moved 5', 'ended']);
  assert.equal(deck.duration(), (lengths[5] ?? 0) / RATE);
});

test('a beginning is replaced by the whole at a sample, and by silence only where the whole is late', () => {
  for (const [late, expected] of [
    [false, []],
    [true, ['waiting', 'playing']],
  ] as const) {
    const { context, bufferOf, heard, advance, first } = fakeContext();
    events.length = 0;
    const deck = createGaplessDeck(context, on);
    const whole = tone(0, 20_000);
    deck.begin({ key: 1, factor: 1, buffer: bufferOf(whole.slice(0, 9700)) as unknown as AudioBuffer }, 0.5, true);
    const start = first();
    // Whole seconds of it, without the last samples: 5 seconds.
    if (late) advance(start + 4600);
    deck.complete({ key: 1, factor: 1, buffer: bufferOf(whole) as unknown as AudioBuffer });
    const pause = late ? 160 : 0;
    assert.deepEqual(heard(start, 4500), Array.from(whole.slice(500, 5000)));
    assert.deepEqual(heard(start + 4500 + pause, 15_000), Array.from(whole.slice(5000)));
    assert.deepEqual(events, expected);
    assert.equal(deck.duration(), 20);
  }
});

test('a seek into what is not here yet waits for it, and a queue that changes takes back what was scheduled', () => {
  const { context, bufferOf, heard } = fakeContext();
  events.length = 0;
  const deck = createGaplessDeck(context, on);
  const whole = tone(0, 20_000);
  const sound = (key: number, data: Float32Array) => ({
    key,
    factor: 1,
    buffer: bufferOf(data) as unknown as AudioBuffer,
  });
  deck.begin(sound(1, whole.slice(0, 9700)), 0, true);
  deck.seek(12);
  assert.deepEqual([deck.time(), events], [12, ['waiting']]);
  deck.complete(sound(1, whole));
  assert.deepEqual(heard(60, 3), [12_000, 12_001, 12_002]);
  deck.setNext(sound(2, tone(50_000, 10)));
  deck.setNext(sound(3, tone(60_000, 10)));
  assert.deepEqual(heard(60 + 8000, 2), [60_000, 60_001]);
  deck.setNext(undefined);
  assert.deepEqual(heard(60 + 8000, 1), [Number.NaN]);
});

test('times are never below their frame', () => {
  for (const rate of [44_100, 48_000, 96_000])
    for (let frame = 0; frame < 5_000_000; frame += 9973) {
      const time = frameTime(frame, rate);
      assert.ok(time * rate >= frame && time * rate < frame + 1e-3);
    }
});

test('only what the browser has left of an encoder’s silence is cut', () => {
  const trim = { start: 1105, end: 700 };
  const music = 400_013;
  const at = { rate: 44_100, duration: music / 44_100, trim, fileRate: 44_100 };
  assert.deepEqual(remainingCut({ ...at, frames: music }), { start: 0, end: 0 });
  assert.deepEqual(remainingCut({ ...at, frames: music + 1805 }), trim);
  assert.deepEqual(remainingCut({ ...at, frames: music + 700 }), { start: 0, end: 700 });
  assert.deepEqual(remainingCut({ ...at, frames: music + 20_000 }), { start: 0, end: 0 });
  assert.deepEqual(remainingCut({ ...at, trim: undefined, frames: music + 1805 }), { start: 0, end: 0 });
  // Decoded at another rate than the file's.
  const scaled = remainingCut({ ...at, rate: 48_000, frames: Math.round(((music + 1805) / 44_100) * 48_000) });
  assert.deepEqual(scaled, { start: 1203, end: 762 });
});

test('edit lists of MP4 are disabled, and bytes that are none of it stay', () => {
  const box = (type: string, ...inside: number[][]): number[] => {
    const body = inside.flat();
    const size = body.length + 8;
    return [
      size >>> 24,
      (size >>> 16) & 255,
      (size >>> 8) & 255,
      size & 255,
      ...[...type].map((letter) => letter.charCodeAt(0)),
      ...body,
    ];
  };
  const file = Uint8Array.from([
    ...box('ftyp', [1, 2]),
    ...box('moov', box('trak', box('tkhd', [0]), box('edts', box('elst', [9])))),
  ]);
  assert.equal(disableEditLists(file), true);
  const text = String.fromCharCode(...file);
  assert.ok(text.includes('free') && text.includes('elst') && !text.includes('edts'));
  assert.equal(disableEditLists(file), false);
  const random = chance(5);
  for (let run = 0; run < 300; run++) {
    const broken = Uint8Array.from(file, (byte) => (random() < 0.2 ? Math.floor(random() * 256) : byte));
    disableEditLists(broken.subarray(0, Math.floor(random() * broken.length)));
  }
});

test('levelling raises and lowers to the reference, and never over full scale', () => {
  const loudness = { track: { gain: -6, peak: 0.9 }, album: { gain: 6, peak: 0.8 } };
  assert.equal(levelFactor(loudness, 'off'), 1);
  assert.equal(levelFactor(loudness, 'track').toFixed(3), '0.501');
  assert.equal(levelFactor(loudness, 'album'), 1 / 0.8);
  assert.equal(levelFactor({ track: { gain: 9 } }, 'album'), 1);
  assert.equal(levelFactor({ track: { gain: Number.NaN } }, 'track'), 1);
  assert.equal(levelFactor(undefined, 'track'), 1);
});
