/** The provider's own hosts, the pace of calls, and reading untrusted replies. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProviderHost } from './outbound.ts';
import { createPace } from './pace.ts';
import {
  bareName,
  readFlag,
  readFrameRate,
  readImdbId,
  readReleaseNames,
  readRetryAfter,
  saysForced,
  saysMachine,
  readLine,
  readTime,
  readWhole,
} from './fields.ts';

const hosts: readonly [base: string, url: string, own: boolean][] = [
  ['https://api.example.org/v1', 'https://api.example.org/x', true],
  ['https://api.example.org/v1', 'https://www.example.org/x', true],
  ['https://api.example.org/v1', 'https://vip-api.example.org/x', true],
  ['https://api.example.org/v1', 'https://example.org/x', true],
  ['https://api.example.org/v1', 'http://www.example.org/x', false],
  ['https://api.example.org/v1', 'https://www.example.org:8443/x', false],
  ['https://api.example.org/v1', 'https://example.org.evil.net/x', false],
  ['https://api.example.org/v1', 'https://evilexample.org/x', false],
  ['https://api.example.org/v1', 'https://127.0.0.1/x', false],
  ['https://api.org/v1', 'https://other.org/x', false],
  ['https://example.org/v1', 'https://www.example.org/x', false],
  ['https://subs.example.org/v1', 'https://www.example.org/x', false],
  ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:9000/x', true],
  ['http://127.0.0.1:8000/v1', 'http://localhost:8000/x', false],
  ['http://127.0.0.1:8000/v1', 'http://127.0.0.2:8000/x', false],
];
for (const [base, url, own] of hosts)
  test(`own host: ${url} of ${base}`, () => assert.equal(isProviderHost(new URL(url), new URL(base)), own));

const signal = new AbortController().signal;
test('pace: a limited number in any second, in order, and an aborted call frees its slot', async () => {
  let now = 0;
  const pace = createPace(2, 1, {
    clock: { now: () => now, monotonic: () => now },
    sleep: async (ms) => void (now += ms),
  });
  const at: number[] = [];
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      const answered = await pace.turn(signal);
      at.push(now);
      answered();
      answered();
    }),
  );
  assert.deepEqual(at, [0, 0, 1000, 1000, 2000]);
  await assert.rejects(pace.turn(AbortSignal.abort(new Error('left'))), /left/);
  now += 5_000;
  (await pace.turn(signal))();
});

test('pace: however slowly calls travel, no more arrive in a second than are allowed', async () => {
  let now = 0;
  const pace = createPace(3, 1, {
    clock: { now: () => now, monotonic: () => now },
    sleep: async (ms) => void (now += ms),
  });
  const arrived: number[] = [];
  for (let n = 0; n < 300; n++) {
    const answered = await pace.turn(signal);
    now += (n * 7919) % 700;
    arrived.push(now);
    now += (n * 104_729) % 90;
    answered();
  }
  for (const [n, at] of arrived.entries()) if (n >= 3) assert.ok(at - (arrived[n - 3] ?? 0) >= 1000, `call ${n}`);
});

test('pace: a caller that waits for replies of others can abort, and is woken by one', async () => {
  const pace = createPace(1, 0.001, { clock: { now: Date.now, monotonic: () => performance.now() } });
  const first = await pace.turn(signal);
  const leaving = new AbortController();
  const second = pace.turn(leaving.signal);
  const third = pace.turn(signal);
  leaving.abort(new Error('left'));
  await assert.rejects(second, /left/);
  first();
  (await third)();
});

test('fields: text is one bounded line', () => {
  assert.equal(readLine('  a\u0000b\nc\u202Ed '), 'a b c d');
  assert.equal(readLine('x'.repeat(10_000))?.length, 256);
  assert.equal(readLine(''), undefined);
  assert.equal(readLine({}), undefined);
});
test('fields: numbers stay in their range', () => {
  assert.equal(readWhole('12', 0, 20), 12);
  assert.equal(readWhole(21, 0, 20), undefined);
  assert.equal(readWhole(1.5, 0, 20), undefined);
  assert.equal(readWhole('1e3', 0, 2000), undefined);
  assert.equal(readFrameRate(0), undefined);
  assert.equal(readFrameRate('23.976'), 23.976);
  assert.equal(readFlag('true'), undefined);
  assert.equal(readFlag(1), true);
});
test('fields: ids in all their forms', () => {
  assert.equal(readImdbId(133093), 'tt0133093');
  assert.equal(readImdbId('tt0133093'), 'tt0133093');
  assert.equal(readImdbId('00133093'), 'tt0133093');
  assert.equal(readImdbId(0), undefined);
  assert.equal(readImdbId('tt1/../../x'), undefined);
});
test('fields: file names have no folders', () => {
  assert.equal(bareName('../../etc/passwd', 'x.srt'), 'passwd');
  assert.equal(bareName('C:\\a\\b.srt', 'x.srt'), 'b.srt');
  assert.equal(bareName('..', 'x.srt'), 'x.srt');
  assert.equal(bareName('.hidden.srt', 'x.srt'), 'hidden.srt');
  assert.equal(bareName(7, 'x.srt'), 'x.srt');
  assert.equal(bareName('a\u0000b.srt', 'x.srt'), 'a b.srt');
  assert.equal(bareName(`${'x'.repeat(400)}.srt`, 'x.srt').length, 200);
});
test('fields: times and waits', () => {
  const now = Date.UTC(2026, 10, 21);
  assert.equal(readTime('2026-11-21T00:00:00Z'), now);
  assert.equal(readTime(now / 1000), now);
  assert.equal(readTime('soon'), undefined);
  assert.equal(readRetryAfter('7', now), 7);
  assert.equal(readRetryAfter('Sat, 21 Nov 2026 00:00:09 GMT', now), 9);
  assert.equal(readRetryAfter('Sat, 21 Nov 2020 00:00:09 GMT', now), 0);
  assert.equal(readRetryAfter('99999999', now), 86_400);
  assert.equal(readRetryAfter('soon', now), undefined);
});
test('fields: words for forced and machine-translated subtitles', () => {
  assert.deepEqual(
    ['Film.FORCED.srt', 'Film (Foreign Parts)', 'Film.enforced', 'Reinforced'].map((name) => saysForced([name])),
    [true, true, false, false],
  );
  assert.deepEqual(
    ['Google Translate', 'machine translated', 'AI.translated', 'lost in translation', 'brain translated'].map((name) =>
      saysMachine([name]),
    ),
    [true, true, true, false, false],
  );
  assert.deepEqual(readReleaseNames(['a', 'a', 7, ''], 'b', undefined), ['a', 'b']);
});
