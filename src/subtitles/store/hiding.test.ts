/** Intents of a clean-up, and our own rows when a file gains or loses the suffix, on both engines. */
import assert from 'node:assert/strict';
import { eachEngine } from '../../lib/db/testing.ts';
import { hidingStore } from './hiding.ts';
import { installingStore } from './installing.ts';
import type { HidingFile, Intent } from './rows.ts';
import { subtitleMigrations } from './migrations.ts';

const ITEM = 'aaaaaaaaaaaaaaaa';
const LIBRARY = 'bbbbbbbbbbbbbbbb';
const about = (relative: string): HidingFile => ({
  library: LIBRARY,
  relative,
  item: ITEM,
  language: 'en',
  role: 'normal',
  size: 12,
  modified: '1700000000123.4567',
  at: 5,
  actor: null,
});
const ours = (relative: string): Intent => ({
  file: {
    library: LIBRARY,
    relative,
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
    delivered: null,
    candidate: null,
    preserved: {},
    at: 5,
  },
  act: 'fetched',
});

eachEngine('an intent is stored until it is settled, and repeated ones are one', subtitleMigrations, async (_t, db) => {
  const store = hidingStore(db);
  await store.intend([about('Film.en.srt'), about('Film.de.srt')]);
  await store.intend([{ ...about('Film.en.srt'), size: 13 }]);
  assert.deepEqual(
    (await store.intents()).map(({ relative, size, modified }) => [relative, size, modified]),
    [
      ['Film.de.srt', 12, '1700000000123.4567'],
      ['Film.en.srt', 13, '1700000000123.4567'],
    ],
  );
  await store.forget([about('Film.de.srt')]);
  await store.hidden([about('Film.en.srt')], []);
  assert.deepEqual(await store.intents(), []);
});

eachEngine(
  'a file of ours goes by its hidden name and by its own again, with all that is known of it',
  subtitleMigrations,
  async (_t, db) => {
    const [store, installing] = [hidingStore(db), installingStore(db)];
    await installing.done(ours('Film.en.srt'), { size: 12, modified: 7 });
    await installing.done(
      { ...ours('Film.de.srt'), file: { ...ours('Film.de.srt').file, language: 'de', content: 'cd' } },
      { size: 12, modified: 7 },
    );
    const before = await installing.filesOf([ITEM]);
    await store.hidden([about('Film.en.srt'), about('Film.somebody.srt')], []);
    assert.deepEqual(
      (await store.away()).map(({ relative, source, score, content }) => [relative, source, score, content]),
      [['Film.en.srt.hidden', 'subtitles_a', 87, 'ab12']],
    );
    await store.shown({ library: LIBRARY, relative: 'Film.en.srt.hidden' });
    assert.deepEqual(await store.away(), []);
    const sorted = (files: typeof before) => files.toSorted((a, b) => (a.relative < b.relative ? -1 : 1));
    assert.deepEqual(sorted(await installing.filesOf([ITEM])), sorted(before));
  },
);

eachEngine(
  'of a hidden file whose name is written again, the older row gives way',
  subtitleMigrations,
  async (_t, db) => {
    const [store, installing] = [hidingStore(db), installingStore(db)];
    for (const content of ['first', 'second']) {
      await installing.done(
        { ...ours('Film.en.srt'), file: { ...ours('Film.en.srt').file, content } },
        { size: 12, modified: 7 },
      );
      await store.hidden([about('Film.en.srt')], []);
    }
    assert.deepEqual(
      (await installing.filesOf([ITEM])).map(({ relative, content }) => [relative, content]),
      [['Film.en.srt.hidden', 'second']],
    );
  },
);
