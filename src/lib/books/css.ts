/**
 * Rewrites the style sheets of books: addresses of files inside the book become ours, and all others are removed.
 *
 * The text is read as tokens, so that escapes and comments hide nothing. Functions that take an address in other ways
 * than `url()` are renamed, which makes their declaration invalid.
 */

/** Returns the address that takes the place of one in the text; undefined removes it. */
export type ReplaceAddress = (address: string) => string | undefined;

const MAX_LENGTH = 4 * 1024 * 1024;
const IDENT_START = /[-_a-zA-Z\\\u0080-\uffff]/;
const IDENT = /(?:[-_a-zA-Z0-9\u0080-\uffff]|\\(?:[0-9a-fA-F]{1,6}\s?|[^\n0-9a-fA-F]))+/y;
const STRING = /"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?/y;
/** A number. Its unit, or a percent sign, follows: with `10%url(…)` a second value begins behind that sign. */
const NUMBER = /[0-9]+(?:\.[0-9]+)?/y;
/** An address without quotes ends at white space or a bracket. */
const BARE_ADDRESS = /(?:[^\s"'()\\]|\\[^\n])*/y;
const SPACE = /\s*/y;
/** Functions with an address as a string, or that draw something from elsewhere. */
const ADDRESS_FUNCTIONS: ReadonlySet<string> = new Set(
  'image-set -webkit-image-set image src cross-fade -webkit-cross-fade element paint expression attr'.split(' '),
);
/** Rules that end at the next semicolon and mean nothing here. */
const DROPPED_RULES: ReadonlySet<string> = new Set(['charset', 'namespace']);
const REMOVED = 'removed-';

const unescapeCss = (text: string): string =>
  text.replaceAll(/\\(?:([0-9a-fA-F]{1,6})\s?|\n|([^]))/g, (_, hex?: string, other?: string) => {
    if (hex === undefined) return other ?? '';
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '�' : String.fromCodePoint(code);
  });
const escapeString = (text: string): string =>
  `"${text.replaceAll(/[\\"<\n\r\f\0]/g, (one) => `\\${one.charCodeAt(0).toString(16)} `)}"`;
const escapeIdent = (text: string): string =>
  text.replaceAll(/[^-_a-zA-Z0-9\u0080-\u{10ffff}]/gu, (one) => `\\${(one.codePointAt(0) ?? 0).toString(16)} `);

interface Reading {
  text: string;
  at: number;
  out: string[];
  replace: ReplaceAddress;
}

const matchAt = (pattern: RegExp, { text, at }: Pick<Reading, 'text' | 'at'>): string => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
};

/** Returns a style sheet, or the content of a `style` attribute, without addresses outside the book. */
export function rewriteCss(text: string, replace: ReplaceAddress): string {
  // As a browser does first: an escape ends with one line break, whatever that is written as.
  const lines = text.slice(0, MAX_LENGTH).replaceAll(/\r\n|[\r\f]/g, '\n');
  const reading: Reading = { text: lines, at: 0, out: [], replace };
  while (reading.at < reading.text.length) step(reading);
  return reading.out.join('');
}

function step(reading: Reading): void {
  const { text, at, out } = reading;
  const one = text[at] ?? '';
  if (one === '/' && text[at + 1] === '*') {
    const end = text.indexOf('*/', at + 2);
    reading.at = end < 0 ? text.length : end + 2;
    out.push(' ');
  } else if (one === '"' || one === "'") {
    const string = matchAt(STRING, reading);
    reading.at += string.length;
    out.push(escapeString(valueOf(string)));
  } else if (one === '@') rule(reading);
  else if (/[0-9]/.test(one)) {
    // A number with its unit is no name.
    const number = matchAt(NUMBER, reading);
    reading.at += number.length;
    const unit = matchAt(IDENT, reading);
    reading.at += unit.length;
    out.push(number, escapeIdent(unescapeCss(unit)));
  } else if (IDENT_START.test(one)) name(reading);
  else {
    reading.at += 1;
    // Comment marks of HTML mean nothing in a style sheet, and a `<` is never needed in one.
    out.push(one === '<' || one === '\0' ? ' ' : one);
  }
}

const valueOf = (string: string): string => {
  const isClosed = string.length > 1 && string.endsWith(string[0] ?? '');
  return unescapeCss(string.slice(1, isClosed ? -1 : undefined));
};

function name(reading: Reading): void {
  const { out } = reading;
  const raw = matchAt(IDENT, reading);
  if (raw === '') {
    reading.at += 1;
    return;
  }
  reading.at += raw.length;
  const word = unescapeCss(raw);
  if (reading.text[reading.at] !== '(') return void out.push(escapeIdent(word));
  const lower = word.toLowerCase();
  if (lower === 'url' || lower === 'url-prefix') {
    const address = addressAt(reading);
    const own = address === undefined ? undefined : reading.replace(address);
    out.push(own === undefined ? 'none' : `url(${escapeString(own)})`);
  } else if (ADDRESS_FUNCTIONS.has(lower)) {
    skipBrackets(reading);
    out.push(`${REMOVED}${escapeIdent(lower)}()`);
  } else out.push(escapeIdent(word));
}

/** Moves behind the brackets that follow, with everything in them. */
function skipBrackets(reading: Reading): void {
  let depth = 0;
  while (reading.at < reading.text.length) {
    const one = reading.text[reading.at] ?? '';
    const string = one === '"' || one === "'" ? matchAt(STRING, reading) : '';
    reading.at += Math.max(1, string.length);
    if (one === '(') depth++;
    else if (one === ')' && --depth === 0) return;
  }
}

/** Reads the address in the brackets that follow, and moves behind them. */
function addressAt(reading: Reading): string | undefined {
  reading.at += 1;
  reading.at += matchAt(SPACE, reading).length;
  const quoted = matchAt(STRING, reading);
  const raw = quoted === '' ? matchAt(BARE_ADDRESS, reading) : quoted;
  reading.at += raw.length;
  const end = reading.text.indexOf(')', reading.at);
  const rest = end < 0 ? reading.text.slice(reading.at) : reading.text.slice(reading.at, end);
  reading.at = end < 0 ? reading.text.length : end + 1;
  if (rest.trim() !== '') return undefined;
  return quoted === '' ? unescapeCss(raw) : valueOf(quoted);
}

function rule(reading: Reading): void {
  reading.at += 1;
  const raw = matchAt(IDENT, reading);
  reading.at += raw.length;
  const word = unescapeCss(raw).toLowerCase();
  if (word === 'import') return importRule(reading);
  if (DROPPED_RULES.has(word)) {
    const end = reading.text.indexOf(';', reading.at);
    reading.at = end < 0 ? reading.text.length : end + 1;
    return;
  }
  reading.out.push(`@${escapeIdent(word === 'document' ? `${REMOVED}document` : word)}`);
}

/** An import of a style sheet inside the book stays; its conditions are left out. */
function importRule(reading: Reading): void {
  reading.at += matchAt(SPACE, reading).length;
  const string = matchAt(STRING, reading);
  let address: string | undefined;
  if (string !== '') {
    reading.at += string.length;
    address = valueOf(string);
  } else {
    const word = matchAt(IDENT, reading);
    reading.at += word.length;
    if (unescapeCss(word).toLowerCase() === 'url' && reading.text[reading.at] === '(') address = addressAt(reading);
  }
  const end = reading.text.indexOf(';', reading.at);
  reading.at = end < 0 ? reading.text.length : end + 1;
  const own = address === undefined ? undefined : reading.replace(address);
  if (own !== undefined) reading.out.push(`@import url(${escapeString(own)});`);
}
