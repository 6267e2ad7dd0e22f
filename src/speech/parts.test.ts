/** The pieces of listening: which track, what is kept, thinning, and samples that come in any pieces. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PlayableFile } from '../catalog/index.ts';
import { silentLog } from '../lib/log.ts';
import { createCurveCache, pack, unpack } from './curve-cache.ts';
import type { Detector } from './neural-detector.ts';
import { createCurveBuilder, spread } from './curve-builder.ts';
import { downsample } from './downsample.ts';
import { audioTrackFor } from './audio-track.ts';

type Info = NonNullable<PlayableFile['info']>;
const stream = (index: number, more: Partial<Info['streams'][number]> = {}): Info['streams'][number] => ({
  index,
  type: 'audio',
  codec: 'aac',
  default: false,
  forced: false,
  hearingImpaired: false,
  commentary: false,
  original: false,
  cover: false,
  ...more,
});
const info = (...streams: Info['streams']): Info => ({
  container: 'matroska',
  size: 1,
  streams: [stream(0, { type: 'video' }), ...streams],
  chapters: [],
  tags: {},
});

test('the track is chosen by language, original, default and channels, and is never commentary', () => {
  const rows: [Info | undefined, string | undefined, number | 'best' | undefined][] = [
    [undefined, 'en', 'best'],
    [info(), 'en', undefined],
    [info(stream(1), stream(2)), undefined, 1],
    [info(stream(1), stream(2, { default: true })), undefined, 2],
    [info(stream(1, { default: true }), stream(2, { original: true })), undefined, 2],
    [info(stream(1, { language: 'eng', default: true }), stream(2, { language: 'fre' })), 'fr', 2],
    [info(stream(1, { language: 'por' }), stream(2, { languageTag: 'pt-BR', language: 'por' })), 'pt-br', 2],
    [info(stream(1, { language: 'eng' }), stream(2, { languageTag: 'pt-PT' })), 'pt-br', 2],
    [info(stream(1, { language: 'eng' }), stream(2, { language: 'ger', original: true })), 'fr', 2],
    [info(stream(1, { channels: 2 }), stream(2, { channels: 6 })), undefined, 2],
    [info(stream(1, { language: 'eng', commentary: true, default: true }), stream(2, { language: 'ger' })), 'en', 2],
    [info(stream(1, { title: "Director's Commentary", default: true }), stream(2)), undefined, 2],
    [info(stream(1, { title: 'Audio Description', default: true }), stream(2)), undefined, 2],
    [info(stream(1, { commentary: true })), undefined, 1],
  ];
  rows.forEach(([given, language, expected], n) => assert.equal(audioTrackFor(given, language), expected, `row ${n}`));
});

test('what is kept is read back whole or not at all', () => {
  const curve = { detector: 'light' as const, speech: Uint8Array.of(1, 2, 3), level: Uint8Array.of(4, 5, 6) };
  const bytes = pack(curve);
  assert.deepEqual(unpack(bytes), curve);
  for (let at = 0; at < bytes.length; at++) {
    const broken = Buffer.from(bytes);
    broken[at] = (broken[at] ?? 0) ^ 0x40;
    assert.equal(unpack(broken), undefined, `byte ${at}`);
    assert.equal(unpack(bytes.subarray(0, at)), undefined, `length ${at}`);
  }
});

test('the oldest go when there is no room', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-curves-'));
  t.after(() => rm(folder, { recursive: true }));
  const cache = createCurveCache({ folder: join(folder, 'speech'), log: silentLog, maxBytes: 10_000 });
  const curve = { detector: 'neural' as const, speech: new Uint8Array(1_500), level: new Uint8Array(1_500) };
  const key = (n: number): string => String(n).repeat(64);
  for (const n of [1, 2, 3, 4, 5]) {
    await cache.write(key(n), curve);
    await utimes(join(folder, 'speech', `${key(n)}.curve`), n, n);
  }
  assert.deepEqual((await readdir(join(folder, 'speech'))).map((name) => name[0]).toSorted(), ['3', '4', '5']);
  assert.equal(await cache.read(key(1)), undefined);
  assert.deepEqual(await cache.read(key(5)), curve);
});

test('a part is thinned to the loudest and the mean of each place', () => {
  const curve = {
    duration: 40.96,
    speech: new Uint8Array(4096).fill(255, 0, 2048),
    level: Uint8Array.from({ length: 4096 }, (_, n) => (n % 4 === 3 ? 255 : 0)),
  };
  const all = downsample(curve, {});
  assert.equal(all.waveform.length, 1024);
  assert.ok(all.waveform.every((value) => value === 1));
  assert.deepEqual([all.speech[0], all.speech[1023]], [1, 0]);
  const odd: [{ from?: number; to?: number }, number, number][] = [
    [{ from: 1, to: 2 }, 1, 2],
    [{ from: 2, to: 1 }, 1, 2],
    [{ from: -5, to: 1e9 }, 0, 40.96],
    [{ from: 1e9 }, 40.95, 40.96],
    [{ from: 3, to: 3 }, 3, 3.01],
    [{ from: Number.NaN }, 0, 40.96],
  ];
  for (const [part, from, to] of odd) {
    const one = downsample(curve, part);
    assert.deepEqual([one.from, one.to], [from, to]);
    assert.ok(one.waveform.length === one.speech.length && one.waveform.length >= 1 && one.waveform.length <= 1024);
  }
  assert.deepEqual(downsample({ duration: 0, speech: new Uint8Array(0), level: new Uint8Array(0) }, {}).waveform, []);
});

/** Hears the loudness of a frame, and checks that the run-up is what came before. */
const fake = (calls: number[]): Detector => ({
  detect: async (samples, frames, before) => {
    calls.push(frames);
    return Float32Array.from({ length: frames }, (_, n) => (samples[(before + n) * 512] ?? 0) / 255);
  },
});

test('samples may come in pieces of any size, across blocks, and end anywhere', async () => {
  const samples = Int16Array.from({ length: 18_750 * 512 + 70_001 }, (_, n) => Math.floor(n / 512) % 256);
  const bytes = new Uint8Array(samples.buffer);
  const results = [];
  // A Buffer, as bytes come from another process, slices itself without a copy.
  const pieces = [
    [bytes, 1_000_003],
    [Buffer.from(samples.buffer), 65_537],
    [bytes, bytes.length],
  ] as const;
  for (const [of, size] of pieces) {
    const calls: number[] = [];
    const hearing = createCurveBuilder(fake(calls));
    for (let at = 0; at < bytes.length; at += size) await hearing.add(of.subarray(at, at + size));
    results.push(await hearing.end());
    assert.ok(
      calls.length >= 2 && calls.reduce((all, one) => all + one, 0) === Math.ceil(samples.length / 512),
      String(calls),
    );
  }
  assert.deepEqual(results[1], results[0]);
  assert.deepEqual(results[2], results[0]);
  const [one] = results;
  assert.equal(one?.level.length, Math.floor(samples.length / 160));
  assert.deepEqual(
    one?.speech,
    spread(
      Uint8Array.from({ length: Math.ceil(samples.length / 512) }, (_, n) => n % 256),
      Math.floor(samples.length / 160),
    ),
  );
});
