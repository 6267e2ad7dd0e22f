/**
 * Describes a Matroska track as fMP4 has it: sample entry, codec name, time scale, priming (Matroska codec mappings,
 * RFC 9559 section 6).
 */
import { readDolbyVision } from '../../../lib/media/codec/dolby-vision.ts';
import { Uncertain } from '../../../lib/media/source.ts';
import { box, fullBox, uint16s, uint32s } from '../../cmaf/boxes.ts';
import { colourBox, esdsBox, OBJECT_TYPE, pixelAspectBox, visualEntry } from '../../cmaf/entries.ts';
import {
  aacSound,
  alacSound,
  dtsSound,
  flacSound,
  mp3Sound,
  opusSound,
  type AudioDescription,
} from '../codec/audio.ts';
import { nalFormat } from '../codec/idr.ts';
import { ac3Sound, eac3Sound } from '../codec/dolby.ts';
import {
  av1Name,
  avcName,
  dolbyVisionName,
  hevcName,
  isDolbyVisionOnly,
  supplementalOf,
  vp9Name,
  vp9Configuration,
} from '../codec/video.ts';
import type { IndexObstacle, TrackData } from '../types.ts';
import type { TrackEntry } from './tracks.ts';

export interface FirstBytes {
  /** Start of the frame, with what header stripping took from it. */
  bytes: Buffer;
  size: number;
}

const NANOSECONDS = 1e9;
/** Time scale of a file whose tick is no whole part of a second. */
const COMMON_TIMESCALE = 90_000;
const MAX_TIMESCALE = 1_000_000;

/** `first` is absent when the track has no frame near the start of the file. `scale` is the nanoseconds of a tick. */
export function describe(
  track: TrackEntry,
  stream: number,
  { first, scale }: { first: FirstBytes | undefined; scale: number },
): TrackData {
  const isVideo = track.type === 1;
  const bare = {
    stream,
    kind: isVideo ? ('video' as const) : ('audio' as const),
    codec: track.codec,
    timescale: COMMON_TIMESCALE,
    priming: 0,
    frameSize: 0,
  };
  const obstacle: IndexObstacle | undefined =
    track.isSealed || track.isScaled ? 'encoded' : first === undefined ? 'empty' : undefined;
  if (obstacle !== undefined || first === undefined) return { ...bare, obstacles: [obstacle ?? 'empty'] };
  try {
    const stripped = track.stripped.length > 0 ? { stripped: new Uint8Array(track.stripped) } : {};
    const facts = isVideo ? videoFacts(track, first, scale) : audioFacts(track, first);
    return facts === undefined ? { ...bare, obstacles: ['codec'] } : { ...bare, ...facts, ...stripped, obstacles: [] };
  } catch (error) {
    // A range error is a record that is shorter than it says.
    if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
    return { ...bare, obstacles: ['codec'] };
  }
}

type Facts = Omit<TrackData, 'stream' | 'kind' | 'obstacles'>;

function videoFacts(track: TrackEntry, first: FirstBytes, scale: number): Facts | undefined {
  const { width, height } = track.video;
  const coded = codedVideo(track, first);
  if (coded === undefined || width === 0 || height === 0 || Math.max(width, height) > 0xffff) return undefined;
  const ticks = NANOSECONDS / scale;
  const shape = shapeOf(track);
  const entry = visualEntry(coded.type, width, height, [...coded.boxes, ...colourBoxes(track), ...shape.boxes]);
  const { codec, codecs, supplemental } = coded;
  return {
    codec,
    codecs,
    ...(supplemental !== undefined && { supplemental }),
    entry,
    priming: 0,
    frameSize: 0,
    width: shape.width,
    height: shape.height,
    timescale: Number.isInteger(ticks) && ticks <= MAX_TIMESCALE ? ticks : COMMON_TIMESCALE,
  };
}

interface CodedVideo {
  codec: string;
  codecs: string;
  supplemental?: string | undefined;
  type: string;
  boxes: Buffer[];
}

function codedVideo(track: TrackEntry, first: FirstBytes): CodedVideo | undefined {
  const { codec, private: record, colour } = track;
  const rate = track.frameDuration > 0 ? NANOSECONDS / track.frameDuration : 30;
  const units = codec === 'V_MPEG4/ISO/AVC' ? 'h264' : codec === 'V_MPEGH/ISO/HEVC' ? 'hevc' : undefined;
  if (units !== undefined && nalFormat(units, record, first) === undefined) return undefined;
  if (codec === 'V_MPEG4/ISO/AVC')
    return { codec: 'h264', codecs: avcName('avc1', record), type: 'avc1', boxes: [box('avcC', record)] };
  if (codec === 'V_MPEGH/ISO/HEVC') return hevcVideo(track);
  if (codec === 'V_AV1')
    return { codec: 'av1', codecs: av1Name(record, colour), type: 'av01', boxes: [box('av1C', record)] };
  if (codec === 'V_VP9') {
    const vpcc = vp9Configuration(first.bytes, { rate, colour });
    return { codec: 'vp9', codecs: vp9Name(vpcc), type: 'vp09', boxes: [fullBox('vpcC', 1, 0, vpcc)] };
  }
  if (codec === 'V_MPEG4/ISO/ASP' || codec === 'V_MPEG4/ISO/SP' || codec === 'V_MPEG4/ISO/AP')
    return { codec: 'mpeg4', codecs: 'mp4v.20.240', type: 'mp4v', boxes: [esdsBox(OBJECT_TYPE.mpeg4Video, record)] };
  return undefined;
}

function hevcVideo({ private: record, dolbyVision }: TrackEntry): CodedVideo {
  const base = { codec: 'hevc', codecs: hevcName('hvc1', record), type: 'hvc1', boxes: [box('hvcC', record)] };
  const vision = dolbyVision && readDolbyVision(dolbyVision);
  // The second layer of profile 7 is passed over: its base is plain HDR10.
  if (vision === undefined || dolbyVision === undefined || vision.profile === 7) return base;
  const boxes = [...base.boxes, box(vision.profile > 7 ? 'dvvC' : 'dvcC', dolbyVision)];
  return isDolbyVisionOnly(vision)
    ? { ...base, boxes, type: 'dvh1', codecs: dolbyVisionName(vision, 'hvc1') }
    : { ...base, boxes, supplemental: supplementalOf(vision) };
}

/** Returns the box for non-square pixels, and the display size. */
function shapeOf({ video }: TrackEntry): { width: number; height: number; boxes: Buffer[] } {
  const { width, height } = video;
  const [wide, high] = [
    video.displayWidth > 0 ? video.displayWidth : width,
    video.displayHeight > 0 ? video.displayHeight : height,
  ];
  const across = wide * height;
  const down = high * width;
  if (video.displayUnit > 3 || across === down || Math.abs(across / down - 1) < 0.003)
    return { width, height, boxes: [] };
  const divisor = greatestCommon(across, down);
  const [hSpacing, vSpacing] = [across / divisor, down / divisor];
  if (Math.max(hSpacing, vSpacing) > 0xffffffff) return { width, height, boxes: [] };
  return {
    width: Math.min(0xffff, Math.round((width * hSpacing) / vSpacing)),
    height,
    boxes: [pixelAspectBox(hSpacing, vSpacing)],
  };
}

const greatestCommon = (one: number, other: number): number => (other === 0 ? one : greatestCommon(other, one % other));

/** Elements of the mastering display: primaries of red, green and blue, white point, luminances. */
const MASTERING = {
  red: [0x55d1, 0x55d2],
  green: [0x55d3, 0x55d4],
  blue: [0x55d5, 0x55d6],
  white: [0x55d7, 0x55d8],
  most: 0x55d9,
  least: 0x55da,
} as const;

function colourBoxes({ colour, mastering, maxContentLight, maxFrameLight }: TrackEntry): Buffer[] {
  const found: Buffer[] = [];
  if (colour) found.push(colourBox(colour));
  const at = (id: number): number => mastering.get(id) ?? 0;
  if (at(MASTERING.most) > 0) {
    const points = [...MASTERING.green, ...MASTERING.blue, ...MASTERING.red, ...MASTERING.white].map((id) =>
      Math.round(at(id) * 50_000),
    );
    found.push(
      box(
        'mdcv',
        uint16s(...points),
        uint32s(Math.round(at(MASTERING.most) * 10_000), Math.round(at(MASTERING.least) * 10_000)),
      ),
    );
  }
  if (maxContentLight > 0)
    found.push(box('clli', uint16s(Math.min(0xffff, maxContentLight), Math.min(0xffff, maxFrameLight))));
  return found;
}

function audioFacts(track: TrackEntry, first: FirstBytes): Facts | undefined {
  const sound = soundOf(track, first);
  if (sound === undefined || sound.timescale === 0) return undefined;
  const { codec, codecs, channels, timescale, frameSize, entry } = sound;
  return {
    codec,
    codecs,
    channels,
    timescale,
    frameSize,
    entry,
    priming: Math.round((track.delay * timescale) / NANOSECONDS),
  };
}

const AAC_PROFILES: Readonly<Record<string, number>> = { MAIN: 1, LC: 2, SSR: 3, LTP: 4 };

function soundOf({ codec, private: record, audio }: TrackEntry, first: FirstBytes): AudioDescription | undefined {
  if (codec === 'A_AAC') return aacSound(record, audio.channels);
  if (codec.startsWith('A_AAC/MPEG'))
    return aacSound(record.length > 0 ? record : oldAacConfig(codec, audio), audio.channels);
  if (codec === 'A_AC3' || codec.startsWith('A_AC3/')) return ac3Sound(first.bytes);
  if (codec === 'A_EAC3') return eac3Sound(first.bytes, first.size);
  if (codec === 'A_DTS' || codec === 'A_DTS/EXPRESS' || codec === 'A_DTS/LOSSLESS') return dtsSound(first.bytes);
  if (codec === 'A_MPEG/L3') return mp3Sound(first.bytes);
  if (codec === 'A_OPUS') return opusSound(record, first.bytes);
  if (codec === 'A_FLAC') return record.toString('latin1', 0, 4) === 'fLaC' ? flacSound(record.subarray(4)) : undefined;
  if (codec === 'A_ALAC') return alacSound(record);
  return undefined;
}

/** An AudioSpecificConfig of files whose codec id says it all: A_AAC/MPEG4/LC. */
function oldAacConfig(codec: string, { rate, channels }: TrackEntry['audio']): Buffer {
  const index = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000].indexOf(
    rate,
  );
  const profile = AAC_PROFILES[codec.split('/')[2] ?? ''] ?? 2;
  if (index < 0 || channels > 6) throw new Uncertain('AAC without its configuration');
  return uint16s((profile << 11) | (index << 7) | (channels << 3));
}
