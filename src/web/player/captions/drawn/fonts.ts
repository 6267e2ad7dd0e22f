/**
 * Loads the fonts that come with a film. A font that cannot be loaded is left out, and its letters are drawn in the
 * default font.
 */
import { delay } from '../../../lib/pending-work.ts';

/** Time that the first line waits for its fonts. */
const FIRST_LINE_WAIT_MS = 2_500;
/** Maximum bytes of all fonts of a film: a television has little memory. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Number of requests at a time, so that enough bandwidth is left for the film. */
const AT_ONCE = 3;

export interface LoadedFonts {
  /** Returns the fonts loaded so far, in the order in which they arrived. */
  loaded: () => readonly Uint8Array<ArrayBuffer>[];
  /** Resolves when all are loaded or `FIRST_LINE_WAIT_MS` have passed. Neither promise rejects. */
  inTime: Promise<void>;
  all: Promise<void>;
}

export function loadFonts(addresses: readonly string[], signal: AbortSignal): LoadedFonts {
  const fonts: Uint8Array<ArrayBuffer>[] = [];
  const waiting = [...addresses];
  let bytes = 0;
  const work = async (): Promise<void> => {
    for (let url = waiting.shift(); url !== undefined && !signal.aborted; url = waiting.shift()) {
      const font = await fontAt(url, signal);
      if (!font || bytes + font.length > MAX_BYTES) continue;
      bytes += font.length;
      fonts.push(font);
    }
  };
  const all = Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, work)).then(() => undefined);
  const late = delay(FIRST_LINE_WAIT_MS, { isBackground: true });
  return { loaded: () => [...fonts], inTime: addresses.length === 0 ? all : Promise.race([all, late]), all };
}

async function fontAt(url: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const reply = await fetch(url, { credentials: 'same-origin', signal });
    return reply.ok ? new Uint8Array(await reply.arrayBuffer()) : undefined;
  } catch {
    return undefined;
  }
}
