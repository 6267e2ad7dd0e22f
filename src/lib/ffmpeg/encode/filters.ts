/** The filters of a video conversion, in the order in which they are needed. Pure. */
import { ACCELERATOR_SETS } from './accelerators.ts';
import type { AcceleratorSet } from './accelerators.ts';
import type { BurnedSubtitle, HdrSource, VideoRequest } from './types.ts';

type Wanted = Pick<
  VideoRequest,
  'stream' | 'width' | 'height' | 'toneMap' | 'deinterlace' | 'rotate' | 'burn' | 'accelerator'
> & {
  /** Pictures before this time are dropped once the filters have seen them. */
  trimmed?: number;
};

const TURNS: Record<number, string[]> = {
  0: [],
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
};
/** The transfer that pictures are tagged with before zscale reads them. */
const TRANSFER: Record<Exclude<HdrSource, 'dolby-vision'>, string> = { hdr10: 'smpte2084', hlg: 'arib-std-b67' };

/** Returns the option and its graph: `-vf`, or `-filter_complex` with the output `[out]` when a subtitle is drawn. */
export function videoFilters(wanted: Wanted): { option: '-vf' | '-filter_complex'; graph: string } {
  const trim = wanted.trimmed === undefined ? [] : [`trim=start=${wanted.trimmed.toFixed(6)}`];
  const set = wanted.accelerator && ACCELERATOR_SETS[wanted.accelerator.name];
  const { before, after } = set?.surfaces
    ? onSurfaces(wanted, set, set.surfaces)
    : { before: inMemory(wanted, set?.format ?? 'yuv420p'), after: [] };
  if (!wanted.burn) return { option: '-vf', graph: [...before, ...after, ...trim].join(',') };
  return { option: '-filter_complex', graph: drawn(wanted, wanted.burn, before, [...after, ...trim]) };
}

const needsMemory = ({ deinterlace, rotate, burn }: Wanted): boolean =>
  deinterlace === true || (rotate ?? 0) !== 0 || burn !== undefined;

/** Everything on the device, unless a filter is wanted that it may not have. */
function onSurfaces(
  wanted: Wanted,
  set: AcceleratorSet,
  surfaces: NonNullable<AcceleratorSet['surfaces']>,
): { before: string[]; after: string[] } {
  const uploaded = [`format=${surfaces.formats.join('|')}`, surfaces.upload];
  const toneMap = wanted.toneMap && surfaces.toneMap?.[wanted.toneMap];
  if (!needsMemory(wanted) && (!wanted.toneMap || toneMap !== undefined)) {
    return {
      before: [...uploaded, ...(toneMap === undefined ? [] : [toneMap]), surfaces.scale('nv12', wanted)],
      after: [],
    };
  }
  // Mapping in software needs the ten bits.
  const isMappedHere = wanted.toneMap !== undefined && toneMap === undefined;
  const format = isMappedHere ? 'p010' : 'nv12';
  const mapped = toneMap === undefined ? [] : [toneMap];
  const rest = inMemory({ ...wanted, toneMap: isMappedHere ? wanted.toneMap : undefined } as Wanted, set.format);
  return {
    before: [
      ...uploaded,
      ...mapped,
      surfaces.scale(format),
      'hwdownload',
      `format=${format === 'p010' ? 'p010le' : set.format}`,
      ...rest,
    ],
    after: [surfaces.upload],
  };
}

function inMemory({ width, height, toneMap, deinterlace, rotate = 0 }: Wanted, format: string): string[] {
  const fields = deinterlace === true ? ['yadif=mode=send_frame:parity=auto:deint=interlaced'] : [];
  const size = `w=${width}:h=${height}`;
  const scaled = toneMap === undefined ? [`scale=${size}:flags=bicubic:out_range=tv`] : mapping(toneMap, size);
  return [...fields, ...(TURNS[rotate] ?? []), ...scaled, 'setsar=1', `format=${format}`];
}

/** Scales in linear light, which is four fifths cheaper than mapping first, and maps to BT.709. */
function mapping(from: HdrSource, size: string): string[] {
  if (from === 'dolby-vision') {
    return [
      'hwupload',
      `libplacebo=${size}:colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv:format=yuv420p`,
      'hwdownload',
      'format=yuv420p',
    ];
  }
  return [
    // Files often lack a tag or two. zscale refuses such pictures ("no path between colorspaces"), even where its
    // options say how to read them.
    `setparams=range=tv:color_primaries=bt2020:color_trc=${TRANSFER[from]}:colorspace=bt2020nc`,
    `zscale=${size}:t=linear:npl=100`,
    'format=gbrpf32le',
    'zscale=p=709',
    'tonemap=tonemap=hable:desat=0',
    'zscale=t=709:m=709:r=limited',
  ];
}

/**
 * Draws the subtitle of the second input. Its canvas is stretched as the pictures are; one that is taller than the
 * pictures, whose black bars were cut off, keeps its shape and is aligned to the lower edge, where the text is.
 */
function drawn(
  { stream, width, height }: Wanted,
  burn: BurnedSubtitle,
  before: readonly string[],
  after: readonly string[],
): string {
  const shape = `iw*${burn.videoHeight}/${burn.videoWidth}`;
  const canvas = `scale=w=${width}:h='if(gt(ih,1.05*${shape}),${height}*ih/(${shape}),${height})':flags=bilinear`;
  return [
    `[0:${stream}]${before.join(',')}[pictures]`,
    `[1:${burn.stream}]${canvas}[drawing]`,
    // Its packets say how far the file was read; without them the next drawing is looked for, however far that is.
    ...(burn.pacer === undefined ? [] : [`[1:${burn.pacer}]anullsink`]),
    `[pictures][drawing]${['overlay=x=0:y=H-h:eof_action=pass', ...after].join(',')}[out]`,
  ].join(';');
}
