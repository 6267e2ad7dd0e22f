/**
 * Reads the JSON that whisper.cpp writes with `-oj -ojf`: segments of text, each made of tokens with times and
 * probabilities. Returns words with a confidence. Pure; any content is read or refused.
 *
 * A token may end inside a UTF-8 character, so the file is split as bytes and words are decoded whole. Special tokens
 * are skipped. Punctuation belongs to the word before and does not lower its confidence.
 *
 * With a speech detector, whisper.cpp removes the silence before it transcribes. Then segments have times of the film,
 * but tokens have times of the shortened audio, which are converted back here.
 */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f]/g;

export interface SpokenWord {
  text: string;
  /** ms. */
  start: number;
  end: number;
  /** 0 to 1, the lowest of its tokens. */
  confidence: number;
  /** Whether no space precedes it, as in languages without spaces. */
  isJoined?: true;
}
export interface SpokenSegment {
  start: number;
  end: number;
  words: SpokenWord[];
}
export interface WhisperResult {
  /** Architecture that the file states (`small`, `large.v3.turbo`, `base.en`); missing if it states too little. */
  architecture?: string;
  segments: SpokenSegment[];
}

/** Special tokens of whisper.cpp: `[_BEG_]`, `[_TT_150]`, `<|endoftext|>`. */
const SPECIAL = /^(?:\[_[^\]]*\]|<\|[^|]*\|>)$/;
/** A special token after one that ends inside a character, which some versions append to it. */
const SPECIAL_BEHIND = /\[_[^\]]{1,40}\]$/;
/** Texts that whisper.cpp writes for silence. */
const SILENCE_TEXT = /^[[(](?:blank_audio|silence|no speech)[\])]$/i;
/** Whether a text has no letter or digit of any script. */
const isMark = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);
/** Latest accepted time, in milliseconds: 36 hours. */
const MAX_TIME_MS = 36 * 3_600_000;

const CLAUSE = /(?<=[、。!?！？，；：…])/u;
/** Characters of scripts without spaces; Korean has them. */
const WIDE = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/u;
const MAX_UNSPACED_LENGTH = 12;

/**
 * Shortest pause between two words of the shortened audio, in milliseconds, that can contain a cut, which leaves a
 * fifth of a second.
 */
const MIN_PAUSE_MS = 80;
const MAX_PAUSES = 16;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Parses a result; returns undefined if it is none. `isCut`: a speech detector was used. */
export function readWhisperResult(
  bytes: Buffer,
  { isCut = false }: { isCut?: boolean } = {},
): WhisperResult | undefined {
  const file = parsed(bytes.toString('latin1'));
  if (!isObject(file) || !Array.isArray(file['transcription'])) return undefined;
  const architecture = architectureOf(file['model']);
  return {
    ...(architecture !== undefined && { architecture }),
    segments: objectsOf(file['transcription'])
      .map((segment) => segmentOf(segment, isCut))
      .filter(({ words }) => words.length > 0),
  };
}

/**
 * Parses the JSON. The program only escapes quotation marks and backslashes, so a token can be a control character, and
 * a number can be `nan` or `inf`.
 */
function parsed(text: string): unknown {
  const repaired = (): string => text.replaceAll(CONTROLS, ' ').replaceAll(/"(p|t_dtw)": -?(?:nan|inf)\b/g, '"$1": 0');
  for (const one of [() => text, repaired]) {
    try {
      return JSON.parse(one());
    } catch {
      // Tries the text as it is, then repaired.
    }
  }
  return undefined;
}

/** Decodes bytes that were read as Latin-1. A character from an escape is not a byte and stays as it is. */
// oxlint-disable-next-line no-control-regex
const BEYOND_BYTES = /[^\u0000-\u00ff]/;
const decoded = (text: string): string =>
  BEYOND_BYTES.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8');

function timesOf(value: unknown): { start: number; end: number } | undefined {
  if (!isObject(value)) return undefined;
  const { from, to } = value;
  if (
    typeof from !== 'number' ||
    typeof to !== 'number' ||
    !Number.isFinite(from) ||
    !Number.isFinite(to) ||
    from < 0 ||
    to > MAX_TIME_MS
  )
    return undefined;
  return { start: Math.round(from), end: Math.round(Math.max(from, to)) };
}

function segmentOf(segment: Json, isCut: boolean): SpokenSegment {
  const times = timesOf(segment['offsets']);
  const said = decoded(textOf(segment['text'])).replaceAll('\ufffd', '').trim();
  if (!times || said === '' || SILENCE_TEXT.test(said)) return { start: 0, end: 0, words: [] };
  const tokens = objectsOf(segment['tokens']);
  const words = wordsOf(tokens, times, isCut ? clockOf(tokens, times) : (ms) => ms);
  return { ...times, words: words.length > 0 ? words : spreadWords(said, times) };
}

/** Distributes the time of a segment without tokens over its words by their length, with a medium confidence. */
function spreadWords(said: string, { start, end }: { start: number; end: number }): SpokenWord[] {
  const parts = said.split(/\s+/);
  const all = parts.reduce((sum, part) => sum + part.length + 1, 0);
  let at = start;
  return parts.flatMap((text): SpokenWord[] => {
    const from = at;
    at += ((text.length + 1) / all) * (end - start);
    return splitUnspaced({ text, start: Math.round(from), end: Math.round(at), confidence: 0.5 });
  });
}

interface WordBytes {
  bytes: string;
  start: number;
  end: number;
  confidence: number;
  /** Confidence of its punctuation. */
  markConfidence: number;
  isJoined: boolean;
}

/**
 * Returns a conversion from times of the shortened audio to times of the film. The last token ends with the segment.
 * The difference in length was cut out of the pauses between words, or else before the first word.
 */
function clockOf(tokens: readonly Json[], within: { start: number; end: number }): (ms: number) => number {
  const timed = tokens.flatMap((token) => {
    const times = timesOf(token['offsets']);
    const text = textOf(token['text']);
    return times ? [{ ...times, isSaid: !SPECIAL.test(text) && !isMark(decoded(text)) }] : [];
  });
  const last = timed.reduce((most, { end }) => Math.max(most, end), 0);
  // The first token may begin in the segment before. The shortened audio is never longer than the segment.
  const first = Math.max(
    timed.reduce((least, { start }) => Math.min(least, start), last),
    last - (within.end - within.start),
  );
  const cut = within.end - within.start - (last - first);
  const pauses: { from: number; length: number }[] = [];
  let at = first;
  for (const { start, end } of [...timed.filter(({ isSaid }) => isSaid), { start: last, end: last }]) {
    if (start - at >= MIN_PAUSE_MS) pauses.push({ from: at, length: start - at });
    at = Math.max(at, end);
  }
  const longest = pauses.toSorted((a, b) => b.length - a.length).slice(0, MAX_PAUSES);
  const silence = longest.reduce((all, { length }) => all + length, 0);
  const passed = (ms: number): number =>
    longest.reduce((all, { from, length }) => all + Math.min(length, Math.max(0, ms - from)), 0);
  return (ms) => Math.round(within.start + ms - first + cut * (silence === 0 ? 1 : passed(ms) / silence));
}

/** Joins tokens to words. A token that begins with a space begins a word. */
function wordsOf(
  tokens: readonly Json[],
  within: { start: number; end: number },
  clock: (ms: number) => number,
): SpokenWord[] {
  const words: WordBytes[] = [];
  let latest = within.start;
  for (const token of tokens) {
    const bytes = textOf(token['text']).replace(SPECIAL_BEHIND, '');
    if (bytes === '' || SPECIAL.test(bytes)) continue;
    const times = timesOf(token['offsets']);
    const start = Math.min(within.end, Math.max(latest, times ? clock(times.start) : latest));
    const end = Math.min(within.end, Math.max(start, times ? clock(times.end) : latest));
    latest = start;
    const p = typeof token['p'] === 'number' ? Math.min(1, Math.max(0, token['p'])) : 0;
    const last = words.at(-1);
    if (!last || /^[ \n]/.test(bytes) || isUnspaced(last.bytes, bytes))
      words.push({
        bytes,
        start,
        end,
        confidence: 1,
        markConfidence: 1,
        isJoined: last !== undefined && !/^[ \n]/.test(bytes),
      });
    else {
      last.bytes += bytes;
      last.end = Math.max(last.end, end);
    }
    const word = words.at(-1);
    if (!word) continue;
    // An incomplete character is a part of a word.
    const isOnlyMark = isMark(decoded(bytes)) && isWhole(bytes);
    if (isOnlyMark) word.markConfidence = Math.min(word.markConfidence, p);
    else word.confidence = Math.min(word.confidence, p);
  }
  return words.flatMap(({ bytes, start, end, confidence, markConfidence, isJoined }): SpokenWord[] => {
    // A character whose remaining bytes are missing cannot be decoded.
    const text = decoded(bytes)
      .replaceAll(/[\s\ufffd]+/g, ' ')
      .trim();
    if (text === '') return [];
    return splitUnspaced({
      text,
      start,
      end,
      confidence: isMark(text) ? markConfidence : confidence,
      ...(isJoined && { isJoined: true as const }),
    });
  });
}

const isWhole = (bytes: string): boolean => !decoded(bytes).includes('\ufffd');

/**
 * Whether a word ends between two tokens of a language without spaces: the text so far is complete, and the next token
 * is more than punctuation.
 */
function isUnspaced(before: string, bytes: string): boolean {
  const next = decoded(bytes);
  // The first byte of such a character; the others may be in the next token.
  const isWide = WIDE.test(next) || /^[\u00e3-\u00ed\u00ef]/.test(bytes);
  return isWide && isWhole(before) && WIDE.test(decoded(before).slice(-1)) && !(isMark(next) && isWhole(bytes));
}

/** Splits a long run of Chinese or Japanese, which have no spaces, after punctuation, or else anywhere. */
function splitUnspaced(word: SpokenWord): SpokenWord[] {
  if (!WIDE.test(word.text) || word.text.length <= MAX_UNSPACED_LENGTH) return [word];
  const parts = word.text.split(CLAUSE).flatMap((part) => {
    const letters = [...part];
    return Array.from({ length: Math.ceil(letters.length / MAX_UNSPACED_LENGTH) }, (_, n) =>
      letters.slice(n * MAX_UNSPACED_LENGTH, (n + 1) * MAX_UNSPACED_LENGTH).join(''),
    );
  });
  const each = (word.end - word.start) / word.text.length;
  let at = word.start;
  return parts.map((text, n) => {
    const start = at;
    at += text.length * each;
    return { ...word, text, start: Math.round(start), end: Math.round(at), ...(n > 0 && { isJoined: true as const }) };
  });
}

/** Returns the architecture from what the file states about the model: its kind, languages, vocabulary and layers. */
function architectureOf(model: unknown): string | undefined {
  if (!isObject(model)) return undefined;
  const type = textOf(model['type']).toLowerCase();
  if (!/^(?:tiny|base|small|medium)$/.test(type)) return type.startsWith('large') ? largeOf(model) : undefined;
  return model['multilingual'] === false ? `${type}.en` : type;
}

function largeOf({ vocab, text, mels }: Json): string {
  if (isObject(text) && text['layer'] === 4) return 'large.v3.turbo';
  // The third version uses more pitches and knows one more language. Nothing distinguishes the first two.
  return vocab === 51_866 || mels === 128 ? 'large.v3' : 'large.v2';
}
