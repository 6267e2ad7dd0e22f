/** Chooses the trailers of a work at TMDB that are offered as links. Pure. */
import type { TrailerLink } from '../catalog/index.ts';
import { byLanguage, type Work } from './works.ts';

const MAX_TRAILERS = 5;
/** The forms of ids at the sites. No other site and no other form is linked to. */
const SITES: ReadonlyMap<string, { site: TrailerLink['site']; form: RegExp }> = new Map([
  ['YouTube', { site: 'youtube', form: /^[\w-]{11}$/ }],
  ['Vimeo', { site: 'vimeo', form: /^[1-9]\d{0,11}$/ }],
]);
const TYPES = ['Trailer', 'Teaser'];
const MAX_TITLE_LENGTH = 200;

/** Returns the trailers of a work: those in the language first, then official ones, and trailers before teasers. */
export function trailersOf({ videos }: Pick<Work, 'videos'>, language: string): TrailerLink[] {
  const inLanguage = byLanguage(language);
  const offered = (videos?.results ?? []).filter(({ type }) => TYPES.includes(type ?? ''));
  const ordered = offered.toSorted(
    (one, two) =>
      inLanguage(one, two) ||
      Number(two.official === true) - Number(one.official === true) ||
      TYPES.indexOf(one.type ?? '') - TYPES.indexOf(two.type ?? ''),
  );
  const links = ordered.flatMap(({ site, key, name, type }): TrailerLink[] => {
    const known = SITES.get(site ?? '');
    if (!known || !known.form.test(key ?? '')) return [];
    return [{ site: known.site, key: key ?? '', title: (name?.trim() || type || '').slice(0, MAX_TITLE_LENGTH) }];
  });
  return links.filter(({ key }, at) => links.findIndex((one) => one.key === key) === at).slice(0, MAX_TRAILERS);
}
