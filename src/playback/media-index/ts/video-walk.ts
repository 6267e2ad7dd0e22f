/** Finds the keyframes of H.264 and HEVC in a transport stream, and what describes the stream. */
import { uncertain, Uncertain } from '../../../lib/media/source.ts';
import { box } from '../../cmaf/boxes.ts';
import { pixelAspectBox, visualEntry } from '../../cmaf/entries.ts';
import { type AnnexBCodec, isField, isFirstSlice, kindOf, type ParameterSets, recordOf, type Unit, UNITS, unitsOf } from '../codec/annexb.ts';
import { avcName, hevcName } from '../codec/video.ts';
import { CLOCK } from './pes.ts';
import { notCopied, type StreamFacts, type StreamWalk } from './stream-walk.ts';

/** Bytes of a picture that are looked at: its parameter sets and messages, and the head of its first slice. */
const HEAD = 16 * 1024;
/** The first pictures are looked at whole, each up to this size. */
const WHOLE = 2 * 1024 * 1024;
const WHOLE_PICTURES = 100;
const MAX_KEYFRAMES = 500_000;
/** Share of packets that may begin elsewhere than with a picture. */
const MAX_MISALIGNED = 0.01;

export function videoWalk(facts: StreamFacts, codec: AnnexBCodec): StreamWalk {
  const [times, places, isIdr]: number[][] = [[], [], []];
  const buffer = Buffer.allocUnsafe(WHOLE);
  let filled = 0;
  let open: { at: number; time: number } | undefined;
  let sets: ParameterSets | undefined;
  let [pictures, misaligned] = [0, 0];
  let [lowest, highest] = [Infinity, -Infinity];
  let isUnfit = false;

  const add = (bytes: Buffer, from: number, to: number): void => {
    const length = Math.min(to - from, (pictures < WHOLE_PICTURES ? WHOLE : HEAD) - filled);
    if (length > 0) filled += bytes.copy(buffer, filled, from, from + length);
  };
  const look = (at: number, time: number): void => {
    const bytes = buffer.subarray(0, filled);
    const units = unitsOf(bytes, codec);
    pictures += 1;
    if (!units.some(({ type }) => UNITS[codec].isPicture(type))) misaligned += 1;
    lowest = Math.min(lowest, time);
    highest = Math.max(highest, time);
    const kind = kindOf(bytes, units, codec);
    const found = kind === 'other' ? undefined : recordOf(bytes, units, codec);
    if (sets && found && (found.sequence.width !== sets.sequence.width || found.sequence.height !== sets.sequence.height)) isUnfit = true;
    sets ??= found;
    if (sets && (pictures <= WHOLE_PICTURES || kind !== 'other') && hasSeveral(bytes, units, codec, sets)) isUnfit = true;
    if (kind === 'other' || sets === undefined || time <= (times?.at(-1) ?? -Infinity)) return;
    times?.push(time);
    isIdr?.push(kind === 'idr' ? 1 : 0);
    if ((places?.push(at) ?? 0) > MAX_KEYFRAMES) uncertain('too many keyframes');
  };
  const finish = (): void => {
    if (open === undefined) return;
    const { at, time } = open;
    open = undefined;
    try {
      look(at, time);
    } catch (error) {
      // A picture that is not understood is none to begin with.
      if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
      misaligned += 1;
    }
  };
  return {
    facts, marks: { times: times ?? [], places: places ?? [] }, isIdr: isIdr ?? [],
    start: (packet, from, time) => {
      // Without a time it continues the picture before it.
      if (time !== undefined) {
        finish();
        filled = 0;
        open = { at: packet.at, time };
      }
      add(packet.bytes, from, packet.to);
    },
    more: ({ bytes, from, to }) => {
      if (open !== undefined) add(bytes, from, to);
    },
    result: (zero) => {
      finish();
      if (facts.isSealed) return notCopied(facts, 'encoded');
      if (pictures === 0) return notCopied(facts, 'empty');
      if (sets === undefined || isUnfit || misaligned > Math.max(2, pictures * MAX_MISALIGNED)) return notCopied(facts, 'codec');
      const frameDuration = pictures > 1 ? Math.max(1, Math.round((highest - lowest) / (pictures - 1))) : CLOCK / 25;
      const shown = shapeOf(sets);
      const name = codec === 'h264' ? avcName('avc1', sets.record) : hevcName('hvc1', sets.record);
      const entry = visualEntry(codec === 'h264' ? 'avc1' : 'hvc1', sets.sequence.width, sets.sequence.height, [box(codec === 'h264' ? 'avcC' : 'hvcC', sets.record), ...shown.boxes]);
      return {
        data: { codec, codecs: name, timescale: CLOCK, priming: 0, frameSize: 0, entry: new Uint8Array(entry), width: shown.width, height: shown.height, frameRate: CLOCK / frameDuration, obstacles: [] },
        packets: { codec, timescale: CLOCK, frameSize: 0, first: zero, signature: 0, frameDuration },
        end: highest + frameDuration,
      };
    },
  };
}

/** Whether a packet has several pictures, or fields instead of frames: neither can be one sample. */
function hasSeveral(bytes: Buffer, units: readonly Unit[], codec: AnnexBCodec, { sequence }: ParameterSets): boolean {
  const first = units.filter((unit) => UNITS[codec].isPicture(unit.type) && isFirstSlice(bytes, unit, codec));
  return first.length > 1 || (codec === 'h264' && first.some(({ from, to }) => isField(bytes.subarray(from, to), sequence)));
}

function shapeOf({ sequence: { width, height, aspect } }: ParameterSets): { width: number; height: number; boxes: Buffer[] } {
  if (aspect === undefined) return { width, height, boxes: [] };
  return { width: Math.min(0xffff, Math.round((width * aspect[0]) / aspect[1])), height, boxes: [pixelAspectBox(...aspect)] };
}
