/** Back-off, the day's budget, and asking all providers at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ProviderQuery,
  type Candidate,
  type FaultKind,
  type SubtitleProvider,
  ProviderFault,
} from '../providers/provider.ts';
import { afterFailure, isPaused } from './back-off.ts';
import { type DownloadBudget, budgetResetAt, spendDownload } from './budget.ts';
import { findCandidates } from './find.ts';

const now = Date.UTC(2026, 10, 21, 23, 30);
const MINUTE = 60_000;
const wait = (failed: Parameters<typeof afterFailure>[1], failures = 0, random = 0) =>
  (afterFailure({ failures }, failed, { now, random: () => random }).until - now) / MINUTE;

test("the provider's own time wins", () => {
  assert.equal(wait({ kind: 'quota', resetAt: now + 28 * MINUTE }), 28);
  assert.equal(wait({ kind: 'rate-limited', retryAfter: 90 }), 1.5);
  assert.equal(wait({ kind: 'unavailable', retryAfter: 7200 }, 3), 120);
  assert.equal(wait({ kind: 'quota', resetAt: now + 28 * MINUTE, retryAfter: 3600 }), 60);
});
test('a time in the past or absurdly far away does not', () => {
  assert.equal(wait({ kind: 'unavailable', resetAt: now - 1 }), 1);
  assert.equal(wait({ kind: 'unavailable', resetAt: now + 1e12 }), 1);
});
test('refused only refused credentials pause for a day', () => {
  assert.equal(wait({ kind: 'bad-credentials' }), 24 * 60);
  for (const kind of [
    'payment-required',
    'quota',
    'unavailable',
    'hostile',
    'gone',
    'not-found',
    'rate-limited',
  ] satisfies FaultKind[])
    assert.ok(wait({ kind }, 50) <= 60, kind);
});
test('1, 2, 4 … 60 minutes, with jitter that never leaves the range', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7, 2000].map((failures) => wait({ kind: 'unavailable' }, failures)),
    [1, 2, 4, 8, 16, 32, 60, 60, 60],
  );
  for (const random of [0, 0.3, 0.999]) {
    for (let failures = 0; failures < 20; failures++) {
      const minutes = wait({ kind: 'unavailable' }, failures, random);
      assert.ok(minutes >= 1 && minutes <= 60);
    }
  }
  assert.notEqual(wait({ kind: 'unavailable' }, 2, 0.9), wait({ kind: 'unavailable' }, 2, 0.1));
});
test('what is only about one subtitle does not pause the provider', () => {
  const scope = (kind: FaultKind) => afterFailure(undefined, { kind }, { now, random: () => 0 }).scope;
  assert.deepEqual(
    (['not-found', 'gone', 'hostile', 'quota', 'bad-credentials', 'unavailable'] satisfies FaultKind[]).map(scope),
    ['item', 'item', 'item', 'provider', 'provider', 'provider'],
  );
  assert.equal(isPaused({ until: now + 1, kind: 'unavailable' }, now), true);
  assert.equal(isPaused({ until: now, kind: 'unavailable' }, now), false);
  assert.equal(isPaused(undefined, now), false);
});

test('forty automatic downloads a day from subtitles_a, by UTC day', () => {
  let budget: DownloadBudget | undefined;
  for (let n = 0; n < 40; n++) budget = spendDownload(budget, 'subtitles_a', now) ?? assert.fail('too early');
  assert.equal(spendDownload(budget, 'subtitles_a', now), undefined);
  assert.equal(spendDownload(budget, 'subtitles_a', now - 86_400_000), undefined);
  assert.equal(budgetResetAt(now), now + 30 * MINUTE);
  assert.deepEqual(spendDownload(budget, 'subtitles_a', budgetResetAt(now)), { day: '2026-11-22', used: 1 });
});
const DAY = 86_400_000;
test('a clock set back an hour ends no pause, and a pause written by a clock a year ahead is ignored', () => {
  const states: [kind: FaultKind | 'nothing' | 'blocked', wait: number][] = [
    ['unavailable', 60 * MINUTE],
    ['bad-credentials', DAY],
    ['quota', 30 * DAY],
    ['nothing', 200 * 60 * MINUTE],
    ['blocked', 30 * 60 * MINUTE],
  ];
  for (const [kind, wait] of states) {
    assert.equal(isPaused({ until: now + wait, kind }, now), true, kind);
    assert.equal(isPaused({ until: now + wait, kind }, now + wait), false, kind);
    assert.equal(isPaused({ until: now + 365 * DAY, kind }, now), false, kind);
    assert.equal(isPaused({ until: now + wait, kind }, now + 365 * DAY), false, kind);
  }
  assert.equal(isPaused({ until: now + DAY - 1, kind: 'bad-credentials' }, now), true);
  assert.equal(isPaused({ until: now + 2 * DAY, kind: 'bad-credentials' }, now), false, 'it was for a day');
  let budget: DownloadBudget | undefined;
  for (let n = 0; n < 40; n++) budget = spendDownload(budget, 'subtitles_a', now) ?? assert.fail();
  assert.equal(spendDownload(budget, 'subtitles_a', now - 60 * MINUTE), undefined);
  assert.equal(spendDownload(budget, 'subtitles_a', now - DAY), undefined, 'back over midnight');
  assert.deepEqual(
    spendDownload(budget, 'subtitles_a', now - 365 * DAY),
    { day: '2025-11-21', used: 1 },
    'it ran a year ahead',
  );
  assert.deepEqual(spendDownload(budget, 'subtitles_a', now + 365 * DAY), { day: '2027-11-21', used: 1 });
});
test('the others have no such budget', () => {
  assert.deepEqual(spendDownload({ day: '2026-11-21', used: 5_000 }, 'subtitles_c', now), {
    day: '2026-11-21',
    used: 5_001,
  });
});

const ask: ProviderQuery = {
  kind: 'movie',
  title: 'Film',
  year: 2001,
  ids: { imdb: 'tt0000001' },
  language: 'en',
  fileName: 'Film.2001.1080p.BluRay.x264-GRP.mkv',
};
const exact: Candidate = {
  provider: 'subtitles_c',
  id: '1',
  language: 'en',
  releases: ['Film.2001.1080p.BluRay.x264-GRP'],
  title: 'Film',
  year: 2001,
  ids: { imdb: 'tt0000001' },
  hashMatch: true,
  pack: false,
  file: '1',
};
const provider = (name: SubtitleProvider['name'], search: SubtitleProvider['search']): SubtitleProvider => ({
  name,
  asDelivered: false,
  configured: () => true,
  search,
  download: () => assert.fail('downloaded'),
  health: () => assert.fail('tested'),
});
const endless = (_: ProviderQuery, signal: AbortSignal) =>
  new Promise<Candidate[]>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  );

test("one provider's failure is a row, and the others' offers stay", async () => {
  const found = await findCandidates(
    [
      provider('subtitles_a', () => Promise.reject(new ProviderFault('quota', 'used up'))),
      provider('subtitles_c', async () => [{ ...exact, hashMatch: false }]),
    ],
    ask,
    new AbortController().signal,
  );
  assert.equal(found.candidates.length, 1);
  assert.deepEqual(
    found.answers.map(({ provider: name, offered, fault }) => [name, offered, fault?.kind]),
    [
      ['subtitles_a', 0, 'quota'],
      ['subtitles_c', 1, undefined],
    ],
  );
});
test('an exact offer ends the other searches', async () => {
  const found = await findCandidates(
    [provider('subtitles_a', endless), provider('subtitles_c', async () => [exact])],
    ask,
    new AbortController().signal,
  );
  assert.deepEqual(found.answers, [
    { provider: 'subtitles_a', offered: 0, stopped: true },
    { provider: 'subtitles_c', offered: 1 },
  ]);
});
test('only the first of thousands of candidates are read', async () => {
  const many = Array.from({ length: 5_000 }, (_, n) => ({ ...exact, id: String(n), hashMatch: false }));
  const found = await findCandidates([provider('subtitles_a', async () => many)], ask, new AbortController().signal);
  assert.deepEqual([found.candidates.length, found.answers[0]?.offered], [200, 200]);
});
test('a cancelled search ends', async () => {
  const leave = new AbortController();
  const work = findCandidates([provider('subtitles_a', endless)], ask, leave.signal);
  const reason = new Error('left');
  leave.abort(reason);
  await assert.rejects(work, reason);
});
test("a bug is not a provider's failure", async () => {
  await assert.rejects(
    findCandidates(
      [provider('subtitles_a', () => Promise.reject(new TypeError('bug')))],
      ask,
      new AbortController().signal,
    ),
    TypeError,
  );
});
