/**
 * Patterns of file names in which `*` matches any characters and letter case is ignored, such as `*.sample.*`. Matching
 * takes time in proportion to the name for each part of the pattern; no regular expression is built from user input.
 */

const MAX_CHARACTERS = 128;

/** Returns whether a text is a usable pattern: on one line, without a slash, and not one that matches every name. */
export const isNamePattern = (text: string): boolean =>
  text.length <= MAX_CHARACTERS && /^[^/\p{Cc}]+$/u.test(text) && /[^*\s]/.test(text);

/** Returns a function that says whether any of the patterns matches a whole name. */
export function matchNames(patterns: readonly string[]): (name: string) => boolean {
  const split = patterns.map((pattern) => fold(pattern).split('*'));
  return split.length === 0 ? () => false : (name) => split.some((parts) => isMatch(parts, fold(name)));
}

/** macOS stores names decomposed, so both sides are composed. */
const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/** The first part has to be at the start and the last at the end; the others are taken as early as possible. */
function isMatch(parts: readonly string[], name: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
