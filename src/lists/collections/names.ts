/** Names of collections as they are compared: without regard to case, accents and punctuation. */
export const foldCollectionName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['’`]/g, '')
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns whether each word of a search begins a word of a name. */
export function isNamed(name: string, q: string): boolean {
  const words = foldCollectionName(name).split(' ');
  return foldCollectionName(q)
    .split(' ')
    .every((wanted) => words.some((word) => word.startsWith(wanted)));
}
