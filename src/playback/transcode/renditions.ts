/** Converted streams as players see them: codecs, bandwidth and the header that all runs of a stream share. */
import {
  type EncodedPictures,
  type MediaEncoder,
  SAMPLE_RATE,
  VIDEO_TIMESCALE,
  videoCodecs,
} from '../../lib/ffmpeg/encode/index.ts';
import { createPromiseCache } from '../../lib/coalesce.ts';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import { initSegment } from '../cmaf/init.ts';
import { createFragmentReader } from '../cmaf/reader.ts';
import type { AudioRecipe, EncoderChoice, VideoRecipe } from '../plan/types.ts';
import type { Rendition } from '../rendition.ts';
import { convertedAudioEntry } from './entries.ts';

/** The parts of a rendition that depend on the file. */
type FileParts = Pick<Rendition, 'segments' | 'segment'>;

export interface VideoHeaders {
  /** Returns the header that all runs of equal pictures have, made of one black picture. */
  of(pictures: EncodedPictures, preset: EncoderChoice['preset']): Promise<Buffer>;
}

const MAX_HEADERS = 100;

export function createVideoHeaders(encoders: Pick<MediaEncoder, 'blank'>, log: Log): VideoHeaders {
  const headers = createPromiseCache<Buffer>(MAX_HEADERS);
  return {
    of: (pictures, preset) => headers(JSON.stringify(pictures), () => blankInit(encoders, { pictures, preset }, log)),
  };
}

export function videoRendition(
  recipe: VideoRecipe,
  { frameRate, preset, headers }: { frameRate: number; preset: EncoderChoice['preset']; headers: VideoHeaders },
  parts: FileParts,
): Rendition {
  const { codec, width, height, bitrate } = recipe;
  const pictures: EncodedPictures = { codec, width, height, frameRate, maxrate: bitrate };
  return {
    kind: 'video',
    codecs: videoCodecs(pictures),
    bandwidth: { peak: Math.round(bitrate * 1.25), average: bitrate },
    width,
    height,
    frameRate,
    range: 'SDR',
    init: async () => headers.of(pictures, preset),
    ...parts,
  };
}

export function audioRendition(recipe: AudioRecipe, parts: FileParts): Rendition {
  const { codec, bitrate, channels } = recipe;
  const init = initSegment({ kind: 'audio', timescale: SAMPLE_RATE, entry: convertedAudioEntry(recipe), shift: 0 });
  return {
    kind: 'audio',
    codecs: codec === 'aac' ? 'mp4a.40.2' : 'ec-3',
    bandwidth: { peak: Math.round(bitrate * 1.1), average: bitrate },
    channels,
    init: () => Promise.resolve(init),
    ...parts,
  };
}

async function blankInit(
  encoders: Pick<MediaEncoder, 'blank'>,
  { pictures, preset }: { pictures: EncodedPictures; preset: EncoderChoice['preset'] },
  log: Log,
): Promise<Buffer> {
  const events = createFragmentReader().push(await encoders.blank({ ...pictures, preset }));
  const track = events.flatMap((event) => (event.type === 'init' ? event.tracks : []))[0];
  if (!track) throw new Failure('unavailable', 'the encoder wrote no header', { reason: 'program-failed' });
  const at = track.entry.indexOf('avcC');
  const made = at < 0 ? undefined : `avc1.${track.entry.toString('hex', at + 5, at + 8)}`;
  if (made !== undefined && made !== videoCodecs(pictures))
    log.warn('playback.transcode.codecs', { told: videoCodecs(pictures), made });
  return initSegment({
    kind: 'video',
    timescale: VIDEO_TIMESCALE,
    entry: track.entry,
    width: pictures.width,
    height: pictures.height,
    shift: 0,
  });
}
