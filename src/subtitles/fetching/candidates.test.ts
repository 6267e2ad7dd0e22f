/**
 * Choosing among candidates, whole: real catalogue, database, files and network, and stand-in providers that also
 * misbehave. Lists are kept, refusals are typed, and only what the score refused can be installed by a person.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  fails,
  filesNextTo,
  NIGHT,
  night,
  openScene,
  RELEASE,
  type Scene,
  SIGNAL,
} from '../../../test/subtitles/scene.ts';
import { SubtitleCandidates } from '../../contract/subtitles/candidates.ts';
import { subtitles as endpoints } from '../../contract/subtitles/library.ts';
import { contentHash } from '../history/preserved.ts';

const OTHER = 'Night.of.the.Living.Dead.1968.DVDRip.XviD-OTHER';
const DUBBED = 'Night.of.the.Living.Dead.1968.1080p.BluRay.x264-DUBBED';
const BY = { is: 'person', name: 'Ada' } as const;
const OWN = '1\n00:00:01,000 --> 00:00:02,000\nI wrote this myself.\n\n2\n00:00:20,000 --> 00:00:22,000\nMy own.\n';
const FIXTURES = {
  items: [
    {
      ...night,
      subtitles: [
        { language: 'en', releases: [OTHER], providers: ['subtitles_a' as const] },
        { language: 'en', releases: [OTHER], providers: ['subtitles_b' as const] },
        { language: 'en', releases: [OTHER], hearingImpaired: true, providers: ['subtitles_c' as const] },
        { language: 'en', releases: [RELEASE], machineTranslated: true, providers: ['subtitles_b' as const] },
        // Its text is in French, whatever the provider says.
        {
          language: 'en',
          releases: [DUBBED],
          providers: ['subtitles_a' as const],
          lines: Array.from({ length: 12 }, (_, n) => ({
            start: n * 4 + 1,
            end: n * 4 + 3,
            text: 'Je ne sais pas où il est parti, mais nous devons le retrouver avant la nuit.',
          })),
        },
      ],
    },
  ],
};
const EVERY = ['subtitles_a', 'subtitles_b', 'subtitles_c'] as const;

const listed = async (s: Scene, id: string, role?: 'sdh') => {
  const list = await s.subtitles.workbench.candidates({ id, language: 'en', ...(role && { role }) }, SIGNAL);
  assert.deepEqual(SubtitleCandidates.parse(list), list);
  return list;
};
type Candidates = Awaited<ReturnType<typeof listed>>;
const pick = ({ items }: Candidates, provider: string, release: string) => {
  const found = items.find((one) => one.provider === provider && one.release === release);
  assert.ok(found, `${provider} ${release} in ${JSON.stringify(items.map((one) => [one.provider, one.release]))}`);
  return found;
};
const steps = (s: Scene, step: string): number => s.calls().filter((one) => one === step).length;

test('a refused fetch leads to its candidates, one of which a person installs and takes back', async (t) => {
  const s = await openScene(t, { fixtures: FIXTURES, providers: EVERY });
  const id = await s.idOf('Night');
  await fails(s.fetch(id), 'unavailable', 'none-trusted');
  const searches = steps(s, 'search');
  const list = await listed(s, id);
  assert.equal(steps(s, 'search'), searches, 'the providers were asked a moment ago');
  assert.deepEqual(
    list.items.map(({ provider, release, role, score, refused, actions }) => [
      provider,
      release === OTHER ? 'other' : release === DUBBED ? 'dubbed' : 'translated',
      role,
      score,
      refused?.reason,
      actions.join(' '),
    ]),
    [
      ['subtitles_a', 'dubbed', 'normal', 50, 'score', 'install open'],
      ['subtitles_b', 'other', 'normal', 30, 'score', 'install'],
      ['subtitles_a', 'other', 'normal', 30, 'score', 'install open'],
      ['subtitles_c', 'other', 'sdh', 25, 'score', 'install open'],
      ['subtitles_b', 'translated', 'normal', 65, 'machine-translated', ''],
    ],
  );
  assert.deepEqual([list.total, list.unanswered], [5, []]);
  assert.ok(list.items.every(({ id: one, evidence }) => /^[0-9a-f]{16}$/.test(one) && evidence.length > 0));
  assert.ok(list.items.every(({ preview, format }) => preview === undefined && format === undefined));

  // The person accepts what only the score refused.
  const chosen = pick(list, 'subtitles_a', OTHER);
  const fetched = await s.subtitles.fetch({ id, language: 'en', candidate: chosen.id, by: BY }, SIGNAL);
  assert.deepEqual(endpoints.fetch.result.parse(fetched), fetched);
  assert.deepEqual(
    [fetched.source, fetched.match, fetched.score, fetched.file],
    ['subtitles_a', 'unverified', 30, `${NIGHT}.en.srt`],
  );
  assert.ok(fetched.evidence.some(({ kind }) => kind === 'chosen'));
  assert.equal(steps(s, 'file'), 1);
  const item = await s.subtitles.item(id);
  const [state] = item.languages;
  assert.deepEqual(
    [state?.installed?.match, state?.installed?.managed, state?.replaceable, state?.nextRetry],
    ['unverified', true, false, undefined],
  );
  assert.deepEqual(
    item.history.map(({ act, by, detail }) => [act, by?.name, detail]),
    [['fetched', 'Ada', 'Chosen by hand.']],
  );
  const after = await listed(s, id);
  assert.deepEqual(
    after.items.filter(({ installed }) => installed).map(({ id: one }) => one),
    [chosen.id],
  );
  const shown = pick(after, 'subtitles_a', OTHER);
  assert.deepEqual([shown.format, shown.preview?.length, shown.preview?.[0]?.start], ['srt', 5, 1]);
  await fails(
    s.subtitles.fetch({ id, language: 'en', candidate: chosen.id }, SIGNAL),
    'conflict',
    'not-needed',
    /already installed/,
  );

  // Another one replaces it in its turn, and each step is taken back.
  const text = await readFile(join(s.media, fetched.file), 'utf8');
  const second = await s.subtitles.fetch(
    { id, language: 'en', candidate: pick(after, 'subtitles_b', OTHER).id, by: BY },
    SIGNAL,
  );
  assert.deepEqual([second.source, second.file], ['subtitles_b', `${NIGHT}.en.srt`]);
  await s.subtitles.workbench.restore({ id, language: 'en', to: 'previous' }, SIGNAL);
  assert.equal(await readFile(join(s.media, fetched.file), 'utf8'), text);

  // One for the hard of hearing is another kind: it is written next to the regular one.
  const impaired = await listed(s, id, 'sdh');
  assert.deepEqual(
    impaired.items.filter(({ actions }) => actions.includes('install')).map(({ provider }) => provider),
    ['subtitles_c'],
  );
  const third = await s.subtitles.fetch(
    { id, language: 'en', role: 'sdh', candidate: impaired.items[0]?.id ?? '', by: BY },
    SIGNAL,
  );
  assert.deepEqual([third.role, third.file], ['sdh', `${NIGHT}.en.sdh.srt`]);
  assert.equal(await readFile(join(s.media, fetched.file), 'utf8'), text);

  // The ids are of this item, language and list.
  await fails(s.subtitles.fetch({ id, language: 'de', candidate: chosen.id }, SIGNAL), 'missing', 'no-such-candidate');
  await fails(
    s.subtitles.fetch({ id, language: 'en', candidate: '0123456789abcdef' }, SIGNAL),
    'missing',
    'no-such-candidate',
  );
  s.clock.at += 11 * 60_000;
  const again = steps(s, 'search');
  const [one, two] = await Promise.all([listed(s, id), listed(s, id)]);
  assert.deepEqual(one, two);
  const cost = steps(s, 'search') - again;
  assert.ok(cost > 0 && cost <= searches, 'after ten minutes the providers are asked again, once for both');
  assert.equal(pick(one, 'subtitles_a', OTHER).id, chosen.id, 'an id stays valid in the next list');
  s.clock.at += 61 * 60_000;
  await fails(s.subtitles.fetch({ id, language: 'en', candidate: chosen.id }, SIGNAL), 'missing', 'no-such-candidate');
  const before = steps(s, 'file');
  await s.restart();
  await fails(s.subtitles.fetch({ id, language: 'en', candidate: chosen.id }, SIGNAL), 'missing', 'no-such-candidate');
  assert.equal(steps(s, 'file'), before);
});

test('unsafe candidates are refused whoever asks, and nothing is written', async (t) => {
  const s = await openScene(t, { fixtures: FIXTURES, providers: EVERY });
  const id = await s.idOf('Night');
  const first = await listed(s, id);
  const choose = (candidate: string) => s.subtitles.fetch({ id, language: 'en', candidate, by: BY }, SIGNAL);
  const open = (candidate: string) => s.subtitles.workbench.open({ id, language: 'en', candidate }, SIGNAL);

  // Refused before it is downloaded: a conflict.
  await fails(choose(pick(first, 'subtitles_b', RELEASE).id), 'unavailable', 'candidate-refused', /by a machine/);
  assert.equal(steps(s, 'file'), 0);

  // Refused by its contents, and not downloaded a second time.
  const dubbed = pick(first, 'subtitles_a', DUBBED).id;
  await fails(choose(dubbed), 'unavailable', 'candidate-refused', /another language/);
  const judged = pick(await listed(s, id), 'subtitles_a', DUBBED);
  assert.deepEqual([judged.refused?.reason, judged.actions, judged.preview?.length], ['language', ['open'], 5]);
  assert.match(judged.preview?.[0]?.text ?? '', /^Je ne sais pas/);
  await fails(choose(dubbed), 'unavailable', 'candidate-refused');
  assert.equal(steps(s, 'file'), 1);

  // A provider that replies with something else than a subtitle.
  for (const [fault, reason, actions] of [
    ['502', 'providers-failing', undefined],
    ['invalid-file', 'candidate-refused', ['install', 'open']],
    ['zip-slip', 'candidate-refused', []],
  ] as const) {
    s.standIns.subtitles_a.fault({ fault, on: 'file' });
    const { id: one } = pick(await listed(s, id), 'subtitles_a', OTHER);
    await fails(choose(one), 'unavailable', reason);
    if (actions) assert.deepEqual(pick(await listed(s, id), 'subtitles_a', OTHER).actions, actions, fault);
    // A provider that failed as a whole may be asked again after a minute.
    s.clock.at += 3 * 60_000;
  }
  await fails(open(pick(await listed(s, id), 'subtitles_a', OTHER).id), 'unavailable', 'candidate-refused');
  assert.deepEqual(await filesNextTo(s), [`${RELEASE}.mkv`]);
  assert.deepEqual((await s.subtitles.item(id)).history, []);

  // The video is another one now, so its candidates are gone.
  const last = pick(await listed(s, id), 'subtitles_b', OTHER).id;
  await writeFile(
    join(s.media, `${NIGHT}.mkv`),
    Buffer.concat([await readFile(join(s.media, `${NIGHT}.mkv`)), OWN_BYTES]),
  );
  await s.scan();
  await fails(choose(last), 'missing', 'no-such-candidate');
});
const OWN_BYTES = Buffer.alloc(64);

test('a file of the user is replaced only if its fingerprint is named, and comes back', async (t) => {
  const s = await openScene(t, {
    fixtures: FIXTURES,
    providers: EVERY,
    before: (media) => writeFile(join(media, `${NIGHT}.en.srt`), OWN),
  });
  const id = await s.idOf('Night');
  const { id: candidate } = pick(await listed(s, id), 'subtitles_a', OTHER);
  await fails(s.fetch(id), 'conflict', 'not-needed');
  await fails(s.subtitles.fetch({ id, language: 'en', candidate }, SIGNAL), 'conflict', 'own-subtitle');
  const stale = contentHash(Buffer.from('something else'));
  await fails(
    s.subtitles.fetch({ id, language: 'en', candidate, fingerprint: stale }, SIGNAL),
    'conflict',
    'subtitle-changed',
  );
  assert.equal(steps(s, 'file'), 0, 'refused before anything is downloaded');
  assert.equal(await readFile(join(s.media, `${NIGHT}.en.srt`), 'utf8'), OWN);
  const { fingerprint } = await s.subtitles.workbench.inspect({ id, language: 'en' }, SIGNAL);
  await s.subtitles.fetch({ id, language: 'en', candidate, fingerprint, by: BY }, SIGNAL);
  assert.notEqual(await readFile(join(s.media, `${NIGHT}.en.srt`), 'utf8'), OWN);
  const state = await s.subtitles.workbench.restore({ id, language: 'en' }, SIGNAL);
  assert.equal(await readFile(join(s.media, `${NIGHT}.en.srt`), 'utf8'), OWN);
  assert.equal(state.installed?.managed, false);
  assert.deepEqual(
    (await listed(s, id)).items.filter(({ installed }) => installed),
    [],
    'the own file has the name that the candidate had',
  );
});

test('a candidate is opened as a draft, which installs nothing until it is applied', async (t) => {
  const s = await openScene(t, { fixtures: FIXTURES, providers: EVERY });
  const id = await s.idOf('Night');
  const list = await listed(s, id);
  const open = (candidate: string) => s.subtitles.workbench.open({ id, language: 'en', candidate }, SIGNAL);
  await fails(open(pick(list, 'subtitles_b', OTHER).id), 'forbidden', 'change-not-permitted');
  const opened = await open(pick(list, 'subtitles_a', OTHER).id);
  assert.deepEqual(endpoints.fetch.result.parse(opened), opened);
  assert.deepEqual(
    [opened.source, opened.match, await filesNextTo(s)],
    ['subtitles_a', 'unverified', [`${RELEASE}.mkv`]],
  );
  const draft = await s.subtitles.drafts.read({ id, language: 'en' });
  assert.deepEqual(
    [draft.state, draft.draftId, draft.method, draft.message],
    ['ready', opened.draftId, 'provider', `Made for ${OTHER}.`],
  );
  const change = { id, language: 'en', draftId: opened.draftId, offsetMilliseconds: 500 };
  const { proposed, changes } = await s.subtitles.workbench.preview(change, SIGNAL);
  assert.ok(changes && proposed.cues[0]?.start === 1.5);
  const applied = await s.subtitles.workbench.apply({ ...change, fingerprint: 'missing', by: BY }, SIGNAL);
  assert.deepEqual([applied.source, applied.restorable], ['subtitles_a', false]);
  assert.ok(
    applied.evidence.some(({ kind }) => kind === 'title'),
    'the evidence of the candidate stays',
  );
  const [state] = (await s.subtitles.item(id)).languages;
  assert.deepEqual([state?.installed?.source, state?.installed?.score], ['subtitles_a', 30]);
});

test('providers that fail or are missing are told apart from providers without a subtitle', async (t) => {
  const s = await openScene(t, { fixtures: { items: [] }, providers: ['subtitles_a', 'subtitles_c'] });
  const id = await s.idOf('Night');
  const empty = await listed(s, id);
  assert.deepEqual([empty.items, empty.total, empty.unanswered], [[], 0, []]);
  s.clock.at += 11 * 60_000;
  s.standIns.subtitles_a.fault({ fault: '503' });
  const half = await listed(s, id);
  assert.deepEqual(
    half.unanswered.map(({ provider, nextRetry }) => [provider, nextRetry !== undefined]),
    [['subtitles_a', true]],
  );
  const asked = s.calls().length;
  assert.deepEqual(await listed(s, id), half);
  assert.equal(s.calls().length, asked, 'a provider that failed is not asked again at once');
  await s.restart();
  s.clock.at += 3 * 60_000;
  s.standIns.subtitles_a.fault({ fault: '503' });
  s.standIns.subtitles_c.fault({ fault: 'html', on: 'search' });
  const failed = await fails(listed(s, id), 'unavailable', 'providers-failing');
  assert.ok((failed.members.retryAfterSeconds ?? 0) > 0);
  const silent = s.calls().length;
  await fails(listed(s, id), 'unavailable', 'providers-failing');
  assert.equal(s.calls().length, silent);
  await fails(listed(s, 'ffffffffffffffff'), 'missing', 'no-such-item');
});
