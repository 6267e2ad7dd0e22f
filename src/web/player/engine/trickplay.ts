/** Preview pictures for the seek bar. A WebVTT file maps times to regions of sheets. */
import { useEffect, useState } from 'preact/hooks';
import { later, pendingUntil } from '../../lib/pending-work.ts';

export interface Tile {
  start: number;
  end: number;
  /** Address of the sheet. */
  url: string;
  x: number;
  y: number;
  width: number;
  height: number;
}
const MAX_TILES = 10_000;
const CUE = /^(?:(\d{1,3}):)?(\d\d):(\d\d)\.(\d{3})[ \t]+-->[ \t]+(?:(\d{1,3}):)?(\d\d):(\d\d)\.(\d{3})/;
const PLACE = /^([^#\s]+)#xywh=(?:pixel:)?(\d{1,5}),(\d{1,5}),(\d{1,5}),(\d{1,5})$/;
const seconds = (hours: string | undefined, minutes = '0', whole = '0', ms = '0'): number =>
  Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(whole) + Number(ms) / 1000;

/**
 * Reads the WebVTT file with the address `base`. Sheets of other servers are left out.
 */
export function tilesFrom(text: string, base: string): Tile[] {
  const tiles: Tile[] = [];
  const { origin } = new URL(base);
  let time: { start: number; end: number } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const cue = CUE.exec(line);
    if (cue) {
      time = { start: seconds(cue[1], cue[2], cue[3], cue[4]), end: seconds(cue[5], cue[6], cue[7], cue[8]) };
      continue;
    }
    const place = time && PLACE.exec(line.trim());
    if (!time || !place || tiles.length >= MAX_TILES) continue;
    const url = new URL(place[1] ?? '', base);
    const [x, y, width, height] = place.slice(2).map(Number) as [number, number, number, number];
    if (url.origin === origin && width > 0 && height > 0)
      tiles.push({ ...time, url: url.pathname + url.search, x, y, width, height });
    time = undefined;
  }
  return tiles.sort((a, b) => a.start - b.start);
}

/** Returns the last picture that began at or before a time. */
export function tileAt(tiles: readonly Tile[], time: number): Tile | undefined {
  let [low, high] = [0, tiles.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tiles[middle] as Tile).start <= time) low = middle + 1;
    else high = middle;
  }
  return tiles[Math.max(0, low - 1)];
}

/** Pause before pictures that are still being generated are requested again. */
const RETRY_MS = 15_000;
const MAX_REQUESTS = 20;

/** Returns the preview pictures of a film; empty while there are none. */
export function useTiles(address: string | undefined): readonly Tile[] {
  const [tiles, setTiles] = useState<readonly Tile[]>([]);
  useEffect(() => {
    setTiles([]);
    if (address === undefined) return;
    const leaving = new AbortController();
    let stop: (() => void) | undefined;
    const ask = async (count: number): Promise<void> => {
      const reply = await fetch(address, { credentials: 'same-origin', signal: leaving.signal });
      if (reply.status === 202 && count < MAX_REQUESTS)
        stop = later(RETRY_MS, () => void ask(count + 1).catch(() => undefined), { isBackground: true });
      else if (reply.status === 200) setTiles(tilesFrom(await reply.text(), new URL(address, location.origin).href));
    };
    pendingUntil('call', ask(0)).catch(() => undefined);
    return () => {
      stop?.();
      leaving.abort();
    };
  }, [address]);
  return tiles;
}
