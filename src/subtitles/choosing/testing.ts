/** For tests of choosing: queries, and a candidate with given properties. */
import type { Candidate, ProviderQuery } from '../providers/provider.ts';

export const RELEASE = 'The.Matrix.1999.1080p.BluRay.x264-CROSS';
export const film: ProviderQuery = {
  kind: 'movie',
  title: 'The Matrix',
  year: 1999,
  ids: { imdb: 'tt0133093', tmdb: 603 },
  language: 'en',
  fileName: `${RELEASE}.mkv`,
  fps: 23.976,
  hash: '8e245d9679d31e12',
};
export const plain: ProviderQuery = {
  kind: 'movie',
  title: 'The Matrix',
  year: 1999,
  language: 'en',
  fileName: 'The Matrix (1999).mkv',
};
export const part: ProviderQuery = {
  kind: 'episode',
  title: 'Lost & Found',
  year: 2004,
  showIds: { imdb: 'tt0411008' },
  season: 2,
  episode: 5,
  language: 'pt',
  fileName: 'Lost and Found S02E05 1080p WEB-DL x264-ISLE.mkv',
};
export const anime: ProviderQuery = {
  kind: 'episode',
  title: 'Umi no Uta',
  showIds: { imdb: 'tt0411008' },
  season: 1,
  episode: 7,
  language: 'en',
  fileName: '[Tsuki] Umi no Uta - 07 [1080p].mkv',
};
export const daily: ProviderQuery = {
  kind: 'episode',
  title: 'Late',
  showIds: { imdb: 'tt0411008' },
  language: 'en',
  fileName: 'Late.2024.05.06.Guest.1080p.WEB.h264-GRP.mkv',
};
export const offer = (more: Partial<Candidate> = {}): Candidate => ({
  provider: 'subtitles_c',
  id: '1',
  language: 'en',
  releases: [],
  pack: false,
  file: '1',
  ...more,
});
export const ids = { ids: { imdb: 'tt0133093' }, title: 'Matrix', year: 1999 };
