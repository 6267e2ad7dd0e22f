/**
 * Reads the `.idx` file of VobSub: size, colours, and for each language the times of its pictures and their positions
 * in the `.sub`.
 *
 * Tolerant: a malformed line is a note. A `delay` applies to the following pictures of its language, as in players; the
 * `time offset` of the head applies to all. Linear; every pattern is anchored and bounded.
 */
import { atOnce } from './steps.ts';
import { isSize, noteList, type PictureNote, PICTURE_LIMITS, type PictureFrame } from './picture.ts';

export interface VobSubEntry {
  /** ms */
  start: number;
  /** Byte of the `.sub` where the pack begins. */
  position: number;
}
export interface VobSubTrack {
  /** As written, lower case: mostly two letters. */
  language: string | undefined;
  /** Number of the sub-stream, minus 0x20. */
  index: number;
  entries: VobSubEntry[];
}
export interface VobSubIndex {
  /** Undefined if the index does not state it. */
  frame: PictureFrame | undefined;
  /** Sixteen colours of three bytes; undefined if the index has none. */
  palette: Uint8Array | undefined;
  /** Colours that replace every picture's own four, four bytes each. */
  custom: Uint8Array | undefined;
  /** Language that the index marks as the default. */
  first: number | undefined;
  tracks: VobSubTrack[];
  notes: PictureNote[];
}

const MAX_TRACKS = 32;
const STEP_LINES = 4_000;
const LINE = /^([a-z][a-z -]{0,30}):[ \t]*([^]*)$/i;
const STAMP = /^(\d{1,3}):(\d{1,2}):(\d{1,2})[:.,](\d{1,3})[ \t]*,[ \t]*filepos:[ \t]*([0-9a-f]{1,12})/i;
/** A number without colons is in ms. */
const OFFSET = /^([+-]?)[ \t]*(\d{1,9})$/;
const DELAY = /^([+-]?)[ \t]*(\d{1,3}):(\d{1,2}):(\d{1,2})[:.,](\d{1,3})/;

/** Reads the text of an index, or of its header, which Matroska and MP4 keep. */
export const readVobSubIndex = (text: string): VobSubIndex => atOnce(vobSubIndexSteps(text));

/** The same in steps of some ms. */
export function* vobSubIndexSteps(text: string): Generator<void, VobSubIndex> {
  const { note, notes } = noteList();
  const index: VobSubIndex = {
    frame: undefined,
    palette: undefined,
    custom: undefined,
    first: undefined,
    tracks: [],
    notes: [],
  };
  let [offset, delay, count] = [0, 0, 0];
  for (const [n, raw] of text.split(/\r\n|\n|\r|\0/).entries()) {
    if (n % STEP_LINES === 0) yield;
    const line = raw.trim();
    const match = line.length > 1000 ? null : LINE.exec(line);
    const value = match?.[2] ?? '';
    const key = match?.[1]?.toLowerCase();
    switch (key) {
      case 'size': {
        const [, width, height] = (/^(\d{1,5})[ \t]*x[ \t]*(\d{1,5})/i.exec(value) ?? []).map(Number);
        if (width !== undefined && height !== undefined && isSize(width, height)) index.frame = { width, height };
        else note('size-unreadable');
        break;
      }
      case 'palette':
        index.palette = colorsOf(value, 16);
        if (!index.palette) note('colours-unreadable');
        break;
      case 'custom colors':
        index.custom = customOf(value);
        break;
      case 'langidx':
        if (/^\d{1,2}$/.test(value)) index.first = Number(value);
        break;
      case 'id': {
        const [, language = '', number = '0'] =
          /^([a-z-]{0,12})(?:[ \t]*,[ \t]*index:[ \t]*(\d{1,2}))?/i.exec(value) ?? [];
        if (index.tracks.length >= MAX_TRACKS || Number(number) >= MAX_TRACKS) note('language-number');
        else
          index.tracks.push({
            language: language === '' || language === '--' ? undefined : language.toLowerCase(),
            index: Number(number),
            entries: [],
          });
        delay = 0;
        break;
      }
      case 'time offset':
      case 'delay': {
        const ms = signed(value);
        if (ms === undefined) note('delay-unreadable');
        else if (key === 'delay') delay += ms;
        else offset = ms;
        break;
      }
      case 'timestamp': {
        const stamp = STAMP.exec(value);
        const shift = offset + delay;
        const start = stamp ? msOf(stamp.slice(1, 5)) + shift : -1;
        const track = index.tracks.at(-1);
        if (!stamp || start > PICTURE_LIMITS.time || (start < 0 && shift === 0) || count >= PICTURE_LIMITS.pictures * 4)
          note('time-unreadable');
        else if (!track) note('time-without-language');
        else {
          count++;
          track.entries.push({ start: Math.max(0, start), position: Number.parseInt(stamp[5] ?? '0', 16) });
        }
        break;
      }
      default:
    }
  }
  return { ...index, notes: notes() };
}

/** Reads `-00:00:01:500`, or a number of ms where the format allows one; undefined for other text. */
function signed(value: string): number | undefined {
  const [, sign, ...parts] = DELAY.exec(value) ?? [];
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * msOf(parts);
  const plain = OFFSET.exec(value);
  return plain ? (plain[1] === '-' ? -1 : 1) * Number(plain[2]) : undefined;
}

const msOf = (parts: readonly string[]): number => {
  const [hours = 0, minutes = 0, seconds = 0, ms = 0] = parts.map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
};

/** Reads `rrggbb, rrggbb, …`; missing colours are black. Undefined if there is none. */
function colorsOf(text: string, most: number): Uint8Array | undefined {
  const found = text
    .split(',')
    .slice(0, most)
    .map((part) => /^[ \t]*(?:0x)?([0-9a-f]{6})[ \t]*$/i.exec(part)?.[1]);
  if (found[0] === undefined) return undefined;
  const out = new Uint8Array(most * 3);
  for (const [n, hex] of found.entries()) {
    const color = Number.parseInt(hex ?? '0', 16);
    out.set([color >> 16, (color >> 8) & 255, color & 255], n * 3);
  }
  return out;
}

/** Reads `ON, tridx: 1000, colors: …`: which of the four colours are transparent, and the four. */
function customOf(text: string): Uint8Array | undefined {
  const match = /^(?:on|1)[ \t]*,[ \t]*tridx:[ \t]*([01]{4})[ \t]*,[ \t]*colors:[ \t]*([^]*)$/i.exec(text);
  const colors = match && colorsOf(match[2] ?? '', 4);
  if (!match || !colors) return undefined;
  const out = new Uint8Array(16);
  for (let n = 0; n < 4; n++) out.set([...colors.subarray(n * 3, n * 3 + 3), match[1]?.[n] === '1' ? 0 : 255], n * 4);
  return out;
}
