/** Scores and the order of candidates: a table of candidates with their points and match. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Candidate, ProviderQuery } from '../providers/provider.ts';
import { chooseCandidates, isAcceptableUnverified } from './choose.ts';
import { MIN_SCORE, score } from './score.ts';
import { RELEASE, anime, daily, film, ids, offer, part, plain } from './testing.ts';

const scores: readonly [name: string, ask: ProviderQuery, candidate: Candidate, points: number, match: string][] = [
  ['nothing known', film, offer({ hearingImpaired: true }), 0, 'weak'],
  ['ids, title and year alone reach the minimum', film, offer(ids), MIN_SCORE, 'weak'],
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
  [
    'this very release, without the part',
    { ...film, part: { number: 1, of: 2 } },
    offer({ ...ids, releases: [RELEASE] }),
    95,
    'weak',
  ],
  [
    'this very release, of this part',
    { ...film, part: { number: 2, of: 2 }, fileName: `${RELEASE}.CD2.mkv` },
    offer({ ...ids, releases: [`${RELEASE}.CD2`] }),
    95,
    'strong',
  ],
  ['hash and ids of a part', { ...film, part: { number: 2, of: 2 } }, offer({ ...ids, hashMatch: true }), 90, 'strong'],
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
    offer({
      language: 'pt-br',
      showIds: { imdb: 'tt0411008' },
      title: 'Lost and Found',
      season: 2,
      episode: 5,
    }),
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
    offer({
      language: 'pt',
      showIds: { imdb: 'tt0411008' },
      title: 'Lost & Found',
      season: 2,
      pack: true,
    }),
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

test('the best three are tried, at most three of a provider, whatever the order of replies', () => {
  const many = Array.from({ length: 5 }, (_, n) => offer({ ...ids, id: `c${n}`, releases: [RELEASE], downloads: n }));
  const other = offer({ ...ids, provider: 'subtitles_a', id: 'a0', releases: [RELEASE], trusted: true });
  const low = offer({ id: 'low' });
  const names = (offers: Candidate[]) => chooseCandidates(offers, film).best.map(({ candidate }) => candidate.id);
  assert.deepEqual(names([...many, other, low]), ['a0', 'c4', 'c3']);
  assert.deepEqual(names([low, other, ...many.toReversed()]), ['a0', 'c4', 'c3']);
  assert.deepEqual(names(many), ['c4', 'c3', 'c2']);
  assert.equal(chooseCandidates([low], film).tooLow, 1);
});

test('a candidate that was rejected before is not chosen again', () => {
  const good = offer({ ...ids, releases: [RELEASE] });
  assert.equal(chooseCandidates([good], film, ({ id }) => id === '1').best.length, 0);
});

test('only a strong or exact match is acceptable unverified', () => {
  assert.equal(isAcceptableUnverified(score(offer(ids), film)), false);
  assert.equal(isAcceptableUnverified(score(offer({ ...ids, releases: [RELEASE] }), film)), true);
});
