/** Ends a program that runs too long or writes nothing for too long, and keeps the end of its standard error. */
import type { Readable } from 'node:stream';
import { setTimeout as timer } from 'node:timers';
import type { LaunchedProcess } from './launch.ts';

const MAX_STDERR = 16 * 1024;

export interface OutputWatch {
  /** Called when the program has written output or waits for its reader, so that it does not count as silent. */
  noteLife(): void;
  stderr(): string;
  stop(): void;
}

/**
 * Ends `launched` when its time is up or it is silent for too long, unless `isReaderSlow` says that its output waits to
 * be read.
 */
export function watch(
  launched: LaunchedProcess,
  limits: { timeoutMs: number; quietMs?: number; hear?(chunk: Buffer): void },
  isReaderSlow: () => boolean,
): OutputWatch {
  let lastLife = performance.now();
  let tail = Buffer.alloc(0);
  const { stderr } = launched.child;
  stderr?.on('data', (chunk: Buffer) => {
    lastLife = performance.now();
    limits.hear?.(chunk);
    tail = Buffer.concat([tail, chunk]);
    if (tail.length > MAX_STDERR) tail = tail.subarray(tail.length - MAX_STDERR);
  });
  const whole = timer(() => launched.end('timeout'), limits.timeoutMs);
  const { quietMs } = limits;
  const silence =
    quietMs === undefined
      ? null
      : setInterval(
          () => {
            if (isReaderSlow()) lastLife = performance.now();
            else if (performance.now() - lastLife >= quietMs) launched.end('quiet');
          },
          Math.max(10, Math.min(1000, quietMs / 4)),
        );
  return {
    noteLife: () => {
      lastLife = performance.now();
    },
    stderr: () => tail.toString('utf8'),
    stop: () => {
      clearTimeout(whole);
      if (silence) clearInterval(silence);
    },
  };
}

/** Joins the output of a stream, up to `most` bytes; then `on.tooMuch` is called once and the rest is dropped. */
export function collect(stream: Readable, most: number, on: { data: () => void; tooMuch: () => void }): () => Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    on.data();
    if (length > most) return;
    length += chunk.length;
    if (length > most) on.tooMuch();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks);
}
