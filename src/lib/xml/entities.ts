/** Named character references of HTML 4, which books of every age use. */

/** Names of the characters from U+00A0 to U+00FF, in their order. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute ' +
  'Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';
/** Names of Greek letters from U+0391 and from U+03B1, in their order; `-` is an unused place. */
const GREEK =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi ' +
  'Chi Psi Omega';
const OTHERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
  Yuml: 'Ÿ',
  fnof: 'ƒ',
  circ: 'ˆ',
  tilde: '˜',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  zwnj: '‌',
  zwj: '‍',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  dagger: '†',
  Dagger: '‡',
  bull: '•',
  hellip: '…',
  permil: '‰',
  prime: '′',
  Prime: '″',
  lsaquo: '‹',
  rsaquo: '›',
  oline: '‾',
  frasl: '⁄',
  euro: '€',
  trade: '™',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  harr: '↔',
  rArr: '⇒',
  hArr: '⇔',
  forall: '∀',
  part: '∂',
  exist: '∃',
  empty: '∅',
  nabla: '∇',
  isin: '∈',
  prod: '∏',
  sum: '∑',
  minus: '−',
  radic: '√',
  infin: '∞',
  cap: '∩',
  cup: '∪',
  int: '∫',
  there4: '∴',
  asymp: '≈',
  ne: '≠',
  equiv: '≡',
  le: '≤',
  ge: '≥',
  sub: '⊂',
  sup: '⊃',
  loz: '◊',
  spades: '♠',
  clubs: '♣',
  hearts: '♥',
  diams: '♦',
  sigmaf: 'ς',
};

const run = (names: string, from: number): (readonly [string, string])[] =>
  names.split(' ').map((name, at) => [name, String.fromCodePoint(from + at)] as const);

const NAMED: ReadonlyMap<string, string> = new Map([
  ...run(LATIN, 0xa0),
  ...run(GREEK, 0x391),
  ...run(GREEK.toLowerCase(), 0x3b1),
  ...Object.entries(OTHERS),
]);

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/g;

/** Returns the character of a number; the replacement character for one that no document may contain. */
function characterOf(code: number): string {
  const isAllowed =
    code === 9 || code === 10 || code === 13 || (code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff));
  return isAllowed && (code & 0xfffe) !== 0xfffe ? String.fromCodePoint(code) : '�';
}

/** Replaces character references. Unknown names stay as they are, and nothing is replaced twice. */
export const decodeReferences = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) =>
        decimal !== undefined
          ? characterOf(Number(decimal))
          : hex !== undefined
            ? characterOf(Number.parseInt(hex, 16))
            : (NAMED.get(name ?? '') ?? whole),
      )
    : text;
