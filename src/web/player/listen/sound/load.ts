/**
 * Loads a file and decodes it. The beginning is decoded as soon as it has arrived, so that a large file starts within
 * a moment; then the whole, which has the same samples there.
 */
import { failureIn, loadReasons } from '../../../data/client.ts';
import type { StreamFailure } from '../../engine/stream/judge.ts';
import { piece } from './piece.ts';
import { disableEditLists, remainingCut, type EncoderPadding } from './cut.ts';

/** Bytes after which the beginning is decoded: about 15 s of FLAC, 40 s of MP3. */
const BEGINNING_BYTES = 1_500_000;
/** A beginning that is most of the file is not worth decoding twice. */
const MIN_REST_BYTES = 1_500_000;

/** The server refused the file, or it did not arrive. */
export class LoadFailed extends Error {
  readonly failure: StreamFailure;
  constructor(failure: StreamFailure) {
    super(failure.says);
    this.failure = failure;
  }
}

export interface LoadNeeds {
  url: string;
  context: BaseAudioContext;
  signal: AbortSignal;
  /** Length of the music in seconds, and what the encoder added, as the plan has them. */
  duration: number | undefined;
  trim: EncoderPadding | undefined;
  fileRate: number | undefined;
  /** Called with the decoded beginning. Left out: only the whole is wanted. */
  onBeginning?: (beginning: AudioBuffer) => void;
}

async function bytesOf(
  { url, signal }: LoadNeeds,
  onPart: (bytes: Uint8Array<ArrayBuffer>, at: number, total: number) => void,
) {
  let reply: Response;
  try {
    reply = await fetch(url, { credentials: 'same-origin', signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new LoadFailed({ status: 0, says: '' });
  }
  if (!reply.ok) {
    await loadReasons();
    throw new LoadFailed(failureIn(reply.status, await reply.json().catch(() => ({}))));
  }
  const total = Number(reply.headers.get('content-length') ?? 0);
  const reader = reply.body?.getReader();
  if (!reader || total <= 0) return new Uint8Array(await reply.arrayBuffer());
  const all = new Uint8Array(total);
  let at = 0;
  try {
    for (let part = await reader.read(); !part.done && at + part.value.length <= total; part = await reader.read()) {
      all.set(part.value, at);
      at += part.value.length;
      onPart(all, at, total);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    throw new LoadFailed({ status: 0, says: '' });
  }
  if (at !== total) throw new LoadFailed({ status: 0, says: '' });
  return all;
}

/**
 * Returns the decoded file without what its encoder added. Throws `LoadFailed` if it did not arrive, and the browser's
 * error if it cannot be decoded.
 */
export async function loadSound(needs: LoadNeeds): Promise<AudioBuffer> {
  const { context, signal, trim, duration, fileRate, onBeginning } = needs;
  let isBegun = false;
  const bytes = await bytesOf(needs, (all, at, total) => {
    if (isBegun || !onBeginning || at < BEGINNING_BYTES || total - at < MIN_REST_BYTES) return;
    isBegun = true;
    // A format whose index is at its end cannot be decoded yet.
    context.decodeAudioData(all.slice(0, at).buffer).then(
      (beginning) => signal.aborted || onBeginning(beginning),
      () => undefined,
    );
  });
  if (trim) disableEditLists(bytes);
  const decoded = await context.decodeAudioData(bytes.buffer);
  const cut = remainingCut({ frames: decoded.length, rate: decoded.sampleRate, duration, trim, fileRate });
  return cut.start + cut.end === 0 ? decoded : piece(context, decoded, cut.start, decoded.length - cut.end);
}
