/** Messages with elements among their words: `rich(m.typeToConfirm, { word: <kbd>yes</kbd> })`. */
import type { ComponentChild } from 'preact';

const MARK = '\u0001';

/** The message in pieces, with each parameter replaced by its element where the language puts it. */
export function rich<P extends Readonly<Record<string, string>>>(
  message: (parameters: P) => string,
  parts: { readonly [K in keyof P]: ComponentChild },
): ComponentChild[] {
  const names = Object.keys(parts);
  const marked = Object.fromEntries(names.map((name) => [name, `${MARK}${name}${MARK}`])) as unknown as P;
  return message(marked)
    .split(MARK)
    .map((piece, at) => (at % 2 === 0 ? piece : parts[piece]))
    .filter((piece) => piece !== '');
}
