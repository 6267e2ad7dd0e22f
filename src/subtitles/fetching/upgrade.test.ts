/** Looking for better: what gives way to what, and everything that never does. */
import assert from 'node:assert/strict';
import { appendFile, copyFile, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { type Scene, type SceneNeeds, openScene, SIGNAL } from '../../../test/subtitles/scene.ts';
import { makeVideo, openTemporaryFolder } from '../../../test/subtitles/world.ts';
import { subtitles as endpoints } from '../../contract/subtitles/library.ts';
import { SEARCH_PAUSE } from '../choosing/back-off.ts';
import { contentHash, createPreserved } from '../history/preserved.ts';
import { moviehash } from '../../lib/media/moviehash.ts';
import { installingStore } from '../store/installing.ts';
import { inventoryStore } from '../store/inventory.ts';
import { providerStore } from '../store/providers.ts';

const RELEASE = 'Night.of.the.Living.Dead.1968.1080p.BluRay.x264-GHOUL';
const NIGHT = `Night of the Living Dead (1968) {imdb-tt0063350}/${RELEASE}`;
const FILE = `${NIGHT}.en.srt`;
const DAY = 86_400_000;
const night = {
  kind: 'movie',
  title: 'Night of the Living Dead',
  year: 1968,
  imdb: 'tt0063350',
  tmdb: 10331,
  duration: 60,
} as const;
const sentences = [
  'Where have you been all this time?',
  'I was waiting for you at the station.',
  'Nobody knows that we are here.',
  'Do you remember the house by the lake?',
];
const lines = (shift: number, also = '') =>
  Array.from({ length: 14 }, (_, n) => ({
    start: n * 4 + shift,
    end: n * 4 + shift + 1.5,
    text: `${sentences[n % 4] ?? ''}${also}`,
  }));

/** `subtitles_a` has one for another make of the release, `subtitles_c` later the very one. */
const better = (more: Partial<SceneNeeds> = {}, best: object = {}): SceneNeeds => ({
  videos: { [NIGHT]: {} },
  fixtures: {
    items: [
      {
        ...night,
        subtitles: [
          {
            language: 'en',
            releases: ['Night.of.the.Living.Dead.1968.720p.BluRay.XviD-GHOUL'],
            lines: lines(1),
            providers: ['subtitles_a'],
          },
          { language: 'en', releases: [RELEASE], trusted: true, lines: lines(2), providers: ['subtitles_c'], ...best },
        ],
      },
    ],
  },
  ...more,
});

/** Installs the subtitle with the lower score, because the provider of the better one was unavailable. */
async function installed(t: TestContext, needs = better()): Promise<Scene & { id: string }> {
  const s = await openScene(t, needs);
  s.standIns.subtitles_c.fault({ fault: '503', on: 'search' });
  const id = await s.idOf('Night');
  const fetched = await s.fetch(id);
  assert.equal(fetched.source, 'subtitles_a');
  s.clock.at += 2 * 3_600_000;
  return Object.assign(s, { id });
}
const maintain = async (s: Scene) => endpoints.maintain.result.parse(await s.subtitles.batches.maintain({}, SIGNAL));
const first = async (s: Scene) => {
  const { results } = await maintain(s);
  return results.map(({ outcome, reason }) => `${outcome} ${reason ?? ''}`.trim());
};
const textOf = (s: Scene) => readFile(join(s.media, FILE), 'utf8');
const files = async (s: Scene) => (await readdir(dirname(join(s.media, NIGHT)))).sort();

test('a clearly better subtitle replaces a fetched one, which can be restored', async (t) => {
  const s = await installed(t);
  const before = await readFile(join(s.media, FILE));
  const reply = await maintain(s);
  assert.deepEqual([reply.attempted, reply.added, reply.upgraded, reply.failed], [1, 0, 1, 0]);
  assert.match(await textOf(s), /00:00:02,000 -->/);
  assert.deepEqual(await files(s), [`${RELEASE}.en.srt`, `${RELEASE}.mkv`]);
  const [row] = await installingStore(s.db).filesOf([s.id]);
  assert.deepEqual([row?.source, row?.origin], ['subtitles_c', 'fetched']);
  const state = (await s.inventory()).items[0]?.languages[0];
  assert.equal(state?.restorable, true);
  assert.deepEqual(await createPreserved(s.folder).get(contentHash(before)), before, 'what was replaced is preserved');
  assert.deepEqual(
    (await installingStore(s.db).history(s.id)).map(({ act }) => act),
    ['upgraded', 'fetched'],
  );
  s.clock.at += DAY;
  assert.deepEqual(await first(s), [], 'it can hardly be improved');
});

test('an upgrade is tried once a day', async (t) => {
  const s = await installed(t, better({}, { releases: ['Night.of.the.Living.Dead.1968.720p.BluRay.x265-GHOUL'] }));
  assert.deepEqual(await first(s), ['kept the providers offer nothing clearly better']);
  const asked = s.calls().length;
  assert.deepEqual(await first(s), []);
  assert.equal(s.calls().length, asked);
  s.clock.at += DAY;
  assert.equal((await first(s)).length, 1);
  assert.match(await textOf(s), /00:00:01,000 -->/);
});

test('fewer than ten points more are not worth it', async (t) => {
  const s = await installed(t, better({}, { releases: ['Night.of.the.Living.Dead.1968.1080p.BluRay.XviD-GHOUL'] }));
  assert.deepEqual(await first(s), ['kept the providers offer nothing clearly better']);
  assert.ok(!s.calls().includes('grant'), 'nothing is downloaded for it');
});

const untouched: readonly [
  what: string,
  before: (s: Scene & { id: string }) => Promise<void>,
  said: string[],
  red?: RegExp,
][] = [
  [
    'one that was changed by hand',
    async (s) => appendFile(join(s.media, FILE), '\r\n15\r\n00:00:58,000 --> 00:00:59,000\r\nMine.\r\n'),
    ['kept the subtitle was changed since it was written'],
  ],
  [
    'one that was changed by hand and scanned',
    async (s) => {
      await appendFile(join(s.media, FILE), '\r\n15\r\n00:00:58,000 --> 00:00:59,000\r\nMine.\r\n');
      await s.scan();
    },
    ['kept the subtitle was changed since it was written'],
  ],
  ['a frozen one', async (s) => installingStore(s.db).freeze(s.id, 'en', true), []],
  ['one that was edited', async (s) => edited(s, 'edited'), []],
  ['one from a draft', async (s) => edited(s, 'draft'), []],
];
for (const [what, before, said] of untouched) {
  test(`never replaced: ${what}`, async (t) => {
    const s = await installed(t);
    await before(s);
    const text = await textOf(s);
    assert.deepEqual(await first(s), said);
    assert.equal(await textOf(s), text);
    assert.deepEqual(await files(s), [`${RELEASE}.en.srt`, `${RELEASE}.mkv`]);
  });
}

/** As the workbench leaves it. */
async function edited(s: Scene & { id: string }, origin: 'edited' | 'draft'): Promise<void> {
  const store = installingStore(s.db);
  const [row] = await store.filesOf([s.id]);
  assert.ok(row);
  const { size, modified, ...file } = row;
  await store.intend({ file: { ...file, origin }, act: 'applied' });
  await store.done({ file: { ...file, origin }, act: 'applied' }, { size, modified });
}

test('a subtitle that was installed before is not installed again', async (t) => {
  const s = await installed(t);
  assert.deepEqual(await first(s), ['upgraded']);
  // The better one is as good as unknown: only what is kept about it keeps the lesser one, now praised, from coming
  // back.
  const store = installingStore(s.db);
  const [row] = await store.filesOf([s.id]);
  assert.ok(row);
  const { size, modified, ...file } = row;
  await store.intend({ file: { ...file, score: 10, candidate: null }, act: 'upgraded' });
  await store.done({ file: { ...file, score: 10, candidate: null }, act: 'upgraded' }, { size, modified });
  s.clock.at += 2 * DAY;
  assert.deepEqual(await first(s), ['kept this subtitle was installed here before']);
  s.clock.at += 2 * DAY;
  assert.deepEqual(await first(s), ['kept this subtitle was installed here before']);
  assert.match(await textOf(s), /00:00:02,000 -->/);
});

test('the timing must not become less certain', async (t) => {
  const s = await installed(t);
  const store = installingStore(s.db);
  const [row] = await store.filesOf([s.id]);
  assert.ok(row);
  const { size, modified, ...file } = row;
  await store.intend({ file: { ...file, match: 'verified' }, act: 'fetched' });
  await store.done({ file: { ...file, match: 'verified' }, act: 'fetched' }, { size, modified });
  assert.deepEqual(await first(s), ['kept its timing is less certain than that of the current subtitle']);
});

const forTheDeaf = (from: number) =>
  lines(from).map((line, n) => ({ ...line, text: n % 2 === 0 ? `[DOOR CREAKS]\n${line.text}` : `JOHN: ${line.text}` }));

test('plain text replaces text for the hard of hearing under its own name, and can be undone', async (t) => {
  const fixtures = {
    items: [
      {
        ...night,
        subtitles: [
          {
            language: 'en',
            releases: ['Night.of.the.Living.Dead.1968.720p.BluRay.XviD-GHOUL'],
            hearingImpaired: true,
            lines: forTheDeaf(1),
            providers: ['subtitles_a' as const],
          },
          { language: 'en', releases: [RELEASE], trusted: true, lines: lines(2), providers: ['subtitles_c' as const] },
        ],
      },
    ],
  };
  const s = await installed(t, better({ fixtures }));
  assert.deepEqual(await files(s), [`${RELEASE}.en.sdh.srt`, `${RELEASE}.mkv`]);
  const before = await readFile(join(s.media, `${NIGHT}.en.sdh.srt`));
  assert.deepEqual(await first(s), ['upgraded']);
  assert.deepEqual(await files(s), [`${RELEASE}.en.srt`, `${RELEASE}.mkv`], 'one takes the place of the other');
  assert.match(await textOf(s), /00:00:02,000 -->/);
  assert.deepEqual(await createPreserved(s.folder).get(contentHash(before)), before);
  assert.deepEqual(
    (await installingStore(s.db).filesOf([s.id])).map(({ relative, role }) => [relative, role]),
    [[FILE, 'normal']],
  );
  assert.deepEqual(await installingStore(s.db).intents(), []);
  assert.equal((await s.inventory()).ready, 1);
  s.clock.at += 2 * DAY;
  assert.deepEqual(await first(s), [], 'it can hardly be improved');
  await s.subtitles.workbench.restore({ id: s.id, language: 'en' }, SIGNAL);
  assert.deepEqual(await files(s), [`${RELEASE}.en.sdh.srt`, `${RELEASE}.mkv`]);
  assert.deepEqual(await readFile(join(s.media, `${NIGHT}.en.sdh.srt`)), before, 'byte for byte');
});

test('a better one in another format gets its own name, and the old file is removed', async (t) => {
  const fixtures = {
    items: [
      {
        ...night,
        subtitles: [
          {
            language: 'en',
            releases: ['Night.of.the.Living.Dead.1968.720p.BluRay.XviD-GHOUL'],
            format: 'vtt' as const,
            lines: lines(1),
            providers: ['subtitles_b' as const],
          },
          { language: 'en', releases: [RELEASE], trusted: true, lines: lines(2), providers: ['subtitles_c' as const] },
        ],
      },
    ],
  };
  const s = await openScene(t, better({ fixtures, providers: ['subtitles_b', 'subtitles_c'] }));
  s.standIns.subtitles_c.fault({ fault: '503', on: 'search' });
  const id = await s.idOf('Night');
  assert.equal((await s.fetch(id)).file, `${NIGHT}.en.vtt`);
  s.clock.at += 2 * 3_600_000;
  assert.deepEqual(await first(s), ['upgraded']);
  assert.deepEqual(await files(s), [`${RELEASE}.en.srt`, `${RELEASE}.mkv`]);
  await s.scan();
  assert.equal((await s.inventory()).ready, 1);
  assert.deepEqual(
    (await s.inventory()).items[0]?.languages.map(({ installed }) => installed?.format),
    ['srt'],
  );
});

test("a user's file under the new name stays, and so does the old one", async (t) => {
  const fixtures = {
    items: [
      {
        ...night,
        subtitles: [
          {
            language: 'en',
            releases: ['Night.of.the.Living.Dead.1968.720p.BluRay.XviD-GHOUL'],
            hearingImpaired: true,
            lines: forTheDeaf(1),
            providers: ['subtitles_a' as const],
          },
          { language: 'en', releases: [RELEASE], trusted: true, lines: lines(2), providers: ['subtitles_c' as const] },
        ],
      },
    ],
  };
  const s = await installed(t, better({ fixtures }));
  await writeFile(join(s.media, FILE), MINE);
  assert.match(
    await s.subtitles.batches.maintain({}, SIGNAL).then(
      ({ results }) => results.map(({ reason }) => reason).join(),
      (error: Error) => error.message,
    ),
    /already exists|more than one/,
  );
  assert.equal(await textOf(s), MINE);
  assert.deepEqual(await files(s), [`${RELEASE}.en.sdh.srt`, `${RELEASE}.en.srt`, `${RELEASE}.mkv`]);
});

test('text for the hard of hearing does not replace plain text', async (t) => {
  const s = await installed(
    t,
    better(
      {},
      {
        hearingImpaired: true,
        lines: lines(2).map((line, n) => ({
          ...line,
          text: n % 2 === 0 ? `[DOOR CREAKS]\n${line.text}` : `JOHN: ${line.text}`,
        })),
      },
    ),
  );
  assert.match((await first(s))[0] ?? '', /^kept/);
  assert.deepEqual(await files(s), [`${RELEASE}.en.srt`, `${RELEASE}.mkv`]);
});

/** A film with a user's own subtitle, whose file `subtitles_c` knows by its hash. */
async function ownFile(t: TestContext, best: object): Promise<Scene & { id: string }> {
  const clip = join(await openTemporaryFolder(t), 'clip.mkv');
  await makeVideo(clip);
  const handle = await open(clip);
  const { size } = await handle.stat();
  const hash = await moviehash(
    size,
    async (position, length) => (await handle.read(new Uint8Array(length), 0, length, position)).buffer,
  );
  await handle.close();
  const s = await openScene(t, {
    videos: {},
    fixtures: {
      items: [
        {
          ...night,
          ...(hash !== undefined && { hash }),
          subtitles: [
            {
              language: 'en',
              releases: [RELEASE],
              hash: true,
              trusted: true,
              lines: lines(2),
              providers: ['subtitles_c'],
              ...best,
            },
          ],
        },
      ],
    },
    before: async (media) => {
      await mkdir(dirname(join(media, NIGHT)), { recursive: true });
      await copyFile(clip, join(media, `${NIGHT}.mkv`));
      await writeFile(join(media, FILE), MINE);
    },
  });
  return Object.assign(s, { id: await s.idOf('Night') });
}
const MINE = '1\n00:00:01,000 --> 00:00:02,000\nMade by myself, with love.\n';

test("a user's own file is replaced only by a text for exactly this file, and is preserved first", async (t) => {
  const s = await ownFile(t, {});
  assert.deepEqual(await first(s), ['upgraded']);
  assert.match(await textOf(s), /00:00:02,000 -->/);
  assert.equal((await createPreserved(s.folder).get(contentHash(Buffer.from(MINE)))).toString(), MINE);
  assert.deepEqual(await files(s), [`${RELEASE}.en.srt`, `${RELEASE}.mkv`]);
});
test('an upgraded item is due again when its file is deleted', async (t) => {
  const s = await ownFile(t, {});
  await providerStore(s.db).pause({ item: s.id, language: 'en', role: 'normal', provider: SEARCH_PAUSE }, () => ({
    failures: 1,
    until: s.clock.at,
    kind: 'nothing',
  }));
  await inventoryStore(s.db).searched(
    s.id,
    { language: 'en', role: 'normal' },
    { at: s.clock.at, outcome: 'nothing', why: null },
  );
  assert.deepEqual(await first(s), ['upgraded']);
  await rm(join(s.media, FILE));
  await s.scan();
  s.clock.at += 10 * DAY;
  assert.deepEqual(await first(s), ['written']);
});
for (const [what, best] of [
  ['no hash', { hash: false }],
  ['another release', { releases: ['Night.of.the.Living.Dead.1968.720p.WEB.h264-OTHER'] }],
] as const) {
  test(`a user's own file stays: ${what}`, async (t) => {
    const s = await ownFile(t, best);
    assert.deepEqual(await first(s), ['kept the providers offer nothing clearly better']);
    assert.equal(await textOf(s), MINE);
    assert.ok(!s.calls().includes('grant'));
    const asked = s.calls().length;
    s.clock.at += 2 * DAY;
    assert.deepEqual(await first(s), [], 'once a month is enough');
    assert.equal(s.calls().length, asked);
  });
}
