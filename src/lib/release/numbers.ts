/**
 * Season, episode, absolute number and date in a name, in the ways that they are written.
 *
 * Every pattern has bounded repeats, so a search is linear. What is found says how it was written, since a bare number
 * is worth less than `S01E02`. Seasons written as folder names are read here too.
 */
import { type DayOrder, findDate } from './dates.ts';
import { blankNoise } from './noise.ts';
import { narrow } from './width.ts';

export type NumberForm = 'sxxeyy' | 'nxnn' | 'words' | 'date' | 'episode' | 'season' | 'part';

/** Read-only, because callers that read the same name share it. */
export interface EpisodeNumbers {
  readonly form: NumberForm;
  readonly season?: number;
  readonly episode?: number;
  /** The last episode of a file that holds several. */
  readonly episodeEnd?: number;
  /** `a` of `S01E02a`: half of an episode. */
  readonly half?: string;
  /** Whether it is between two episodes: `10.5` is after the tenth, and is `episode` ten here. */
  readonly isBetween?: boolean;
  /** `2011-11-15` */
  readonly date?: string;
  /** Offsets of the numbers in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

const EPISODE_WORD =
  'episodes?|épisodes?|episódio|episodio|épisodio|folge|aflevering|avsnitt|afsnit|jakso|odcinek|epizod|epizoda|' +
  'rész|b[öo]l[üu]m|серия|серії|серія|эпизод|επεισόδιο|פרק|الحلقة|ตอนที่|tập|ep|eps|cap|capitulo|capítulo';
const SEASON_WORD =
  'seasons?|series|saison|staffel|temporada|stagione|seizoen|säsong|sæson|sesong|sezon|sezona|sezóna|sezonul|' +
  'série|serie|kausi|évad|évfolyam|řada|séria|сезон|сезони|sezonas|σεζόν|κύκλος|עונה|الموسم|シーズン|시즌|mùa|ซีซั่น|' +
  'musim|tempada|denboraldia|reeks';

const SXXEYY =
  /(?<![\p{L}\p{N}])(?:s|se)(\d{1,4})(?:[ ._\-[\]]{0,3}(?:ep?|episode)| ?x ?(?:ep?)?)[ ._-]{0,2}(?!26[456](?!\d))(\d{1,4})(?!\d)/giu;
/** `T01E02`, as Spanish releases write it. */
const TXXEYY = /(?<![\p{L}\p{N}])t(\d{1,2})e(\d{1,3})(?!\d)/giu;
/** `S0615`: two digits each. `S2019` is the season of a year. */
const SXXYY = /(?<![\p{L}\p{N}])s(0[1-9]|1[0-8]|2[1-9]|3\d)(0[1-9]|[1-9]\d)(?![\p{L}\p{N}])/giu;
/** `S2B7`, as Turkish names write it. */
const SXXBYY = /(?<![\p{L}\p{N}])s(\d{1,2})[ ._]?b(\d{1,3})(?![\p{L}\p{N}])/giu;
/** `2. Sezon 7. Bölüm`, where a number belongs to the word behind it. */
const TURKISH = /(?<![\p{L}\p{N}])(\d{1,2})[ ._-]{0,2}sezon[ ._,:-]{1,4}(\d{1,4})[ ._-]{0,2}b[öo]l[üu]m(?!\p{L})/giu;
/** `101 (01)`: the number over all seasons follows in brackets. */
const WITH_ABSOLUTE = /(?<![\p{L}\p{N}])(\d{1,2})(0[1-9]|[1-9]\d)[ ._]\(0?\2\)/giu;
const NXNN = /(?<![\p{L}\p{N}])(\d{1,3}|(?:19|20)\d\d)[x×](?!26[456](?!\d))(\d{1,4})(?![\dp])/giu;
const WORDED = new RegExp(
  `(?<!\\p{L})(?:${SEASON_WORD})[ ._-]{0,3}(\\d{1,4})[ ._,:-]{0,4}` +
    `(?:${EPISODE_WORD})[ ._#-]{0,3}(\\d{1,4})(?!\\d|[pi](?!\\p{L}))`,
  'giu',
);
const WORDED_AFTER = new RegExp(
  `(?<!\\d)(\\d{1,3})[ ._-]{0,2}(?:${SEASON_WORD})[ ._,:-]{1,4}(\\d{1,4})[ ._-]{0,2}(?:${EPISODE_WORD})(?!\\p{L})`,
  'giu',
);
const ORDINAL_SEASON = `(?<![\\p{L}\\p{N}])(\\d{1,2})(?:st|nd|rd|th|[.ªº])[ ._]{0,2}(?:${SEASON_WORD})`;
const WORDED_ORDINAL = new RegExp(
  `${ORDINAL_SEASON}[ ._,:)-]{1,4}(?:${EPISODE_WORD})[ ._#-]{0,3}(\\d{1,4})(?!\\d)`,
  'giu',
);
const CHINESE = /第 {0,2}(\d{1,3}) {0,2}[季期部] {0,3}第 {0,2}(\d{1,4}) {0,2}[集話话回]/gu;
const CHINESE_EPISODE = /第 {0,2}(\d{1,4}) {0,2}[集話话回]|(?<!\d)(\d{1,4}) {0,2}(?:화|회|話|集)(?!\p{L})/gu;
const EPISODE_ONLY = new RegExp(`(?<![\\p{L}\\p{N}])(?:${EPISODE_WORD}|e)[ ._#-]{0,3}(\\d{1,4})(?![\\d])`, 'giu');
const EPISODE_AFTER = new RegExp(
  `(?<!\\d)(\\d{1,4})[ ._-]{0,2}(?:серия|серія|эпизод|b[öo]l[üu]m|rész|jakso)(?!\\p{L})`,
  'giu',
);
const SEASON_ONLY = new RegExp(`(?<![\\p{L}\\p{N}])(?:s|(?:${SEASON_WORD})[ ._-]?)(\\d{1,4})(?![\\p{L}\\p{N}])`, 'giu');
/** `2nd Season`, `3. Staffel`. */
const SEASON_ORDINAL = new RegExp(`${ORDINAL_SEASON}(?![\\p{L}\\p{N}])`, 'giu');
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const SEASON_IN_WORDS = new RegExp(`(?<![\\p{L}\\p{N}])(${ORDINALS.join('|')})[ ._]season(?![\\p{L}\\p{N}])`, 'giu');
/** Several seasons: `S01-S03`, `Seasons 1 to 3`. `S2 - 05` is an episode of one. */
const SEASONS =
  /(?<![\p{L}\p{N}])(?:s\d{1,2}[ ._]?[-–+&][ ._]?s\d{1,2}|seasons?[ ._]?\d{1,2}[ ._]?(?:[-–+&]|to)[ ._]?season[ ._]?\d{1,2}|seasons[ ._]?\d{1,2}[ ._]?(?:[-–+&]|to)[ ._]?\d{1,2})(?![\p{L}\p{N}])/giu;
/**
 * Separators that may follow the first of several numbers: `E03`, `-E03`, ` & S01E03`, `x03`, and `-03` without a
 * space.
 */
const NEXT = /[ ._]?[-–&+~,]?[ ._]?(?:s\d{1,4}[ ._]?)?x?(?:ep?)[ ._]?(\d{1,4})(?!\d)/iuy;
const NEXT_X = /[ ._]?[-–&+]?[ ._]?(?:\d{1,3})?x(\d{1,4})(?![\dp])/iuy;
const NEXT_BARE = /[-–~+&](\d{1,4})(?![\dpix])(?![\p{L}])/iuy;
/** `.5` of `10.5`. In `E02.5.Days` and `E04.2-45.PM` the dots are spaces. */
const BETWEEN = /\.\d(?![\p{L}\p{N}.]|[-–:]\d)/uy;
const FEWEST_APART = 60;

/**
 * The numbers of an episode in a name, the surest way of writing first; undefined when there are none. `order` decides
 * between day and month in a date that allows both.
 */
export function findNumbers(name: string, order?: DayOrder): EpisodeNumbers | undefined {
  if (order !== undefined) return readNumbers(name, order);
  let kept = numbersOfNames.get(name);
  if (!kept) {
    kept = { found: readNumbers(name, order) };
    if (numbersOfNames.size >= MAX_KEPT) numbersOfNames.clear();
    numbersOfNames.set(name, kept);
  }
  return kept.found;
}

/** Numbers of the names that were read last. Placing a file reads its name several times. */
const numbersOfNames = new Map<string, { found: EpisodeNumbers | undefined }>();
const MAX_KEPT = 256;

function readNumbers(name: string, order: DayOrder | undefined): EpisodeNumbers | undefined {
  const text = blankNoise(name);
  return seasonEpisode(text) ?? dated(text, order) ?? episodeOnly(text);
}

/**
 * `S01`, `Season 1`, `2nd Season` inside a longer name: a season pack, or the season of a counted episode. Undefined
 * when the name states an episode, or several seasons.
 */
export function findSeason(name: string): EpisodeNumbers | undefined {
  const text = blankNoise(name);
  if (seasonEpisode(text) || findSeasons(text)) return undefined;
  const found = [SEASON_ONLY, SEASON_ORDINAL, SEASON_IN_WORDS]
    .map((pattern) => first(text, pattern))
    .reduce((a, b) => (a === undefined || (b !== undefined && b.index < a.index) ? b : a));
  const number = found?.[1]?.toLowerCase() ?? '';
  return (
    found && {
      form: 'season',
      season: ORDINALS.includes(number) ? ORDINALS.indexOf(number) + 1 : Number(number),
      start: found.index,
      end: found.index + found[0].length,
    }
  );
}

/** `S01-S03` in the name of a folder that holds several seasons. */
export function findSeasons(text: string): { start: number; end: number } | undefined {
  const match = first(text, SEASONS);
  return match && { start: match.index, end: match.index + match[0].length };
}

function seasonEpisode(text: string): EpisodeNumbers | undefined {
  for (const [pattern, form] of [
    [SXXEYY, 'sxxeyy'],
    [TXXEYY, 'sxxeyy'],
    [TURKISH, 'words'],
    [WORDED, 'words'],
    [WORDED_ORDINAL, 'words'],
    [WORDED_AFTER, 'words'],
    [CHINESE, 'words'],
    [SXXBYY, 'nxnn'],
    [NXNN, 'nxnn'],
    [SXXYY, 'nxnn'],
    [WITH_ABSOLUTE, 'nxnn'],
  ] as const) {
    const match = first(text, pattern);
    if (!match) continue;
    const end = match.index + match[0].length;
    return extended(text, { form, season: Number(match[1]), episode: Number(match[2]), start: match.index, end });
  }
  return undefined;
}

function dated(text: string, order: DayOrder | undefined): EpisodeNumbers | undefined {
  const found = findDate(text, order);
  return found && { form: 'date', date: found.date, start: found.start, end: found.end };
}

function episodeOnly(text: string): EpisodeNumbers | undefined {
  const match = first(text, CHINESE_EPISODE) ?? first(text, EPISODE_ONLY) ?? first(text, EPISODE_AFTER);
  if (!match) return undefined;
  const digits = match[1] ?? match[2] ?? '';
  // "Cap.102" is season 1, episode 2, as Spanish releases write it.
  const isJoined = /^cap\.?/i.test(match[0]) && digits.length >= 3;
  return extended(text, {
    form: 'episode',
    ...(isJoined && { season: Number(digits.slice(0, -2)) }),
    episode: Number(isJoined ? digits.slice(-2) : digits),
    start: match.index,
    end: match.index + match[0].length,
  });
}

/** Follows the numbers of a file with several episodes, and the letter of half of one. */
function extended(text: string, found: EpisodeNumbers): EpisodeNumbers {
  const { episode } = found;
  if (episode === undefined) return found;
  const between = sticky(text, BETWEEN, found.end);
  if (between) return { ...found, isBetween: true, end: found.end + between[0].length };
  let { end } = found;
  let top = episode;
  for (let more = 0; more < 20; more++) {
    const match = sticky(text, found.form === 'nxnn' ? NEXT_X : NEXT, end) ?? sticky(text, NEXT_BARE, end);
    const number = Number(match?.[1]);
    if (!match || number <= top || number - top > FEWEST_APART) break;
    top = number;
    end += match[0].length;
  }
  if (top > episode) return { ...found, episodeEnd: top, end };
  const half = /^[a-d](?![\p{L}\p{N}])/iu.exec(text.slice(end, end + 2));
  return half ? { ...found, half: half[0].toLowerCase(), end: end + 1 } : found;
}

const SPECIALS = new Set(
  `specials,special,season 0,season 00,s00,s0,specials and extras,especiales,especial,spécial,spéciaux,épisodes spéciaux,hors série,hors séries,sonderfolgen,speciali,
  спецвыпуски,спешлы,specialer,spesialer,ekstra,ova,ovas,oav,oad,sp,sps,番外編,スペシャル,特典,特别篇,특별편,erikoisjaksot,speciale,odcinki specjalne,speciály,különkiadás`
    .split(',')
    .map((word) => word.trim()),
);
const ROMAN: Readonly<Record<string, number>> = {
  i: 1,
  ii: 2,
  iii: 3,
  iv: 4,
  v: 5,
  vi: 6,
  vii: 7,
  viii: 8,
  ix: 9,
  x: 10,
  xi: 11,
  xii: 12,
};
const FOLDER_WORD = new RegExp(
  `^(?:${SEASON_WORD}|book|buch|volume|vol)[ ._#:-]{0,3}(\\d{1,4}|[ivx]{1,4})(?!\\p{L}|\\d)(.{0,200})$`,
  'iu',
);
const FOLDER_AFTER = new RegExp(
  `^(\\d{1,3})(?:st|nd|rd|th|ª|º|a|e|er|ère|eme|ème)?[ ._-]{0,3}(?:${SEASON_WORD})(?!\\p{L})(.{0,200})$`,
  'iu',
);
const FOLDER_S = /^s[ ._]?(\d{1,4})(?![\p{L}\p{N}])(.{0,200})$/iu;
const FOLDER_CHINESE = /^第 {0,2}(\d{1,3}|[一二三四五六七八九十]) {0,2}[季期部]$/u;

/**
 * A folder that holds one season: `Season 01`, `S01`, `Staffel 2`, `3 сезон`, `Specials` (0), `第1季`.
 * `rest` is what follows the number. A folder with the show's name in front is not one; see findSeason.
 */
export function seasonFolder(name: string): { season: number; rest: string } | undefined {
  const text = narrow(name.normalize('NFC')).trim().replaceAll('_', ' ');
  if (text.length > 255) return undefined;
  const lower = text.toLowerCase();
  if (SPECIALS.has(lower)) return { season: 0, rest: '' };
  const chinese = FOLDER_CHINESE.exec(text)?.[1];
  if (chinese !== undefined)
    return { season: Number(chinese) || '一二三四五六七八九十'.indexOf(chinese) + 1, rest: '' };
  const match = FOLDER_WORD.exec(lower) ?? FOLDER_AFTER.exec(lower) ?? FOLDER_S.exec(lower);
  const number = match?.[1];
  if (!match || number === undefined) return undefined;
  const season = ROMAN[number] ?? Number(number);
  return Number.isNaN(season) ? undefined : { season, rest: text.slice(text.length - (match[2]?.length ?? 0)).trim() };
}

const first = (text: string, pattern: RegExp): RegExpExecArray | undefined => {
  pattern.lastIndex = 0;
  return pattern.exec(text) ?? undefined;
};

function sticky(text: string, pattern: RegExp, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
