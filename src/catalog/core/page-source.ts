/** Facts and pictures of people and sets, which the domain of a metadata service supplies. */
import type { ArtworkSource } from '../types.ts';

/** Facts and pictures of one sort of page, by the id at TMDB. */
export interface PageSource<F extends object> {
  /**
   * Returns the facts, and whether they are being fetched, without waiting for that. With `isKeptOnly` nothing is
   * fetched.
   */
  of(tmdb: string, options?: { isKeptOnly?: boolean }): Promise<{ facts: F | undefined; isPending: boolean }>;
  /** Returns the file of a picture by its path at the service; undefined if there is none. */
  picture(path: string): Promise<Pick<ArtworkSource, 'root' | 'relative'> | undefined>;
}

/** Facts of a set of films. */
export interface SetFacts {
  overview?: string;
  /** Path of the poster at the metadata service. */
  poster?: string;
}
export type SetSource = PageSource<SetFacts>;

/** Returns a source that knows nothing until another one takes over. */
export function createReplaceableSource<F extends object>(): PageSource<F> & { use(source: PageSource<F>): void } {
  let current: PageSource<F> | undefined;
  return {
    of: async (...asked) => (await current?.of(...asked)) ?? { facts: undefined, isPending: false },
    picture: async (path) => current?.picture(path),
    use: (source) => void (current = source),
  };
}
