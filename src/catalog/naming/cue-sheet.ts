/**
 * Parses cue sheets: which tracks a file of sound holds, and where each one begins. Pure, and linear in the length of
 * the text.
 *
 * A command that is not understood is skipped, because programs add their own. Times that are missing or do not grow
 * make a sheet useless, and are left to `windowsOf` to refuse.
 */
export interface SheetTrack {
  number: number;
  title?: string;
  performers: string[];
  songwriter?: string;
  isrc?: string;
  /** Place of INDEX 01 in frames of 1/75 second from the start of the file. */
  start?: number;
  gain?: number;
  peak?: number;
}
export interface SheetFile {
  /** Name as the sheet has it, without folders. */
  name: string;
  tracks: SheetTrack[];
}
export interface CueSheet {
  title?: string;
  performers: string[];
  songwriter?: string;
  date?: string;
  genre?: string;
  disc?: number;
  discs?: number;
  albumGain?: number;
  albumPeak?: number;
  files: SheetFile[];
}

export const CUE_FRAMES_PER_SECOND = 75;
/** Largest sheet that is read. One of 99 tracks has 20 KiB. */
export const MAX_CUE_BYTES = 256 * 1024;
const MAX_LINES = 20_000;
const MAX_LINE = 4_096;
/** Discs have 99 tracks; sheets of long mixes have more. */
const MAX_TRACKS = 999;
const MAX_FILES = 200;
const MAX_GAIN_DB = 60;

const INDEX = /^(\d{1,2})\s+(\d{1,5}):(\d{1,2}):(\d{1,2}(?:\.\d{1,6})?)$/;

/** Text in double quotes, or the rest of the line. */
const textOf = (rest: string): string => (/^"([^"]*)"?/.exec(rest)?.[1] ?? rest).trim();

/** A state that the commands change: what they say belongs to the sheet until the first track, then to the track. */
interface CueState {
  sheet: CueSheet;
  track: SheetTrack | undefined;
  count: number;
}

/** Parses a sheet. Returns undefined for a text that names no file and no track. */
export function parseCueSheet(text: string): CueSheet | undefined {
  const state: CueState = { sheet: { performers: [], files: [] }, track: undefined, count: 0 };
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  for (let lines = 0; at < text.length && lines < MAX_LINES && at < MAX_CUE_BYTES; lines++) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    readLine(state, text.slice(at, Math.min(end, at + MAX_LINE)).trim());
    at = end + 1;
  }
  return state.count === 0 ? undefined : state.sheet;
}

function readLine(state: CueState, line: string): void {
  const space = line.search(/\s/);
  if (space < 0) return;
  const command = line.slice(0, space).toUpperCase();
  const rest = line.slice(space).trim();
  const { sheet, track } = state;
  const file = sheet.files.at(-1);
  switch (command) {
    case 'FILE':
      state.track = undefined;
      if (sheet.files.length < MAX_FILES) sheet.files.push({ name: fileNameOf(rest), tracks: [] });
      return;
    case 'TRACK':
      return beginTrack(state, rest);
    case 'INDEX':
      if (track && file && track.start === undefined) setStart(track, rest);
      return;
    case 'TITLE':
      return void setText(track ?? sheet, 'title', textOf(rest));
    case 'PERFORMER':
      return void ((track ?? sheet).performers = namesOf(textOf(rest)));
    case 'SONGWRITER':
      return void setText(track ?? sheet, 'songwriter', textOf(rest));
    case 'ISRC':
      if (track && /^[A-Za-z0-9]{12}$/.test(textOf(rest))) track.isrc = textOf(rest).toUpperCase();
      return;
    case 'REM':
      return readRemark(state, rest);
    default:
  }
}

function beginTrack(state: CueState, rest: string): void {
  const { files } = state.sheet;
  const [, number, type] = /^(\d{1,3})\s+(\S{1,32})/.exec(rest) ?? [];
  state.track = undefined;
  // A sheet inside a file may name none.
  if (files.length === 0) files.push({ name: '', tracks: [] });
  if (number === undefined || type?.toUpperCase() !== 'AUDIO' || state.count >= MAX_TRACKS) return;
  state.track = { number: Number(number), performers: [] };
  state.count++;
  files.at(-1)?.tracks.push(state.track);
}

/**
 * Keeps `01 mm:ss:ff` as frames. Index 00 is the pause before a track, which belongs to the track before it. The sheet
 * of a FLAC block counts samples, which are decimals of a frame.
 */
function setStart(track: SheetTrack, rest: string): void {
  const [, index, minutes, seconds, frames] = INDEX.exec(rest) ?? [];
  if (Number(index) !== 1 || Number(seconds) > 59 || Number(frames) >= CUE_FRAMES_PER_SECOND) return;
  track.start = (Number(minutes) * 60 + Number(seconds)) * CUE_FRAMES_PER_SECOND + Number(frames);
}

function readRemark({ sheet, track }: CueState, rest: string): void {
  const space = rest.search(/\s/);
  if (space < 0) return;
  const value = textOf(rest.slice(space).trim());
  switch (rest.slice(0, space).toUpperCase()) {
    case 'DATE':
      return void setText(sheet, 'date', value);
    case 'GENRE':
      return void setText(sheet, 'genre', value);
    case 'COMPOSER':
      return void setText(track ?? sheet, 'songwriter', value);
    case 'DISCNUMBER':
      return setCount(sheet, 'disc', value);
    case 'TOTALDISCS':
      return setCount(sheet, 'discs', value);
    case 'REPLAYGAIN_ALBUM_GAIN':
      return setNumber(sheet, 'albumGain', value, MAX_GAIN_DB);
    case 'REPLAYGAIN_ALBUM_PEAK':
      return setNumber(sheet, 'albumPeak', value, 100);
    case 'REPLAYGAIN_TRACK_GAIN':
      return track && setNumber(track, 'gain', value, MAX_GAIN_DB);
    case 'REPLAYGAIN_TRACK_PEAK':
      return track && setNumber(track, 'peak', value, 100);
    default:
  }
}

function setText<K extends string>(on: Partial<Record<K, string>>, name: K, value: string): void {
  if (value !== '') on[name] = value;
}
function setCount<K extends string>(on: Partial<Record<K, number>>, name: K, value: string): void {
  if (/^\d{1,3}$/.test(value)) on[name] = Number(value);
}
function setNumber<K extends string>(on: Partial<Record<K, number>>, name: K, text: string, most: number): void {
  const value = Number.parseFloat(text);
  if (Number.isFinite(value) && Math.abs(value) <= most) on[name] = value;
}

const namesOf = (text: string): string[] =>
  text
    .split('; ')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, 64);

/** `"Album.wav" WAVE`, with or without quotes. */
function fileNameOf(rest: string): string {
  const quoted = /^"([^"]*)"/.exec(rest)?.[1];
  const name = quoted ?? rest.replace(/\s+(?:WAVE|MP3|AIFF|FLAC|BINARY|MOTOROLA)$/i, '');
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).trim();
}

/** A track with its part of the file, in seconds. The last one ends with the file. */
export interface CueWindow {
  track: SheetTrack;
  start: number;
  end: number;
}

/**
 * Returns the parts of a file of `duration` seconds that the tracks of a sheet are. None if the sheet has several
 * files, because each track is then a file already, or if its times do not grow or do not fit the file.
 */
export function windowsOf({ files }: CueSheet, duration: number): CueWindow[] {
  const used = files.filter(({ tracks }) => tracks.length > 0);
  const tracks = used.length === 1 ? (used[0]?.tracks ?? []) : [];
  const starts = tracks.map(({ start }) => (start === undefined ? Number.NaN : start / CUE_FRAMES_PER_SECOND));
  const numbers = new Set(tracks.map(({ number }) => number));
  const grows = starts.every((start, i) => start < (starts[i + 1] ?? duration));
  if (tracks.length < 2 || !grows || numbers.size !== tracks.length) return [];
  return tracks.map((track, i) => ({ track, start: starts[i] ?? 0, end: starts[i + 1] ?? duration }));
}
