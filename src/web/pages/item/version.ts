/** The version of an item that is chosen on its page, and its files as downloads. Pure. */
import type { DetailedItem } from '../../parts/details/types.ts';

export type ItemVersion = DetailedItem['versions'][number];

/** Returns the version that the address names, else the one that plays first. */
export const chosenVersion = (
  { versions }: Pick<DetailedItem, 'versions'>,
  asked: string | null,
): ItemVersion | undefined => versions.find(({ id }) => id === asked) ?? versions[0];

/** Returns how a link names a version: not at all if it plays first. */
export const versionQuery = (
  { versions }: Pick<DetailedItem, 'versions'>,
  version: ItemVersion | undefined,
): string | undefined => (version === versions[0] ? undefined : version?.id);

/** Returns the addresses of all files of a version; none if the Profile may not download. */
export function downloadsOf({ links }: Pick<DetailedItem, 'links'>, version: ItemVersion | undefined): string[] {
  const { download } = links;
  if (download === undefined || !version?.available) return [];
  return Array.from({ length: version.parts }, (_, at) => {
    const part = version.parts > 1 ? { part: String(at + 1) } : {};
    return `${download}?${new URLSearchParams({ version: version.id, ...part }).toString()}`;
  });
}
