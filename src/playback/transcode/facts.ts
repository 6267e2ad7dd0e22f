/** Start and end of the streams of a file on its clock, which MediaInfo lacks. Read with ffprobe once per file. */
import { createPromiseCache } from '../../lib/coalesce.ts';
import type { Ffmpeg, ProbeOutput, ProbeStream } from '../../lib/ffmpeg/index.ts';
import type { MediaSource } from '../rendition.ts';

export interface TimeFacts {
  /** Seconds on the clock of the file. */
  start: number;
  end: number;
  frameRate: number;
  sampleRate: number;
  channels: number;
  codec: string;
  width: number;
  height: number;
  isAudio: boolean;
}

export interface FileFacts {
  container: string;
  /** Time at which the container begins; seeking counts from it. */
  containerStart: number;
  /** Time that is 0 on the timeline: transport streams begin anywhere. */
  zero: number;
  end: number;
  streams: ReadonlyMap<number, TimeFacts>;
}

/** Frame rates that films have. What a probe estimates from a few pictures is put back to them. */
const USUAL_RATES = [
  24_000 / 1001,
  24,
  25,
  30_000 / 1001,
  30,
  48_000 / 1001,
  48,
  50,
  60_000 / 1001,
  60,
  100,
  120_000 / 1001,
  120,
];
const FROM_ZERO: ReadonlySet<string> = new Set(['mpegts', 'mpeg']);
const MAX_FILES = 200;

export function createFacts({
  ffmpeg,
}: {
  ffmpeg: Pick<Ffmpeg, 'probe'>;
}): (source: MediaSource, signal?: AbortSignal) => Promise<FileFacts> {
  const recent = createPromiseCache<FileFacts>(MAX_FILES);
  return (source) => recent(source.identity, async () => factsOf(await ffmpeg.probe(source.media), source));
}

function factsOf({ format, streams }: ProbeOutput, { info }: MediaSource): FileFacts {
  const containerStart = numberOf(format.start_time) ?? 0;
  const said = numberOf(format.duration) ?? info.duration;
  // ffprobe subtracts the first time from the last one, also where the clock jumps in between.
  const duration = FROM_ZERO.has(info.container) ? (info.duration ?? said) : said;
  const end = duration === undefined ? undefined : containerStart + duration;
  const all = streams.map((stream) => [stream.index, streamFacts(stream, containerStart, end)] as const);
  return {
    container: info.container,
    containerStart,
    zero: FROM_ZERO.has(info.container) ? containerStart : 0,
    end: end ?? Math.max(0, ...all.map(([, facts]) => facts.end)),
    streams: new Map(all),
  };
}

function streamFacts(stream: ProbeStream, containerStart: number, containerEnd: number | undefined): TimeFacts {
  const start = numberOf(stream.start_time) ?? containerStart;
  const duration = numberOf(stream.duration);
  const end = duration === undefined ? (clockOf(stream.tags?.['DURATION']) ?? containerEnd ?? 0) : start + duration;
  return {
    start,
    end: containerEnd === undefined ? end : Math.min(end, containerEnd),
    frameRate: frameRateOf(stream),
    sampleRate: numberOf(stream.sample_rate) ?? 48_000,
    channels: stream.channels ?? 2,
    codec: stream.codec_name ?? '',
    width: stream.width ?? 0,
    height: stream.height ?? 0,
    isAudio: stream.codec_type === 'audio',
  };
}

function numberOf(text: string | undefined): number | undefined {
  const number = Number(text ?? NaN);
  return Number.isFinite(number) ? number : undefined;
}

/** Seconds of `00:42:13.240000000`, which Matroska has for each track. */
function clockOf(text: string | undefined): number | undefined {
  const found = /^(\d{1,4}):(\d{2}):(\d{2}(?:\.\d{1,9})?)$/.exec(text ?? '');
  return found ? Number(found[1]) * 3600 + Number(found[2]) * 60 + Number(found[3]) : undefined;
}

function frameRateOf({ avg_frame_rate: average, r_frame_rate: nominal }: ProbeStream): number {
  const rate =
    [fractionOf(average), fractionOf(nominal)].find((one) => one !== undefined && one >= 1 && one <= 240) ?? 25;
  return USUAL_RATES.find((usual) => Math.abs(rate / usual - 1) < 0.0004) ?? rate;
}

function fractionOf(text: string | undefined): number | undefined {
  const [above, below] = (text ?? '').split('/').map(Number);
  return above !== undefined && below !== undefined && below > 0 && Number.isFinite(above) ? above / below : undefined;
}
