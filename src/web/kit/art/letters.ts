/** Tiles in place of a picture: the letters and the colour of a title or name. Pure. */

/** Returns two letters at most, from the words of a title. */
export const initialsOf = (title: string): string =>
  title
    .replace(/^(the|a|an|der|die|das|le|la|les|el)\s+/i, '')
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();

/** Returns a hue for a title, always the same one. */
export const hueOf = (title: string): number =>
  [...title].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
