/**
 * The JSON file that whisper.cpp writes with `-oj -ojf`: segments of text, each made of tokens with times and
 * probabilities. Read into words with a confidence. Pure; whatever is in the file, it is read or refused.
 *
 * A token may end inside a character of UTF-8, so the file is taken apart as bytes and words are decoded whole.
 * Special tokens say nothing; marks of punctuation belong to the word before and do not make it less sure.
 *
 * With a detector of speech, whisper.cpp cuts the silence out before it listens. Its segments are told in the time of
 * the film, and their tokens in the time of what is left: they are brought back here.
 */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f]/g;

export interface SpokenWord {
  text: string;
  /** ms. */
  start: number;
  end: number;
  /** 0 to 1: of its least sure token. */
  confidence: number;
  /** Written right after the word before, as in languages that know no spaces. */
  isJoined?: true;
}
export interface SpokenSegment {
  start: number;
  end: number;
  words: SpokenWord[];
}
export interface WhisperResult {
  /** `small`, `large.v3.turbo`, `base.en`: what the file says of the model; left out where it says too little. */
  architecture?: string;
  segments: SpokenSegment[];
}

/** Of whisper.cpp: `[_BEG_]`, `[_TT_150]`, `<|endoftext|>`. */
const SPECIAL = /^(?:\[_[^\]]*\]|<\|[^|]*\|>)$/;
/** The same behind a token that ends inside a character: some versions take what follows for the rest of it. */
const SPECIAL_BEHIND = /\[_[^\]]{1,40}\]$/;
/** What it writes where nothing is said. */
const NOTHING = /^[[(](?:blank_audio|silence|no speech)[\])]$/i;
/** Text without any letter or digit of any script. */
const isMark = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);
/** More than 36 hours. */
const LATEST = 36 * 3_600_000;

const CLAUSE = /(?<=[、。!?！？，；：…])/u;
/** Written without spaces; Korean has them. */
const WIDE = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/u;
const LONGEST_UNSPACED = 12;

/** Between two words, in what is left of the sound: room enough for a cut, of which a fifth of a second stays (ms). */
const LEAST_PAUSE = 80;
const MOST_PAUSES = 16;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Undefined when this is no such file. `isCut`: a detector of speech was used. */
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

/** It escapes quotation marks and backslashes alone: a token may be a control character, and a number none. */
function parsed(text: string): unknown {
  const mended = (): string => text.replaceAll(CONTROLS, ' ').replaceAll(/"(p|t_dtw)": -?(?:nan|inf)\b/g, '"$1": 0');
  for (const one of [() => text, mended]) {
    try {
      return JSON.parse(one());
    } catch {
      // As it is, or mended, or not at all.
    }
  }
  return undefined;
}

/**
 * Bytes that were read one by one, as the text that they are. A character from an escape is no byte, and stands for
 * itself.
 */
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
    to > LATEST
  )
    return undefined;
  return { start: Math.round(from), end: Math.round(Math.max(from, to)) };
}

function segmentOf(segment: Json, isCut: boolean): SpokenSegment {
  const times = timesOf(segment['offsets']);
  const said = decoded(textOf(segment['text'])).replaceAll('\ufffd', '').trim();
  if (!times || said === '' || NOTHING.test(said)) return { start: 0, end: 0, words: [] };
  const tokens = objectsOf(segment['tokens']);
  const words = wordsOf(tokens, times, isCut ? clockOf(tokens, times) : (ms) => ms);
  return { ...times, words: words.length > 0 ? words : spread(said, times) };
}

/** Without tokens, the words share the time of the segment by their length, and nobody knows how sure they are. */
function spread(said: string, { start, end }: { start: number; end: number }): SpokenWord[] {
  const parts = said.split(/\s+/);
  const all = parts.reduce((sum, part) => sum + part.length + 1, 0);
  let at = start;
  return parts.flatMap((text): SpokenWord[] => {
    const from = at;
    at += ((text.length + 1) / all) * (end - start);
    return unspaced({ text, start: Math.round(from), end: Math.round(at), confidence: 0.5 });
  });
}

interface Gathered {
  bytes: string;
  start: number;
  end: number;
  confidence: number;
  /** Of marks alone. */
  markConfidence: number;
  isJoined: boolean;
}

/**
 * From the time of what is left of the sound to that of the film. The last token ends where the segment does, and what
 * the segment is longer than its tokens was cut: out of the pauses between its words, or else before the first.
 */
function clockOf(tokens: readonly Json[], within: { start: number; end: number }): (ms: number) => number {
  const timed = tokens.flatMap((token) => {
    const times = timesOf(token['offsets']);
    const text = textOf(token['text']);
    return times ? [{ ...times, isSaid: !SPECIAL.test(text) && !isMark(decoded(text)) }] : [];
  });
  const last = timed.reduce((most, { end }) => Math.max(most, end), 0);
  // The first token may begin with the segment before, and nothing that is left is longer than it was.
  const first = Math.max(
    timed.reduce((least, { start }) => Math.min(least, start), last),
    last - (within.end - within.start),
  );
  const cut = within.end - within.start - (last - first);
  const pauses: { from: number; length: number }[] = [];
  let at = first;
  for (const { start, end } of [...timed.filter(({ isSaid }) => isSaid), { start: last, end: last }]) {
    if (start - at >= LEAST_PAUSE) pauses.push({ from: at, length: start - at });
    at = Math.max(at, end);
  }
  const longest = pauses.toSorted((a, b) => b.length - a.length).slice(0, MOST_PAUSES);
  const silence = longest.reduce((all, { length }) => all + length, 0);
  const passed = (ms: number): number =>
    longest.reduce((all, { from, length }) => all + Math.min(length, Math.max(0, ms - from)), 0);
  return (ms) => Math.round(within.start + ms - first + cut * (silence === 0 ? 1 : passed(ms) / silence));
}

/** Tokens that begin with a space begin a word. */
function wordsOf(
  tokens: readonly Json[],
  within: { start: number; end: number },
  clock: (ms: number) => number,
): SpokenWord[] {
  const gathered: Gathered[] = [];
  let latest = within.start;
  for (const token of tokens) {
    const bytes = textOf(token['text']).replace(SPECIAL_BEHIND, '');
    if (bytes === '' || SPECIAL.test(bytes)) continue;
    const times = timesOf(token['offsets']);
    const start = Math.min(within.end, Math.max(latest, times ? clock(times.start) : latest));
    const end = Math.min(within.end, Math.max(start, times ? clock(times.end) : latest));
    latest = start;
    const p = typeof token['p'] === 'number' ? Math.min(1, Math.max(0, token['p'])) : 0;
    const last = gathered.at(-1);
    if (!last || /^[ \n]/.test(bytes) || isUnspaced(last.bytes, bytes))
      gathered.push({
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
    const word = gathered.at(-1);
    if (!word) continue;
    // What is no whole character yet is a part of a word.
    const isOnlyMark = isMark(decoded(bytes)) && isWhole(bytes);
    if (isOnlyMark) word.markConfidence = Math.min(word.markConfidence, p);
    else word.confidence = Math.min(word.confidence, p);
  }
  return gathered.flatMap(({ bytes, start, end, confidence, markConfidence, isJoined }): SpokenWord[] => {
    // A character whose rest never came is nothing that can be read.
    const text = decoded(bytes)
      .replaceAll(/[\s\ufffd]+/g, ' ')
      .trim();
    if (text === '') return [];
    return unspaced({
      text,
      start,
      end,
      confidence: isMark(text) ? markConfidence : confidence,
      ...(isJoined && { isJoined: true as const }),
    });
  });
}

const isWhole = (bytes: string): boolean => !decoded(bytes).includes('\ufffd');

/** Between two words of a language without spaces: the one is whole, and the next is more than a mark. */
function isUnspaced(before: string, bytes: string): boolean {
  const next = decoded(bytes);
  // The first byte of such a character; the rest may be in the next token.
  const isWide = WIDE.test(next) || /^[\u00e3-\u00ed\u00ef]/.test(bytes);
  return isWide && isWhole(before) && WIDE.test(decoded(before).slice(-1)) && !(isMark(next) && isWhole(bytes));
}

/** Chinese and Japanese are written without spaces: a long run is cut after its marks, or else anywhere. */
function unspaced(word: SpokenWord): SpokenWord[] {
  if (!WIDE.test(word.text) || word.text.length <= LONGEST_UNSPACED) return [word];
  const parts = word.text.split(CLAUSE).flatMap((part) => {
    const letters = [...part];
    return Array.from({ length: Math.ceil(letters.length / LONGEST_UNSPACED) }, (_, n) =>
      letters.slice(n * LONGEST_UNSPACED, (n + 1) * LONGEST_UNSPACED).join(''),
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

/** Put together from what the file says of the model: its kind, its languages, its vocabulary and its layers. */
function architectureOf(model: unknown): string | undefined {
  if (!isObject(model)) return undefined;
  const type = textOf(model['type']).toLowerCase();
  if (!/^(?:tiny|base|small|medium)$/.test(type)) return type.startsWith('large') ? largeOf(model) : undefined;
  return model['multilingual'] === false ? `${type}.en` : type;
}

function largeOf({ vocab, text, mels }: Json): string {
  if (isObject(text) && text['layer'] === 4) return 'large.v3.turbo';
  // The third version hears more pitches and knows one more language; the first two are told apart by nothing.
  return vocab === 51_866 || mels === 128 ? 'large.v3' : 'large.v2';
}
