/**
 * Names without characters that are not seen: they can reverse the order of what is read, or make two names look alike.
 */

/**
 * Format characters (bidirectional controls, soft hyphens, byte order marks, tags), line and paragraph separators, and
 * letters without a glyph.
 */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu;
const JOINERS = '\u200c\u200d';
/** Neighbours of a joiner that need it: letters, marks (a variation selector is one), and the parts of an emoji. */
const JOINABLE = /^[\p{L}\p{M}\p{Emoji_Modifier}\p{Extended_Pictographic}]/u;

/**
 * Returns text without invisible characters and without halves of characters. Joiners stay where a script or an emoji
 * needs them.
 */
export function withoutInvisible(text: string): string {
  const whole = text.toWellFormed();
  return whole.replaceAll(INVISIBLE, (character, at: number) => {
    const before = Array.from(whole.slice(Math.max(0, at - 2), at)).at(-1) ?? '';
    return JOINERS.includes(character) && JOINABLE.test(before) && JOINABLE.test(whole.slice(at + 1, at + 3))
      ? character
      : '';
  });
}
