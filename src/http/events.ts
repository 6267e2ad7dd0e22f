/** Server-sent events (HTML, section 9.2): written as they come, bounded for a client that does not read. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ServerSentEvent } from './handle.ts';
import { writeHead } from './headers.ts';

/** Bytes that may wait in a client's socket before the client is cut; it reconnects and resumes. */
const MAX_WAITING = 256 * 1024;
const HEARTBEAT_MS = 20_000;

/**
 * Writes events below the headers in `common`, until the source ends, the client leaves or does not read, or the signal
 * aborts. The source is always ended.
 */
export async function sendEvents(
  response: ServerResponse,
  source: AsyncIterable<ServerSentEvent>,
  { common, signal }: { common: OutgoingHttpHeaders; signal: AbortSignal },
): Promise<void> {
  writeHead(response, 200, {
    ...common,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write('retry: 2000\n\n');
  const isOver = () => signal.aborted || response.destroyed;
  // Bounds the bytes that wait for a client that does not read: it is cut, reconnects and resumes.
  const write = (text: string) => {
    if (!isOver()) response.write(text);
    if (response.writableLength > MAX_WAITING) response.destroy();
  };
  // A comment now and then shows a dead connection to both ends.
  const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS);
  const events = source[Symbol.asyncIterator]();
  // A source that does not end by itself must not hold a reply that is over.
  let end = () => {};
  const over = () => end();
  const nextOrOver = () =>
    new Promise<IteratorResult<ServerSentEvent> | undefined>((resolve, reject) => {
      end = () => resolve(undefined);
      events.next().then(resolve, reject);
    });
  signal.addEventListener('abort', over);
  response.once('close', over);
  try {
    while (!isOver()) {
      const next = await nextOrOver();
      if (next === undefined || next.done) break;
      const { id, data } = next.value;
      write(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
    }
  } finally {
    clearInterval(heartbeat);
    signal.removeEventListener('abort', over);
    response.off('close', over);
    // Not awaited: it waits for a `next` under way, which may never come.
    void Promise.resolve(events.return?.()).catch(() => {});
    if (isOver()) response.destroy();
    else response.end();
  }
}
