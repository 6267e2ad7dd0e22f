/** Converts titles: folded for comparison, for sorting, and without the tags in braces and brackets of names. */
import { narrow } from '../../lib/release/width.ts';
import type { ExternalIds } from './types.ts';

/** Returns only letters and digits, without case and accents, so that spellings of one title are equal. */
export const fold = (text: string): string => (ASCII.test(text) ? foldAscii(text) : foldAny(text));
const ASCII = /^[\0-\x7f]*$/;
/** Does the same as `foldAny` for ASCII, which most names are. It is faster because nothing is normalised. */
const foldAscii = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/['`]/g, '')
    .replaceAll('&', ' and ')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
const foldAny = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['’`]/g, '')
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Articles that are hardly ever anything else. `Die` and `La` also begin other titles, so they stay. */
const ARTICLE = /^(?:the|a|an|le|les|der|das|el|los|il|gli|het) (?=\S)|^(?:l|d)['’](?=\p{L})/u;
const NUMBER_WIDTH = 6;

/**
 * Returns a title for sorting: lowercase, no leading article, no accents, no punctuation, numbers padded: `the 39
 * Steps` becomes `000039 steps`.
 */
export function sortTitleOf(title: string): string {
  const lower = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+/u, '');
  const bare = fold(lower.replace(ARTICLE, ''));
  return (bare === '' ? lower.trim() || title.toLowerCase() : bare).replaceAll(/\d+/g, (digits) =>
    digits.padStart(NUMBER_WIDTH, '0'),
  );
}

/** Converts `Film, The` to `The Film`. */
export function articleInFront(title: string): string {
  const match = /^(.{1,200}), (the|a|an|le|la|les|der|die|das|el|los|las|il|lo|het|de)$/i.exec(title);
  return match ? `${match[2]} ${match[1]}` : title;
}

const ID_TAG = /[[{(] {0,2}(imdb|tmdb|tvdb|anidb|tvmaze)(?:id)?[-=: ] {0,1}(tt)?(\d{1,10}) {0,2}[\]})]/gi;
const BARE_IMDB = /(?<![\p{L}\p{N}])tt(\d{7,9})(?![\p{L}\p{N}])/giu;
const EDITION_TAG = /\{edition-([^{}]{1,60})\}/gi;

/**
 * Removes `{tmdb-603}`, `[imdbid-tt0133093]`, `{edition-Final Cut}` and a bare `tt0133093` from a name and returns
 * their ids.
 */
export function takeTags(name: string): { text: string; ids: ExternalIds; edition?: string } {
  const ids: ExternalIds = {};
  let edition: string | undefined;
  const put = (service: string, number: string) => {
    if (service === 'imdb') ids.imdb ??= `tt${number.padStart(7, '0')}`;
    else if (service === 'tmdb' || service === 'tvdb') ids[service] ??= String(Number(number));
  };
  const text = narrow(name)
    .replaceAll(EDITION_TAG, (_, value: string) => {
      edition ??= value.trim();
      return '';
    })
    .replaceAll(ID_TAG, (_, service: string, _tt: string | undefined, number: string) => {
      put(service.toLowerCase(), number);
      return '';
    })
    .replaceAll(BARE_IMDB, (_, number: string) => {
      put('imdb', number);
      return '';
    })
    .replaceAll(/\[ {0,2}\]|\{ {0,2}\}|\( {0,2}\)/g, '')
    .trim();
  return { text: text === '' ? name.trim() : text, ids, ...(edition === undefined ? {} : { edition }) };
}

export const hasIds = (ids: ExternalIds): boolean => Object.keys(ids).length > 0;

const VIDEO = new Set(
  (
    'mkv mp4 m4v avi mov qt wmv ts m2ts mts mpg mpeg mpe m2v mp2v webm flv f4v ogv ogm vob divx xvid asf rm rmvb ' +
    '3gp 3g2 dv mk3d strm wtv dvr-ms ifo bdmv mpv trp tp mxf nut amv evo iso img bin'
  ).split(/\s+/),
);

/** Returns the extension in lowercase, without its dot; empty if there is none. */
export function endingOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

export const stemOf = (name: string): string => (endingOf(name) === '' ? name : name.slice(0, name.lastIndexOf('.')));

/** Whether a file name is that of a video. Disc images count: they are listed as files that cannot be played. */
export const isVideoName = (name: string): boolean => !name.startsWith('.') && VIDEO.has(endingOf(name));
