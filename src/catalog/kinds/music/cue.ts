/** Tracks of a cue sheet: one next to a file of sound, or one inside it. */
import { decodeText } from '../../../cues/decode.ts';
import { Failure } from '../../../lib/failure.ts';
import { type CueSheet, type CueWindow, MAX_CUE_BYTES, parseCueSheet, windowsOf } from '../../naming/cue-sheet.ts';
import { endingOf, stemOf } from '../../naming/text.ts';
import type { AudioTags } from '../../probe/types.ts';
import type { FileWindow } from '../../probe/window.ts';
import type { FolderView, PlacedFile, PlacementTools } from '../../core/scan/placement.ts';
import type { SoundGuess } from '../sound/files.ts';

/** Sheets of a folder that are compared with a file. A folder of an album has one for each disc. */
const MAX_SHEETS = 20;

/** Returns the tracks in a file. A sheet next to it wins over the one inside, because people can edit it. */
export async function tracksOfSheet(
  { info, row, view }: PlacedFile<SoundGuess>,
  { bytes }: PlacementTools['views'],
): Promise<readonly FileWindow[]> {
  const { duration, audio } = info ?? {};
  if (duration === undefined || audio === undefined) return [];
  for (const sheet of await sheetsNear(row.name, view, bytes)) {
    const windows = windowsOf(sheet, duration);
    if (windows.length > 0) return windows.map((window) => trackOf(window, sheet, audio, windows.length));
  }
  const inside = audio.cueSheet === undefined ? undefined : parseCueSheet(audio.cueSheet);
  const windows = inside ? windowsOf(inside, duration) : [];
  return inside ? windows.map((window) => trackOf(window, inside, audio, windows.length)) : [];
}

const comparable = (name: string): string => stemOf(name).normalize('NFC').toLowerCase();

/** Returns the sheets that belong to a file: of its name first, then those that name it with any ending. */
async function sheetsNear(
  name: string,
  view: FolderView,
  bytes: PlacementTools['views']['bytes'],
): Promise<CueSheet[]> {
  const own = comparable(name);
  const sheets = view.companions.filter(({ n, s }) => endingOf(n) === 'cue' && s <= MAX_CUE_BYTES).slice(0, MAX_SHEETS);
  const isNamesake = (sheet: string) =>
    comparable(sheet) === own || sheet.toLowerCase() === `${name.toLowerCase()}.cue`;
  const found: CueSheet[] = [];
  for (const { n } of sheets.toSorted((a, b) => Number(isNamesake(b.n)) - Number(isNamesake(a.n)))) {
    const read = await bytes(view, n);
    const sheet = read && parseCueSheet(await textOf(read));
    if (sheet && (isNamesake(n) || sheet.files.some((file) => comparable(file.name) === own))) found.push(sheet);
  }
  return found;
}

/** Sheets are written in any character set. One that cannot be decoded names no track. */
async function textOf(bytes: Uint8Array): Promise<string> {
  try {
    return (await decodeText(bytes)).text;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return '';
  }
}

function trackOf({ track, start, end }: CueWindow, sheet: CueSheet, file: AudioTags, total: number): FileWindow {
  const { title: _, trim: __, cueSheet: ___, ids, gain, ...own } = file;
  const { recording: ____, ...release } = ids;
  const performers = track.performers.length > 0 ? track.performers : sheet.performers;
  const writer = track.songwriter ?? sheet.songwriter;
  const gains = defined({
    track: track.gain,
    trackPeak: track.peak,
    album: sheet.albumGain ?? gain?.album,
    albumPeak: sheet.albumPeak ?? gain?.albumPeak,
  });
  const date = /^\d{4}(?:-\d\d){0,2}/.exec(sheet.date ?? '')?.[0];
  const album = file.album ?? sheet.title;
  return {
    number: track.number,
    start,
    end,
    tags: {
      ...own,
      title: track.title ?? `Track ${track.number}`,
      artists: performers.length > 0 ? performers : file.artists,
      albumArtists: file.albumArtists.length > 0 ? file.albumArtists : sheet.performers,
      ...(album !== undefined && { album }),
      track: { number: track.number, total },
      disc: file.disc.number === undefined ? defined({ number: sheet.disc, total: sheet.discs }) : file.disc,
      ...(file.date === undefined && date !== undefined && { date }),
      genres: file.genres.length > 0 || sheet.genre === undefined ? file.genres : [sheet.genre],
      composers: writer === undefined ? file.composers : [writer],
      ids: release,
      hasLyrics: false,
      ...(Object.keys(gains).length > 0 && { gain: gains }),
    },
  };
}

const defined = <T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never;
