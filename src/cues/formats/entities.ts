/**
 * Character references as HTML has them: numeric ones with HTML's replacements, and the named ones
 * of HTML 4, which are all that subtitles use. Names of Latin 1 also count without a semicolon.
 * Source: HTML Standard, "Character reference state".
 */
// In the order of their code points, from 160.
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo ' +
  'frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve ' +
  'Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ' +
  'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const OTHERS =
  'apos:27 OElig:152 oelig:153 Scaron:160 scaron:161 Yuml:178 fnof:192 circ:2c6 tilde:2dc ' +
  'Alpha:391 Beta:392 Gamma:393 Delta:394 Epsilon:395 Zeta:396 Eta:397 Theta:398 Iota:399 Kappa:39a Lambda:39b Mu:39c Nu:39d Xi:39e Omicron:39f Pi:3a0 ' +
  'Rho:3a1 Sigma:3a3 Tau:3a4 Upsilon:3a5 Phi:3a6 Chi:3a7 Psi:3a8 Omega:3a9 alpha:3b1 beta:3b2 gamma:3b3 delta:3b4 epsilon:3b5 zeta:3b6 eta:3b7 theta:3b8 ' +
  'iota:3b9 kappa:3ba lambda:3bb mu:3bc nu:3bd xi:3be omicron:3bf pi:3c0 rho:3c1 sigmaf:3c2 sigma:3c3 tau:3c4 upsilon:3c5 phi:3c6 chi:3c7 psi:3c8 omega:3c9 ' +
  'thetasym:3d1 upsih:3d2 piv:3d6 ensp:2002 emsp:2003 thinsp:2009 zwnj:200c zwj:200d lrm:200e rlm:200f ndash:2013 mdash:2014 lsquo:2018 rsquo:2019 ' +
  'sbquo:201a ldquo:201c rdquo:201d bdquo:201e dagger:2020 Dagger:2021 bull:2022 hellip:2026 permil:2030 prime:2032 Prime:2033 lsaquo:2039 rsaquo:203a ' +
  'oline:203e frasl:2044 euro:20ac image:2111 weierp:2118 real:211c trade:2122 alefsym:2135 larr:2190 uarr:2191 rarr:2192 darr:2193 harr:2194 crarr:21b5 ' +
  'lArr:21d0 uArr:21d1 rArr:21d2 dArr:21d3 hArr:21d4 forall:2200 part:2202 exist:2203 empty:2205 nabla:2207 isin:2208 notin:2209 ni:220b prod:220f sum:2211 ' +
  'minus:2212 lowast:2217 radic:221a prop:221d infin:221e ang:2220 and:2227 or:2228 cap:2229 cup:222a int:222b there4:2234 sim:223c cong:2245 asymp:2248 ' +
  'ne:2260 equiv:2261 le:2264 ge:2265 sub:2282 sup:2283 nsub:2284 sube:2286 supe:2287 oplus:2295 otimes:2297 perp:22a5 sdot:22c5 lceil:2308 rceil:2309 ' +
  'lfloor:230a rfloor:230b lang:27e8 rang:27e9 loz:25ca spades:2660 clubs:2663 hearts:2665 diams:2666';

const NAMED = new Map<string, string>();
const BARE = new Map<string, string>();
LATIN.split(' ').forEach((name, n) => BARE.set(name, String.fromCodePoint(160 + n)));
for (const [name, char] of [
  ['amp', '&'],
  ['AMP', '&'],
  ['lt', '<'],
  ['LT', '<'],
  ['gt', '>'],
  ['GT', '>'],
  ['quot', '"'],
  ['QUOT', '"'],
  ['COPY', '©'],
  ['REG', '®'],
] as const)
  BARE.set(name, char);
for (const [name, char] of BARE) NAMED.set(name, char);
for (const entry of OTHERS.split(' ')) {
  const [name = '', hex = ''] = entry.split(':');
  NAMED.set(name, String.fromCodePoint(Number.parseInt(hex, 16)));
}
/** Length of the longest name. */
const LONGEST = 8;
/** Windows-1252 characters for 0x80 to 0x9f, which people mean by `&#150;`. */
const C1 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** Reads the reference at `at` (on the `&`). Returns its text and length; without a reference, `&` and 1. */
export function reference(text: string, at: number): { text: string; length: number } {
  return text.charCodeAt(at + 1) === 35 ? numeric(text, at) : named(text, at);
}

/** Replaces every reference of a text. */
export function unescapeText(text: string): string {
  if (!text.includes('&')) return text;
  const out: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) !== 38) continue;
    const found = reference(text, at);
    out.push(text.slice(from, at), found.text);
    from = at + found.length;
    at = from - 1;
  }
  out.push(text.slice(from));
  return out.join('');
}

function named(text: string, at: number): { text: string; length: number } {
  let to = at + 1;
  while (to - at <= LONGEST && isNameCharacter(text.charCodeAt(to))) to++;
  const name = text.slice(at + 1, to);
  const exact = NAMED.get(name);
  if (exact !== undefined && text.charCodeAt(to) === 59) return { text: exact, length: to + 1 - at };
  for (let end = name.length; end > 1; end--) {
    const char = BARE.get(name.slice(0, end));
    if (char !== undefined) return { text: char, length: end + 1 };
  }
  return { text: '&', length: 1 };
}

function numeric(text: string, at: number): { text: string; length: number } {
  const isHex = (text.charCodeAt(at + 2) | 32) === 120;
  const from = at + (isHex ? 3 : 2);
  let to = from;
  let code = 0;
  for (; to < text.length; to++) {
    const digit = digitOf(text.charCodeAt(to), isHex);
    if (digit < 0) break;
    code = Math.min(code * (isHex ? 16 : 10) + digit, 0x110000);
  }
  if (to === from) return { text: '&', length: 1 };
  const length = to - at + (text.charCodeAt(to) === 59 ? 1 : 0);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return { text: '\ufffd', length };
  if (code >= 0x80 && code <= 0x9f) return { text: C1.charAt(code - 0x80), length };
  return { text: String.fromCodePoint(code), length };
}

function digitOf(c: number, isHex: boolean): number {
  if (c >= 48 && c <= 57) return c - 48;
  const lower = c | 32;
  return isHex && lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function isNameCharacter(c: number): boolean {
  return (c >= 48 && c <= 57) || ((c | 32) >= 97 && (c | 32) <= 122);
}
