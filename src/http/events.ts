/** Server-sent events (HTML, section 9.2): written as they come, bounded for a client that does not read. */
import type { ServerResponse } from 'node:http';
import type { Sent } from './handle.ts';

/** What may wait in a client's socket before the client is cut; it reconnects and resumes. */
const MOST_WAITING = 256 * 1024;
const HEARTBEAT_MS = 20_000;

/** Writes events until the source ends, the client leaves, or the signal aborts. */
export async function sendEvents(response: ServerResponse, source: AsyncIterable<Sent>, signal: AbortSignal): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  response.write('retry: 2000\n\n');
  // A comment now and then shows a dead connection to both ends.
  const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS);
  try {
    for await (const { id, data } of source) {
      if (signal.aborted || response.destroyed) break;
      response.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
      if (response.writableLength > MOST_WAITING) break;
    }
  } finally {
    clearInterval(heartbeat);
    if (response.writableLength > MOST_WAITING || signal.aborted) response.destroy();
    else response.end();
  }
}
