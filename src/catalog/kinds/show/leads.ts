/**
 * Compares the names before the numbers of episodes: whether a folder holds several shows, and which of them a file is.
 */
import type { CountedLead } from '../../naming/folder.ts';
import { fold } from '../../naming/text.ts';
import { findWord, tokensOf } from '../../../lib/release/tokens.ts';
import { agree, type ShowName, tight } from './place.ts';

type Lead = Pick<CountedLead, 'title' | 'year'>;

/** Names of a folder that are compared with each other. */
const MAX_LEADS = 100;
/** Results for the names of each folder: a season has one name for all of its files. */
const judged = new WeakMap<readonly CountedLead[], Map<string, boolean>>();

/** Words that distinguish shows of one name: their country. */
const COUNTRIES = new Set(['us', 'uk', 'au', 'ca', 'nz', 'usa', 'gb', 'ie', 'in', 'de', 'fr', 'jp', 'kr']);
export const isCountry = (folded: string): boolean => COUNTRIES.has(folded);

/** Returns the country at the end of a folded title. The USA and the United Kingdom have two codes each. */
export function countryOf(title: string): string | undefined {
  const last = title.split(' ').at(-1) ?? '';
  return last === title || !isCountry(last) ? undefined : last === 'usa' ? 'us' : last === 'gb' ? 'uk' : last;
}

/**
 * Whether two folded names can be those of one show: spelled alike, one of them shortened, or with words of a release.
 * `season` is a number that may be behind the name of the show.
 */
export function isSameLead(one: Lead, other: Lead, season?: number): boolean {
  if (one.year !== undefined && other.year !== undefined && one.year !== other.year) return false;
  const [a, b] = one.title.length < other.title.length ? [one.title, other.title] : [other.title, one.title];
  if (a === '' || tight(a) === tight(b)) return true;
  if (countryOf(a) !== undefined && countryOf(b) !== undefined && countryOf(a) !== countryOf(b)) return false;
  if (!b.startsWith(`${a} `)) return isNamedAlike(a, b) || hasShortenedEnd(a, b);
  const rest = b.slice(a.length + 1);
  return rest === String(season) || isOfRelease(rest);
}

/** Groups write their own names around that of the show, and shorten it: `itv got 720p`, `tvs friends dd51`. */
const isNamedAlike = (a: string, b: string): boolean =>
  agree(a, b) || ` ${b} `.includes(` ${a} `) || hasInitials(a, b) || hasInitials(b, a);
const hasInitials = (text: string, of: string): boolean => {
  const initials = of
    .split(' ')
    .map((word) => word[0] ?? '')
    .join('');
  return initials.length >= 3 && text.split(' ').includes(initials);
};

/** `star trek tng` and `star trek the next generation`: they differ by what is shortened at the end. */
function hasShortenedEnd(a: string, b: string): boolean {
  const [words, others] = [a.split(' '), b.split(' ')];
  const shared = words.findIndex((word, at) => word !== others[at]);
  return shared > 0 && agree(words.slice(shared).join(' '), others.slice(shared).join(' '));
}

/** Words of releases that are also words of titles. */
const VERSIONS = new Set(['sub', 'subs', 'dub', 'raw', 'tv', 'new', 'complete']);

/** Whether all words say something about a release: `german`, `dubbed`. */
function isOfRelease(text: string): boolean {
  const all = tokensOf(text).filter((token) => !VERSIONS.has(token.text));
  let at = 0;
  for (let hit = findWord(all, 0, text); hit; hit = findWord(all, at, text)) at = hit.to;
  return at === all.length;
}

/** Whether a name like that of the folder has another year than the folder, or than a name next to it. */
function hasOtherYear({ title, year }: Lead, folder: ShowName, others: readonly Lead[]): boolean {
  if (year === undefined || folder.year !== undefined) return year !== undefined && year !== folder.year;
  return others.some((one) => tight(one.title) === tight(title) && one.year !== year);
}

/**
 * Whether the names next to a file say that its folder holds several shows, and that the file is not the one that the
 * folder names. Names of different shows count the same episodes, or say different countries. Without such evidence the
 * names may be titles of episodes, or translations, unless one of them counts several episodes and none is that of the
 * folder.
 */
export function isOtherShow(of: LeadEvidence): boolean {
  const { folder, lead, leads, season } = of;
  // A folder of so many names is judged by its own name and place.
  if (leads.length < 2 || leads.length > MAX_LEADS) return false;
  const key = `${fold(lead.title)} ${lead.year}/${fold(folder.title)} ${folder.year}/${season}`;
  const results = judged.get(leads) ?? new Map<string, boolean>();
  judged.set(leads, results);
  const is = results.get(key) ?? isOther(of);
  results.set(key, is);
  return is;
}

interface LeadEvidence {
  folder: ShowName;
  /** The name before the numbers of the file. */
  lead: ShowName;
  leads: readonly CountedLead[];
  /** Whether a year or an id says which show the folder is. */
  isStated: boolean;
  season: number | undefined;
}

function isOther({ folder, lead, leads, isStated, season }: LeadEvidence): boolean {
  const title = fold(folder.title);
  const own = leads.find((one) => one.title === fold(lead.title) && one.year === lead.year);
  if (!own) return false;
  const others = leads.filter((one) => !isSameLead(own, one, season));
  const isRival = (one: CountedLead) =>
    !one.episodes.isDisjointFrom(own.episodes) ||
    (countryOf(one.title) !== undefined && countryOf(own.title) !== undefined);
  const isOfFolder = (one: CountedLead) => isNamedAlike(title, one.title) || isNamedAlike(one.title, title);
  if (others.some(isRival)) {
    if (tight(own.title) === tight(title)) return hasOtherYear(own, folder, others);
    // With a year or an id the folder may be named in another language than its files.
    return isStated ? !isOfFolder(own) && others.some(isOfFolder) : !isOfFolder(own) || others.some(isOfFolder);
  }
  const isTitled = (one: CountedLead) => one.isDashed && one.episodes.size === 1;
  const all = [own, ...others];
  return (
    !isStated &&
    others.length > 0 &&
    !leads.some(isOfFolder) &&
    !all.some(isTitled) &&
    all.some(({ episodes }) => episodes.size > 1)
  );
}
