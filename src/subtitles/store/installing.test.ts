/** Written, frozen and refused subtitles and their history, on both engines. */
import assert from 'node:assert/strict';
import { eachEngine } from '../../lib/db/testing.ts';
import { SEARCH_PAUSE } from '../choosing/back-off.ts';
import { inventoryStore } from './inventory.ts';
import { installingStore, languageRefusalMigration, REJECTED_BY_USER, rejectionMigration } from './installing.ts';
import { providerStore } from './providers.ts';
import type { Intent, PreservedFile, RestorableFiles } from './rows.ts';
import { subtitleMigrations } from './migrations.ts';

const ITEM = 'aaaaaaaaaaaaaaaa';
const file: Intent['file'] = {
  library: 'bbbbbbbbbbbbbbbb',
  relative: 'Film/Film.en.srt',
  item: ITEM,
  language: 'en',
  role: 'normal',
  format: 'srt',
  source: 'subtitles_a',
  score: 87,
  match: 'unverified',
  evidence: [],
  content: 'ab12',
  origin: 'fetched',
  delivered: 'de11',
  candidate: '7',
  preserved: {},
  at: 5,
};
const there = { size: 120, modified: 1_700_000_000_123 };
const own: PreservedFile = {
  content: '0wn',
  location: { from: 'stem', rest: '.srt' },
  language: 'en',
  role: 'normal',
  format: 'srt',
};

eachEngine(
  'what is about to be written is nothing of ours until it is done, and one that is done is not undone',
  subtitleMigrations,
  async (_t, db) => {
    const store = installingStore(db);
    await store.intend({ file, act: 'fetched' });
    assert.equal((await store.intents()).length, 1);
    assert.deepEqual(await store.filesOf([ITEM]), []);
    await store.undo(file);
    assert.equal((await store.intents()).length, 0);
    await store.intend({ file, act: 'fetched' });
    await assert.rejects(store.intend({ file, act: 'applied' }), 'one writer a file');
    await store.done({ file, act: 'fetched' }, there);
    assert.deepEqual(await store.intents(), []);
    assert.deepEqual(await store.filesOf([ITEM]), [{ ...file, ...there }]);
    await store.undo(file);
    assert.equal((await store.filesOf([ITEM])).length, 1);
  },
);

eachEngine(
  'replaced: one row in place of another, frozen, refused and remembered in one step',
  subtitleMigrations,
  async (_t, db) => {
    const store = installingStore(db);
    await store.done({ file, act: 'fetched' }, there);
    const preserved: RestorableFiles = {
      original: own,
      before: {
        ...own,
        content: 'ab12',
        known: {
          source: 'subtitles_a',
          score: 87,
          match: 'unverified',
          evidence: [],
          origin: 'fetched',
          delivered: 'de11',
          candidate: '7',
        },
      },
    };
    const edited: Intent = {
      file: {
        ...file,
        relative: 'Film/Film.en.sdh.srt',
        role: 'sdh',
        content: 'cd34',
        origin: 'imported',
        delivered: null,
        candidate: null,
        score: null,
        preserved,
        at: 6,
      },
      over: { relative: file.relative, content: 'ab12' },
      act: 'applied',
      detail: 'shifted by 1 s',
      freeze: true,
      rejects: { provider: 'subtitles_a', candidate: '7', content: 'de11' },
    };
    await store.intend(edited);
    assert.deepEqual([...(await store.referenced())].sort(), ['0wn', 'ab12', 'de11'].sort());
    await store.done(edited, there);
    assert.deepEqual(
      (await store.filesOf([ITEM])).map(({ relative, score }) => [relative, score]),
      [['Film/Film.en.sdh.srt', null]],
    );
    assert.deepEqual(await store.frozen([ITEM]), [{ item: ITEM, language: 'en' }]);
    assert.deepEqual(
      (await store.refusals(ITEM, 'en')).map(({ candidate, content }) => [candidate, content]),
      [['7', 'de11']],
    );
    assert.deepEqual(
      (await store.history(ITEM)).map(({ act, before, after, detail }) => [act, before, after, detail]),
      [
        ['applied', 'ab12', 'cd34', 'shifted by 1 s'],
        ['fetched', null, 'ab12', null],
      ],
    );
    assert.deepEqual([...(await store.referenced())].sort(), ['0wn', 'ab12', 'de11'].sort());
    // Restoring it accepts it again.
    await store.done(
      { file: { ...file, at: 7 }, over: { relative: 'Film/Film.en.sdh.srt', content: 'cd34' }, act: 'restored' },
      there,
    );
    assert.deepEqual(await store.refusals(ITEM, 'en'), []);
  },
);

eachEngine(
  'what was done is kept while a video is away, a hundred acts of it, and goes with an item that is gone',
  subtitleMigrations,
  async (_t, db) => {
    const store = installingStore(db);
    for (let n = 0; n < 103; n++)
      await store.done({ file: { ...file, content: `c${n}`, at: n }, act: 'fetched' }, there);
    assert.deepEqual(
      [
        (await store.history(ITEM)).length,
        (await store.history(ITEM)).at(0)?.after,
        (await store.history(ITEM)).at(-1)?.after,
      ],
      [100, 'c102', 'c3'],
    );
    const inventory = inventoryStore(db);
    await inventory.follow([], [], { change: 1, gone: 0 }, [ITEM]);
    assert.deepEqual([(await store.history(ITEM)).length, (await store.filesOf([ITEM])).length], [100, 1]);
    await inventory.follow([], [ITEM], { change: 2, gone: 1 });
    assert.deepEqual([await store.history(ITEM), await store.filesOf([ITEM])], [[], []]);
  },
);

eachEngine(
  'a language is frozen once and thawed once; a refusal is kept by what was refused',
  subtitleMigrations,
  async (_t, db) => {
    const store = installingStore(db);
    await store.freeze(ITEM, 'en', true);
    await store.freeze(ITEM, 'en', true);
    assert.deepEqual(await store.frozen([ITEM]), [{ item: ITEM, language: 'en' }]);
    await store.freeze(ITEM, 'en', false);
    assert.deepEqual(await store.frozen([ITEM]), []);
    const refusal = {
      item: ITEM,
      language: 'en',
      provider: 'subtitles_a',
      candidate: '7',
      content: null,
      reason: 'another language',
      at: 1,
    };
    await store.refuse(refusal);
    await store.refuse({ ...refusal, reason: 'too long', content: 'cd34', at: 2 });
    await store.refuse({ ...refusal, candidate: '8' });
    assert.deepEqual(
      (await store.refusals(ITEM, 'en')).map(({ candidate, reason, content }) => [candidate, reason, content]).sort(),
      [
        ['7', 'too long', 'cd34'],
        ['8', 'another language', null],
      ],
    );
    assert.deepEqual(await store.refusals(ITEM, 'de'), []);
  },
);

eachEngine(
  'rejections of earlier versions stay rejections, and other refusals keep their reason',
  subtitleMigrations.filter(({ id }) => id !== rejectionMigration.id),
  async (_t, db) => {
    const store = installingStore(db);
    const refusal = { item: ITEM, language: 'en', provider: 'subtitles_a', content: null, at: 1 };
    const stored = ['some', 'body replaced it by another one'].join('');
    await store.refuse({ ...refusal, candidate: '1', reason: stored });
    await store.refuse({ ...refusal, candidate: '2', reason: 'the text is in another language' });
    await db.write('safe', (tx) => rejectionMigration.up(tx as never, 'sqlite'));
    const reasons = (await store.refusals(ITEM, 'en')).map(({ candidate, reason }) => `${candidate} ${reason}`);
    assert.deepEqual(reasons.sort(), ['1 rejected-by-user', '2 the text is in another language']);
  },
);

eachEngine(
  'refusals of the earlier language check are forgotten, and their items are due again',
  subtitleMigrations.filter(({ id }) => id !== languageRefusalMigration.id),
  async (_t, db) => {
    const store = installingStore(db);
    const refuse = (candidate: string, reason: string, content: string | null, language = 'he') =>
      store.refuse({ item: ITEM, language, provider: 'subtitles_a', candidate, content, reason, at: 1 });
    await refuse('1', 'the text is in another language', 'ab12');
    await refuse('2', 'this content was refused before', 'ab12');
    await refuse('3', REJECTED_BY_USER, 'ab12');
    await refuse('7', 'the text is in another language', null);
    await refuse('4', 'the subtitle ends long before the video', 'cd34');
    await refuse('5', 'this content was refused before', 'cd34');
    await refuse('6', 'the subtitle ends long before the video', 'ef56', 'de');
    const pauses = providerStore(db);
    for (const language of ['he', 'de'])
      await pauses.pause({ item: ITEM, language, role: 'normal', provider: SEARCH_PAUSE }, () => ({
        failures: 3,
        until: 9_000,
        kind: 'refused',
      }));
    await db.write('safe', (tx) => languageRefusalMigration.up(tx as never, 'sqlite'));
    const left = [...(await store.refusals(ITEM, 'he')), ...(await store.refusals(ITEM, 'de'))];
    assert.deepEqual(left.map(({ candidate }) => candidate).sort(), ['3', '4', '5', '6']);
    const until = (await pauses.pauses([ITEM])).map(({ language, until: end }) => `${language} ${end}`);
    assert.deepEqual(until.sort(), ['de 9000', 'he 0']);
  },
);
