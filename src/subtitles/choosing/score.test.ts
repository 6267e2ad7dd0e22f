/** Scores, conflicts and the order of trying: tables of what is offered and what must come of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ask, Candidate } from '../providers/provider.ts';
import { choose, isAcceptableUnverified, isExact } from './choose.ts';
import { conflictsOf } from './conflicts.ts';
import type { Conflict } from './evidence.ts';
import { MINIMUM, score } from './score.ts';

const RELEASE = 'The.Matrix.1999.1080p.BluRay.x264-CROSS';
const film: Ask = {
  kind: 'movie',
  title: 'The Matrix',
  year: 1999,
  ids: { imdb: 'tt0133093', tmdb: 603 },
  language: 'en',
  fileName: `${RELEASE}.mkv`,
  fps: 23.976,
  hash: '8e245d9679d31e12',
};
const plain: Ask = {
  kind: 'movie',
  title: 'The Matrix',
  year: 1999,
  language: 'en',
  fileName: 'The Matrix (1999).mkv',
};
const part: Ask = {
  kind: 'episode',
  title: 'Lost & Found',
  year: 2004,
  showIds: { imdb: 'tt0411008' },
  season: 2,
  episode: 5,
  language: 'pt',
  fileName: 'Lost and Found S02E05 1080p WEB-DL x264-ISLE.mkv',
};
const anime: Ask = {
  kind: 'episode',
  title: 'Umi no Uta',
  showIds: { imdb: 'tt0411008' },
  season: 1,
  episode: 7,
  language: 'en',
  fileName: '[Tsuki] Umi no Uta - 07 [1080p].mkv',
};
const daily: Ask = {
  kind: 'episode',
  title: 'Late',
  showIds: { imdb: 'tt0411008' },
  language: 'en',
  fileName: 'Late.2024.05.06.Guest.1080p.WEB.h264-GRP.mkv',
};
const offer = (more: Partial<Candidate> = {}): Candidate => ({
  provider: 'subtitles_c',
  id: '1',
  language: 'en',
  releases: [],
  pack: false,
  file: '1',
  ...more,
});
const ids = { ids: { imdb: 'tt0133093' }, title: 'Matrix', year: 1999 };

const scores: readonly [name: string, ask: Ask, candidate: Candidate, points: number, match: string][] = [
  ['nothing known', film, offer({ hearingImpaired: true }), 0, 'weak'],
  ['ids, title and year alone reach the minimum', film, offer(ids), MINIMUM, 'weak'],
  ['the same words in another order are no release', film, offer({ ...ids, releases: ['The Matrix'] }), 60, 'weak'],
  ['this very release', film, offer({ ...ids, releases: [RELEASE] }), 95, 'strong'],
  [
    'this very release, case and ending apart',
    film,
    offer({ ...ids, releases: [`${RELEASE.toLowerCase()}.srt`] }),
    95,
    'strong',
  ],
  [
    'group and make',
    film,
    offer({ ...ids, releases: ['The.Matrix.1999.720p.BluRay.x265-CROSS'] }),
    60 + 14 + 12 + 3,
    'strong',
  ],
  [
    'make without group',
    film,
    offer({ ...ids, releases: ['The.Matrix.1999.1080p.BluRay.x264-OTHER'] }),
    60 + 12 + 3 + 2 + 3,
    'weak',
  ],
  [
    'another edition costs',
    film,
    offer({ ...ids, releases: ['The.Matrix.1999.Extended.1080p.BluRay.x264-CROSS'] }),
    60 + 14 + 12 + 3 + 2 - 35,
    'weak',
  ],
  ['another frame rate costs', film, offer({ ...ids, releases: [RELEASE], fps: 25 }), 85, 'weak'],
  ['23.976 is 24', film, offer({ ...ids, fps: 24 }), 65, 'weak'],
  ['hash and ids', film, offer({ ...ids, hashMatch: true }), 90, 'strong'],
  ['a hash alone is not enough', plain, offer({ hashMatch: true, title: 'The Matrix' }), 30 + 15 + 5, 'weak'],
  [
    'everything',
    film,
    offer({ ...ids, releases: [RELEASE], hashMatch: true, trusted: true, fps: 23.976 }),
    100,
    'exact',
  ],
  ['no ids, this release', { ...film, ids: {} }, offer({ releases: [RELEASE] }), 15 + 10 + 35 + 5, 'strong'],
  [
    'a name of a video that is no release names no cut',
    plain,
    offer({ releases: ['The Matrix (1999)'] }),
    15 + 10 + 5,
    'weak',
  ],
  [
    'a name with nothing but a resolution names no cut',
    { ...film, fileName: 'The Matrix (1999) 1080p.mkv' },
    offer({ ...ids, releases: ['The Matrix (1999) 1080p'] }),
    60 + 3,
    'weak',
  ],
  [
    'preferred for the hard of hearing',
    { ...film, hearingImpaired: 'prefer' },
    offer({ ...ids, hearingImpaired: true }),
    60,
    'weak',
  ],
  ['plain although hearing impaired is preferred', { ...film, hearingImpaired: 'prefer' }, offer(ids), 55, 'weak'],
  [
    'an episode by its show and place',
    part,
    offer({ language: 'pt-br', showIds: { imdb: 'tt0411008' }, title: 'Lost and Found', season: 2, episode: 5 }),
    60,
    'weak',
  ],
  [
    'an episode whose place is in the name',
    part,
    offer({ language: 'pt', releases: ['Lost.and.Found.S02E05.1080p.WEB-DL.x264-ISLE'] }),
    15 + 10 + 5 + 35,
    'strong',
  ],
  [
    'a double episode',
    part,
    offer({
      language: 'pt',
      showIds: { imdb: 'tt0411008' },
      title: 'Lost & Found',
      season: 2,
      episode: 4,
      episodeEnd: 5,
    }),
    60,
    'weak',
  ],
  [
    'only one of the two names says which edition',
    { ...film, fileName: 'The.Matrix.1999.Extended.1080p.BluRay.x264-CROSS.mkv' },
    offer({ ...ids, releases: [RELEASE] }),
    60 + 14 + 12 + 3 + 2 - 10,
    'weak',
  ],
  [
    'remastered is the same cut',
    film,
    offer({ ...ids, releases: ['The.Matrix.1999.REMASTERED.1080p.BluRay.x264-CROSS'] }),
    94,
    'strong',
  ],
  [
    'the group at another service made another release',
    { ...film, fileName: 'The.Matrix.1999.1080p.AMZN.WEB-DL.H.264-CROSS.mkv' },
    offer({ ...ids, releases: ['The.Matrix.1999.1080p.NF.WEB-DL.H.264-CROSS'] }),
    60 + 5 + 3 + 2 + 3,
    'weak',
  ],
  [
    'the group with another source made another release',
    film,
    offer({ ...ids, releases: ['The.Matrix.1999.1080p.WEB.x264-CROSS'] }),
    60 + 3 + 2 + 3,
    'weak',
  ],
  ['29.97 shows the pictures of 23.976 more often', film, offer({ ...ids, fps: 29.97 }), 60, 'weak'],
  ['25 runs faster', film, offer({ ...ids, fps: 25 }), 50, 'weak'],
  [
    'the show and the release, but which episode nobody says',
    part,
    offer({
      language: 'pt',
      showIds: { imdb: 'tt0411008' },
      title: 'Lost & Found',
      releases: ['Lost.and.Found.1080p.WEB-DL.x264-ISLE'],
    }),
    30 + 15 + 5 + 34,
    'weak',
  ],
  [
    'a pack of the season of our release',
    part,
    offer({
      language: 'pt',
      showIds: { imdb: 'tt0411008' },
      season: 2,
      pack: true,
      releases: ['Lost.and.Found.S02.1080p.WEB-DL.x264-ISLE'],
    }),
    30 + 15 + 10 + 5 + 34,
    'strong',
  ],
  [
    'a pack of nobody knows which season',
    part,
    offer({ language: 'pt', showIds: { imdb: 'tt0411008' }, title: 'Lost & Found', pack: true }),
    50,
    'weak',
  ],
  [
    'part of a season, ours in it',
    part,
    offer({
      language: 'pt',
      showIds: { imdb: 'tt0411008' },
      title: 'Lost & Found',
      season: 2,
      episode: 1,
      episodeEnd: 6,
      pack: true,
    }),
    60,
    'weak',
  ],
  [
    'a double episode for a file that holds both',
    { ...part, episode: 4, episodeEnd: 5, fileName: 'Lost and Found S02E04E05.mkv' },
    offer({
      language: 'pt',
      showIds: { imdb: 'tt0411008' },
      title: 'Lost & Found',
      season: 2,
      episode: 4,
      releases: ['Lost.and.Found.S02E04-E05.WEB'],
    }),
    60,
    'weak',
  ],
  [
    'a number alone, of a first season',
    anime,
    offer({ title: 'Umi no Uta', releases: ['[Tsuki] Umi no Uta - 07 [720p]'] }),
    15 + 10 + 5 + 14,
    'weak',
  ],
  [
    'the same make of a fansub group',
    anime,
    offer({ showIds: { imdb: 'tt0411008' }, releases: ['[Tsuki] Umi no Uta - 07 (1080p) [A1B2C3D4].ass'] }),
    30 + 15 + 10 + 5 + 14 + 3 + 3,
    'strong',
  ],
  [
    'the day of a daily show',
    daily,
    offer({ showIds: { imdb: 'tt0411008' }, title: 'Late', releases: ['Late.2024.05.06.720p.WEB.h264-OTHER'] }),
    30 + 15 + 10 + 5 + 12 + 2 + 3,
    'weak',
  ],
  [
    'a pack of the season',
    part,
    offer({ language: 'pt', showIds: { imdb: 'tt0411008' }, title: 'Lost & Found', season: 2, pack: true }),
    60,
    'weak',
  ],
];
for (const [name, ask, candidate, points, match] of scores) {
  test(`score: ${name}`, () => {
    const scored = score(candidate, ask);
    assert.deepEqual([scored.score, scored.match], [points, match], JSON.stringify(scored.evidence));
    assert.deepEqual(scored.conflicts, []);
    assert.equal(
      Math.max(
        0,
        Math.min(
          100,
          scored.evidence.reduce((sum, one) => sum + one.points, 0),
        ),
      ),
      points,
    );
  });
}

const full = { ...ids, releases: [RELEASE], hashMatch: true, trusted: true };
const conflicts: readonly [name: string, ask: Ask, candidate: Candidate, conflicts: Conflict[]][] = [
  ['another language', film, offer({ ...full, language: 'fr' }), ['language']],
  [
    'a base language for a regional one',
    { ...film, language: 'pt-br' },
    offer({ ...full, language: 'pt' }),
    ['language'],
  ],
  ['a regional one for its base', { ...film, language: 'pt' }, offer({ ...full, language: 'pt-br' }), []],
  ['another year', film, offer({ ...full, ids: {}, year: 1998 }), ['year']],
  ['a year apart with the same id', film, offer({ ...full, year: 1998 }), []],
  ['another id', film, offer({ ...full, ids: { imdb: 'tt0234215' } }), ['id']],
  ['one id the same, the other not', film, offer({ ...full, ids: { imdb: 'tt0133093', tmdb: 604 } }), []],
  ['forced for a normal request', film, offer({ ...full, forced: true }), ['forced']],
  ['normal for a forced request', { ...film, forced: true }, offer(full), ['forced']],
  ['machine translated', film, offer({ ...full, machineTranslated: true }), ['machine-translated']],
  [
    'machine translated, and asked for',
    { ...film, machineTranslated: true },
    offer({ ...full, machineTranslated: true }),
    [],
  ],
  ['an episode for a film', film, offer({ ...full, episode: 3 }), ['kind']],
  ['an episode by its name for a film', film, offer({ ...ids, releases: ['The.Matrix.S01E01'] }), ['kind']],
  ['another season', part, offer({ language: 'pt', season: 3, episode: 5 }), ['season']],
  ['another episode', part, offer({ language: 'pt', season: 2, episode: 6 }), ['episode']],
  [
    'fields right, name wrong',
    part,
    offer({ language: 'pt', season: 2, episode: 5, releases: ['Lost.and.Found.S02E06.720p'] }),
    ['episode'],
  ],
  [
    'the season of a pack',
    part,
    offer({ language: 'pt', pack: true, releases: ['Lost.and.Found.S01.720p.WEB'] }),
    ['season'],
  ],
  ['another year in every name', film, offer({ releases: ['The.Matrix.2021.1080p.WEB.x264-NEO'] }), ['year']],
  ['another year in one of the names', film, offer({ releases: ['The.Matrix.2021.1080p.WEB.x264-NEO', RELEASE] }), []],
  [
    'a year that is part of the title',
    { ...film, title: 'Wonder Woman 1984', year: 2020, ids: {} },
    offer({ releases: ['Wonder.Woman.1984.1080p.WEB-DL.x264-EVO'] }),
    [],
  ],
  [
    'a film with numbers in its title',
    { ...film, title: '4x4', year: 2019, ids: {}, fileName: '4x4.2019.1080p.WEB.x264-GRP.mkv' },
    offer({ releases: ['4x4.2019.720p.WEB.x264-OTHER'] }),
    [],
  ],
  ['a piece of a film', film, offer({ ...ids, releases: ['The.Matrix.1999.DVDRip.XviD-OLD.CD1'] }), ['kind']],
  [
    'the other part',
    { ...film, fileName: 'Saga.Part.2.2001.mkv' },
    offer({ ...ids, releases: ['Saga.Part.1.2001.DVDRip'] }),
    ['kind'],
  ],
  [
    'half of a double episode',
    { ...part, episode: 4, episodeEnd: 5, fileName: 'Lost and Found S02E04E05.mkv' },
    offer({ language: 'pt', season: 2, episode: 4, releases: ['Lost.and.Found.S02E04.WEB'] }),
    ['episode'],
  ],
  [
    'a double episode for half of it',
    part,
    offer({ language: 'pt', season: 2, episode: 5, releases: ['Lost.and.Found.S02E04E05.WEB'] }),
    ['episode'],
  ],
  [
    'part of a season without ours',
    part,
    offer({ language: 'pt', season: 2, episode: 6, episodeEnd: 9, pack: true }),
    ['episode'],
  ],
  ['another number alone', anime, offer({ releases: ['[Tsuki] Umi no Uta - 08 [1080p]'] }), ['episode']],
  [
    'a number alone says nothing about a later season',
    { ...anime, season: 3, fileName: 'Umi no Uta S03E07.mkv' },
    offer({ releases: ['[Tsuki] Umi no Uta - 31 [1080p]'] }),
    [],
  ],
  [
    'a height or a year in brackets counts nothing',
    anime,
    offer({ releases: ['[Tsuki] Umi no Uta [720][2019]', 'Umi no Uta - 2019'] }),
    [],
  ],
  ['another day', daily, offer({ releases: ['Late.2024.05.07.1080p.WEB.h264-GRP'] }), ['episode']],
  [
    'a special is no episode of that number',
    { ...part, season: 0, episode: 3 },
    offer({ language: 'pt', season: 1, episode: 3 }),
    ['season'],
  ],
  ['an episode older than its show', part, offer({ language: 'pt', season: 2, episode: 5, year: 1978 }), ['year']],
  ['another show', part, offer({ language: 'pt', season: 2, episode: 5, showIds: { imdb: 'tt0000001' } }), ['id']],
];
for (const [name, ask, candidate, expected] of conflicts)
  test(`conflict: ${name}`, () => assert.deepEqual(conflictsOf(candidate, ask), expected));

test('a conflict rejects whatever the score', () => {
  const rejected = score(offer({ ...full, language: 'fr' }), film);
  assert.equal(rejected.score, 100);
  assert.equal(isExact(rejected), false);
  assert.equal(isAcceptableUnverified(rejected), false);
  assert.deepEqual(choose([rejected.candidate], film), { best: [], offered: 1, conflicting: 1, tooLow: 0 });
});

test('the best three of all, at most three a provider, in an order that nobody can change by answering first', () => {
  const many = Array.from({ length: 5 }, (_, n) => offer({ ...ids, id: `c${n}`, releases: [RELEASE], downloads: n }));
  const other = offer({ ...ids, provider: 'subtitles_a', id: 'a0', releases: [RELEASE], trusted: true });
  const low = offer({ id: 'low' });
  const names = (offers: Candidate[]) => choose(offers, film).best.map(({ candidate }) => candidate.id);
  assert.deepEqual(names([...many, other, low]), ['a0', 'c4', 'c3']);
  assert.deepEqual(names([low, other, ...many.toReversed()]), ['a0', 'c4', 'c3']);
  assert.deepEqual(names(many), ['c4', 'c3', 'c2']);
  assert.equal(choose([low], film).tooLow, 1);
});

test('what was refused before does not come back', () => {
  const good = offer({ ...ids, releases: [RELEASE] });
  assert.equal(choose([good], film, ({ id }) => id === '1').best.length, 0);
});

test('only a strong or exact match is acceptable unverified', () => {
  assert.equal(isAcceptableUnverified(score(offer(ids), film)), false);
  assert.equal(isAcceptableUnverified(score(offer({ ...ids, releases: [RELEASE] }), film)), true);
});
