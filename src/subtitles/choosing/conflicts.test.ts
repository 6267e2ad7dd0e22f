/** Hard conflicts: a table of candidates, and the statements that reject them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Candidate, ProviderQuery } from '../providers/provider.ts';
import { chooseCandidates, isAcceptableUnverified, isExact } from './choose.ts';
import { conflictsOf } from './conflicts.ts';
import type { Conflict } from './evidence.ts';
import { score } from './score.ts';
import { RELEASE, anime, daily, film, ids, offer, part } from './testing.ts';

const full = { ...ids, releases: [RELEASE], hashMatch: true, trusted: true };
const conflicts: readonly [name: string, ask: ProviderQuery, candidate: Candidate, conflicts: Conflict[]][] = [
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
  ['another disc', { ...film, part: { number: 2, of: 2 } }, offer({ releases: [`${RELEASE}.CD1`] }), ['kind']],
  ['this disc', { ...film, part: { number: 2, of: 2 } }, offer({ releases: [`${RELEASE}.CD2`] }), []],
  ['a disc of a film in one file', film, offer({ releases: [`${RELEASE}.CD1`] }), ['kind']],
  ['another show', part, offer({ language: 'pt', season: 2, episode: 5, showIds: { imdb: 'tt0000001' } }), ['id']],
];
for (const [name, ask, candidate, expected] of conflicts)
  test(`conflict: ${name}`, () => assert.deepEqual(conflictsOf(candidate, ask), expected));

test('a conflict rejects whatever the score', () => {
  const rejected = score(offer({ ...full, language: 'fr' }), film);
  assert.equal(rejected.score, 100);
  assert.equal(isExact(rejected), false);
  assert.equal(isAcceptableUnverified(rejected), false);
  const { scored, ...choice } = chooseCandidates([rejected.candidate], film);
  assert.deepEqual(choice, { best: [], offered: 1, conflicting: 1, tooLow: 0 });
  assert.deepEqual(scored, [rejected], 'a person sees why it was refused');
});
