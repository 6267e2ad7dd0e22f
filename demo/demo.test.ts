/** The demo library without its videos: the files next to them are readable, and the list of films holds together. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { foldPersonName } from '../src/catalog/core/people/identity.ts';
import { isPortraitName, portraitPerson } from '../src/catalog/naming/portraits.ts';
import { decodeText } from '../src/cues/index.ts';
import { backdrop, poster } from './art.ts';
import { orderedSeasons, seasonsInOrder } from '../src/metadata/ordered-seasons.ts';
import { EpisodeOrderPage, FilmPage, seasonsShape, ShowPage } from '../src/metadata/replies.ts';
import { ACTORS, FILMS, SHOW } from './films.ts';
import { metadataPages } from './metadata.ts';
import { portrait, portraitFile } from './portraits.ts';
import { encoded, linesIn, spokenLines, written } from './words.ts';

const videos = [...FILMS.flatMap(({ videos: own }) => own), ...SHOW.episodes.map(({ video }) => video)];

test('no file and no id is there twice', () => {
  for (const all of [
    videos.map(({ file }) => file),
    FILMS.map(({ imdb }) => imdb),
    FILMS.map(({ title, year }) => `${title} ${year}`),
  ])
    assert.equal(new Set(all).size, all.length);
});

test('every kind of video that is promised is there', () => {
  assert.deepEqual([...new Set(videos.map(({ codec }) => codec))].toSorted(), ['av1', 'h264', 'hevc', 'mpeg4', 'vp9']);
  assert.deepEqual([...new Set(videos.map(({ sound }) => sound))].toSorted(), ['ac3', 'mp3', undefined]);
  assert.ok(
    SHOW.episodes.filter(({ season, video }) => season === 1 && video.intro !== undefined && video.seconds >= 60)
      .length >= 3,
    'three episodes of a season share an intro',
  );
  assert.ok(videos.some(({ audio = [] }) => audio.length > 1) && videos.some(({ chapters }) => chapters));
  const encodings = new Set(videos.flatMap(({ sidecars = [] }) => sidecars.map(({ encoding = 'utf-8' }) => encoding)));
  assert.deepEqual([...encodings].toSorted(), ['shift_jis', 'utf-16le', 'utf-8', 'windows-1251', 'windows-1252']);
  assert.ok(
    videos.some(
      ({ offered = [], sidecars = [] }) =>
        offered.includes('en') && !sidecars.some(({ language }) => language === 'en'),
    ),
    'something is missing, and can be fetched',
  );
});

test('every sidecar can be read by the engine in its encoding', async () => {
  for (const { file, seconds, sidecars = [] } of videos) {
    for (const { language, encoding = 'utf-8', format = 'srt', kind } of sidecars) {
      const text = written(linesIn(language, seconds, kind), format);
      const read = await decodeText(encoded(text, encoding));
      assert.equal(read.text.replaceAll('\r', ''), text.replaceAll('\r', ''), `${file} ${language}`);
    }
  }
});

test('what is spoken is written at its time, in order, within the film', () => {
  const lines = spokenLines();
  const [film] = FILMS[0]?.videos ?? [];
  assert.ok(lines.every(({ start, end }, n) => end > start && start >= (lines[n - 1]?.end ?? 0)));
  assert.ok((lines.at(-1)?.end ?? Infinity) < (film?.seconds ?? 0));
});

test('pictures are of their size, and the same every time', async () => {
  const [film] = FILMS;
  assert.ok(film);
  const one = await poster(film);
  const { width, height, format } = await sharp(one).metadata();
  assert.deepEqual([width, height, format], [800, 1200, 'jpeg']);
  assert.deepEqual(await poster(film), one);
  const { width: wide } = await sharp(await backdrop(film)).metadata();
  assert.equal(wide, 1600);
});

test('the metadata provider has a page in its own shape for every film and episode', () => {
  const { films, shows } = metadataPages();
  assert.deepEqual(
    films.map((film) => FilmPage.parse(film).external_ids?.imdb_id),
    FILMS.map(({ imdb }) => imdb),
  );
  assert.equal(films.filter(({ belongs_to_collection: set }) => set !== null).length, 2, 'a collection appears');
  const [show] = shows;
  assert.ok(show && ShowPage.parse(show));
  const names = show.seasons.map(({ season_number: number }) => `season/${number}`);
  const seasons = Object.values(seasonsShape(names).parse(show));
  const numbers = seasons.flatMap((season) => (season && 'episodes' in season ? (season.episodes ?? []) : []));
  assert.equal(numbers.length, SHOW.episodes.flatMap(({ numbers: own }) => own).length);
});

test('each order of episodes gives all regular episodes, and titles that differ from the usual order', () => {
  const [show] = metadataPages().shows;
  assert.ok(show && show.orders.length >= 2);
  const names = show.seasons.map(({ season_number: number }) => `season/${number}`);
  const usual = new Map(
    Object.values(seasonsShape(names).parse(show)).flatMap((season) =>
      season && 'season_number' in season ? [[season.season_number, season] as const] : [],
    ),
  );
  const titlesOf = (seasons: typeof usual) => (seasons.get(2)?.episodes ?? []).map(({ name }) => name);
  const seen = [titlesOf(usual)];
  for (const order of show.orders) {
    const seasons = seasonsInOrder(orderedSeasons(EpisodeOrderPage.parse(order)), usual);
    const titles = titlesOf(seasons);
    assert.deepEqual(titles.toSorted(), titlesOf(usual).toSorted(), order.name);
    assert.equal(seasons.get(1)?.episodes?.length, usual.get(1)?.episodes?.length, order.name);
    for (const other of seen) assert.notDeepEqual(titles, other, order.name);
    seen.push(titles);
  }
});

test('a portrait has the name of a person, and no two are alike', async () => {
  const drawn = await Promise.all(ACTORS.map((name, place) => portrait(name, place)));
  assert.equal(new Set(drawn.map((bytes) => bytes.toString('base64'))).size, ACTORS.length);
  const { width, height, format } = await sharp(drawn[0]).metadata();
  assert.deepEqual([width, height, format], [400, 600, 'jpeg']);
  for (const name of ACTORS) {
    const file = portraitFile(name);
    assert.ok(isPortraitName(file));
    assert.equal(portraitPerson(`.actors/${file}`), foldPersonName(name));
  }
});
