/**
 * Loads the fonts that come with a film. One that cannot be had is left out: letters without their face are drawn in
 * the default one.
 */

/** How long the first line waits for its fonts. */
const PATIENCE_MS = 2_500;
/** A television has little memory. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Requests at a time, so that the film keeps its share of the line. */
const AT_ONCE = 3;

export interface LoadedFonts {
  /** Those that are here, in the order in which they came. */
  loaded: () => readonly Uint8Array<ArrayBuffer>[];
  /** Resolves when all are here or the patience is over. Neither promise rejects. */
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
  const late = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));
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
