/**
 * Alignment returns cues to their speech however they were moved, and leaves them unchanged if the evidence is weak.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { type Cue, spansOf } from '../cue.ts';
import { align, alignToCues, RATIOS } from './align.ts';
import { isSpoken } from './blocks.ts';
import { MAX_RATE_CHANGE } from './rates.ts';
import { chance, cue, film, isRight, moved, pauseNear } from './testing.ts';

const FILM = film(1);
const [A, B, C] = [0.3, 0.5, 0.72].map((part) => pauseNear(FILM.cues, part)) as [number, number, number];

const WAYS: Record<string, (time: number, at: number) => number> = {
  late: (time) => time + 7_300,
  early: (time) => time - 6_400,
  'very late': (time) => time + 180_000,
  'a little late': (time) => time + 250,
  'PAL for film': (time) => (time * 23.976) / 25,
  'film for PAL': (time) => (time * 25) / 23.976,
  '24 for 23.976': (time) => (time * 23.976) / 24,
  '23.976 for 24': (time) => (time * 24) / 23.976,
  '25 for 24 and late': (time) => (time * 24) / 25 + 9_000,
  '24 for 25 and late': (time) => (time * 25) / 24 + 9_000,
  'one break': (time, at) => time + (at < B ? 1_500 : 31_000),
  'two breaks': (time, at) => time + (at < A ? 0 : at < C ? 12_000 : 47_000),
  'rate and break': (time, at) => ((time + (at < B ? 1_500 : 31_000)) * 25) / 23.976,
  'slight rate and break': (time, at) => ((time + (at < B ? 1_500 : 31_000)) * 24) / 23.976,
};

for (const [name, by] of Object.entries(WAYS)) {
  test(`aligned: ${name}`, () => isRight(align(moved(FILM.cues, by), FILM.curve), FILM.cues, name));
  test(`aligned with a third of the cues missing: ${name}`, () => {
    const isKept = (_: unknown, n: number): boolean => n % 3 > 0;
    isRight(align(moved(FILM.cues, by).filter(isKept), FILM.curve), FILM.cues.filter(isKept), name);
  });
}

test('cues at their right times are not moved', () => {
  for (const cues of [FILM.cues, FILM.cues.filter((_, n) => n % 3 > 0), moved(FILM.cues, (time) => time + 60)]) {
    const { outcome } = align(cues, FILM.curve);
    assert.equal(outcome, 'fits');
  }
});

test('a few cues are not moved, whether they are right or of another film', () => {
  const spread = (cues: readonly Cue[], from: number): Cue[] => cues.filter((_, n) => n % 12 === from);
  for (const from of [0, 3, 6]) {
    assert.equal(align(spread(FILM.cues, from), FILM.curve).outcome, 'fits', `every twelfth from ${from}`);
    assert.equal(align(spread(film(2).cues, from), FILM.curve).outcome, 'refused', `of another film from ${from}`);
  }
});

test('cues of another film, or of none, are refused with a reason', () => {
  const refusals = {
    another: align(film(2).cues, FILM.curve),
    'another, longer': align(film(3, 60).cues, FILM.curve),
    silence: align(FILM.cues, new Uint8Array(120_000)),
    nothing: align(FILM.cues, new Uint8Array(0)),
  };
  for (const [name, one] of Object.entries(refusals)) assert.equal(one.outcome, 'refused', name);
  const next = chance(5);
  const noise = align(
    FILM.cues,
    Uint8Array.from({ length: 120_000 }, () => next() * 255),
  );
  assert.equal(noise.outcome, 'refused');
  const [another, silence] = [refusals.another, refusals.silence];
  assert.ok(
    another.outcome === 'refused' && another.reason === 'mismatch' && another.evidence.length >= 3,
    'with its evidence',
  );
  assert.ok(silence.outcome === 'refused' && silence.reason === 'no-speech');
});

test('no other film is mistaken for this one', { timeout: 900_000 }, () => {
  for (let seed = 100; seed < 120; seed++) {
    const other = align(film(seed, 15).cues, film(seed + 1_000, 15).curve);
    assert.ok(
      other.outcome === 'refused' && other.reason === 'mismatch',
      `seed ${seed}: ${JSON.stringify(other.evidence)}`,
    );
  }
});

test(
  'a handful of lines of another film is never moved, though chance finds a place for it',
  { timeout: 900_000 },
  () => {
    let found = 0;
    for (let seed = 200; seed < 240; seed++) {
      const [one, other] = [film(seed, 5).cues.slice(0, 10), film(seed + 1_000, 5).cues.slice(0, 14)];
      const alignment = alignToCues(one, other);
      assert.notEqual(alignment.outcome, 'moved', `seed ${seed}`);
      if (alignment.outcome === 'refused' && alignment.refusal === 'too-few-lines') found++;
    }
    assert.ok(found > 0, 'chance did find one');
  },
);

test('another episode with the same beginning is refused', () => {
  // People talk nearly all the time, so that any cue meets speech.
  const episode = (seed: number, shared: readonly Cue[]): Cue[] => {
    const next = chance(seed);
    const cues = [...shared];
    for (let at = (shared.at(-1)?.end ?? 0) + 2_000; at < 20 * 60_000;) {
      const end = Math.round(at + 700 + next() ** 1.5 * 4_200);
      cues.push(cue(Math.round(at), end));
      at = end + 100 + next() ** 3 * 500;
    }
    return cues;
  };
  const heard = (cues: readonly Cue[]): Uint8Array => {
    const curve = new Uint8Array(21 * 6_000).fill(10);
    const next = chance(cues.length);
    for (const { start, end } of cues)
      curve.fill(
        next() < 0.07 ? 40 : 240,
        Math.round((start + next() * 200) / 10),
        Math.round((end - next() * 500) / 10),
      );
    return curve;
  };
  for (let seed = 1; seed <= 3; seed++) {
    const shared = episode(seed + 100, []).filter(({ end }) => end < 8 * 60_000);
    const right = episode(seed, shared);
    const curve = heard(right);
    assert.equal(align(right, curve).outcome, 'fits');
    const alignment = align(episode(seed + 50, shared), curve);
    assert.equal(alignment.outcome, 'refused', JSON.stringify(alignment.evidence));
  }
});

test('a short episode that shares half of its lines is refused, and the right one is accepted', () => {
  const short = (seed: number): Cue[] => {
    const next = chance(seed);
    const cues: Cue[] = [];
    for (let at = 3_000; at < 176_000;) {
      const end = Math.min(at + 700 + next() ** 1.5 * 4_200, 176_000);
      cues.push(cue(Math.round(at), Math.round(end)));
      at = end + 120 + next() ** 3 * 4_000 + (next() < 0.12 ? 3_000 + next() * 15_000 : 0);
    }
    return cues;
  };
  for (const seed of [1003, 5003]) {
    const right = short(seed);
    const next = chance(seed + 77);
    const curve = new Uint8Array(18_000);
    for (let at = 0; at < curve.length; at++) curve[at] = next() * 30;
    for (let music = 0; music < 2; music++) {
      const at = Math.floor(next() * curve.length);
      curve.fill(150 + next() * 60, at, Math.floor(at + 300 + next() * 1_500));
    }
    for (const { start, end } of right) {
      const [from, to] = [Math.round((start + next() * 200) / 10), Math.round((end - next() * 500) / 10)];
      curve.fill(next() < 0.07 ? 40 : 235, from, Math.max(from, to));
    }
    assert.equal(align(right, curve).outcome, 'fits', String(seed));
    const back = right.filter((_, n) => n >= right.length / 2);
    const shared = [...short(seed + 500).filter(({ end }) => end < (back[0]?.start ?? 0) - 200), ...back];
    const alignment = align(shared, curve);
    assert.ok(
      alignment.outcome === 'refused' && alignment.refusal === 'other-episode',
      `${seed}: ${alignment.outcome} ${JSON.stringify(alignment.measures)}`,
    );
  }
});

test('too few cues are no evidence', () => {
  for (const cues of [
    [],
    FILM.cues.slice(0, 5),
    FILM.cues.map((one) => ({ ...one, spans: spansOf('[door slams]') })),
  ]) {
    const { outcome, ...rest } = align(cues, FILM.curve);
    assert.equal(outcome, 'refused');
    assert.equal('reason' in rest && rest.reason, 'too-few-cues');
  }
});

test('no cue is dropped where it would begin before the video', () => {
  const credits = [cue(100, 900, 'Subtitles by nobody'), cue(1_000, 2_000, 'And by nobody else')];
  const late = [...credits, ...moved(FILM.cues, (time) => time + 20_000)];
  const alignment = align(late, FILM.curve);
  assert.ok(alignment.outcome === 'moved');
  assert.equal(alignment.cues.length, late.length);
  assert.deepEqual(
    alignment.cues.slice(0, 2).map(({ start }) => start),
    [0, 0],
  );
  assert.ok(alignment.cues.every(({ start, end }) => start >= 0 && end > start));
  assert.ok(alignment.evidence.some(({ kind }) => kind === 'clamped'));
});

test('cues in any order give segments by order of time', () => {
  const given = moved(FILM.cues, (time) => time + 4_000);
  const alignment = align(given.toReversed(), FILM.curve);
  isRight(alignment, FILM.cues, 'reversed');
  assert.deepEqual(
    alignment.segments.map(({ from, to }) => [from, to]),
    [[0, given.length - 1]],
  );
});

test('aligned with cues of another language that are split differently', () => {
  const next = chance(9);
  const reference = FILM.cues.flatMap(({ start, end }) => {
    if (next() < 0.1) return [];
    const [from, to] = [start + (next() - 0.5) * 300, end + (next() - 0.3) * 500];
    return next() < 0.3 && to - from > 2_000
      ? [cue(from, (from + to) / 2 - 50), cue((from + to) / 2, to)]
      : [cue(from, to)];
  });
  for (const name of ['late', 'PAL for film', 'two breaks', 'rate and break'])
    isRight(alignToCues(moved(FILM.cues, WAYS[name] ?? ((time) => time)), reference), FILM.cues, name);
  assert.equal(alignToCues(FILM.cues, reference).outcome, 'fits');
  assert.equal(alignToCues(film(2).cues, reference).outcome, 'refused');
  assert.equal(alignToCues(FILM.cues, []).outcome, 'refused');
});

test('cues without speech are no evidence', () => {
  const spoken = ['Dr. Smith: the time is', '[sighs] Fine.', '…7'];
  const silent = ['[door slams]', '(MUSIC)', '♪ la la ♪', '...', ''];
  for (const text of spoken) assert.ok(isSpoken(cue(0, 1, text)), text);
  for (const text of silent) assert.ok(!isSpoken(cue(0, 1, text)), text);
});

test('a hundred thousand cues, and times that make no sense', { timeout: 900_000 }, () => {
  const many = Array.from({ length: 100_000 }, (_, n) => cue(n * 1_200, n * 1_200 + 900));
  assert.notEqual(align(many, FILM.curve).outcome, 'moved');
  const crowd = Array.from({ length: 100_000 }, (_, n) =>
    cue((n * 7_919) % 1_600_000, ((n * 7_919) % 1_600_000) + 2_000),
  );
  assert.notEqual(align(crowd, FILM.curve).outcome, 'moved');
  for (const odd of [0, -5_000, 36 * 3_600_000, Number.NaN, Infinity, -Infinity, 1e300]) {
    assert.notEqual(
      align(
        Array.from({ length: 50 }, () => cue(odd, odd)),
        FILM.curve,
      ).outcome,
      'moved',
    );
    assert.notEqual(
      align(
        Array.from({ length: 50 }, (_, n) => cue(odd, n * 100)),
        FILM.curve,
      ).outcome,
      'moved',
    );
  }
});

const HOSTILE = fc.array(
  fc.record({ start: fc.oneof(fc.integer(), fc.double()), end: fc.oneof(fc.integer(), fc.double()) }),
  { maxLength: 60 },
);

test('any input has an outcome, a ratio in range, and segments that cover all cues in order', () => {
  const curve = FILM.curve.subarray(0, 12_000);
  fc.assert(
    fc.property(HOSTILE, fc.boolean(), (times, isCues) => {
      const cues = times.map(({ start, end }) => cue(start, end));
      const { ratio, segments } = isCues ? alignToCues(cues, FILM.cues.slice(0, 60)) : align(cues, curve);
      assert.ok(Math.abs(ratio - 1) <= MAX_RATE_CHANGE);
      segments.forEach(({ from, to, offset }, n) => {
        assert.equal(from, n === 0 ? 0 : (segments[n - 1]?.to ?? 0) + 1);
        assert.ok(to >= from && to < cues.length && Number.isInteger(offset));
      });
      if (segments.length > 0) assert.equal(segments.at(-1)?.to, cues.length - 1);
    }),
    { numRuns: 60 },
  );
});

test('any offset within reach and any ratio of the list is found', () => {
  fc.assert(
    fc.property(fc.integer({ min: -7_000, max: 200_000 }), fc.constantFrom(...RATIOS), (offset, ratio) => {
      const alignment = align(
        moved(FILM.cues, (time) => (time + offset) / ratio),
        FILM.curve,
      );
      if (Math.abs(offset) <= 130 && ratio === 1) return;
      isRight(alignment, FILM.cues, `${offset} ms, ${ratio}`);
    }),
    { numRuns: 6 },
  );
});
