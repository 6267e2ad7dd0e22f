/** Items made of folders with real files: films, versions, parts, shows, specials, NFO, pictures and sidecars. */
import assert from 'node:assert/strict';
import { writeFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { found, grow, makeNfo, openWorld } from '../../testing/world.ts';

const picture = await sharp({ create: { width: 40, height: 60, channels: 3, background: '#123456' } })
  .jpeg()
  .toBuffer();
const CUE = '1\n00:00:01,000 --> 00:00:02,000\nHello.\n';

test('versions, editions and parts of a film are one item, in one folder or in several', async (t) => {
  const w = await openWorld(t, { films: 'movies' });
  grow(w.at('films'), {
    'Alpha (2001)/Alpha (2001) - 1080p.mp4': true,
    'Alpha (2001)/Alpha (2001) - 720p.mkv': true,
    "Alpha (2001)/Alpha (2001) {edition-Director's Cut}.mkv": true,
    'Beta (2002)/Beta (2002) CD1.mp4': true,
    'Beta (2002)/Beta (2002) CD2.mp4': true,
    'Gamma (2003)/CD1/Gamma (2003).mkv': true,
    'Gamma (2003)/CD2/Gamma (2003).mkv': true,
    'Gamma (2003)/poster.jpg': picture,
    'Gamma (2003)/movie.nfo': makeNfo('movie', { title: 'Gamma', plot: 'Two discs.' }),
    'Flat (2004).mp4': true,
    'Flatter (2005).mkv': true,
    'Flat (2004)-poster.jpg': picture,
    'Alpha (2001)/trailers/Alpha Trailer.mp4': true,
    'Beta (2002)/Sample/sample.mp4': true,
  });
  await w.scan();
  assert.deepEqual(await w.titles(), ['Alpha', 'Beta', 'Flat', 'Flatter', 'Gamma']);
  const versions = async (title: string) =>
    (await w.seen().item(await w.id(title)))?.versions.map(({ label, parts, duration }) => [
      label,
      parts,
      Math.round(duration ?? 0),
    ]);
  assert.deepEqual((await versions('Alpha'))?.toSorted(), [
    ['1080p', 1, 2],
    ['720p', 1, 2],
    ["Director's Cut", 1, 2],
  ]);
  assert.deepEqual(await versions('Beta'), [['sd', 2, 4]]);
  assert.deepEqual(await versions('Gamma'), [['sd', 2, 4]]);
  // The size and the length are those of all parts.
  const beta = found(await w.seen().item(await w.id('Beta')));
  assert.deepEqual([Math.round(beta.duration ?? 0), beta.size], [4, beta.versions[0]?.size]);
  const gamma = found(await w.seen().item(await w.id('Gamma')));
  assert.deepEqual(
    [gamma.plot, Math.round(gamma.duration ?? 0), Object.keys(gamma.images)],
    ['Two discs.', 4, ['poster', 'thumb']],
  );
  assert.equal((await w.seen().file(gamma.id, undefined, 2))?.relative, 'Gamma (2003)/CD2/Gamma (2003).mkv');
  assert.deepEqual(Object.keys((await w.seen().item(await w.id('Flat')))?.images ?? {}), ['poster', 'thumb']);
  assert.deepEqual(Object.keys((await w.seen().item(await w.id('Flatter')))?.images ?? {}), ['thumb']);
  // Only one of its two folders is read again: the item stays complete.
  const change = await w.change();
  grow(w.at('films'), { 'Gamma (2003)/CD2/Gamma (2003).en.srt': CUE });
  await w.scan();
  assert.deepEqual(await versions('Gamma'), [['sd', 2, 4]]);
  assert.deepEqual(
    (await w.catalog.background.changedSince(change, 10)).map(({ title }) => title),
    ['Gamma'],
  );
});

test('a show flat or in seasons, specials, dates, absolute numbers, several episodes in a file', async (t) => {
  const w = await openWorld(t, { shows: 'shows' });
  grow(w.at('shows'), {
    'Flat Show/Flat Show S01E01.mp4': true,
    'Flat Show/Flat Show S01E02-E03.mp4': true,
    'Tree (2010)/Season 01/Tree S01E01.mp4': true,
    'Tree (2010)/Specials/Tree S00E01.mp4': true,
    'Tree (2010)/Season 2/Tree 2x05.mp4': true,
    'Daily/Daily 2011-11-15.mp4': true,
    'Daily/Daily 2011-11-16.mp4': true,
    'Anime/[Group] Anime - 012 [1080p].mkv': true,
    'Anime/[Group] Anime - 013 [1080p].mkv': true,
  });
  await w.scan();
  assert.deepEqual(
    await w.titles(),
    [
      'Anime/1x12',
      'Anime/1x13',
      'Daily/2011x?',
      'Daily/2011x?',
      'Flat Show/1x1',
      'Flat Show/1x2',
      'Tree/0x1',
      'Tree/1x1',
      'Tree/2x5',
    ].toSorted(),
  );
  const double = found(await w.seen().item(await w.id('Flat Show/1x2')));
  assert.equal(double.episodeEnd, 3);
  const tree = found(await w.seen().page('shows', await w.id('Tree')));
  assert.deepEqual(
    tree.seasons.map(({ number, title }) => [number, title]),
    [
      [0, 'Specials'],
      [1, 'Season 1'],
      [2, 'Season 2'],
    ],
  );
  assert.equal(tree.nextUp?.season, 1);
  const first = found(await w.seen().item(await w.id('Tree/1x1')));
  assert.deepEqual([first.previous, first.next], [undefined, await w.id('Tree/2x5')]);
});

test('NFO: of a film, a show, an episode, and several episodes in one file', async (t) => {
  const w = await openWorld(t, { films: 'movies', shows: 'shows' });
  const episode = (season: number, number: number, title: string) =>
    makeNfo('episodedetails', { title, season, episode: number, plot: `Plot ${number}.` });
  grow(w.at('films'), {
    'Alpha (2001)/Alpha (2001).mp4': true,
    'Alpha (2001)/Alpha (2001).nfo': makeNfo('movie', {
      title: 'Alpha Told',
      mpaa: 'R',
      genre: 'Drama',
      premiered: '2001-05-06',
    }),
    'Broken (2002)/Broken (2002).mp4': true,
    'Broken (2002)/movie.nfo': '<movie><title>Not closed',
  });
  grow(w.at('shows'), {
    'One/tvshow.nfo': makeNfo('tvshow', { title: 'The One', mpaa: 'TV-MA', genre: 'Crime' }),
    'One/Season 1/One S01E01.mkv': true,
    'One/Season 1/One S01E01.nfo': episode(1, 1, 'Pilot'),
    'One/Season 1/One S01E02E03.mkv': true,
    'One/Season 1/One S01E02E03.nfo': episode(1, 2, 'Second') + episode(1, 3, 'Third'),
    'One/Season 1/One S01E05.mkv': true,
    'One/Season 1/One S01E05.nfo': episode(1, 4, 'Fourth') + episode(1, 5, 'Fifth'),
  });
  await w.scan();
  const alpha = found(await w.seen().item(await w.id('Alpha Told')));
  assert.deepEqual([alpha.rating, alpha.genres, alpha.released], ['R', ['Drama'], '2001-05-06']);
  assert.deepEqual(await w.titles(), ['Alpha Told', 'Broken', 'The One/1x1', 'The One/1x2', 'The One/1x5']);
  const show = found(await w.seen().page('shows', await w.id('The One')));
  assert.deepEqual(
    show.seasons[0]?.episodes.map(({ title, plot, rating }) => [title, plot, rating]),
    [
      ['Pilot', 'Plot 1.', 'TV-MA'],
      ['Second / Third', 'Plot 2.\n\nPlot 3.', 'TV-MA'],
      ['Fifth', 'Plot 5.', 'TV-MA'],
    ],
  );
  // The show's own NFO changes: its unchanged seasons are placed again.
  grow(w.at('shows'), { 'One/tvshow.nfo': makeNfo('tvshow', { title: 'The One', mpaa: 'TV-Y', genre: 'Family' }) });
  await w.scan();
  assert.equal((await w.seen().item(await w.id('The One/1x1')))?.rating, 'TV-Y');
  assert.equal(
    (await w.seen({ rating: 7, unrated: false }, 'viewer').library({ view: 'all', offset: 0, limit: 10 })).total,
    1,
  );
});

test('sidecars are found next to a film, in its subtitle folder and among many films; new ones at once', async (t) => {
  const w = await openWorld(t, { films: 'movies' });
  grow(w.at('films'), {
    'Alpha (2001)/Alpha (2001).mp4': true,
    'Alpha (2001)/Alpha (2001).en.srt': CUE,
    'Alpha (2001)/Alpha (2001).de.forced.srt': CUE,
    'Alpha (2001)/Subs/2_French.srt': CUE,
    ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`Film ${i + 10} (19${i + 10}).mp4`, true as const])),
    'Film 10 (1910).en.srt': CUE,
    'Film 11 (1911).es.srt': CUE,
  });
  await w.scan();
  const tracks = async (title: string) =>
    (await w.seen().item(await w.id(title)))?.subtitles
      .map(({ language, role }) => `${language ?? '?'} ${role}`)
      .toSorted();
  assert.deepEqual(await tracks('Alpha'), ['de forced', 'en normal', 'fr normal']);
  assert.deepEqual(await tracks('Film 10'), ['en normal']);
  const id = await w.id('Alpha');
  const change = await w.change();
  writeFileSync(w.at('films', 'Alpha (2001)/Alpha (2001).nl.srt'), CUE);
  rmSync(w.at('films', 'Alpha (2001)/Subs/2_French.srt'));
  await w.catalog.background.sidecarsChanged(id);
  assert.deepEqual(await tracks('Alpha'), ['de forced', 'en normal', 'nl normal']);
  assert.deepEqual(
    (await w.catalog.background.changedSince(change, 10)).map(({ title, sidecars }) => [title, sidecars.length]),
    [['Alpha', 3]],
  );
  await w.scan();
  const after = await w.change();
  writeFileSync(w.at('films', 'Film 10 (1910).fr.srt'), CUE);
  assert.match(await w.scan(), /0 new, 0 changed/);
  assert.deepEqual(
    (await w.catalog.background.changedSince(after, 10)).map(({ title }) => title),
    ['Film 10'],
  );
  assert.deepEqual(await tracks('Film 10'), ['en normal', 'fr normal']);
  await w.catalog.background.sidecarsChanged('0123456789abcdef');
  const before = await w.change();
  for (const name of ['Film 10 (1910).it.srt', 'Film 11 (1911).it.srt', 'Alpha (2001)/Alpha (2001).it.srt'])
    writeFileSync(w.at('films', name), CUE);
  await w.catalog.background.sidecarsChanged(await w.id('Film 10'), '0123456789abcdef', await w.id('Film 11'), id);
  assert.deepEqual(
    (await w.catalog.background.changedSince(before, 10))
      .map(({ title, sidecars }) => [title, sidecars.filter(({ language }) => language === 'it').length])
      .toSorted(),
    [
      ['Alpha', 1],
      ['Film 10', 1],
      ['Film 11', 1],
    ],
  );
});

test('a mixed library holds both; names in either Unicode form are one', async (t) => {
  const w = await openWorld(t, { all: 'mixed' });
  const [composed, apart] = ['NFC', 'NFD'].map((form) => 'Films/Amélie (2001)/Amélie (2001)'.normalize(form));
  grow(w.at('all'), {
    [`${composed}.mp4`]: true,
    [`${apart} - 4K.mp4`]: true,
    'Series/One/Season 1/One S01E01.mp4': true,
  });
  await w.scan();
  assert.deepEqual(await w.titles(), ['Amélie', 'One/1x1']);
});

test('artwork is resized to fixed widths, cached, and made again when the picture changes', async (t) => {
  const w = await openWorld(t, { films: 'movies' });
  const large = await sharp({ create: { width: 2000, height: 3000, channels: 3, background: '#654321' } })
    .jpeg()
    .toBuffer();
  grow(w.at('films'), {
    'Alpha (2001)/Alpha (2001).mp4': true,
    'Alpha (2001)/poster.jpg': large,
    'Bad (2002)/Bad (2002).mp4': true,
    'Bad (2002)/poster.jpg': 'no picture',
  });
  await w.scan();
  const id = await w.id('Alpha');
  const never = new AbortController().signal;
  const make = async (of: string, kind: 'poster' | 'thumb', width: number) =>
    w.catalog.art.make(found(await w.seen().picture(of, kind)), width, never);
  const [one, two] = await Promise.all([make(id, 'poster', 300), make(id, 'poster', 320)]);
  assert.deepEqual([one.etag, one.type], [two.etag, 'image/webp']);
  assert.equal((await sharp(one.bytes).metadata()).width, 320);
  assert.equal((await sharp((await make(id, 'thumb', 160)).bytes).metadata()).width, 64);
  const bad = await w.id('Bad');
  await assert.rejects(make(bad, 'poster', 160), { kind: 'missing' });
  grow(w.at('films'), { 'Alpha (2001)/poster.jpg': picture });
  await w.scan();
  const other = await make(id, 'poster', 300);
  assert.notEqual(other.etag, one.etag);
  await w.run('clear-cache');
  assert.equal((await make(id, 'poster', 300)).etag, other.etag);
});
