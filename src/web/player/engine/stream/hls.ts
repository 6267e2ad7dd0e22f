/**
 * A stream of the server through hls.js, which is loaded when the first one is opened. The full build: the light one
 * has no alternate audio and plays these streams silently.
 *
 * Its own repetitions are few, because the caller knows what each status means; one that passes is gone on with by
 * `resume`, from the same place and with the buffer kept.
 */
import type Hls from 'hls.js';
import type { ErrorData, HlsConfig } from 'hls.js';
import { failureIn, loadReasons } from '../../../data/client.ts';
import { loadHls } from '../../../parts/playback/hls-library.ts';
import { createShiftedAudio } from './earlier.ts';
import type { StreamFailure } from './judge.ts';
import type { OpenStream, StreamNeeds } from './types.ts';

const MIB = 1024 * 1024;
/** The server waits up to 20 s for a segment that is being converted. */
const FIRST_BYTE_MS = 30_000;
const policy = (longest: number): HlsConfig['fragLoadPolicy'] => {
  const retry = { maxNumRetry: 1, retryDelayMs: 500, maxRetryDelayMs: 2_000 };
  return {
    default: { maxTimeToFirstByteMs: FIRST_BYTE_MS, maxLoadTimeMs: longest, timeoutRetry: retry, errorRetry: retry },
  };
};
/** How the buffer is bounded: half a minute ahead and behind, and never more than a television has room for. */
const CONFIG: Partial<HlsConfig> = {
  // Its worker would be made from text, which the page's policy forbids; packets of MP4 need next to no work.
  enableWorker: false,
  enableWebVTT: false,
  enableCEA708Captions: false,
  enableEmsgMetadataCues: false,
  enableID3MetadataCues: false,
  maxBufferLength: 30,
  maxMaxBufferLength: 60,
  maxBufferSize: 40 * MIB,
  backBufferLength: 30,
  maxBufferHole: 0.3,
  fragLoadPolicy: policy(120_000),
  keyLoadPolicy: policy(20_000),
  manifestLoadPolicy: policy(30_000),
  playlistLoadPolicy: policy(30_000),
};
/** States of its loaders in which a request, or a list that is asked for, ends by itself. */
const LOADING: ReadonlySet<string> = new Set([
  'KEY_LOADING',
  'FRAG_LOADING',
  'FRAG_LOADING_WAITING_RETRY',
  'WAITING_TRACK',
  'WAITING_LEVEL',
]);
/** A second media error within this time is not mended by the same means again. */
const MENDED_MS = 30_000;

/** Reads the server's error, which the reply holds as bytes or as text. */
function failureOf({ response, networkDetails }: ErrorData): StreamFailure {
  const reply = networkDetails as Partial<XMLHttpRequest> | null | undefined;
  const status = response?.code ?? reply?.status ?? 0;
  try {
    const raw: unknown = reply?.response;
    const text =
      raw instanceof ArrayBuffer ? new TextDecoder().decode(raw.slice(0, 4096)) : typeof raw === 'string' ? raw : '';
    return failureIn(status, JSON.parse(text));
  } catch {
    // It said nothing that is for a person.
    return { status, says: '' };
  }
}

/** Returns undefined if it is over before the library is loaded: the session may have ended with it. */
export async function openHls(needs: StreamNeeds, isOver: () => boolean): Promise<OpenStream | undefined> {
  const [{ default: Library }] = await Promise.all([loadHls(), loadReasons()]);
  return isOver() ? undefined : openWith(Library, needs);
}

function openWith(Library: typeof Hls, { video, url, at, on }: StreamNeeds): OpenStream {
  const hls = new Library({ ...CONFIG, startPosition: at });
  const { Events, ErrorTypes, ErrorDetails } = Library;
  const shifted = createShiftedAudio();
  const listeners = new Set<() => void>();
  const changed = () => listeners.forEach((listener) => listener());
  let mended = -Infinity;
  let isListed = false;
  const mend = (name: 'video' | 'audio' | undefined) => {
    if (performance.now() - mended < MENDED_MS) return on.undecodable(name);
    mended = performance.now();
    hls.recoverMediaError();
    return undefined;
  };
  hls.on(Events.ERROR, (_event, data) => {
    if (!data.fatal) return;
    if (data.type === ErrorTypes.NETWORK_ERROR) return on.failed(failureOf(data));
    const name = data.sourceBufferName === 'audio' ? 'audio' : data.sourceBufferName === 'video' ? 'video' : undefined;
    // A codec that is refused from the start is refused again.
    const isRefused =
      data.details === ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR ||
      data.details === ErrorDetails.BUFFER_ADD_CODEC_ERROR ||
      data.details === ErrorDetails.BUFFER_INCOMPATIBLE_CODECS_ERROR;
    return isRefused ? on.undecodable(name ?? 'video') : mend(name);
  });
  // hls.js only logs it: once the whole film is in the buffer, nothing is appended that could fail.
  const onMediaError = () => void (video.error?.code === MediaError.MEDIA_ERR_DECODE && mend(undefined));
  video.addEventListener('error', onMediaError);
  hls.on(Events.MANIFEST_PARSED, () => (isListed = true));
  hls.on(Events.FRAG_LOADED, () => on.loaded());
  hls.on(Events.AUDIO_TRACKS_UPDATED, changed);
  hls.on(Events.AUDIO_TRACK_SWITCHED, changed);
  hls.on(
    Events.BUFFER_CREATED,
    (_event, { tracks }) => tracks.audio?.buffer && shifted.take(tracks.audio.buffer as SourceBuffer),
  );
  hls.loadSource(url);
  hls.attachMedia(video);
  return {
    resume: () => (isListed ? hls.startLoad() : hls.loadSource(url)),
    close: () => {
      listeners.clear();
      video.removeEventListener('error', onMediaError);
      hls.destroy();
    },
    isLoading: () => !isListed || Object.values(hls.inFlightFragments).some(({ state }) => LOADING.has(state)),
    tracks: () => ({
      count: hls.audioTracks.length,
      playing: hls.audioTrack,
      choose: (index) => {
        hls.audioTrack = index;
      },
    }),
    onTracks: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setEarlier: (seconds) => {
      // The buffer has the old times, so it is loaded again.
      if (shifted.set(seconds))
        hls.trigger(Events.BUFFER_FLUSHING, { startOffset: 0, endOffset: Number.POSITIVE_INFINITY, type: 'audio' });
    },
    facts: () => {
      const level = hls.levels[hls.currentLevel];
      const codecs = level && [level.videoCodec, level.audioCodec].filter(Boolean).join(', ');
      return {
        ...(Number.isFinite(hls.bandwidthEstimate) && { bandwidth: hls.bandwidthEstimate }),
        ...(codecs && { codecs }),
      };
    },
  };
}
