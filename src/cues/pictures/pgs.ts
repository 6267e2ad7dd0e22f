/**
 * Reads PGS, the picture subtitles of Blu-ray, from `.sup` files.
 *
 * A display set is a composition (objects and their positions), windows, palettes, objects and an end. Objects and
 * palettes live for an epoch and may be reused by later compositions; an empty composition ends the display. A set
 * without its end is completed by the next one. Source: US 2009/0185789 A1.
 */
import type { PictureDefect } from '../../contract/subtitles/draft-notes.ts';
import { decodePgsRle } from './rle.ts';
import { matrixOf, setColor } from './palette.ts';
import { atOnce } from './steps.ts';
import {
  type PictureFrame,
  isSize,
  noteList,
  PICTURE_LIMITS,
  type Picture,
  type PictureDocument,
  type Pixels,
} from './picture.ts';

const SEGMENT = { palette: 0x14, object: 0x15, composition: 0x16, window: 0x17, end: 0x80 } as const;
const KINDS: ReadonlySet<number> = new Set(Object.values(SEGMENT));
const HEADER = 13;
/** Maximum number of objects of an epoch. The format allows 64, and two for each composition. */
const MAX_OBJECTS = 256;
/** Maximum number of segments, far above that of the longest film; each takes some memory. */
const MAX_SEGMENTS = 1_000_000;
const MAX_REFERENCES = 8;
/** Bytes that a step processes. Each segment counts as this much in addition to its own bytes. */
const STEP_WORK = 1024 * 1024;
const SEGMENT_WORK = 1024;

/** Run-length code of one object, in the pieces in which it arrived. */
interface Drawn extends PictureFrame {
  parts: Uint8Array[];
  length: number;
}
interface Crop extends PictureFrame {
  x: number;
  y: number;
}
interface Reference {
  object: number;
  x: number;
  y: number;
  forced: boolean;
  crop: Crop | undefined;
}
interface Composition {
  time: number;
  frame: PictureFrame;
  palette: number;
  references: Reference[];
}
/** Object at its position, clipped to the frame. */
interface Placed {
  drawn: Drawn;
  forced: boolean;
  /** Corner in the frame. */
  x: number;
  y: number;
  /** Visible part of the object. */
  part: Crop;
}
interface Shown {
  start: number;
  frame: PictureFrame;
  placed: readonly Placed[];
  palette: Uint8Array;
  isRecoloured: boolean;
}

/** Reads a `.sup` file. */
export const readPgs = (bytes: Uint8Array): PictureDocument => atOnce(pgsSteps(bytes));

/** The same in steps of some ms: a palette of a few bytes takes as long as a kilobyte of anything else. */
export function* pgsSteps(bytes: Uint8Array): Generator<void, PictureDocument> {
  const { note, notes } = noteList();
  const pictures: Picture[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const epoch = createEpoch(note);
  let shown: Shown | undefined;
  let pending: Composition | undefined;
  let [wraps, lastStamp, work] = [0, 0, 0];

  const close = (time: number | undefined): void => {
    if (!shown) return;
    const isEnded = time !== undefined && time >= shown.start;
    if (!isEnded) note('picture-endless');
    const end = isEnded ? time : shown.start + PICTURE_LIMITS.unended;
    if (end > shown.start && end <= PICTURE_LIMITS.time) pictures.push(pictureOf(shown, end));
    shown = undefined;
  };
  const settle = (): void => {
    if (!pending) return;
    const { time, frame } = pending;
    const placed = epoch.place(pending);
    const palette = epoch.palette(pending.palette);
    pending = undefined;
    const isSameDrawing = shown !== undefined && time >= shown.start && isSame(shown.placed, placed);
    if (isSameDrawing && shown?.palette === palette) return;
    close(time);
    if (placed.length > 0) shown = { start: time, frame, placed, palette, isRecoloured: isSameDrawing };
  };

  for (
    let at = 0, count = 0;
    at + HEADER <= bytes.length && pictures.length < PICTURE_LIMITS.pictures && count < MAX_SEGMENTS;
    count++
  ) {
    if (!isHeader(bytes, at)) {
      note('bytes-left-out');
      at = nextHeader(bytes, at + 1);
      continue;
    }
    const stamp = view.getUint32(at + 2);
    const type = bytes[at + 10] ?? 0;
    const from = at + HEADER;
    const to = from + view.getUint16(at + 11);
    if (to > bytes.length) {
      note('file-cut-short');
      break;
    }
    at = to;
    work += SEGMENT_WORK + to - from;
    if (work > STEP_WORK) {
      yield;
      work = 0;
    }
    const body = bytes.subarray(from, to);
    if (type === SEGMENT.composition) {
      settle();
      if (stamp < lastStamp && lastStamp - stamp > 2 ** 31) wraps++;
      lastStamp = stamp;
      pending = compositionOf(body, Math.round((stamp + wraps * 2 ** 32) / 90));
      if (!pending) note('composition-unreadable');
      else if ((body[7] ?? 0) >> 6 === 2) epoch.begin();
      if (pending) epoch.frame = pending.frame;
    } else if (type === SEGMENT.palette) epoch.takePalette(body);
    else if (type === SEGMENT.object) epoch.takeObject(body);
    else if (type === SEGMENT.end) settle();
  }
  settle();
  close(undefined);
  if (pictures.length >= PICTURE_LIMITS.pictures) note('too-many-pictures');
  return { format: 'pgs', pictures: pictures.toSorted((a, b) => a.start - b.start), notes: notes() };
}

function nextHeader(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0x50, from); at >= 0; at = bytes.indexOf(0x50, at + 1))
    if (isHeader(bytes, at)) return at;
  return bytes.length;
}

/** `PG`, two times, and a known kind of segment. */
const isHeader = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x50 && bytes[at + 1] === 0x47 && KINDS.has(bytes[at + 10] ?? 0);

function compositionOf(body: Uint8Array, time: number): Composition | undefined {
  if (body.length < 11 || time > PICTURE_LIMITS.time) return undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const frame = { width: view.getUint16(0), height: view.getUint16(2) };
  if (!isSize(frame.width, frame.height)) return undefined;
  const references: Reference[] = [];
  let at = 11;
  for (let count = Math.min(MAX_REFERENCES, body[10] ?? 0); count > 0; count--) {
    if (at + 8 > body.length) break;
    const flags = body[at + 3] ?? 0;
    const isCropped = (flags & 0x80) !== 0;
    if (isCropped && at + 16 > body.length) break;
    const crop = isCropped
      ? {
          x: view.getUint16(at + 8),
          y: view.getUint16(at + 10),
          width: view.getUint16(at + 12),
          height: view.getUint16(at + 14),
        }
      : undefined;
    references.push({
      object: view.getUint16(at),
      forced: (flags & 0x40) !== 0,
      x: view.getUint16(at + 4),
      y: view.getUint16(at + 6),
      crop,
    });
    at += isCropped ? 16 : 8;
  }
  return { time, frame, palette: body[9] ?? 0, references };
}

/** Definitions of an epoch so far. A repeated definition keeps the old value, so that equal means identical. */
function createEpoch(note: (defect: PictureDefect) => void) {
  const objects = new Map<number, Drawn>();
  const palettes = new Map<number, Uint8Array>();
  const none = new Uint8Array(1024);
  let building: { id: number; drawn: Drawn } | undefined;
  return {
    frame: { width: 1920, height: 1080 } as PictureFrame,
    begin(): void {
      objects.clear();
      palettes.clear();
      building = undefined;
    },
    palette: (id: number): Uint8Array => palettes.get(id) ?? none,
    takePalette(body: Uint8Array): void {
      const id = body[0] ?? 0;
      const before = palettes.get(id);
      const now = before?.slice() ?? new Uint8Array(1024);
      const matrix = matrixOf(this.frame.height);
      for (let at = 2; at + 5 <= body.length; at += 5) {
        setColor(
          now,
          body[at] ?? 0,
          { y: body[at + 1] ?? 0, cr: body[at + 2] ?? 0, cb: body[at + 3] ?? 0, alpha: body[at + 4] ?? 0 },
          matrix,
        );
      }
      if (!before || !isEqual(before, now)) palettes.set(id, now);
    },
    takeObject(body: Uint8Array): void {
      if (body.length < 4) return note('object-unreadable');
      const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
      const id = view.getUint16(0);
      const flags = body[3] ?? 0;
      if (flags & 0x80) {
        building = undefined;
        if (body.length < 11) return note('object-unreadable');
        const drawn = {
          width: view.getUint16(7),
          height: view.getUint16(9),
          parts: [body.subarray(11)],
          length: body.length - 11,
        };
        if (!isSize(drawn.width, drawn.height)) return note('object-size');
        building = { id, drawn };
      } else if (building?.id === id) {
        building.drawn.parts.push(body.subarray(4));
        building.drawn.length += body.length - 4;
      } else return note('object-without-start');
      if (!(flags & 0x40)) return;
      const { drawn } = building;
      building = undefined;
      const before = objects.get(id);
      if (before && isSameDrawn(before, drawn)) return;
      if (!before && objects.size >= MAX_OBJECTS) return note('too-many-objects');
      objects.set(id, drawn);
    },
    place({ references, frame }: Composition): Placed[] {
      const out: Placed[] = [];
      for (const { object, forced, x, y, crop } of references) {
        const drawn = objects.get(object);
        if (!drawn) {
          note('object-undefined');
          continue;
        }
        const part = clipped(drawn, crop ?? { x: 0, y: 0, width: drawn.width, height: drawn.height }, {
          width: frame.width - x,
          height: frame.height - y,
        });
        if (part) out.push({ drawn, forced, x, y, part });
        else note('object-outside');
      }
      return out;
    },
  };
}

/** Returns the part of an object that remains after the crop and fits into the room. */
function clipped(drawn: PictureFrame, crop: Crop, room: PictureFrame): Crop | undefined {
  const width = Math.min(crop.width, drawn.width - crop.x, room.width);
  const height = Math.min(crop.height, drawn.height - crop.y, room.height);
  return width > 0 && height > 0 ? { x: crop.x, y: crop.y, width, height } : undefined;
}

function isSameDrawn(a: Drawn, b: Drawn): boolean {
  return (
    a.width === b.width &&
    a.height === b.height &&
    a.length === b.length &&
    a.parts.length === b.parts.length &&
    a.parts.every((part, n) => isEqual(part, b.parts[n] ?? part))
  );
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

function isSame(a: readonly Placed[], b: readonly Placed[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, n) => {
      const other = b[n];
      return (
        other !== undefined &&
        one.drawn === other.drawn &&
        one.forced === other.forced &&
        one.x === other.x &&
        one.y === other.y &&
        one.part.x === other.part.x &&
        one.part.y === other.part.y &&
        one.part.width === other.part.width &&
        one.part.height === other.part.height
      );
    })
  );
}

function pictureOf({ start, frame, placed, palette, isRecoloured }: Shown, end: number): Picture {
  const x = Math.min(...placed.map((one) => one.x));
  const y = Math.min(...placed.map((one) => one.y));
  const width = Math.max(...placed.map((one) => one.x + one.part.width)) - x;
  const height = Math.max(...placed.map((one) => one.y + one.part.height)) - y;
  return {
    start,
    end,
    x,
    y,
    width,
    height,
    frame,
    isRecoloured,
    forced: placed.some(({ forced }) => forced),
    pixels: () => pixelsOf(placed, palette, { x, y, width, height }),
  };
}

function pixelsOf(placed: readonly Placed[], colors: Uint8Array, box: Crop): Pixels {
  const palette = colors.slice();
  const { width, height } = box;
  const indexes = new Uint8Array(width * height);
  const clear = clearColor(palette);
  if (clear !== 0) indexes.fill(clear);
  for (const { drawn, x, y, part } of placed) {
    const [first] = drawn.parts;
    const data = drawn.parts.length === 1 && first ? first : joined(drawn);
    const offset = (y - box.y) * width + (x - box.x);
    if (part.width === drawn.width && part.height === drawn.height) {
      decodePgsRle(data, { into: indexes, stride: width, offset, width: drawn.width, height: drawn.height });
      continue;
    }
    const whole = new Uint8Array(drawn.width * drawn.height);
    decodePgsRle(data, { into: whole, stride: drawn.width, offset: 0, width: drawn.width, height: drawn.height });
    for (let row = 0; row < part.height; row++) {
      const from = (part.y + row) * drawn.width + part.x;
      indexes.set(whole.subarray(from, from + part.width), offset + row * width);
    }
  }
  return { width, height, indexes, palette };
}

/**
 * Returns a transparent colour for pixels that no object covers. The last colour becomes transparent if there is none.
 */
function clearColor(palette: Uint8Array): number {
  for (let color = 0; color < 256; color++) if (palette[color * 4 + 3] === 0) return color;
  palette[255 * 4 + 3] = 0;
  return 255;
}

function joined({ parts, length }: Drawn): Uint8Array {
  const out = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
