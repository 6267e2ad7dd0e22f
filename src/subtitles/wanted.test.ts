/** The list of wanted subtitles, in general and of single libraries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type WantedSubtitleSetting, wantedEntries } from '../config/index.ts';
import type { WantedSubtitle } from '../contract/subtitles/states.ts';
import { Failure } from '../lib/failure.ts';
import { createWanted, type WantedNeeds, wantedOf } from './wanted.ts';

const FILMS = 'aaaaaaaaaaaaaaaa';
const ANIME = 'bbbbbbbbbbbbbbbb';
const HOME = 'cccccccccccccccc';

function wantedFrom(language: string | undefined, entries?: readonly WantedSubtitleSetting[]) {
  const values: Record<string, unknown> = { 'subtitles.language': language, 'subtitles.wanted': entries };
  const libraries = [
    { id: FILMS, name: 'Films', kind: 'movies' },
    { id: ANIME, name: 'Anime', kind: 'shows' },
    { id: HOME, name: 'Home videos', kind: 'mixed' },
    { id: 'dddddddddddddddd', name: 'Records', kind: 'music' },
  ];
  return createWanted({
    config: {
      get: (key: string) => values[key],
      all: () => [{ key: 'subtitles.wanted', managed: false }],
      change: async (key: string, next: (saved: unknown) => string) => {
        const text = next(values[key]);
        values[key] = text === '' ? undefined : wantedEntries.parse(text);
      },
    },
    catalog: { libraries: () => libraries },
  } as unknown as WantedNeeds);
}
const said = (all: readonly WantedSubtitle[]) => all.map(({ language, role }) => `${language} ${role}`);

test('the default language is wanted first, and what is listed follows it', () => {
  assert.deepEqual(said(wantedFrom(undefined).all()), []);
  assert.equal(wantedFrom(undefined).first(), undefined);
  assert.deepEqual(said(wantedFrom('en').in(FILMS)), ['en normal']);
  const wanted = wantedFrom('en', [{ language: 'de' }, { language: 'en', kind: 'sdh' }, { language: 'en' }]);
  assert.deepEqual(said(wanted.in(FILMS)), ['en normal', 'de normal', 'en sdh'], 'each once');
  assert.equal(wanted.first(), 'en');
  assert.equal(wantedFrom(undefined, [{ language: 'fr', kind: 'forced' }]).first(), 'fr', 'else the first of the list');
});

test('a library with entries of its own wants exactly these', () => {
  const wanted = wantedFrom('en', [
    { language: 'ja', library: 'Anime' },
    { language: 'de' },
    { language: 'en', kind: 'forced', library: ANIME },
    { library: 'Home videos' },
    { language: 'it', library: 'a library that was removed' },
  ]);
  assert.deepEqual(said(wanted.in(FILMS)), ['en normal', 'de normal']);
  assert.deepEqual(said(wanted.in(ANIME)), ['ja normal', 'en forced'], 'by its name or its id');
  assert.deepEqual(said(wanted.in(HOME)), [], 'nothing, where an entry names no language');
  assert.deepEqual(said(wanted.all()), ['en normal', 'de normal', 'ja normal', 'en forced']);
  assert.equal(wanted.first(), 'en');
});

test('a language is asked about in the kinds that are wanted of it', () => {
  const wanted = wantedFrom('en', [{ language: 'en', kind: 'sdh' }]).all();
  assert.deepEqual(said(wantedOf(wanted, 'en')), ['en normal', 'en sdh']);
  assert.deepEqual(said(wantedOf(wanted, 'fi')), ['fi normal']);
});

test('a list is changed without touching the others', async () => {
  const wanted = wantedFrom('en', [
    { language: 'de' },
    { language: 'ja', library: 'Anime' },
    { library: HOME },
    { language: 'it', library: 'a library that was removed' },
  ]);
  const lists = ({ wants, libraries }: ReturnType<typeof wanted.list>) => [
    said(wants),
    ...libraries.map((one) => [one.name, one.own, ...said(one.wants)]),
  ];
  assert.deepEqual(lists(wanted.list()), [
    ['en normal', 'de normal'],
    ['Films', false, 'en normal', 'de normal'],
    ['Anime', true, 'ja normal'],
    ['Home videos', true],
  ]);
  await wanted.save({
    library: ANIME,
    wants: [
      { language: 'ja', role: 'forced' },
      { language: 'en', role: 'sdh' },
    ],
  });
  await wanted.save({ library: FILMS, wants: [] });
  await wanted.save({ library: HOME });
  const after = await wanted.save({
    wants: [
      { language: 'en', role: 'normal' },
      { language: 'fr', role: 'normal' },
    ],
  });
  assert.deepEqual(lists(after), [
    ['en normal', 'fr normal'],
    ['Films', true],
    ['Anime', true, 'ja forced', 'en sdh'],
    ['Home videos', false, 'en normal', 'fr normal'],
  ]);
  await assert.rejects(
    wanted.save({ library: 'f'.repeat(16), wants: [] }),
    (error) => error instanceof Failure && error.reason === 'no-such-subtitle-library',
  );
});
