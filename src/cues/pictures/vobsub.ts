/** Reads VobSub, the picture subtitles of DVDs, from an index with its `.sub` or from a track of a container. */
import type { Block } from './matroska.ts';
import {
  type PictureFrame,
  noteList,
  type PictureNote,
  PICTURE_LIMITS,
  type Picture,
  type PictureDocument,
} from './picture.ts';
import { unitsOf } from './program-stream.ts';
import { type Colors, readSubPicture, type SubPicture } from './sub-picture.ts';
import { readVobSubIndex, type VobSubIndex, type VobSubTrack } from './vobsub-index.ts';

/** Maximum duration (ms). Authoring programs without an end write the largest number, which is twelve minutes. */
const LONGEST = 300_000;

/** Unit with its time according to the file, in ms. */
interface Timed {
  at: number;
  /** Duration, if the container states it. */
  duration?: number | undefined;
  unit: Uint8Array;
}

/** Reads the pictures of one language of an index. */
export function readVobSub(index: VobSubIndex, track: VobSubTrack, sub: Uint8Array): PictureDocument {
  const units = unitsOf(sub, 0x20 + track.index, new Set(track.entries.map(({ position }) => position)));
  const { note, notes } = noteList();
  const timed = track.entries.flatMap(({ start, position }): Timed[] => {
    const unit = units.at.get(position);
    if (!unit) note('picture-missing');
    return unit ? [{ at: start, unit }] : [];
  });
  const read = picturesOf(timed, index);
  return {
    format: 'vobsub',
    ...read,
    notes: [...index.notes, ...units.notes, ...notes(), ...read.notes],
    ...(track.language !== undefined && { language: track.language }),
  };
}

/** Reads a track of Matroska: its private data is the head of an index, its blocks are units. */
export function readVobSubBlocks(header: string, blocks: readonly Block[]): PictureDocument {
  const index = readVobSubIndex(header);
  const read = picturesOf(
    blocks.map(({ start, duration, data }) => ({ at: start, duration, unit: data })),
    index,
  );
  return { format: 'vobsub', ...read, notes: [...index.notes, ...read.notes] };
}

function picturesOf(
  timed: readonly Timed[],
  index: Colors & Pick<VobSubIndex, 'frame'>,
): { pictures: Picture[]; notes: PictureNote[] } {
  const { note, notes } = noteList();
  // An index may name the same unit any number of times.
  const known = new Map<Uint8Array, SubPicture | undefined>();
  const drawnIn = (unit: Uint8Array): SubPicture | undefined => {
    if (!known.has(unit)) known.set(unit, readSubPicture(unit));
    return known.get(unit);
  };
  // Some authoring programs end a picture by a unit without a drawing.
  const found = timed
    .slice(0, PICTURE_LIMITS.pictures)
    .map(({ at, duration, unit }) => ({ at, duration, drawn: drawnIn(unit) }))
    .toSorted((a, b) => a.at - b.at);
  const pictures: Picture[] = [];
  const frame = index.frame ?? roomFor(found.flatMap(({ drawn }) => drawn ?? []));
  for (const [n, { at, duration, drawn }] of found.entries()) {
    if (!drawn) continue;
    const start = Math.round(at + drawn.start);
    const next = found[n + 1];
    const following = next ? Math.round(next.at + (next.drawn?.start ?? 0)) : Infinity;
    let end = drawn.end === undefined ? undefined : Math.round(at + drawn.end);
    if (end === undefined || end <= start || end > start + LONGEST) {
      note('picture-endless');
      end =
        duration && duration <= LONGEST
          ? Math.round(at + duration)
          : Math.min(start + (Number.isFinite(following) ? LONGEST : PICTURE_LIMITS.unended), following);
    }
    // A unit replaces the one before.
    end = Math.min(end, following);
    const picture = clipped(drawn, index, frame);
    if (picture && start >= 0 && end > start && end <= PICTURE_LIMITS.time)
      pictures.push({ start, end, frame, forced: drawn.forced, isRecoloured: false, ...picture });
    else note('picture-invisible');
  }
  return { pictures, notes: notes() };
}

/** Returns a frame size for pictures without one: that of a DVD, or one that holds them all. */
const roomFor = (drawn: readonly SubPicture[]): PictureFrame => ({
  width: Math.min(
    PICTURE_LIMITS.side,
    drawn.reduce((most, { x, width }) => Math.max(most, x + width), 720),
  ),
  height: Math.min(
    PICTURE_LIMITS.side,
    drawn.reduce((most, { y, height }) => Math.max(most, y + height), 576),
  ),
});

/** Returns the drawing clipped to its frame. */
function clipped(
  drawn: SubPicture,
  colors: Colors,
  frame: PictureFrame,
): Pick<Picture, 'x' | 'y' | 'width' | 'height' | 'pixels'> | undefined {
  const width = Math.min(drawn.width, frame.width - drawn.x);
  const height = Math.min(drawn.height, frame.height - drawn.y);
  if (width <= 0 || height <= 0) return undefined;
  const { x, y } = drawn;
  if (width === drawn.width && height === drawn.height)
    return { x, y, width, height, pixels: () => drawn.pixels(colors) };
  return {
    x,
    y,
    width,
    height,
    pixels: () => {
      const { indexes, palette } = drawn.pixels(colors);
      const cut = new Uint8Array(width * height);
      for (let row = 0; row < height; row++)
        cut.set(indexes.subarray(row * drawn.width, row * drawn.width + width), row * width);
      return { width, height, indexes: cut, palette };
    },
  };
}
