/**
 * Tags of music and audiobooks from what the tag library read, by our rules: which names are several artists, which
 * gain counts, and which texts are kept.
 */
import type { IAudioMetadata } from 'music-metadata';
import { MAX_CUE_BYTES } from '../../naming/cue-sheet.ts';
import type { AudioGain, AudioTags, Movement, PartNumber } from '../types.ts';

const MAX_TEXT = 4096;
const MAX_VALUES = 64;
/** Loudness of an R128 gain is that of −23 LUFS; ReplayGain means −18. */
const R128_OFFSET_DB = 5;
const MAX_GAIN_DB = 60;
const MAX_TRIM = 1_000_000;

type Native = Map<string, string[]>;

export function audioTagsOf(metadata: Pick<IAudioMetadata, 'common' | 'native'>): AudioTags {
  const { common, native } = metadata.native[RIFF] ? (decoded(metadata) as typeof metadata) : metadata;
  const own = nativeTexts(native);
  const first = (...names: string[]) => names.map((name) => own.get(name)?.[0]).find((one) => one !== undefined);
  const series = seriesOf(first, common.movement, common.movementIndex.no ?? undefined);
  const gain = gainOf(first);
  const trim = smpbTrim(first('ITUNSMPB'));
  const description = cut(first('DESCRIPTION', 'LDES', 'DESC', 'PODCASTDESC', 'SYNOPSIS') ?? common.description?.[0]);
  return defined({
    title: cut(common.title),
    artists: namesOf(own.get('ARTISTS') ?? splitByFormat(native, ['TPE1']) ?? common.artists ?? [common.artist]),
    albumArtists: namesOf(
      own.get('ALBUMARTISTS') ??
        splitByFormat(native, ['TPE2']) ??
        common.albumartists ?? [common.albumartist ?? first('ALBUM_ARTIST', 'ALBUMARTIST', 'ALBUM ARTIST')],
    ),
    album: cut(common.album ?? first('ALBUM')),
    track: numbered(common.track),
    disc: numbered(common.disk),
    discTitle: cut(common.discsubtitle),
    date: dateOf(common.date ?? common.releasedate ?? common.year?.toString() ?? first('DATE', 'YEAR', 'WM/YEAR')),
    genres: namesOf(common.genre ?? []),
    isCompilation: common.compilation === true || /^(1|true|yes)$/i.test(first('COMPILATION', 'TCMP', 'CPIL') ?? ''),
    composers: namesOf(common.composer ?? []),
    conductors: someOf(namesOf(own.get('CONDUCTOR') ?? own.get('TPE3') ?? own.get('©CON') ?? [])),
    work: workOf(first),
    movement: movementOf(first),
    narrators: namesOf([first('©NRT', 'NARRATOR', 'NARRATEDBY', 'NRT')]),
    series,
    description,
    publisher: cut(common.publisher?.[0] ?? common.label?.[0]),
    language: cut(common.language),
    ids: defined({
      recording: uuid(common.musicbrainz_recordingid),
      release: uuid(common.musicbrainz_albumid),
      releaseGroup: uuid(common.musicbrainz_releasegroupid),
    }) as Record<string, string>,
    gain,
    trim,
    cueSheet: cueSheetOf(first('CUESHEET')),
    hasLyrics: (common.lyrics?.length ?? 0) > 0 || freeLyrics(native) !== undefined,
  }) as AudioTags;
}

/** The library's name for the texts of a RIFF file. It decodes them as Latin 1, and most programs write UTF-8. */
const RIFF = 'exif';
const MAX_DEPTH = 6;

/** Returns a copy of what the library read in which texts that are valid UTF-8 are decoded as that. */
function decoded(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return utf8Text(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((one) => decoded(one, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, decoded(one, depth + 1)]));
}

function utf8Text(text: string): string {
  // eslint-disable-next-line no-control-regex -- every character of one byte, control characters included
  if (!/[\x80-\xff]/.test(text) || /[^\x00-\xff]/.test(text)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

/** Returns a copy without the members that are undefined. */
const defined = <T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never;

const cut = (text: unknown): string | undefined => {
  const clean = typeof text === 'string' ? text.replaceAll('\0', ' ').trim().slice(0, MAX_TEXT) : '';
  return clean === '' ? undefined : clean;
};

const cueSheetOf = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= MAX_CUE_BYTES && /\bTRACK\b/i.test(text) ? text : undefined;

/** Splits names at `; ` and at the NUL of ID3v2.4, and nowhere else: `AC/DC` and `Simon & Garfunkel` are one name. */
const namesOf = (values: readonly unknown[]): string[] =>
  [
    ...new Set(
      values
        .flatMap((value) => (typeof value === 'string' ? value.split(/\0|; /) : []))
        .flatMap((name) => cut(name) ?? []),
    ),
  ].slice(0, MAX_VALUES);

/** The library splits some texts of ID3v2.3 at every slash, as its specification says. Files are not written so. */
function splitByFormat(native: IAudioMetadata['native'], names: readonly string[]): string[] | undefined {
  const old = native['ID3v2.3']?.filter(({ id, value }) => names.includes(id) && typeof value === 'string') ?? [];
  return old.length > 1 ? [old.map(({ value }) => String(value)).join('/')] : undefined;
}

/** Returns the texts of all formats of tags by their upper-case names, without the prefixes of free names. */
function nativeTexts(native: IAudioMetadata['native']): Native {
  const texts: Native = new Map();
  for (const tags of Object.values(native))
    for (const { id, value } of tags) {
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const name = id.replace(/^(?:TXXX|----:[^:]*|track|segment|album):/i, '').toUpperCase();
      const all = texts.get(name) ?? [];
      if (all.length < MAX_VALUES) all.push(String(value));
      texts.set(name, all);
    }
  return texts;
}

/** Free names under which programs without a frame for lyrics, such as ffmpeg, store them in an MP3. */
const FREE_LYRICS = /^(?:UNSYNCED ?)?LYRICS(?:-[A-Z]{3})?$/;

/** Returns lyrics that are stored as a free text; undefined if there are none. */
export function freeLyrics(native: IAudioMetadata['native']): string | undefined {
  for (const [name, [text]] of nativeTexts(native)) if (FREE_LYRICS.test(name) && text?.trim()) return text;
  return undefined;
}

const numbered = ({ no, of }: { no: number | null; of: number | null }): PartNumber =>
  defined({ number: count(no), total: count(of) });
const count = (value: number | null): number | undefined =>
  value !== null && Number.isInteger(value) && value >= 0 && value < 10_000 ? value : undefined;

const dateOf = (text: string | undefined): string | undefined =>
  /^(?:1[0-9]|20|21)\d\d(?:-[01]\d(?:-[0-3]\d)?)?/.exec(text ?? '')?.[0];

const uuid = (text: string | undefined): string | undefined =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.exec(text ?? '')?.[0].toLowerCase();

type First = (...names: string[]) => string | undefined;

function gainOf(first: First): AudioGain | undefined {
  const gain = defined({
    track: decibels(first('REPLAYGAIN_TRACK_GAIN')) ?? r128(first('R128_TRACK_GAIN')),
    trackPeak: peak(first('REPLAYGAIN_TRACK_PEAK')),
    album: decibels(first('REPLAYGAIN_ALBUM_GAIN')) ?? r128(first('R128_ALBUM_GAIN')),
    albumPeak: peak(first('REPLAYGAIN_ALBUM_PEAK')),
  });
  return Object.keys(gain).length === 0 ? undefined : gain;
}
const within = (value: number, most: number): number | undefined =>
  Number.isFinite(value) && Math.abs(value) <= most ? value : undefined;
const decibels = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : within(Number.parseFloat(text.replace(',', '.')), MAX_GAIN_DB);
/** A signed number with 8 binary places (RFC 7845). */
const r128 = (text: string | undefined): number | undefined =>
  text === undefined || !/^[+-]?\d{1,6}$/.test(text.trim())
    ? undefined
    : within(Number(text) / 256 + R128_OFFSET_DB, MAX_GAIN_DB + 80);
const peak = (text: string | undefined): number | undefined => {
  const value = text === undefined ? undefined : within(Number.parseFloat(text), 100);
  return value !== undefined && value >= 0 ? value : undefined;
};

/** Parses `iTunSMPB`: hexadecimal numbers, of which the second is the delay and the third the padding. */
export function smpbTrim(text: string | undefined): AudioTags['trim'] {
  const found = /^\s*[0-9a-f]{8} ([0-9a-f]{8}) ([0-9a-f]{8})(?:\s|$)/i.exec(text ?? '');
  const [start, end] = [Number.parseInt(found?.[1] ?? '', 16), Number.parseInt(found?.[2] ?? '', 16)];
  return start <= MAX_TRIM && end <= MAX_TRIM ? { start, end } : undefined;
}

const someOf = <T>(all: T[]): T[] | undefined => (all.length === 0 ? undefined : all);
const MOVEMENT_NAMES = ['MOVEMENTNAME', 'MVNM', '©MVN'] as const;

/** Returns the work of music. `TIT1` groups tracks by anything, unless a movement says that they are one of a work. */
const workOf = (first: First): string | undefined =>
  cut(first('WORK', '©WRK') ?? (first(...MOVEMENT_NAMES) === undefined ? undefined : first('TIT1')));

function movementOf(first: First): Movement | undefined {
  const [own, of] = (first('MVIN', '©MVI', 'MOVEMENTNUMBER', 'MOVEMENT') ?? '').split('/');
  const movement = defined({
    name: cut(first(...MOVEMENT_NAMES)),
    number: countIn(own),
    total: countIn(of ?? first('MOVEMENTTOTAL', 'MVC', '©MVC')),
  });
  return Object.keys(movement).length === 0 ? undefined : movement;
}
const countIn = (text: string | undefined): number | undefined =>
  /^\s*\d{1,3}\s*$/.test(text ?? '') ? Number(text) || undefined : undefined;

function seriesOf(first: First, movement: string | undefined, index: number | undefined): AudioTags['series'] {
  const name = cut(first('SERIES', 'MVNM') ?? movement);
  if (name === undefined) return undefined;
  const position = cut(
    first('SERIES-PART', 'SERIESPART', 'PART', 'MVIN') ?? (index === undefined ? undefined : String(index)),
  );
  return { name, ...(position !== undefined && { position }) };
}
