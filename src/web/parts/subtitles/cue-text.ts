/**
 * The text of a WebVTT cue (W3C WebVTT 1, section 6.4) as a tree: bold, italic, underline, ruby, voice and
 * language spans. The tree is drawn as elements, so nothing in a subtitle can become markup of the page.
 */
export type CueTextNode =
  | string
  | { tag: 'b' | 'i' | 'u' | 'ruby' | 'rt' | 'span'; lang?: string; voice?: string; children: CueTextNode[] };
type Spot = Exclude<CueTextNode, string>;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
  quot: '"',
  apos: "'",
};
const plain = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));?/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '';
    },
  );

const TAGS: Readonly<Record<string, Spot['tag']>> = {
  b: 'b',
  i: 'i',
  u: 'u',
  ruby: 'ruby',
  rt: 'rt',
  c: 'span',
  v: 'span',
  lang: 'span',
};
/** A subtitle that nests deeper than this says nothing by it. */
const DEEPEST = 16;

function opened(inside: string): { name: string; spot: Spot } | undefined {
  const end = inside.search(/[.\s]/);
  const name = (end < 0 ? inside : inside.slice(0, end)).toLowerCase();
  const tag = TAGS[name];
  if (!tag) return undefined;
  const space = inside.search(/\s/);
  const note = space < 0 ? '' : plain(inside.slice(space + 1).trim());
  return {
    name,
    spot: {
      tag,
      ...(name === 'lang' && note && { lang: note }),
      ...(name === 'v' && note && { voice: note }),
      children: [],
    },
  };
}

/** Reads a cue's text. Unknown tags vanish and their text stays; what is not closed ends with the cue. */
export function piecesOf(text: string): CueTextNode[] {
  const root: Spot = { tag: 'span', children: [] };
  const open: { name: string; spot: Spot }[] = [{ name: '', spot: root }];
  const top = (): { name: string; spot: Spot } => open[open.length - 1] ?? { name: '', spot: root };
  for (const part of text.split(/(<[^>]*>)/)) {
    if (part === '') continue;
    if (!part.startsWith('<') || !part.endsWith('>')) {
      top().spot.children.push(plain(part));
      continue;
    }
    const inside = part.slice(1, -1);
    if (inside.startsWith('/')) {
      const name = inside.slice(1).trim().toLowerCase();
      const at = open.map((one) => one.name).lastIndexOf(name);
      if (at > 0) open.length = at;
      continue;
    }
    const found = opened(inside);
    if (!found || open.length > DEEPEST) continue;
    top().spot.children.push(found.spot);
    open.push(found);
  }
  return root.children;
}

/** The words alone, for a screen reader. */
export const plainTextOf = (pieces: readonly CueTextNode[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : plainTextOf(piece.children))).join('');
