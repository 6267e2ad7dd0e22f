/**
 * Season, episode, absolute number and date in a name, in the ways that they are written.
 *
 * Every pattern has bounded repeats, so a search is linear. What is found says how it was written, since a bare number
 * is worth less than `S01E02`. Seasons written as folder names are read here too.
 */
export type NumberForm = 'sxxeyy' | 'nxnn' | 'words' | 'date' | 'episode' | 'season' | 'part';

export interface EpisodeNumbers {
  form: NumberForm;
  season?: number;
  episode?: number;
  /** The last episode of a file that holds several. */
  episodeEnd?: number;
  /** `a` of `S01E02a`: half of an episode. */
  half?: string;
  /** `2011-11-15` */
  date?: string;
  /** Offsets of the numbers in UTF-16 units. */
  start: number;
  end: number;
}

const EPISODE_WORD =
  'episodes?|épisodes?|episódio|episodio|épisodio|folge|aflevering|avsnitt|afsnit|jakso|odcinek|epizod|epizoda|' +
  'rész|bölüm|серия|серії|серія|эпизод|επεισόδιο|פרק|الحلقة|ตอนที่|tập|ep|eps|cap|capitulo|capítulo';
const SEASON_WORD =
  'seasons?|series|saison|staffel|temporada|stagione|seizoen|säsong|sæson|sesong|sezon|sezona|sezóna|sezonul|' +
  'série|serie|kausi|évad|évfolyam|řada|séria|сезон|сезони|sezonas|σεζόν|κύκλος|עונה|الموسم|シーズン|시즌|mùa|ซีซั่น|' +
  'musim|tempada|denboraldia|reeks';

const SXXEYY = /(?<![\p{L}\p{N}])s(\d{1,4})[ ._-]{0,3}(?:ep?|episode)[ ._-]{0,2}(\d{1,4})(?!\d)/giu;
const NXNN = /(?<![\p{L}\p{N}])(\d{1,3})x(\d{1,4})(?![\dp])/giu;
const WORDED = new RegExp(
  `(?<!\\p{L})(?:${SEASON_WORD})[ ._-]{0,3}(\\d{1,4})[ ._,:-]{1,4}(?:${EPISODE_WORD})[ ._#-]{0,3}(\\d{1,4})(?!\\d)`,
  'giu',
);
const WORDED_AFTER = new RegExp(
  `(?<!\\d)(\\d{1,3})[ ._-]{0,2}(?:${SEASON_WORD})[ ._,:-]{1,4}(\\d{1,4})[ ._-]{0,2}(?:${EPISODE_WORD})(?!\\p{L})`,
  'giu',
);
const CHINESE = /第 {0,2}(\d{1,3}) {0,2}[季期部] {0,3}第 {0,2}(\d{1,4}) {0,2}[集話话回]/gu;
const CHINESE_EPISODE = /第 {0,2}(\d{1,4}) {0,2}[集話话回]|(?<!\d)(\d{1,4}) {0,2}(?:화|회|話|集)(?!\p{L})/gu;
const EPISODE_ONLY = new RegExp(`(?<![\\p{L}\\p{N}])(?:${EPISODE_WORD}|e)[ ._#-]{0,3}(\\d{1,4})(?![\\d])`, 'giu');
const EPISODE_AFTER = new RegExp(
  `(?<!\\d)(\\d{1,4})[ ._-]{0,2}(?:серия|серія|эпизод|bölüm|rész|jakso)(?!\\p{L})`,
  'giu',
);
const DATE_YMD = /(?<!\d)((?:19|20)\d\d)([ ._-])(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)/gu;
const DATE_DMY = /(?<!\d)(0[1-9]|[12]\d|3[01])([ ._-])(0[1-9]|1[0-2])\2((?:19|20)\d\d)(?!\d)/gu;
const SEASON_ONLY = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:s|(?:${SEASON_WORD})[ ._-]{0,3})(\\d{1,4})(?![\\p{L}\\p{N}])`,
  'giu',
);
/**
 * Separators that may follow the first of several numbers: `E03`, `-E03`, ` & S01E03`, `x03`, and `-03` without a
 * space.
 */
const NEXT = /[ ._]?[-–&+~,]?[ ._]?(?:s\d{1,4}[ ._]?)?(?:ep?)[ ._]?(\d{1,4})(?!\d)/iuy;
const NEXT_X = /[ ._]?[-–&+]?[ ._]?(?:\d{1,3})?x(\d{1,4})(?![\dp])/iuy;
const NEXT_BARE = /[-–~+&](\d{1,4})(?![\dpix])(?![\p{L}])/iuy;
const FEWEST_APART = 60;

/** The numbers of an episode in a name, the surest way of writing first; undefined when there are none. */
export function findNumbers(text: string): EpisodeNumbers | undefined {
  return seasonEpisode(text) ?? dated(text) ?? episodeOnly(text);
}

/** `S01` or `Season 1` inside a longer name: a season pack. Undefined when it has an episode too. */
export function findSeason(text: string): EpisodeNumbers | undefined {
  if (seasonEpisode(text)) return undefined;
  const match = last(text, SEASON_ONLY);
  return match && { form: 'season', season: Number(match[1]), start: match.index, end: match.index + match[0].length };
}

function seasonEpisode(text: string): EpisodeNumbers | undefined {
  for (const [pattern, form] of [
    [SXXEYY, 'sxxeyy'],
    [WORDED, 'words'],
    [WORDED_AFTER, 'words'],
    [CHINESE, 'words'],
    [NXNN, 'nxnn'],
  ] as const) {
    const match = first(text, pattern);
    if (!match) continue;
    const end = match.index + match[0].length;
    return extended(text, { form, season: Number(match[1]), episode: Number(match[2]), start: match.index, end });
  }
  return undefined;
}

function dated(text: string): EpisodeNumbers | undefined {
  const ymd = first(text, DATE_YMD);
  if (ymd && isDay(Number(ymd[1]), Number(ymd[3]), Number(ymd[4]))) {
    return { form: 'date', date: `${ymd[1]}-${ymd[3]}-${ymd[4]}`, start: ymd.index, end: ymd.index + ymd[0].length };
  }
  const dmy = first(text, DATE_DMY);
  if (dmy && isDay(Number(dmy[4]), Number(dmy[3]), Number(dmy[1]))) {
    return { form: 'date', date: `${dmy[4]}-${dmy[3]}-${dmy[1]}`, start: dmy.index, end: dmy.index + dmy[0].length };
  }
  return undefined;
}

function episodeOnly(text: string): EpisodeNumbers | undefined {
  const match = first(text, CHINESE_EPISODE) ?? first(text, EPISODE_ONLY) ?? first(text, EPISODE_AFTER);
  if (!match) return undefined;
  const digits = match[1] ?? match[2] ?? '';
  const found: EpisodeNumbers = {
    form: 'episode',
    episode: Number(digits),
    start: match.index,
    end: match.index + match[0].length,
  };
  // "Cap.102" is season 1, episode 2, as Spanish releases write it.
  if (/^cap\.?/i.test(match[0]) && digits.length >= 3) {
    found.season = Number(digits.slice(0, -2));
    found.episode = Number(digits.slice(-2));
  }
  return extended(text, found);
}

/** Follows the numbers of a file with several episodes, and the letter of half of one. */
function extended(text: string, found: EpisodeNumbers): EpisodeNumbers {
  const { episode } = found;
  if (episode === undefined) return found;
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
  const text = name.normalize('NFC').trim().replaceAll('_', ' ');
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

const last = (text: string, pattern: RegExp): RegExpExecArray | undefined => [...text.matchAll(pattern)].at(-1);

function sticky(text: string, pattern: RegExp, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

const isDay = (year: number, month: number, day: number): boolean =>
  day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
