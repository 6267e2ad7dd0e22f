/** The sizes in which TMDB has pictures, as `/configuration` lists them; kept for three days. */
import type { Clock } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import type { MetadataClient } from './client.ts';
import { PictureSizes } from './replies.ts';

const KEEP_MS = 3 * 86_400_000;
/** Sizes that are used until the list was read. */
const DEFAULT_SIZES: PictureSizes['images'] = {
  poster_sizes: ['w92', 'w342', 'w780', 'original'],
  backdrop_sizes: ['w300', 'w780', 'w1280', 'original'],
  still_sizes: ['w92', 'w185', 'w300', 'original'],
  logo_sizes: ['w92', 'w300', 'w500', 'original'],
};
/** Width in pixels that each kind of picture is fetched in. */
const WIDTHS = { poster: 780, backdrop: 1280, still: 600, logo: 500 } as const;
export type ProviderPictureKind = keyof typeof WIDTHS;

/** Returns the smallest size that is at least this wide, else the original. */
export const sizeFor = (sizes: readonly string[], width: number): string =>
  sizes
    .map((name) => ({ name, width: Number(/^w(\d{1,5})$/.exec(name)?.[1] ?? Infinity) }))
    .filter((size) => size.width >= width)
    .toSorted((one, two) => one.width - two.width)[0]?.name ?? 'original';

export function createSizes(client: Pick<MetadataClient, 'read'>, clock: Pick<Clock, 'monotonic'>) {
  let known: { at: number; sizes: PictureSizes['images'] } | undefined;
  return async (kind: ProviderPictureKind, signal: AbortSignal): Promise<string> => {
    if (!known || clock.monotonic() - known.at > KEEP_MS) {
      const sizes = await client.read({ path: '/configuration', shape: PictureSizes }, signal).catch(ignoreUnavailable);
      if (sizes) known = { at: clock.monotonic(), sizes: sizes.images };
    }
    return sizeFor((known?.sizes ?? DEFAULT_SIZES)[`${kind}_sizes`], WIDTHS[kind]);
  };
}

/** The sizes hardly ever change, so those known before are used while the provider cannot be asked. */
function ignoreUnavailable(error: unknown): undefined {
  if (error instanceof Failure && error.kind === 'unavailable') return undefined;
  throw error;
}
