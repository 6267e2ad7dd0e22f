/**
 * Made-up films to hear: people of several voices who speak at known times, with pauses, music and noise between and
 * beneath. The same seed produces the same film. Speech comes from espeak-ng and flite (Debian packages).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RATE = 16_000;

/** ms. */
export interface Times {
  start: number;
  end: number;
}
export interface Film {
  /** 16,000 samples a second. */
  samples: Int16Array;
  /** As a careful person would time them: a little before the first sound until a while after the last. */
  cues: Times[];
}

/** The numbers of a small generator (mulberry32), 0 to 1. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PHRASES = [
  'No.',
  'Where were you?',
  'I told you already.',
  'Wait for me outside.',
  'You cannot be serious about this.',
  'They left before the rain began.',
  'It was never about the money, and you know it.',
  'Open the door, please.',
  'When I was a child we came here every summer.',
  'How long will it take to get there?',
  'The train to the coast leaves at a quarter past nine.',
  'I have no idea what you are talking about.',
  'Listen to me very carefully.',
  'She said that she would call us back.',
  'Do you remember the old house by the river?',
  'Nobody has seen him since yesterday morning.',
  'Good evening, everybody.',
  'We should have turned left at the bridge, as I said.',
  'Give me one good reason why I should believe a single word of that.',
  'Thank you for coming at such short notice.',
  'Fine.',
  'Put it on the table and step back.',
] as const;
const ESPEAK = [
  ['en-us', 165],
  ['en-gb+m3', 175],
  ['en-us+f2', 170],
  ['en-gb+f4', 160],
  ['en-us+m7', 185],
] as const;
const FLITE = ['slt', 'rms', 'awb'] as const;

/** Every phrase in every voice, without the silence around it. Fails with a sentence when a program is missing. */
export function makeVoices(): Int16Array[] {
  for (const [program, what] of [
    ['espeak-ng', 'espeak-ng'],
    ['flite', 'flite'],
  ] as const) {
    if (!existsSync(`/usr/bin/${program}`))
      throw new Error(`this bench needs Debian's ${what}: apt-get install ${what}`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'matinee-voices-'));
  const wav = join(folder, 'one.wav');
  const run = (program: string, args: string[]): Buffer => {
    execFileSync(program, args, { stdio: 'ignore' });
    return readFileSync(wav);
  };
  const all: Int16Array[] = [];
  for (const phrase of PHRASES) {
    for (const [voice, speed] of ESPEAK)
      all.push(trimmed(run('espeak-ng', ['-v', voice, '-s', String(speed), '-w', wav, phrase])));
    for (const voice of FLITE) all.push(trimmed(run('flite', ['-voice', voice, '-t', phrase, '-o', wav])));
  }
  rmSync(folder, { recursive: true });
  return all;
}

/** One channel of a WAV file at our rate, from its first sound to its last, at one loudness. */
function trimmed(wav: Buffer): Int16Array {
  const rate = wav.readUInt32LE(24);
  const at = wav.indexOf('data') + 8;
  const count = Math.floor(((wav.length - at) / 2) * (RATE / rate));
  const out = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const place = (i * rate) / RATE;
    const [a, b] = [Math.floor(place), Math.min(Math.floor(place) + 1, (wav.length - at) / 2 - 1)];
    out[i] = wav.readInt16LE(at + 2 * a) * (1 - (place - a)) + wav.readInt16LE(at + 2 * Math.floor(b)) * (place - a);
  }
  let most = 1;
  for (const value of out) most = Math.max(most, Math.abs(value));
  let [first, last] = [0, count - 1];
  while (first < last && Math.abs(out[first] ?? 0) < most * 0.03) first++;
  while (last > first && Math.abs(out[last] ?? 0) < most * 0.03) last--;
  return Int16Array.from(out.subarray(first, last + 1), (value) => (value / most) * 16_000);
}

/**
 * A film of so many minutes. A third of its conversations have music or noise beneath them; `under` is beneath all of
 * it: many who talk at once, or wind.
 */
export function makeFilm(
  voices: readonly Int16Array[],
  { minutes, seed, under }: { minutes: number; seed: number; under?: 'voices' | 'wind' },
): Film {
  const next = chance(seed);
  const samples = new Int16Array(minutes * 60 * RATE);
  const cues: Times[] = [];
  let at = Math.min(minutes, 5 + next() * 20) * RATE;
  const spoken: { from: number; to: number }[] = [];
  while (at < samples.length - Math.min(90, minutes * 5) * RATE) {
    const begin = at;
    const end = Math.min(samples.length - Math.min(40, minutes * 2) * RATE, at + (20 + next() * 130) * RATE);
    const cast = [0, 1, 2].map(() => Math.floor(next() * (ESPEAK.length + FLITE.length)));
    while (at < end) {
      const who = cast[Math.floor(next() * cast.length)] ?? 0;
      const voice = voices[Math.floor(next() * PHRASES.length) * (ESPEAK.length + FLITE.length) + who];
      if (!voice) continue;
      const loud = 0.35 + next() * 0.65;
      for (let i = 0; i < voice.length; i++) add(samples, at + i, (voice[i] ?? 0) * loud);
      spoken.push({ from: at, to: at + voice.length });
      at = Math.round(at + voice.length + (0.12 + next() ** 3 * 5) * RATE);
    }
    if (next() < 0.35) bed(samples, { from: Math.round(begin), to: Math.round(at), loud: 300 + next() * 900, next });
    const pause = (3 + next() ** 2 * 45) * RATE;
    if (next() < 0.5)
      bed(samples, { from: Math.round(at), to: Math.round(at + pause), loud: 1000 + next() * 4000, next });
    at = Math.round(at + pause);
  }
  for (let i = 0; i < samples.length; i++) add(samples, i, (next() - 0.5) * 40);
  if (under === 'voices') crowd(samples, voices, next);
  if (under === 'wind')
    for (let i = 0, slow = 0; i < samples.length; i++) add(samples, i, (slow += (next() - 0.5 - slow) * 0.05) * 9_000);
  spoken.forEach(({ from, to }, n) => {
    const before = spoken[n + 1]?.from ?? Infinity;
    const start = Math.round((from / RATE) * 1000 - next() * 120);
    const until = Math.min((to / RATE) * 1000 + next() * 700, (before / RATE) * 1000 - 125);
    cues.push({ start: Math.max(0, start), end: Math.round(Math.max(until, (to / RATE) * 1000 - 50)) });
  });
  return { samples, cues };
}

/** Six who talk all the time, none of them to be understood. */
function crowd(samples: Int16Array, voices: readonly Int16Array[], next: () => number): void {
  for (let one = 0; one < 6; one++) {
    for (let at = 0; at < samples.length;) {
      const voice = voices[Math.floor(next() * voices.length)] ?? new Int16Array(RATE);
      for (let i = 0; i < voice.length && at + i < samples.length; i++) add(samples, at + i, (voice[i] ?? 0) * 0.06);
      at += voice.length + Math.floor(next() * 0.4 * RATE);
    }
  }
}

function add(samples: Int16Array, at: number, value: number): void {
  const place = Math.round(at);
  samples[place] = Math.max(-32_768, Math.min(32_767, (samples[place] ?? 0) + value));
}

/** Music (chords with a beat) or the noise of wind and streets. */
export function bed(
  samples: Int16Array,
  { from, to, loud, next }: { from: number; to: number; loud: number; next: () => number },
): void {
  const isMusic = next() < 0.6;
  const beat = Math.round((0.3 + next() * 0.5) * RATE);
  let [slow, chord] = [0, [220, 277, 330]];
  for (let i = from; i < Math.min(to, samples.length); i++) {
    const into = (i - from) % (beat * 4);
    if (into === 0) {
      const root = 110 * 2 ** (Math.floor(next() * 18) / 12);
      chord = [root, root * 2 ** (4 / 12), root * 2 ** (7 / 12), root * 2];
    }
    slow += (next() - 0.5 - slow) * 0.05;
    if (!isMusic) add(samples, i, slow * loud * 6);
    else {
      let value = 0;
      for (const tone of chord)
        value += Math.sin((2 * Math.PI * tone * i) / RATE) + 0.4 * Math.sin((4 * Math.PI * tone * i) / RATE);
      const hit = Math.exp(-((i - from) % beat) / (RATE * 0.04)) * (next() - 0.5) * 3;
      add(samples, i, ((value / 4) * Math.exp(-into / (RATE * 1.5)) + hit) * loud);
    }
  }
}

/** As a WAV file. */
export function wavOf(samples: Int16Array): Buffer {
  const head = Buffer.alloc(44);
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + bytes.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(bytes.length, 40);
  return Buffer.concat([head, bytes]);
}
