/**
 * Extracts embedded text tracks: one pass over a file yields all of them, and all callers
 * share that pass. Cues can be read while it runs. When the last caller leaves, it
 * is cancelled; only a complete pass is stored.
 */
import type { Ffmpeg, Media, TextFormat, TextTrack } from '../../lib/ffmpeg/index.ts';
import { createProducers } from '../../lib/coalesce.ts';
import { Failure, found } from '../../lib/failure.ts';
import { ProcessFailure } from '../../lib/process.ts';

/** A text track of a file as it shall be written. */
export interface ExtractedTrack {
  stream: number;
  codec: string;
}
/** Text as it comes: the pieces so far and those to come. Ends when the track is whole; fails when the pass did. */
export interface Arriving {
  /** The pieces from the first one on. Leaving the loop, or aborting, gives up waiting. */
  pieces(signal: AbortSignal): AsyncGenerator<string, void, undefined>;
  format: TextFormat;
}

export interface ExtractionPass {
  media: Media;
  tracks: readonly ExtractedTrack[];
  isFromZero: boolean;
  /** Called with every whole track, before those who wait see the end. */
  keep(stream: number, format: TextFormat, text: string): Promise<unknown>;
}

/** One ASS track can be much larger than what is spoken in it: signs and songs are drawn. */
const MAX_TEXT = 16 * 1024 * 1024;
/** Maximum number of outputs of one ffmpeg run; a track that is also streamed takes two. */
const MAX_OUTPUTS = 40;

/** How a codec is written so that nothing of it is lost. */
export const nativeFormat = (codec: string): TextFormat =>
  codec === 'ass' || codec === 'ssa' ? 'ass' : codec === 'webvtt' ? 'webvtt' : 'srt';

interface Output {
  track: TextTrack;
  /** A second form of an ASS track, which can be turned into WebVTT while it comes. It is not kept. */
  isLive: boolean;
  pieces: string[];
  length: number;
  isTooLarge: boolean;
}
export function createExtractor({ ffmpeg }: { ffmpeg: Pick<Ffmpeg, 'extractText'> }) {
  const passes = createProducers<Output[]>();

  /** The outputs of the pass that brings `stream`: all tracks, or where there are too many, those around it. */
  function outputsFor(tracks: readonly ExtractedTrack[], stream: number): Output[] {
    const at = Math.max(
      0,
      tracks.findIndex((track) => track.stream === stream),
    );
    const group = tracks.slice(Math.floor(at / (MAX_OUTPUTS / 2)) * (MAX_OUTPUTS / 2)).slice(0, MAX_OUTPUTS / 2);
    const output = ({ stream: index, codec }: ExtractedTrack, format: TextFormat, isLive: boolean): Output => ({
      track: { stream: index, format, codec },
      isLive,
      pieces: [],
      length: 0,
      isTooLarge: false,
    });
    return [
      ...group.map((one) => output(one, nativeFormat(one.codec), false)),
      ...group.filter(({ codec }) => nativeFormat(codec) === 'ass').map((one) => output(one, 'srt', true)),
    ];
  }

  async function run(
    outputs: readonly Output[],
    { media, isFromZero, keep }: ExtractionPass,
    arrived: () => void,
    signal: AbortSignal,
  ): Promise<void> {
    const extraction = await ffmpeg.extractText(
      { media, tracks: outputs.map(({ track }) => track), priority: 'playback', isFromZero },
      signal,
    );
    const reading = outputs.map((output, i) =>
      collect(output, extraction.tracks[i] as AsyncIterable<Uint8Array>, arrived),
    );
    const results = await Promise.allSettled([extraction.done, ...reading]);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    // All callers have left at the last moment; the result is complete nevertheless, and is kept.
    for (const { track, isLive, isTooLarge, pieces } of outputs)
      if (!isLive && !isTooLarge) await keep(track.stream, track.format, pieces.join(''));
  }

  async function collect(output: Output, stream: AsyncIterable<Uint8Array>, arrived: () => void): Promise<void> {
    const decoder = new TextDecoder();
    const add = (text: string): void => {
      if (text === '' || output.isTooLarge) return;
      output.length += text.length;
      if (output.length > MAX_TEXT) {
        // The others go on; this one is read to its end and let go.
        output.isTooLarge = true;
        output.pieces.length = 0;
      } else output.pieces.push(text);
      arrived();
    };
    for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
    add(decoder.decode());
  }

  return {
    /**
     * The text of one track. `key` is what the file is by: passes of the same file are shared. `isLive` asks for
     * a form that can be read while it comes. Nothing is started before the first piece is asked for.
     */
    text(key: string, pass: ExtractionPass, { stream, isLive }: { stream: number; isLive: boolean }): Arriving {
      const codec = pass.tracks.find((track) => track.stream === stream)?.codec ?? '';
      const format = isLive && nativeFormat(codec) === 'ass' ? 'srt' : nativeFormat(codec);
      const fits = ({ track }: Output) => track.stream === stream && track.format === format;
      const group = Math.floor(
        Math.max(
          0,
          pass.tracks.findIndex((track) => track.stream === stream),
        ) /
          (MAX_OUTPUTS / 2),
      );
      return {
        format,
        async *pieces(signal) {
          const begin = () => {
            const state = outputsFor(pass.tracks, stream);
            return { state, run: (arrived: () => void, stop: AbortSignal) => run(state, pass, arrived, stop) };
          };
          const pieceAt = (outputs: readonly Output[], at: number): string | undefined => {
            const output = found(outputs.find(fits), 'no such subtitle', 'no-such-subtitle');
            if (output.isTooLarge)
              throw new Failure('conflict', 'the subtitle is larger than what can be served', {
                reason: 'subtitle-too-large',
              });
            return output.pieces[at];
          };
          try {
            yield* passes.follow(`${key} ${group}`, begin, pieceAt, signal);
          } catch (error) {
            throw worded(error);
          }
        },
      };
    },
    /** Ends every pass. */
    close: passes.close,
    running: (): number => passes.size,
  };
}
export type Extractor = ReturnType<typeof createExtractor>;

/** Converts an error of the extraction into a message for people. */
export function worded(error: unknown): unknown {
  if (!(error instanceof ProcessFailure)) return error;
  if (error.fault === 'missing')
    return new Failure(
      'unavailable',
      'embedded subtitles need ffmpeg, which is not installed',
      { reason: 'program-missing' },
      { cause: error },
    );
  return new Failure(
    'unavailable',
    'the subtitle could not be read out of its file',
    { reason: 'subtitle-unavailable' },
    { cause: error },
  );
}
