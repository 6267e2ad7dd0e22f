/** A small offer for running the stand-ins without a file, and for their tests: two films of one title, and a show. */
import type { Fixtures } from './fixtures.ts';

const night = {
  kind: 'movie',
  title: 'Night of the Living Dead',
  year: 1968,
  imdb: 'tt0063350',
  tmdb: 10331,
  hash: '8e245d9679d31e12',
  duration: 5_760,
} as const;
const charade = {
  kind: 'movie',
  title: 'Charade',
  year: 1963,
  imdb: 'tt0056923',
  tmdb: 4808,
  duration: 6_780,
} as const;
const show = {
  kind: 'episode',
  title: 'The Lighthouse Keepers',
  year: 2015,
  showImdb: 'tt9000010',
  showTmdb: 900010,
  season: 1,
  duration: 1_500,
} as const;

const episode = (number: number) => ({
  ...show,
  episode: number,
  imdb: `tt900001${number}`,
  episodeTitle: `Night ${number}`,
  subtitles: [
    { language: 'en', releases: [`The.Lighthouse.Keepers.S01E0${number}.1080p.WEB.h264-WAVES`], trusted: true },
    {
      language: 'de',
      releases: [`The.Lighthouse.Keepers.S01E0${number}.German.1080p.WEB.h264-WAVES`],
      packaging: 'pack' as const,
    },
  ],
});

export const EXAMPLE: Fixtures = {
  items: [
    {
      ...night,
      subtitles: [
        {
          language: 'en',
          releases: ['Night.of.the.Living.Dead.1968.1080p.BluRay.x264-GHOUL'],
          trusted: true,
          hash: true,
          fps: 23.976,
        },
        { language: 'en', releases: ['Night.of.the.Living.Dead.1968.1080p.BluRay.x264-GHOUL'], hearingImpaired: true },
        { language: 'en', releases: ['Night.of.the.Living.Dead.1968.1080p.BluRay.x264-GHOUL.Forced'], forced: true },
        { language: 'en', releases: ['Night.of.the.Living.Dead.1968.DVDRip.XviD-OLD'], machineTranslated: true },
        { language: 'fr', releases: ['Night.of.the.Living.Dead.1968.720p.BluRay.x264-SPECTRE'] },
        { language: 'pt-br', releases: ['Night.of.the.Living.Dead.1968.1080p.BluRay.x264-GHOUL'] },
      ],
    },
    { ...charade, subtitles: [{ language: 'en', releases: ['Charade.1963.1080p.BluRay.x264-PARIS'] }] },
    {
      ...charade,
      year: 2023,
      imdb: 'tt9000001',
      tmdb: 900001,
      duration: 5_400,
      subtitles: [{ language: 'en', releases: ['Charade.2023.1080p.WEB.h264-COPY'] }],
    },
    episode(1),
    episode(2),
  ],
};
