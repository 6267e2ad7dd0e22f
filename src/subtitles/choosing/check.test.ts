/** Checks of downloads: which are accepted, and which are refused for which reason. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ProviderQuery,
  type Candidate,
  type DownloadedFile,
  type SubtitleProvider,
  ProviderFault,
} from '../providers/provider.ts';
import type { UnappliedAlignment } from '../../cues/align/types.ts';
import { checkDownload, type VerifyTiming } from './check.ts';
import { score } from './score.ts';
import { downloadFirstAccepted, type DownloadNeeds } from './download.ts';

const ask: ProviderQuery = {
  kind: 'movie',
  title: 'Film',
  year: 2001,
  ids: { imdb: 'tt0000001' },
  language: 'en',
  fileName: 'Film.2001.1080p.BluRay.x264-GRP.mkv',
  duration: 3_600,
};
const strong: Candidate = {
  provider: 'subtitles_c',
  id: '1',
  language: 'en',
  releases: ['Film.2001.1080p.BluRay.x264-GRP'],
  title: 'Film',
  year: 2001,
  ids: { imdb: 'tt0000001' },
  pack: false,
  file: '1',
};
const weak: Candidate = { ...strong, id: '2', releases: [] };
const never = new AbortController().signal;

const ENGLISH = [
  'Where have you been all this time?',
  'I was waiting for you at the station.',
  'You should not have come here tonight.',
  'There is something that I have to tell you.',
  'We never talked about what happened.',
];
const GERMAN = [
  'Wo bist du die ganze Zeit gewesen?',
  'Ich habe am Bahnhof auf dich gewartet.',
  'Du hättest heute Abend nicht herkommen sollen.',
  'Es gibt etwas, das ich dir sagen muss.',
  'Wir haben nie darüber gesprochen.',
];
const stamp = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23).replace('.', ',');
const srt = (starts: readonly number[], lines: readonly string[] = ENGLISH) =>
  starts.map((at, n) => `${n + 1}\n${stamp(at)} --> ${stamp(at + 1.5)}\n${lines[n % lines.length] ?? ''}\n`).join('\n');
const every = (step: number, to: number) => Array.from({ length: Math.floor(to / step) }, (_, n) => 1 + n * step);
const file = (text: string | Uint8Array, name = 'x.srt') => ({
  bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text,
  name,
});
const outcome = async (
  text: string | Uint8Array,
  more: Partial<ProviderQuery> = {},
  candidate = strong,
  verify?: VerifyTiming,
) => {
  const wanted = { ...ask, ...more };
  const checked = await checkDownload(
    file(text),
    { ask: wanted, scored: score(candidate, wanted), ...(verify ? { verify } : {}) },
    never,
  );
  return checked.accepted ? 'accepted' : checked.reason;
};

/** The alignment that moves every cue by the same time. */
const moved = (cues: number, ratio: number, offset: number): UnappliedAlignment => ({
  outcome: 'moved',
  ratio,
  segments: [{ from: 0, to: cues - 1, offset }],
  evidence: [],
});

const good = srt(every(20, 3_500));
const CHINESE = [
  'Subtitles by John',
  ...Array.from({ length: 40 }, () => '我不知道我们现在应该做什么。我们必须在冬天来临之前回家。'),
];
const TWO_LANGUAGES = ENGLISH.map((line, n) => `${line}\n${GERMAN[n] ?? ''}`);
const rows: readonly [name: string, text: string | Uint8Array, expected: string, more?: Partial<ProviderQuery>][] = [
  ['a good one', good, 'accepted'],
  ['not a subtitle', 'just some words\nand more of them', 'too-few'],
  ['a picture', Uint8Array.from({ length: 4000 }, (_, n) => (n * 7) & 255), 'unreadable'],
  ['no text in it', srt(every(20, 3_500), ['']), 'too-few'],
  ['four lines for an hour', srt([1, 900, 1_800, 3_000]), 'too-few'],
  ['four lines of foreign speech for an hour', srt([1, 900, 1_000, 1_100]), 'accepted', { forced: true }],
  ['a short clip needs few', srt([1, 5, 9]), 'accepted', { duration: 20 }],
  ['longer than the video', srt(every(20, 3_800)), 'timing'],
  ['one advertisement far behind the end', srt([...every(20, 3_500), 35_000]), 'accepted'],
  ['half of the film', srt(every(20, 1_600)), 'timing'],
  ['another language', srt(every(20, 3_500), GERMAN), 'language'],
  ['a credit in Latin letters above Chinese', srt(every(20, 3_500), CHINESE), 'accepted', { language: 'zh' }],
  ['a title in Greek above English', srt(every(20, 3_500), ['Η ταινία αρχίζει τώρα, καθίστε', ...ENGLISH]), 'accepted'],
  ['two languages, one of them requested', srt(every(20, 3_500), TWO_LANGUAGES), 'accepted'],
  ['two languages, neither requested', srt(every(20, 3_500), TWO_LANGUAGES), 'language', { language: 'fr' }],
  ['a duration that is not known', srt(every(20, 9_000)), 'accepted', { duration: 0 }],
];
for (const [name, text, expected, more] of rows) {
  test(`check: ${name}`, async () => {
    const stated = { ...(more?.forced && { forced: true }), ...(more?.language && { language: more.language }) };
    assert.equal(await outcome(text, more, { ...strong, ...stated }), expected);
  });
}

const NO_AUDIO = { reason: 'no-audio', values: {} } as const;
const FITS = { reason: 'fits-as-is', values: { reference: 'speech' } } as const;
const MISFITS = { reason: 'unconfirmed', values: { refusal: 'fits-nowhere' } } as const;

test('a weak match is refused until the audio confirms it', async () => {
  assert.equal(await outcome(good, {}, weak), 'unverified');
  assert.equal(await outcome(good, {}, weak, async () => ({ outcome: 'unknown', why: NO_AUDIO })), 'unverified');
  assert.equal(await outcome(good, {}, weak, async () => ({ outcome: 'fits', why: FITS })), 'accepted');
  assert.equal(await outcome(good, {}, strong, async () => ({ outcome: 'misfits', why: MISFITS })), 'timing');
});

test('a moved subtitle is installed moved, unless the file must stay as delivered', async () => {
  const verify: VerifyTiming = async (cues) => ({
    outcome: 'moved',
    why: { reason: 'moved', values: { reference: 'speech', ratio: 1, shifts: '-2000' } },
    alignment: moved(cues.length, 1, -900),
  });
  const checked = await checkDownload(file(good), { ask, scored: score(weak, ask), verify }, never);
  assert.ok(checked.accepted && checked.isVerified);
  assert.match(Buffer.from(checked.srt).toString(), /^1\n00:00:00,100 --> 00:00:01,600\n/);
  assert.ok(checked.evidence.some(({ kind, detail }) => kind === 'timing' && detail.includes('−2.00 s')));
  const kept = await checkDownload(file(good), { ask, scored: score(strong, ask), verify, asDelivered: true }, never);
  assert.deepEqual([kept.accepted, !kept.accepted && kept.reason], [false, 'timing']);
});

test('a long subtitle may have another frame rate: it is checked, and must fit afterwards', async () => {
  const long = srt(every(20, 3_740));
  const squeezed: VerifyTiming = async (cues) => ({
    outcome: 'moved',
    why: { reason: 'moved', values: { reference: 'speech', ratio: 0.96, shifts: '0' } },
    alignment: moved(cues.length, 0.96, 0),
  });
  assert.equal(await outcome(long), 'timing');
  assert.equal(await outcome(long, {}, strong, squeezed), 'accepted');
  assert.equal(await outcome(long, {}, strong, async () => ({ outcome: 'fits', why: FITS })), 'timing');
  assert.equal(await outcome(srt(every(20, 5_000)), {}, strong, async () => assert.fail('listened')), 'timing');
});

test('the audio is not checked if that proves nothing, or is not needed', async () => {
  const deaf: VerifyTiming = async () => assert.fail('listened');
  assert.equal(
    await outcome(srt([1, 900, 1_000, 1_100]), { forced: true }, { ...strong, forced: true }, deaf),
    'accepted',
  );
  assert.equal(await outcome(srt([1, 5, 9]), { duration: 20 }, strong, deaf), 'accepted');
  const exact = { ...strong, hashMatch: true };
  const checked = await checkDownload(file(good), { ask, scored: score(exact, ask), verify: deaf }, never);
  assert.ok(checked.accepted && checked.isVerified, 'hash, release and ids agree');
  assert.equal(
    await outcome(good, {}, { ...exact, releases: [] }, async () => ({ outcome: 'misfits', why: MISFITS })),
    'timing',
    'a hash without its release is listened to',
  );
});

test('a refusal is permanent, unless only the audio check failed', async () => {
  const refusal = async (verify: VerifyTiming, text = good) => {
    const checked = await checkDownload(file(text), { ask, scored: score(weak, ask), verify }, never);
    return checked.accepted ? assert.fail() : [checked.reason, checked.isForGood, checked.refusal];
  };
  assert.deepEqual(await refusal(async () => ({ outcome: 'unknown', why: NO_AUDIO, isForNow: true })), [
    'unverified',
    false,
    undefined,
  ]);
  assert.deepEqual(await refusal(async () => ({ outcome: 'unknown', why: NO_AUDIO })), ['unverified', true, undefined]);
  assert.deepEqual(await refusal(async () => ({ outcome: 'misfits', why: MISFITS })), ['timing', true, 'fits-nowhere']);
  assert.deepEqual(await refusal(async () => assert.fail('listened'), srt(every(20, 1_600))), [
    'timing',
    true,
    undefined,
  ]);
});

test("an unverified subtitle is marked so, and the content corrects the provider's facts", async () => {
  const lines = ENGLISH.map((line, n) => `[door slams ${n}]\nJOHN: ${line}`);
  const checked = await checkDownload(file(srt(every(20, 3_500), lines)), { ask, scored: score(strong, ask) }, never);
  assert.ok(checked.accepted);
  assert.equal(checked.isVerified, false);
  assert.ok(checked.evidence.some(({ kind }) => kind === 'unverified'));
  assert.equal(checked.hearingImpaired, true);
  assert.equal(checked.score, score(strong, ask).score - 5);
});

const other: Candidate = { ...strong, provider: 'subtitles_a', id: '3', file: '/subtitle/1-2.zip' };
const provider = (
  name: SubtitleProvider['name'],
  download: (id: string) => Promise<DownloadedFile>,
): SubtitleProvider => ({
  name,
  asDelivered: false,
  configured: () => true,
  search: () => assert.fail('searched'),
  health: () => assert.fail('tested'),
  download: ({ id }) => download(id),
});
const needs = (providers: SubtitleProvider[], more: Partial<DownloadNeeds> = {}): DownloadNeeds => ({
  providers,
  ask,
  mayDownload: async () => true,
  isRefusedContent: async () => false,
  ...more,
});
const scored = [strong, { ...strong, id: '4' }, other].map((candidate) => score(candidate, ask));

test('the first accepted candidate is used, and no more are downloaded', async () => {
  const asked: string[] = [];
  const bytes = { '1': file('nothing'), '4': file(good), '3': file(good) } as Record<string, DownloadedFile>;
  const from = (name: SubtitleProvider['name']) =>
    provider(name, async (id) => (asked.push(id), bytes[id] ?? assert.fail()));
  const taken = await downloadFirstAccepted(scored, needs([from('subtitles_a'), from('subtitles_c')]), never);
  assert.equal(taken.accepted?.scored.candidate.id, '4');
  assert.deepEqual(
    taken.refused.map(({ scored: one }) => one.candidate.id),
    ['1'],
  );
  assert.deepEqual(asked, ['1', '4']);
});
test('a provider that failed as a whole is not asked again', async () => {
  const asked: string[] = [];
  const c = provider('subtitles_c', (id) => (asked.push(id), Promise.reject(new ProviderFault('quota', 'used up'))));
  const taken = await downloadFirstAccepted(
    scored,
    needs([c, provider('subtitles_a', async (id) => (asked.push(id), file(good)))]),
    never,
  );
  assert.deepEqual(asked, ['1', '3']);
  assert.equal(taken.accepted?.scored.candidate.id, '3');
  assert.equal(taken.refused[0]?.fault?.kind, 'quota');
});
test('a missing file does not pause the provider', async () => {
  const c = provider('subtitles_c', (id) =>
    id === '1' ? Promise.reject(new ProviderFault('not-found', 'no')) : Promise.resolve(file(good)),
  );
  assert.equal((await downloadFirstAccepted(scored, needs([c]), never)).accepted?.scored.candidate.id, '4');
});
test('candidates that cannot be accepted are not downloaded', async () => {
  const c = provider('subtitles_c', () => assert.fail('downloaded'));
  const [one] = (await downloadFirstAccepted([score(weak, ask)], needs([c]), never)).refused;
  assert.match(one?.reason ?? '', /strong release match/);
  const spent = await downloadFirstAccepted(scored, needs([c], { mayDownload: async () => false }), never);
  assert.equal(spent.accepted, undefined);
});
test('content that was refused before is not accepted again', async () => {
  const c = provider('subtitles_c', async () => file(good));
  assert.equal(
    (await downloadFirstAccepted(scored, needs([c], { isRefusedContent: async () => true }), never)).accepted,
    undefined,
  );
});
test('a weak match is downloaded if there is speech, and refused content is identified by its hash', async () => {
  const asked: string[] = [];
  const c = provider('subtitles_c', async (id) => (asked.push(id), file(good)));
  const audioCheck = (hasSpeech: boolean, heard: Awaited<ReturnType<VerifyTiming>>) => ({
    hasSpeech: async () => hasSpeech,
    verify: async () => heard,
  });
  const fits = await downloadFirstAccepted(
    [score(weak, ask)],
    needs([c], { audioCheck: audioCheck(true, { outcome: 'fits', why: FITS }) }),
    never,
  );
  assert.equal(fits.accepted?.checked.isVerified, true);
  const off = await downloadFirstAccepted(
    [score(weak, ask)],
    needs([c], { audioCheck: audioCheck(true, { outcome: 'misfits', why: MISFITS }) }),
    never,
  );
  assert.match(off.refused[0]?.content ?? '', /^[0-9a-f]{64}$/);
  assert.deepEqual(asked, ['2', '2']);
  const deaf = await downloadFirstAccepted(
    [score(weak, ask)],
    needs([c], { audioCheck: audioCheck(false, { outcome: 'fits', why: FITS }) }),
    never,
  );
  assert.deepEqual(
    [deaf.accepted, deaf.refused[0]?.content, asked.length],
    [undefined, undefined, 2],
    'nothing is paid for what could not be heard',
  );
});
test('an unwanted subtitle is skipped, and not refused permanently', async () => {
  const c = provider('subtitles_c', async () => file(good));
  const taken = await downloadFirstAccepted(
    scored.slice(0, 2),
    needs([c], { unwanted: ({ scored: one }) => (one.candidate.id === '1' ? 'not better' : undefined) }),
    never,
  );
  assert.equal(taken.accepted?.scored.candidate.id, '4');
  assert.deepEqual(
    taken.refused.map(({ reason, content }) => [reason, content]),
    [['not better', undefined]],
  );
});

test("an archive entry of another group is not of the archive's release", async () => {
  const show: ProviderQuery = {
    kind: 'episode',
    title: 'Show',
    showIds: { imdb: 'tt0000009' },
    season: 2,
    episode: 5,
    language: 'en',
    fileName: 'Show.S02E05.1080p.WEB.h264-GRP.mkv',
    duration: 3_600,
  };
  const pack: Candidate = {
    ...strong,
    ids: {},
    showIds: { imdb: 'tt0000009' },
    title: 'Show',
    season: 2,
    pack: true,
    releases: ['Show.S02.1080p.WEB.h264-GRP'],
  };
  const of = (name: string, verify?: VerifyTiming) =>
    checkDownload(
      { ...file(good, name), archive: { subtitles: 12 } },
      { ask: show, scored: score(pack, show), ...(verify && { verify }) },
      never,
    );
  const ours = await of('Show.S02E05.srt');
  assert.ok(ours.accepted && !ours.isVerified, 'an unsigned one is of the release of the pack');
  assert.ok(
    ours.evidence.some(({ kind, points }) => kind === 'episode' && points === 10),
    'it names the episode',
  );
  const theirs = await of('Show.S02E05.720p.HDTV.x264-OTHER.srt');
  assert.deepEqual([theirs.accepted, !theirs.accepted && theirs.reason], [false, 'unverified']);
  const alone = await checkDownload(
    { ...file(good, 'Show.S02E05.720p.HDTV.x264-OTHER.srt'), archive: { subtitles: 1 } },
    { ask: show, scored: score(pack, show) },
    never,
  );
  assert.ok(alone.accepted, 'where there is but one, what was said is said about it');
  const heard = await of('Show.S02E05.720p.HDTV.x264-OTHER.srt', async () => ({
    outcome: 'fits',
    why: FITS,
  }));
  assert.ok(heard.accepted && heard.score < ours.score && !heard.evidence.some(({ kind }) => kind === 'group'));
});

test('a person may overrule a weak match, and nothing that is known to be wrong', async () => {
  const lines = file(srt(every(10, 3_500)));
  interface Chosen {
    candidate?: Candidate;
    downloaded?: DownloadedFile;
    verify?: VerifyTiming;
  }
  const chosen = async ({ candidate = weak, downloaded = lines, verify }: Chosen) => {
    const needs = { ask, scored: score(candidate, ask), isChosen: true, ...(verify && { verify }) };
    const checked = await checkDownload(downloaded, needs, never);
    return checked.accepted ? (checked.isVerified ? 'verified' : 'unverified') : checked.reason;
  };
  const says =
    (outcome: 'fits' | 'misfits' | 'unknown'): VerifyTiming =>
    async () => ({ outcome, why: FITS });
  assert.equal((await checkDownload(lines, { ask, scored: score(weak, ask) }, never)).accepted, false);
  assert.equal((await checkDownload(lines, { ask, scored: score(weak, ask), isChosen: true }, never)).accepted, true);
  assert.equal(await chosen({ verify: says('unknown') }), 'unverified');
  assert.equal(await chosen({ verify: says('fits') }), 'verified');
  assert.equal(await chosen({ verify: says('misfits') }), 'timing');
  assert.equal(await chosen({ downloaded: file(srt(every(10, 3_500), GERMAN)) }), 'language');
  assert.equal(await chosen({ downloaded: file(srt([1, 2, 3])) }), 'too-few');
  assert.equal(await chosen({ downloaded: file(Buffer.alloc(500)) }), 'unreadable');
  assert.equal(await chosen({ candidate: { ...weak, year: 1990, ids: {} } }), 'year');
});
