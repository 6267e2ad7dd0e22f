/**
 * Subtitle files next to videos: finds the video of each, and its language, role and format.
 *
 * Names are compared in Unicode NFC without regard to case. A file belongs to the video with the longest base name that
 * it starts with, so `Film 2.en.srt` never goes to `Film.mkv`. Linear in the number of files; nothing here throws.
 */
import type { PICTURE_FILES } from '../../contract/subtitles/picture-files.ts';
import { SUBTITLE_FORMATS } from '../../contract/subtitles/formats.ts';
import { COMMON, REGIONAL } from '../../lib/language/codes.ts';
import { baseLanguage, languageFromName, languageFromSuffix, languageFromText } from '../../lib/languages.ts';
import { findNumbers } from '../../lib/release/numbers.ts';
import { countedNumber, countNumbers } from './counting.ts';

/** Extension that names the format: the first one of a text format, or that of a picture format. */
export type SidecarFormat = (typeof SUBTITLE_FORMATS)[number]['extensions'][0] | (typeof PICTURE_FILES)[number];
export type SidecarRole = 'normal' | 'forced' | 'sdh';

export interface NamedSidecar {
  /** In the given form: a name in the video's folder, or a path below it with slashes. */
  file: string;
  /** The bytes of a `vobsub` index: the `.sub` next to the `.idx`. */
  companion?: string;
  /** A tag as lib/languages.ts writes it. Absent if the name contains none. */
  language?: string;
  role: SidecarRole;
  format: SidecarFormat;
  /** Whether it is ignored: neither served nor counted. */
  hidden: boolean;
  /** The name marks it as the one to show. */
  default: boolean;
  /** Other words of the name: `Commentary`. */
  title?: string;
}

export interface FolderNames {
  /** Names of the videos in the folder. */
  videos: readonly string[];
  /** Names of all files in the folder, and below its `Subs` folders with slashes: `Subs/Film/2_English.srt`. */
  files: readonly string[];
}

const FORMATS: ReadonlyMap<string, SidecarFormat | 'idx'> = new Map<string, SidecarFormat | 'idx'>([
  ...SUBTITLE_FORMATS.flatMap(({ extensions }) => extensions.map((one) => [one, extensions[0]] as const)),
  ['idx', 'idx'],
  ['sup', 'sup'],
]);
const FOLDERS = new Set(['subs', 'sub', 'subtitles', 'subtitle', 'vobsubs']);
const SDH = new Set(['sdh', 'cc', 'hoh', 'hi', 'closedcaptions', 'closedcaption', 'hearingimpaired']);
const FORCED = new Set(['forced', 'foreign', 'signs', 'songs']);
const IGNORED = new Set(['full', 'und', 'sub', 'subs', 'subtitle', 'subtitles', 'track', 'utf8', 'utf-8', 'ansi']);
const MAX_NAME_LENGTH = 1024;

/** Whether a name is that of a subtitle file, hidden or not. */
export const isSubtitleName = (name: string): boolean => endingOf(name) !== undefined;

/** Whether the subtitles in a folder of this name belong to the videos of the folder above. */
export const isSubtitleFolder = (name: string): boolean => FOLDERS.has(name.toLowerCase());

/** Returns the sidecars of one video of a folder. */
export const videoSidecars = (video: string, folder: FolderNames): NamedSidecar[] =>
  sidecarsOfFolder(folder).of.get(video) ?? [];

/** Returns the sidecars of every video of a folder, and the subtitle files that belong to none. */
export function sidecarsOfFolder({ videos, files }: FolderNames): {
  of: Map<string, NamedSidecar[]>;
  orphans: string[];
} {
  const bases = new Map(videos.map((video) => [folded(baseOf(video)), video]));
  const of = new Map<string, NamedSidecar[]>(videos.map((video) => [video, []]));
  const present = new Map(files.map((file) => [folded(file), file]));
  const orphans: string[] = [];
  const byEpisode = episodeLookup(videos);
  for (const file of files) {
    const ending = endingOf(file);
    if (!ending || file.length > MAX_NAME_LENGTH || isForeign(file)) continue;
    const companion = ending.format === 'idx' || ending.format === 'sub' ? pairOf(file, present) : undefined;
    // The pair is listed once, by its index; an index without its pictures is ignored.
    if (ending.format === 'sub' && companion !== undefined) continue;
    if (ending.format === 'idx' && companion === undefined) continue;
    const placed = place(ending.stem, { bases, videos, byEpisode });
    if (!placed) {
      orphans.push(file);
      continue;
    }
    const format = ending.format === 'idx' ? 'vobsub' : ending.format;
    of.get(placed.video)?.push({
      file,
      ...(companion === undefined ? {} : { companion }),
      ...describe(placed.rest),
      format,
      ...(ending.hidden ? { hidden: true } : {}),
    });
  }
  return { of, orphans };
}

/** Resource forks of macOS and similar files are not subtitles. */
const isForeign = (file: string): boolean => (file.split('/').at(-1) ?? '').startsWith('.');

const folded = (text: string): string => text.normalize('NFC').toLowerCase();

function baseOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Returns the format and the path without extension; `Film.en.srt.hidden` is a hidden `srt`. */
function endingOf(path: string): { stem: string; format: SidecarFormat | 'idx'; hidden: boolean } | undefined {
  const hidden = /\.hidden$/i.test(path);
  const name = hidden ? path.slice(0, -'.hidden'.length) : path;
  const dot = name.lastIndexOf('.');
  const format = dot > 0 && !name.slice(dot).includes('/') ? FORMATS.get(name.slice(dot + 1).toLowerCase()) : undefined;
  return format && { stem: name.slice(0, dot), format, hidden };
}

/** Returns the other half of an `.idx` and `.sub` pair, in the spelling of the folder. */
function pairOf(file: string, present: ReadonlyMap<string, string>): string | undefined {
  const name = folded(file);
  const hidden = name.endsWith('.hidden') ? '.hidden' : '';
  const stem = name.slice(0, name.length - hidden.length);
  return present.get(`${stem.slice(0, -4)}${stem.endsWith('.idx') ? '.sub' : '.idx'}${hidden}`);
}

/** Finds the video that a stem belongs to, and the text after its base name. */
function place(
  stem: string,
  {
    bases,
    videos,
    byEpisode,
  }: { bases: ReadonlyMap<string, string>; videos: readonly string[]; byEpisode: EpisodeLookup },
): { video: string; rest: string } | undefined {
  const parts = stem.split('/');
  const name = parts.pop() ?? '';
  if (parts.length > 2 || (parts.length > 0 && !isSubtitleFolder(parts[0] ?? ''))) return undefined;
  const inFolderOf = parts[1] === undefined ? undefined : bases.get(folded(parts[1]));
  // "Subs/English/…" names the language where it does not name a video.
  const language = parts[1] === undefined || inFolderOf !== undefined ? undefined : languageOf(parts[1]);
  const inLanguage = (rest: string) => (language === undefined ? rest : `.${language}${rest}`);
  const byName = longestBase(name, bases);
  if (byName) return { ...byName, rest: inLanguage(byName.rest) };
  if (parts.length === 0) return undefined;
  const rest = `.${name.replace(/^\d{1,3}[ _.-]{1,3}/, '')}`;
  if (parts.length === 2) {
    if (inFolderOf !== undefined) return { video: inFolderOf, rest };
    if (language === undefined) return undefined;
  }
  if (videos.length === 1 && videos[0] !== undefined) return { video: videos[0], rest: inLanguage(rest) };
  const found = byEpisode(name, language !== undefined);
  return found && { video: found.video, rest: inLanguage(found.rest) };
}

/** Returns the video whose episode a subtitle's name states, and the text after that. */
type EpisodeLookup = (name: string, mayBeBare: boolean) => { video: string; rest: string } | undefined;

/**
 * Finds videos by their episodes: `Subs/English/S01E02.srt`, `Subs/English/02.srt`. An episode of several videos is
 * that of none. A number alone counts in the folder of a language only.
 */
function episodeLookup(videos: readonly string[]): EpisodeLookup {
  let known: Map<string, string | undefined> | undefined;
  const put = (map: Map<string, string | undefined>, key: string, video: string) =>
    map.set(key, map.has(key) ? undefined : video);
  const gather = () => {
    const map = new Map<string, string | undefined>();
    const counted = countNumbers(videos.map(baseOf));
    for (const video of videos) {
      const numbers = findNumbers(baseOf(video));
      const bare = numbers ? undefined : countedNumber(baseOf(video), { counted, title: undefined });
      const [season, episode] = [numbers?.season ?? bare?.season, numbers?.episode ?? bare?.number];
      if (episode === undefined) continue;
      put(map, `${season ?? 1}x${episode}`, video);
      put(map, `${episode}`, video);
    }
    return map;
  };
  return (name, mayBeBare) => {
    const numbers = findNumbers(name);
    const bareNumber = mayBeBare ? /^\d{1,4}(?=$|[ ._-])/.exec(name)?.[0] : undefined;
    if (numbers?.episode === undefined && bareNumber === undefined) return undefined;
    known ??= gather();
    const key =
      numbers?.episode === undefined
        ? String(Number(bareNumber))
        : numbers.season === undefined
          ? `${numbers.episode}`
          : `${numbers.season}x${numbers.episode}`;
    const video = known.get(key);
    const end = numbers?.episode === undefined ? (bareNumber?.length ?? 0) : numbers.end;
    return video === undefined ? undefined : { video, rest: `.${name.slice(end).replace(/^[ ._-]{1,3}/, '')}` };
  };
}

function longestBase(name: string, bases: ReadonlyMap<string, string>): { video: string; rest: string } | undefined {
  const text = name.normalize('NFC');
  const whole = bases.get(folded(text));
  if (whole !== undefined) return { video: whole, rest: '' };
  for (let cut = text.length - 1; cut > 0; cut--) {
    const mark = text[cut] ?? '';
    if (!'. -_[('.includes(mark)) continue;
    const video = bases.get(folded(text.slice(0, cut)));
    if (video === undefined) continue;
    const rest = text.slice(cut);
    return follows(rest) ? { video, rest } : undefined;
  }
  return undefined;
}

/**
 * Returns whether the text after a base name can describe a subtitle of it. After a dot anything may, but not a bare
 * number, which rather names the next film; after another mark only a language or a role may.
 */
function follows(rest: string): boolean {
  const words = rest.split('.').filter(Boolean);
  const [first = ''] = words;
  if (rest.startsWith('.'))
    return !/^(?:\d{1,4}|[ivx]{1,4}|(?:cd|part|pt|disc|disk|s\d{1,4}e)\d{1,4})$/i.test(first) || isAllKnown(first);
  const spoken = rest
    .replaceAll(/[[\]()]/g, ' ')
    .trim()
    .replace(/^[-_ ]+/, '');
  const lead = spoken.split('.')[0]?.trim() ?? '';
  return isAllKnown(lead) || (lead.length > 3 && languageFromText(lead) !== undefined);
}

/**
 * Returns whether a text consists only of a language or roles. Codes after a space are taken in lowercase only: `Film
 * It.srt` is another film.
 */
function isAllKnown(text: string): boolean {
  const words = text.split(/[ _-]+/).filter(Boolean);
  return (
    words.length > 0 &&
    words.every(
      (word) =>
        SDH.has(word.toLowerCase()) ||
        FORCED.has(word.toLowerCase()) ||
        word.toLowerCase() === 'default' ||
        (word === word.toLowerCase() && languageOf(word) !== undefined) ||
        languageFromName(word) !== undefined,
    )
  );
}

/** Reads `.en.forced`, `.English (SDH)`, `.pt.BR.Commentary`. */
function describe(rest: string): Omit<NamedSidecar, 'file' | 'format'> {
  const state = {
    languages: [] as { tag: string; word: string; at: number }[],
    sdh: false,
    forced: false,
    default: false,
    hidden: false,
    title: [] as string[],
  };
  // "Spanish (Latin America)" is one name; other brackets separate.
  const pieces = rest
    .split('.')
    .flatMap((piece) => (languageFromName(piece) === undefined ? piece.split(/[[\]()]/) : [piece]));
  const words = regionsJoined(pieces.map(bare).filter(Boolean));
  words.forEach((word, at) => {
    // "en-sdh" is a well-formed tag, yet means English for the hard of hearing.
    const whole = word
      .split(/[ _-]+/)
      .slice(1)
      .some(isFlag)
      ? undefined
      : languageOf(word);
    if (whole !== undefined) state.languages.push({ tag: whole, word, at });
    else {
      const left = word.split(/[ _&+,-]+/).filter((piece) => piece !== '' && !takeFlag(piece.toLowerCase(), state));
      const language =
        left.length === 0
          ? undefined
          : (languageOf(left.join(' ')) ?? (left.length === 2 ? languageOf(left[0] ?? '') : undefined));
      if (language !== undefined) state.languages.push({ tag: language, word: left.join(' '), at });
      else if (left.some((piece) => !IGNORED.has(piece.toLowerCase()) && !/^\d{1,2}$/.test(piece)))
        state.title.push(left.join(' '));
    }
  });
  // The language is nearest the end; `hi` with another language means hearing impaired.
  const spoken = state.languages.filter(({ word }) => word.toLowerCase() !== 'hi');
  const chosen = spoken.at(-1) ?? state.languages[0];
  if (state.languages.some((one) => one !== chosen && one.word.toLowerCase() === 'hi')) state.sdh = true;
  const title = [...spoken.filter((one) => one !== chosen).map(({ word }) => word), ...state.title].join(' ');
  return {
    ...(chosen === undefined ? {} : { language: chosen.tag }),
    role: state.forced ? 'forced' : state.sdh ? 'sdh' : 'normal',
    hidden: state.hidden,
    default: state.default,
    ...(title === '' ? {} : { title }),
  };
}

/**
 * Returns the role that the title of an embedded track states. `hi` alone says nothing there, because it is a greeting
 * and the code of Hindi.
 */
export function roleInTitle(title: string): Exclude<SidecarRole, 'normal'> | undefined {
  const words = title
    .slice(0, MAX_NAME_LENGTH)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  // "Not forced", "Non-SDH".
  if (words.includes('non') || words.includes('not')) return undefined;
  const isPair = (first: string, second: RegExp): boolean =>
    words.some((word, at) => word === first && second.test(words[at + 1] ?? ''));
  // "Dialogue and signs" is the whole text.
  const isSignsOnly = words.includes('signs') && !words.some((word) => /^(?:full|dialog(?:ue)?s?)$/.test(word));
  if (words.includes('forced') || isSignsOnly || isPair('foreign', /^(?:parts?|lines?|dialogue|only)$/))
    return 'forced';
  const isImpaired =
    words.some((word) => word !== 'hi' && SDH.has(word)) ||
    isPair('closed', /^captions?$/) ||
    isPair('hearing', /^impaired$/) ||
    isPair('hard', /^of$/);
  return isImpaired ? 'sdh' : undefined;
}

const isFlag = (word: string): boolean =>
  takeFlag(word.toLowerCase(), { sdh: false, forced: false, default: false, hidden: false });

function takeFlag(word: string, state: { sdh: boolean; forced: boolean; default: boolean; hidden: boolean }): boolean {
  if (SDH.has(word)) state.sdh = true;
  else if (FORCED.has(word)) state.forced = true;
  else if (word === 'default') state.default = true;
  else if (word === 'hidden') state.hidden = true;
  else return false;
  return true;
}

const bare = (word: string): string => {
  let [start, end] = [0, word.length];
  while (' _-'.includes(word[start] ?? '.')) start++;
  while (end > start && ' _-'.includes(word[end - 1] ?? '.')) end--;
  return word.slice(start, end);
};

/** Joins codes and regions: `pt`, `BR` are one tag, and so are `zh`, `Hans`. */
function regionsJoined(words: readonly string[]): string[] {
  const out: string[] = [];
  for (const word of words) {
    const joined = `${out.at(-1) ?? ''}-${word}`.toLowerCase();
    if (REGIONAL.includes(joined)) out.splice(-1, 1, joined);
    else out.push(word);
  }
  return out;
}

/** Reads a language in a file name. Codes are written in one case, unless common: `Her` is a word, `Eng` is English. */
function languageOf(word: string): string | undefined {
  const tag = languageFromSuffix(word);
  if (tag === undefined || tag === 'und') return undefined;
  const isCode = /^[A-Za-z]{2,3}$/.test(word);
  const oneCase = word === word.toLowerCase() || word === word.toUpperCase();
  return !isCode || oneCase || COMMON.includes(baseLanguage(tag)) ? tag : undefined;
}
