/** Comparing fingerprints, agreement of a season, exact ends, and what is read of fpcalc. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Subject } from '../../../catalog/index.ts';
import { beginnings, endings, mainOf } from './compose.ts';
import { blackSpans, creditsOf, snapped } from './ends.ts';
import { itemsOf } from './fingerprint.ts';
import { collectAway } from './index.ts';
import { ITEM_S, match } from './match.ts';
import { packFingerprint, unpackFingerprint } from './print-file.ts';
import { type SharedPassage, sharedPassages } from './season.ts';
import { createSilences } from './silence-detection.ts';

function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
}
const noise = (length: number, seed: number): Int32Array => {
  const next = chance(seed);
  return Int32Array.from({ length }, () => (next() ^ (next() >>> 7)) | 0);
};
/** A fingerprint of noise with the same passage at a place, of which some bits are turned. */
function withPassage(passage: Int32Array, at: number, seed: number, bits: number): Int32Array {
  const all = noise(1_500, seed);
  const next = chance(seed + 1);
  passage.forEach((item, i) => {
    let turned = item;
    for (let bit = 0; bit < bits; bit++) turned ^= 1 << (next() >>> 27);
    all[at + i] = turned;
  });
  return all;
}
const items = (seconds: number): number => Math.round(seconds / ITEM_S);

test('a passage of 15 to 120 seconds is found with up to six bits turned, and none beyond', () => {
  for (const [seconds, bits, isFound] of [
    [30, 0, true],
    [30, 3, true],
    [30, 6, true],
    [30, 16, false],
    [17, 3, true],
    [10, 0, false],
    [119, 2, true],
    [135, 0, false],
  ] as const) {
    const passage = noise(items(seconds), 77);
    const found = match(withPassage(passage, 200, 1, bits), withPassage(passage, 340, 2, 0));
    assert.equal(found.length, isFound ? 1 : 0, `${seconds} s with ${bits} bits`);
    const [one] = found;
    if (!one) continue;
    assert.ok(Math.abs(one.start - 200 * ITEM_S) < 1 && Math.abs(one.otherStart - 340 * ITEM_S) < 1, String(one.start));
  }
});

test('holes of a second are bridged, longer ones part a passage', () => {
  const passage = noise(items(60), 5);
  const holed = (length: number): Int32Array => {
    const all = withPassage(passage, 100, 1, 0);
    all.set(noise(length, 99), 100 + items(30));
    return all;
  };
  assert.equal(match(holed(8), withPassage(passage, 300, 2, 0)).length, 1);
  assert.equal(match(holed(40), withPassage(passage, 300, 2, 0)).length, 2);
});

test('silence and steady tones are no passage', () => {
  const steady = new Int32Array(items(60)).fill(627_964_279);
  assert.deepEqual(match(withPassage(steady, 100, 1, 0), withPassage(steady, 300, 2, 0)), []);
  assert.deepEqual(match(new Int32Array(2_000), new Int32Array(2_000)), []);
  assert.deepEqual(match(new Int32Array(0), noise(2_000, 1)), []);
});

test('ten minutes are compared with ten minutes in a fraction of a second', () => {
  const begun = process.cpuUsage();
  match(noise(4_850, 1), noise(4_850, 2));
  match(new Int32Array(4_850), new Int32Array(4_850));
  assert.ok(process.cpuUsage(begun).user < 5_000_000, 'microseconds of processor time');
});

const passage = (start: number, end: number) => ({ start, end, otherStart: start, otherEnd: end });
/** Episodes that all have the same passages. */
const season = (of: readonly (readonly [number, number])[]): Map<number, ReturnType<typeof passage>[]>[] =>
  of.map(
    ([start, end], i) =>
      new Map(of.flatMap((_, other) => (other === i ? [] : [[other, [passage(start, end)]] as const]))),
  );

test('a season agrees with three episodes and half of them, or with two of two', () => {
  const agreed = (pairs: ReturnType<typeof season>) => sharedPassages(pairs).map(([best]) => best?.isAgreed);
  assert.deepEqual(
    agreed(
      season([
        [10, 40],
        [20, 50],
      ]),
    ),
    [true, true],
  );
  assert.deepEqual(
    agreed(
      season([
        [10, 40],
        [20, 50],
        [5, 35],
      ]),
    ),
    [true, true, true],
  );
  const two = season([
    [10, 40],
    [20, 50],
  ]);
  assert.deepEqual(agreed([...two, new Map()]), [false, false, undefined], 'two of three');
  const three = season([
    [10, 40],
    [20, 50],
    [5, 35],
  ]);
  assert.deepEqual(agreed([...three, new Map(), new Map(), new Map()]).slice(0, 3), [true, true, true], 'three of six');
  assert.deepEqual(
    agreed([...three, new Map(), new Map(), new Map(), new Map()]).slice(0, 3),
    [false, false, false],
    'three of seven',
  );
});

test('ends that move by more than a second and a half do not agree', () => {
  const pairs = (move: number) => [
    new Map([
      [1, [passage(10, 40)]],
      [2, [passage(10, 40 + move)]],
      [3, [passage(10, 40 + 2 * move)]],
    ]),
    new Map(),
    new Map(),
    new Map(),
  ];
  assert.deepEqual(
    sharedPassages(pairs(0.7))[0]?.map(({ start, end, confidence, isAgreed }) => [start, end, confidence, isAgreed]),
    [[10, 40.7, 1, true]],
  );
  assert.equal(sharedPassages(pairs(1.4))[0]?.[0]?.isAgreed, true, 'the middle one is within reach of both');
  assert.equal(sharedPassages(pairs(1.6))[0]?.[0]?.isAgreed, false);
});

test('ends are moved to silence or black within two seconds, and no further', () => {
  const silences = [
    { start: 8, end: 9.5 },
    { start: 41, end: 42 },
  ];
  assert.deepEqual(snapped({ start: 10, end: 40 }, { silences, blacks: [] }), { start: 9.5, end: 41 });
  assert.deepEqual(snapped({ start: 11.6, end: 38.9 }, { silences, blacks: [] }), { start: 11.6, end: 38.9 });
  assert.deepEqual(
    snapped(
      { start: 10, end: 40 },
      {
        silences,
        blacks: [
          { start: 39.8, end: 40.6 },
          { start: 9, end: 10.1 },
        ],
      },
    ),
    { start: 10.1, end: 39.8 },
  );
  assert.deepEqual(
    blackSpans(
      [
        [0, 0.2],
        [4, 0.99],
        [6, 1],
        [8, 0.5],
        [10, 1],
      ].map(([time = 0, dark = 0]) => ({ time, dark })),
      12,
    ),
    [
      { start: 4, end: 8 },
      { start: 10, end: 12 },
    ],
  );
});

test('credits are dark keyframes to the end, or nearly', () => {
  const film = (dark: (time: number) => number, step = 4) =>
    Array.from({ length: Math.ceil(600 / step) }, (_, n) => 5_400 + n * step).map((time) => ({
      time,
      dark: dark(time),
    }));
  const found = (dark: (time: number) => number, step?: number) => {
    const credits = creditsOf(film(dark, step), 6_000);
    return credits && [credits.start, credits.end, credits.isClear];
  };
  assert.deepEqual(
    found((time) => (time >= 5_700 ? 0.9 : 0.1)),
    [5_700, 6_000, true],
  );
  assert.deepEqual(
    found((time) => (time >= 5_700 && time % 40 !== 0 ? 0.9 : 0.1)),
    [5_700, 6_000, false],
    'with pictures between',
  );
  assert.deepEqual(
    found((time) => (time >= 5_700 && time < 5_950 ? 0.9 : 0.1)),
    [5_700, 5_952, true],
    'with a scene after them',
  );
  assert.equal(
    found((time) => (time >= 5_700 && time < 5_900 ? 0.9 : 0.1)),
    undefined,
    'too far from the end',
  );
  assert.equal(
    found((time) => (time >= 5_985 ? 1 : 0.1)),
    undefined,
    'a fade to black',
  );
  assert.equal(
    found((time) => (time % 8 === 0 ? 0.9 : 0.1)),
    undefined,
    'a dark film',
  );
  assert.equal(
    found(() => 0.1),
    undefined,
  );
  assert.equal(creditsOf([], 6_000), undefined);
});

const shared = (start: number, end: number, isAgreed = true): SharedPassage => ({
  start,
  end,
  confidence: 0.75,
  isAgreed,
});
const words = (markers: ReturnType<typeof endings>): string[] =>
  markers.map(({ kind, start, end, state }) => `${kind} ${start}-${end} ${state}`);

test('finders that differ by more than five seconds are suggested', () => {
  const black = { start: 1_300, end: 1_390, isClear: true };
  assert.deepEqual(words(endings(shared(1_304, 1_380), black, 1_392)), ['credits 1304-1392 published']);
  assert.deepEqual(words(endings(shared(1_306, 1_380), black, 1_400)), ['credits 1306-1380 suggested']);
  assert.deepEqual(words(endings(shared(1_304, 1_380, false), { ...black, isClear: false }, 1_400)), [
    'credits 1304-1390 suggested',
  ]);
  assert.deepEqual(words(endings(shared(1_300, 1_380), undefined, 1_400)), ['credits 1300-1380 published']);
  assert.deepEqual(words(endings(undefined, { ...black, isClear: false }, 1_400)), ['credits 1300-1390 suggested']);
  assert.deepEqual(words(endings(undefined, undefined, 1_400)), []);
});

test('the longest passage that is agreed is the intro; others are only suggested', () => {
  const all = [shared(0, 16), shared(60, 120), shared(200, 290, false), shared(300, 320)];
  assert.deepEqual(mainOf(all), all[1]);
  assert.deepEqual(words(beginnings(mainOf(all), all)), [
    'intro 60-120 published',
    'recap 0-16 suggested',
    'commercial 300-320 suggested',
  ]);
  assert.deepEqual(words(beginnings(mainOf([shared(60, 90, false)]), [shared(60, 90, false)])), [
    'intro 60-90 suggested',
  ]);
});

test('what fpcalc says is believed only in its own shape', () => {
  assert.deepEqual([...itemsOf('DURATION=0\nFINGERPRINT=1,4294967295,0\n', 600)], [1, -1, 0]);
  for (const output of [
    '',
    'FINGERPRINT=',
    'FINGERPRINT=x',
    'FINGERPRINT=1,,2',
    'FINGERPRINT=-1',
    'FINGERPRINT=4294967296',
    'FINGERPRINT=1\nFINGERPRINT=2',
    'FINGERPRINT=1e3',
    'fingerprint=1',
    `FINGERPRINT=${'1,'.repeat(6_000)}1`,
    '\u0000'.repeat(1_000),
  ])
    assert.throws(() => itemsOf(output, 600), /no fingerprint/, output.slice(0, 40));
});

test('a kept fingerprint is whole or not there', () => {
  const print = { from: 12.5, length: 60, items: Int32Array.of(1, -2, 3), silences: [{ start: 1, end: 2.5 }] };
  const bytes = packFingerprint(print);
  assert.deepEqual(unpackFingerprint(bytes), print);
  for (let length = 0; length < bytes.length; length++)
    assert.equal(unpackFingerprint(bytes.subarray(0, length)), undefined);
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0x10;
    assert.equal(unpackFingerprint(damaged), undefined, `byte ${at}`);
  }
});

test('silence is heard whatever the pieces are cut into', () => {
  const samples = Int16Array.from({ length: 16_000 * 3 }, (_, n) =>
    n >= 16_000 && n < 24_000 ? 100 : n % 2 === 0 ? 5_000 : -5_000,
  );
  const bytes = new Uint8Array(samples.buffer);
  for (const piece of [bytes.length, 1_001, 64]) {
    const silences = createSilences(16_000);
    for (let at = 0; at < bytes.length; at += piece) silences.add(bytes.subarray(at, at + piece));
    assert.deepEqual(
      silences.end().map(({ start, end }) => [Number(start.toFixed(3)), Number(end.toFixed(3))]),
      [[1, 1.5]],
    );
  }
});

test('items that could not be analysed are all collected, and each reason of a library is logged once', () => {
  const logged: unknown[] = [];
  const { items, add } = collectAway({ warn: (_, values) => void logged.push(values) });
  const item = (id: string, library: string) => ({ id, library }) as Subject;
  add([item('1', 'a'), item('2', 'a')], 'away');
  add([item('3', 'a')], 'away');
  add([item('4', 'a')], 'missing');
  add([item('5', 'b')], 'away');
  assert.deepEqual(
    items.map(({ id }) => id),
    ['1', '2', '3', '4', '5'],
  );
  assert.deepEqual(logged, [
    { library: 'a', item: '1', reason: 'away' },
    { library: 'a', item: '4', reason: 'missing' },
    { library: 'b', item: '5', reason: 'away' },
  ]);
});
