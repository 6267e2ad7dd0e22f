/** The search of the stand-in for OpenSubtitles.com: the canonical form of a query, what it finds, and its rows. */
import { foldTitle, type Offer } from './fixtures.ts';

const DEFAULTS: Record<string, string> = {
  page: '1',
  type: 'all',
  ai_translated: 'include',
  foreign_parts_only: 'include',
  hearing_impaired: 'include',
  machine_translated: 'exclude',
  moviehash_match: 'include',
  trusted_sources: 'include',
};
const KNOWN: ReadonlySet<string> = new Set([
  'ai_translated',
  'episode_number',
  'foreign_parts_only',
  'hearing_impaired',
  'id',
  'imdb_id',
  'languages',
  'machine_translated',
  'moviehash',
  'moviehash_match',
  'order_by',
  'order_direction',
  'page',
  'parent_feature_id',
  'parent_imdb_id',
  'parent_tmdb_id',
  'query',
  'season_number',
  'tmdb_id',
  'trusted_sources',
  'type',
  'uploader_id',
  'year',
]);
const CODES = new Map([
  ['es-419', 'ea'],
  ['pt', 'pt-pt'],
]);
const codeOf = (tag: string): string => CODES.get(tag) ?? tag;

export const isKnown = (parameter: string): boolean => KNOWN.has(parameter);

export const decodedQuery = (query: URLSearchParams): string => query.toString();

/** Sorted, lower case, defaults left out, ids without `tt` and leading zeros. */
export function canonicalQuery(query: URLSearchParams): string {
  const plain = [...query].map(([name, value]): [string, string] => {
    const lower = value.toLowerCase();
    if (name.endsWith('imdb_id') || name.endsWith('tmdb_id') || name === 'id')
      return [name.toLowerCase(), lower.replace(/^tt/, '').replace(/^0+(?=\d)/, '')];
    return [name.toLowerCase(), name === 'languages' ? lower.split(',').sort().join(',') : lower];
  });
  return new URLSearchParams(
    plain.filter(([name, value]) => DEFAULTS[name] !== value && value !== '').sort(([a], [b]) => (a < b ? -1 : 1)),
  ).toString();
}

export function isMeant({ item, subtitle }: Offer, query: URLSearchParams): boolean {
  const is = (name: string, value: string | number | undefined) =>
    !query.has(name) || query.get(name) === String(value);
  const digits = (id: string | undefined) => (id === undefined ? undefined : Number(id.slice(2)));
  const languages = query.get('languages')?.split(',');
  if (languages && !languages.includes('all') && !languages.includes(codeOf(subtitle.language))) return false;
  const hash = query.get('moviehash');
  const byHash = hash !== null && subtitle.hash && item.hash === hash;
  const only = (name: string, value: boolean, otherwise: string) =>
    (query.get(name) ?? otherwise) === 'include' || ((query.get(name) ?? otherwise) === 'only') === value;
  const place =
    is('season_number', item.season) &&
    is('episode_number', item.episode) &&
    is('year', item.year) &&
    (!query.has('type') || query.get('type') === item.kind);
  const ids =
    is('imdb_id', digits(item.imdb)) &&
    is('tmdb_id', item.tmdb) &&
    is('parent_imdb_id', digits(item.showImdb)) &&
    is('parent_tmdb_id', item.showTmdb);
  const title = !query.has('query') || foldTitle(item.title).includes(foldTitle(query.get('query') ?? ''));
  const sort =
    only('hearing_impaired', subtitle.hearingImpaired, 'include') &&
    only('foreign_parts_only', subtitle.forced, 'include') &&
    only('machine_translated', subtitle.machineTranslated, 'exclude') &&
    (query.get('ai_translated') !== 'exclude' || !subtitle.machineTranslated);
  return sort && (byHash || (place && ids && title));
}

export function rowOf({ item, subtitle, number, fileName }: Offer, hash: string | null) {
  const isEpisode = item.kind === 'episode';
  const id = (text: string | undefined) => (text === undefined ? null : Number(text.slice(2)));
  return {
    id: String(100_000 + number),
    type: 'subtitle',
    attributes: {
      subtitle_id: String(100_000 + number),
      language: codeOf(subtitle.language),
      download_count: 1000 - number,
      new_download_count: 3,
      hearing_impaired: subtitle.hearingImpaired,
      hd: true,
      fps: subtitle.fps,
      votes: 0,
      ratings: 0,
      from_trusted: subtitle.trusted,
      foreign_parts_only: subtitle.forced,
      upload_date: '2024-05-06T07:08:09Z',
      file_hashes: subtitle.hash && item.hash !== undefined ? [item.hash] : [],
      ai_translated: false,
      nb_cd: 1,
      slug: fileName,
      machine_translated: subtitle.machineTranslated,
      ...(hash === null ? {} : { moviehash_match: subtitle.hash && item.hash === hash }),
      release: subtitle.releases[0] ?? '',
      comments: '',
      legacy_subtitle_id: null,
      legacy_uploader_id: null,
      uploader: { uploader_id: null, name: subtitle.uploader, rank: 'anonymous' },
      feature_details: {
        feature_id: 7000 + number,
        feature_type: isEpisode ? 'Episode' : 'Movie',
        year: item.year ?? null,
        title: isEpisode ? (item.episodeTitle ?? '') : item.title,
        movie_name: isEpisode
          ? `${item.title} - S${item.season ?? 0}E${item.episode ?? 0}`
          : `${item.year ?? ''} - ${item.title}`,
        imdb_id: id(item.imdb),
        tmdb_id: item.tmdb ?? null,
        ...(isEpisode
          ? {
              season_number: item.season ?? null,
              episode_number: item.episode ?? null,
              parent_imdb_id: id(item.showImdb),
              parent_title: item.title,
              parent_tmdb_id: item.showTmdb ?? null,
              parent_feature_id: 9000,
            }
          : {}),
      },
      url: 'https://www.opensubtitles.com/en/subtitles/x',
      related_links: [{ label: 'All subtitles', url: 'https://www.opensubtitles.com/', img_url: '' }],
      files: [{ file_id: 500_000 + number, cd_number: 1, file_name: fileName }],
    },
  };
}
