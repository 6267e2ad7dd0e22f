/** Converts a subject of the catalogue to a row of the inventory. Pure. */
import { belongsTo, type PlayableFile, type Subject, tracksOf, type UnreadableSidecar } from '../../catalog/index.ts';
import { isPictureFile } from '../../contract/subtitles/picture-files.ts';
import { foldName } from '../../lib/languages.ts';
import { keyOfPart, partOfSubject, partsIn } from '../parts/part-keys.ts';
import { textsIn, UNDETERMINED } from './coverage.ts';
import { type InventoryTrack, isUnchecked } from '../store/rows.ts';
import type { InventoryStore, NewItem } from '../store/inventory.ts';

/** Returns the seconds of all parts of the version that plays first; undefined if one of them is unknown. */
export function totalLength({ files }: Pick<Subject, 'files'>): number | undefined {
  const lengths = partsIn({ files }).map(({ info }) => info?.duration);
  return lengths.length === 0 || lengths.includes(undefined)
    ? undefined
    : lengths.reduce<number>((sum, length) => sum + (length ?? 0), 0);
}

/** Returns the file that is played when the user chooses no version. Its subtitles decide about coverage. */
export const mainFile = (subject: Subject): PlayableFile | undefined => subject.files[0];

/** Returns the rows of an item: one, or one for each part of a film. None if it has no files any more. */
export function inventoryRowsOf(subject: Subject): NewItem[] {
  const parts = partsIn(subject);
  if (parts.length <= 1) return [inventoryRowOf(subject)].filter((row) => row !== undefined);
  return parts.flatMap((file) => {
    const own = partOfSubject(subject, keyOfPart(subject, file));
    const row = own && inventoryRowOf(own);
    return row ? [{ ...row, part: file.part }] : [];
  });
}

/** Returns the row of a file; undefined if there are none any more. */
export function inventoryRowOf(subject: Subject): NewItem | undefined {
  const file = mainFile(subject);
  if (subject.gone || !file) return undefined;
  const tracks = tracksIn(subject, file);
  const title = subject.kind === 'episode' ? (subject.show?.title ?? subject.title) : subject.title;
  const year = subject.kind === 'episode' ? subject.show?.year : subject.year;
  const context = subject.kind === 'episode' ? contextOf(subject) : undefined;
  return {
    id: subject.id,
    library: file.library,
    kind: subject.kind,
    title,
    sort: `${sortable(title)} ${sortKeyOf(subject)}`.trimEnd(),
    words: foldName([title, context, year].filter((part) => part !== undefined).join(' ')),
    year: year ?? null,
    context: context ?? null,
    file: file.relative,
    size: file.size,
    modified: Math.round(file.modifiedMs),
    // A file of an offline library stays known. Requests check whether it can be reached.
    state: file.info ? 'known' : subject.available && !file.available ? 'broken' : 'unknown',
    tracks,
    held: textsIn(tracks),
    part: null,
  };
}

/**
 * Matches names that say that the language is not known, such as `Film.und.srt`. Files that the server makes from
 * tracks without a language have such a name.
 */
const SAYS_UNDETERMINED = /\.und(?:\.(?:forced|sdh|cc|hi))?\.[a-z0-9]{2,5}(?:\.hidden)?$/i;

/** Returns every subtitle of the main file, including hidden ones. */
export function tracksIn(subject: Subject, file: PlayableFile): InventoryTrack[] {
  const streams = new Map((file.info?.streams ?? []).map((stream) => [`s${stream.index}`, stream]));
  const inside = tracksOf(file, []).map(({ key, language, role, format, picture }): InventoryTrack => {
    const stream = streams.get(key);
    return {
      source: 'embedded',
      role,
      format,
      ...(language !== undefined && language !== UNDETERMINED && { language }),
      ...(picture && { picture: true }),
      ...(stream?.commentary && { commentary: true }),
      ...(stream?.title !== undefined && { title: stream.title }),
      ...(stream && { stream: stream.index }),
    };
  });
  const sidecars = subject.sidecars
    .filter((one) => belongsTo(one, file))
    .map((one): InventoryTrack => ({
      source: 'sidecar',
      role: one.role,
      format: one.format,
      relative: one.relative,
      size: one.size,
      modified: Math.round(one.modifiedMs),
      ...(one.language !== undefined
        ? { language: one.language }
        : SAYS_UNDETERMINED.test(one.relative) && { language: UNDETERMINED }),
      ...(isPictureFile(one.format) && { picture: true }),
      ...(one.isHidden && { hidden: true }),
      ...(one.title !== undefined && { title: one.title }),
    }));
  return [...sidecars, ...inside];
}

/** Returns the tracks with what is known about files that did not change since they were read. */
export const withChecks = (
  tracks: readonly InventoryTrack[],
  known: readonly InventoryTrack[] = [],
): InventoryTrack[] =>
  tracks.map((track) => {
    if (!isUnchecked(track)) return track;
    const { relative, size, modified } = track;
    const same = known.find(
      (one) => one.checked && one.relative === relative && one.size === size && one.modified === modified,
    );
    return same
      ? {
          ...track,
          checked: true,
          ...(same.unreadable && { unreadable: same.unreadable }),
          ...(same.impaired && { impaired: true }),
        }
      : track;
  });

/** Returns the files among tracks that were found to hold no subtitle. */
export const unreadableIn = (tracks: readonly InventoryTrack[]): UnreadableSidecar[] =>
  tracks.flatMap(({ unreadable, relative, size, modified }) =>
    unreadable && relative !== undefined && size !== undefined && modified !== undefined
      ? { relative, size, modifiedMs: modified }
      : [],
  );

/** Returns every subtitle of the main file, with what is known about its files. */
export async function checkedTracks(
  { inventory }: { inventory: Pick<InventoryStore, 'tracks'> },
  subject: Subject,
  file: PlayableFile,
): Promise<InventoryTrack[]> {
  return withChecks(tracksIn(subject, file), (await inventory.tracks([subject.id])).get(subject.id));
}

const pad = (number: number | undefined): string => String(number ?? 0).padStart(2, '0');

/** Returns the context of an episode as users write it: `S01E02 · Its name`, `S01E02-E03`. */
function contextOf({ season, episode, episodeEnd, title }: Subject): string {
  const end = episodeEnd !== undefined && episodeEnd !== episode ? `-E${pad(episodeEnd)}` : '';
  const at = episode === undefined ? '' : `S${pad(season)}E${pad(episode)}${end}`;
  return [at, title].filter((part) => part !== '').join(' · ');
}

const sortKeyOf = ({ kind, season, episode, year }: Subject): string =>
  kind === 'episode' ? `${numbered(season)} ${numbered(episode)}` : numbered(year);
const numbered = (number: number | undefined): string => String(number ?? 0).padStart(6, '0');

const ARTICLES = new Set(['the', 'a', 'an']);
function sortable(title: string): string {
  const [first = '', ...rest] = foldName(title).split(' ');
  const bare = (rest.length > 0 && ARTICLES.has(first) ? rest : [first, ...rest]).join(' ');
  return bare.replaceAll(/\d{1,6}/g, (digits) => digits.padStart(6, '0'));
}
