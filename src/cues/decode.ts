/**
 * Decodes bytes to text: finds the character set of a subtitle, how certain it is, and the text.
 *
 * Tried in this order: the user's choice; a byte order mark; UTF-16 by its zero bytes; UTF-8, of which up to one
 * sequence in twenty may be broken; the XML declaration; a statistical detector over the sets that browsers know. The
 * detector takes 15 MiB of memory and is loaded only when it is needed.
 */
import { SUBTITLE_ENCODINGS } from '../contract/subtitles/encodings.ts';
import { Failure } from '../lib/failure.ts';
import { checkSize } from './limits.ts';

/** WHATWG labels that may be chosen by hand. */
export const ENCODINGS: readonly string[] = SUBTITLE_ENCODINGS.filter((label) => label !== 'auto');

/** Sets that the detector may return: those that the platform can decode and that subtitles are written in. */
const CANDIDATES = [
  'ibm866',
  'iso-8859-2',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-13',
  'iso-8859-15',
  'iso-8859-16',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'x-mac-cyrillic',
  'windows-874',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'gb18030',
  'big5',
  'euc-jp',
  'iso-2022-jp',
  'shift_jis',
  'cp932',
  'euc-kr',
  'cp949',
];
const DETECTOR_NAMES: Readonly<Record<string, string>> = {
  macroman: 'macintosh',
  'mac-roman': 'macintosh',
  maccyrillic: 'x-mac-cyrillic',
  'mac-cyrillic': 'x-mac-cyrillic',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  'big5-hkscs': 'big5',
  'euc-jis-2004': 'euc-jp',
  'shift-jis-2004': 'shift_jis',
  'iso-2022-jp-2': 'iso-2022-jp',
  'tis-620': 'windows-874',
  cp874: 'windows-874',
  'iso-8859-11': 'windows-874',
};
/** The Windows set of the same script: bytes 0x80 to 0x9f are letters and quotes there, and undefined in ISO 8859. */
const WINDOWS_OF: Readonly<Record<string, string>> = {
  'iso-8859-2': 'windows-1250',
  'iso-8859-16': 'windows-1250',
  'iso-8859-5': 'windows-1251',
  'iso-8859-15': 'windows-1252',
  'iso-8859-7': 'windows-1253',
  'iso-8859-8': 'windows-1255',
  'iso-8859-6': 'windows-1256',
  'iso-8859-4': 'windows-1257',
  'iso-8859-13': 'windows-1257',
};
/**
 * The Windows sets by the two-letter codes of the languages that are written in them. English is in that of French: the
 * few accents in an English text are in words from French.
 */
const SET_OF: readonly (readonly [encoding: string, languages: ReadonlySet<string>])[] = [
  ['windows-1250', new Set(['cs', 'sk', 'pl', 'hu', 'ro', 'hr', 'sl', 'bs', 'sr', 'sq'])],
  ['windows-1251', new Set(['ru', 'uk', 'bg', 'sr', 'mk', 'be', 'kk', 'mn'])],
  [
    'windows-1252',
    new Set([
      'en',
      'fr',
      'de',
      'es',
      'it',
      'pt',
      'nl',
      'sv',
      'da',
      'nb',
      'no',
      'nn',
      'fi',
      'is',
      'ca',
      'gl',
      'eu',
      'ga',
      'af',
      'id',
      'ms',
    ]),
  ],
  ['windows-1253', new Set(['el'])],
  ['windows-1254', new Set(['tr', 'az'])],
  ['windows-1255', new Set(['he', 'yi'])],
  ['windows-1256', new Set(['ar', 'fa', 'ur'])],
  ['windows-1257', new Set(['lt', 'lv', 'et'])],
  ['windows-1258', new Set(['vi'])],
  ['windows-874', new Set(['th'])],
];
const FAMILY: Readonly<Record<string, string>> = {
  'koi8-r': 'windows-1251',
  'koi8-u': 'windows-1251',
  ibm866: 'windows-1251',
  'x-mac-cyrillic': 'windows-1251',
  macintosh: 'windows-1252',
};
/** Up to this number of different non-ASCII bytes the detector guesses: they are letters in many sets. */
const MAX_GUESSED_BYTES = 4;
/** The bytes in which ISO 8859-15 differs from Windows 1252. */
const LATIN_9 = new Set([0xa4, 0xa6, 0xa8, 0xb4, 0xb8, 0xbc, 0xbd, 0xbe]);
const TOLERATED = 0.05;

export interface DecodedText {
  /** Text without the byte order mark. */
  text: string;
  /** The WHATWG label. */
  encoding: string;
  /** 0 to 1; 1 if the file states it or a user chose it. */
  confidence: number;
  /** How the set was found. */
  by: 'chosen' | 'bom' | 'utf-16' | 'utf-8' | 'declared' | 'detector' | 'fallback';
  hasBom: boolean;
  /** Characters that could not be decoded (shown as U+FFFD). */
  bad: number;
}

/**
 * Decodes a whole file. `encoding` is a WHATWG label or `auto`; `language` (BCP 47) is the language that the file
 * claims, and counts only where the detector guesses. Throws `Failure('invalid')` for an unknown label or more than 4
 * MiB.
 */
export async function decodeText(bytes: Uint8Array, encoding = 'auto', language?: string): Promise<DecodedText> {
  checkSize(bytes.length);
  if (encoding !== 'auto') return decodedAs(bytes, encodingOf(encoding) ?? unknown(), 1, 'chosen');
  const marked = bomOf(bytes);
  if (marked) return decodedAs(bytes, marked, 1, 'bom');
  const wide = wideOf(bytes);
  if (wide) return decodedAs(bytes, wide, 0.95, 'utf-16');
  const { good, bad, hasEscapes } = utf8Counts(bytes);
  if (good + bad === 0 && !hasEscapes) return decodedAs(bytes, 'utf-8', 1, 'utf-8');
  if (good > 0 && bad <= (good + bad) * TOLERATED) return decodedAs(bytes, 'utf-8', 1 - bad / (good + bad), 'utf-8');
  const declared = declaredIn(bytes);
  if (declared) return decodedAs(bytes, declared, 0.9, 'declared');
  const found = likely(await detected(bytes), bytes, language);
  return found
    ? decodedAs(bytes, found.encoding, found.confidence, 'detector')
    : decodedAs(bytes, 'windows-1252', 0, 'fallback');
}

/** Returns the standard name of a label, or undefined for a set that is not offered. */
export function encodingOf(label: string): string | undefined {
  let name: string;
  try {
    name = new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
  return ENCODINGS.includes(name) ? name : undefined;
}

function unknown(): never {
  throw new Failure('invalid', 'unknown character set', { reason: 'subtitle-malformed' });
}

function decodedAs(bytes: Uint8Array, encoding: string, confidence: number, by: DecodedText['by']): DecodedText {
  const hasBom = bomOf(bytes) === encoding;
  const text = new TextDecoder(encoding).decode(bytes);
  let bad = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) bad++;
  return { text, encoding, confidence: Math.round(confidence * 1000) / 1000, by, hasBom, bad };
}

function bomOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** Returns the set that an XML declaration names. UTF-8 was ruled out before. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const label = /^<\?xml\s[^>]*?\bencoding\s?=\s?["']([\w.:-]{2,32})["']/.exec(head)?.[1];
  const encoding = label === undefined ? undefined : encodingOf(label);
  return encoding === undefined || encoding.startsWith('utf-') ? undefined : encoding;
}

/** Detects UTF-16 without a byte order mark: digits, spaces and line ends leave zero bytes on one side only. */
function wideOf(bytes: Uint8Array): string | undefined {
  const pairs = Math.floor(Math.min(bytes.length, 65_536) / 2);
  if (pairs < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < pairs * 2; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  if (odd > pairs * 0.1 && even <= pairs * 0.01) return 'utf-16le';
  if (even > pairs * 0.1 && odd <= pairs * 0.01) return 'utf-16be';
  return undefined;
}

/** Counts good and broken sequences of more than one byte. Source: RFC 3629, section 4. */
function utf8Counts(bytes: Uint8Array): { good: number; bad: number; hasEscapes: boolean } {
  let good = 0;
  let bad = 0;
  let hasEscapes = false;
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    if (first < 0x80) {
      if (first === 0x1b) hasEscapes = true;
      at++;
      continue;
    }
    const length = sequenceLength(bytes, at, first);
    if (length > 0) good++;
    else bad++;
    at += Math.max(1, length);
  }
  return { good, bad, hasEscapes };
}

function sequenceLength(bytes: Uint8Array, at: number, first: number): number {
  const length =
    first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
  if (length === 0) return 0;
  const second = bytes[at + 1] ?? 0;
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  for (let n = 2; n < length; n++) if (((bytes[at + n] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

async function detected(bytes: Uint8Array): Promise<{ encoding: string; confidence: number } | undefined> {
  const { detect } = await import('jschardet');
  const answer = detect(bytes, { minimumThreshold: 0, detectEncodings: [...CANDIDATES] });
  if (answer.encoding === null) return undefined;
  const name = answer.encoding
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^iso8859/, 'iso-8859');
  const encoding = encodingOf(DETECTOR_NAMES[name] ?? name) ?? encodingOf(answer.encoding);
  return encoding === undefined ? undefined : { encoding: settled(encoding, bytes), confidence: answer.confidence };
}

/** Replaces the detector's guess by the set of the language if that language is not written in the guessed one. */
function likely(
  found: { encoding: string; confidence: number } | undefined,
  bytes: Uint8Array,
  language: string | undefined,
): typeof found {
  const base = language?.split('-', 1)[0];
  const sets = SET_OF.filter(([, languages]) => base !== undefined && languages.has(base)).map(
    ([encoding]) => encoding,
  );
  const [first] = sets;
  if (!found || first === undefined || new Set(bytes.filter((byte) => byte >= 0x80)).size > MAX_GUESSED_BYTES)
    return found;
  const family = FAMILY[found.encoding] ?? WINDOWS_OF[found.encoding] ?? found.encoding;
  return sets.includes(family) ? found : { encoding: first, confidence: found.confidence };
}

/** Bytes that are letters in a set of the Macintosh, and those that are letters in the Windows set of its script. */
const MAC_SETS: Readonly<
  Record<string, { windows: string; isMac(byte: number): boolean; isWindows(byte: number): boolean }>
> = {
  // An apostrophe of Windows is between letters, too.
  macintosh: {
    windows: 'windows-1252',
    isMac: (byte) => byte <= 0x9f && byte !== 0x92,
    isWindows: (byte) => byte >= 0xe0 && byte !== 0xf7,
  },
  // The small letters are the same; capitals and the last letter of the alphabet are not.
  'x-mac-cyrillic': {
    windows: 'windows-1251',
    isMac: (byte) => byte <= 0x9f || byte === 0xdf,
    isWindows: (byte) => (byte >= 0xc0 && byte <= 0xde) || byte === 0xff,
  },
};

/** Decides between a set of the Macintosh and that of Windows by the bytes next to letters. */
function settledMac(encoding: string, bytes: Uint8Array): string {
  const set = MAC_SETS[encoding];
  if (!set) return encoding;
  const isLetter = (byte = 0): boolean =>
    ((byte | 32) >= 97 && (byte | 32) <= 122) || (encoding !== 'macintosh' && byte >= 0xe0);
  let mac = 0;
  let windows = 0;
  bytes.forEach((byte, at) => {
    if (byte < 0x80 || !(isLetter(bytes[at - 1]) || isLetter(bytes[at + 1]))) return;
    if (set.isMac(byte)) mac++;
    else if (set.isWindows(byte)) windows++;
  });
  return mac > windows ? encoding : set.windows;
}

/** Decides between an ISO set and the Windows set of the same script by the bytes that only one of them has. */
function settled(encoding: string, bytes: Uint8Array): string {
  if (encoding in MAC_SETS) return settledMac(encoding, bytes);
  const windows = WINDOWS_OF[encoding];
  if (windows === undefined) return encoding;
  let differs = encoding !== 'iso-8859-15';
  for (const byte of bytes) {
    if (byte >= 0x80 && byte <= 0x9f) return windows;
    differs ||= LATIN_9.has(byte);
  }
  return differs ? encoding : windows;
}
