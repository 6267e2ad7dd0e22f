/**
 * Removes credits of subtitlers and advertisements, in the languages in which subtitles are shared.
 *
 * Careful, because a film may talk about subtitles. Well-known advertisements are removed anywhere; names of subtitlers
 * and bare addresses only at the start and the end of the file, and only if the line holds nothing else. A line of
 * speech in the same cue stays.
 */
import type { CuePiece } from '../change/rows.ts';
import { plainText } from '../cue.ts';
import { CONNECTORS, CREDIT_ROLES, SITES } from './credit-words.ts';
import type { Rule } from './types.ts';
import { editedCue, hasText, textLinesIn, withoutLines } from './text.ts';

/** Number of other cues after which the edge of a file ends. */
const EDGE = 6;
const LONGEST = 300;

/** Sentences that are advertisements wherever they occur. Compared without decoration, in lower case. */
const ADVERTISEMENTS: readonly RegExp[] = [
  /^(?:please )?support us and become (?:a )?vip member/,
  /^advertise your product or brand here/,
  /^please rate this subtitle at /,
  /^help other users to choose the best subtitles/,
  /^watch any video online with open-subtitles/,
  /^do you want subtitles for any video/,
  /^best watched using open subtitles mkv player/,
  /^become (?:a )?vip member to remove all ads/,
  /^(?:to )?remove all ads from www\./,
  /^contact www\.opensubtitles\.org today/,
  /^(?:created and )?encoded by -{0,4} ?bokutox/,
  /^the best 720p\/1080p\/3d movies with the lowest file size/,
  /^official yify movies site/,
  /^open subtitles mkv player$/,
  /^download (?:movies?|subtitles?|series) (?:from|at|on) www\./,
  /^find this subtitle at www\./,
  /^(?:редактор субтитров|корректор) \p{L}\.\s?\p{L}/u,
  /^субтитры (?:сделал|создавал|подогнал|делал) \S+$/u,
];
/** Phrases that make a line an advertisement. */
const ADVERTISED =
  /\bosdb\.link\b|\bapi\.opensubtitles\.(?:org|com) is deprecated|\b(?:my)?1xbet\b|\bamericascardroom\b/;
const ADDRESS =
  /^(?:https?:\/\/|www\.)\S+$|^[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9-]{1,63}){0,3}\.(?:com|org|net|info|tv|eu|me|to|cc|io|ws|fr|de|es|it|nl|pl|ru|cz|sk|hu|ro|gr|br|pt|se|dk|no|fi|rs|hr|si|bg|ua|tr|ir|il|vn|kr|jp|cn|tk|club|link|xyz|site|online|mx|am|ag|lt|re|st)(?:\/\S*)?$/;

/** A web address anywhere in a line. */
const DOMAIN = /[a-z0-9]\.(?:com|org|net|info|tv|eu|me|to|mx|re|st|cc|io|ws|[a-z]{2})(?![a-z0-9])/;

const ANY_SITE = new RegExp(SITES.map((site) => site.replaceAll('.', '\\.')).join('|'), 'i');
/** Marks that every advertisement has at least one of. Most cues have none and are not examined further. */
const SUSPECT = new RegExp(
  `${ANY_SITE.source}|support us|advertise|rate this|other users|any video|best watched|vip member|all ` +
    'ads|www\\.|bokutox|720p|yify|open subtitles|редактор|корректор|субтитры|1xbet|osdb|americascardroom',
  'i',
);

type Kind = 'sure' | 'edge' | 'open' | 'name' | 'address' | 'site' | 'speech';

export const removeCredits: Rule = (pieces) => {
  const first = edgeOf(pieces, 1);
  const last = edgeOf(pieces, -1);
  const out: CuePiece[] = [];
  const touched: number[] = [];
  pieces.forEach((piece, n) => {
    const gone = creditLines(plainText(piece.cue.spans), n <= first || n >= last);
    if (gone.size === 0) {
      out.push(piece);
      return;
    }
    for (const index of piece.from) touched.push(index);
    const cue = editedCue(piece.cue, withoutLines(plainText(piece.cue.spans), gone));
    if (hasText(cue)) out.push({ ...piece, cue });
  });
  return { pieces: out, touched };
};

/**
 * Returns the last index (from the start) or the first one (from the end) that belongs to the edge. Credits there do
 * not count as cues.
 */
function edgeOf(pieces: readonly CuePiece[], step: 1 | -1): number {
  let kept = 0;
  let at = step === 1 ? 0 : pieces.length - 1;
  for (; kept < EDGE && at >= 0 && at < pieces.length; at += step) {
    const text = plainText(pieces[at]?.cue.spans ?? []);
    if (creditLines(text, true).size < textLinesIn(text).length) kept++;
  }
  return at - step;
}

/** Returns the numbers of the lines that are credits: all of a cue, or those at its beginning or end. */
function creditLines(text: string, isEdge: boolean): Set<number> {
  const none = new Set<number>();
  // Credits are short.
  if (text.length > LONGEST || (!isEdge && !SUSPECT.test(text))) return none;
  const lines = textLinesIn(text).map((line) => line.text);
  // An advertisement may have several lines; lines above it stay.
  const from = lines.findIndex((_, n) =>
    ADVERTISEMENTS.some((pattern) => pattern.test(bare(lines.slice(n).join(' ')))),
  );
  if (from >= 0) return new Set([...lines.keys()].slice(from));
  const kinds = lines.map(kindOf);
  const gone = kinds.map((kind, n) => isCredit(kinds, n, isEdge) || (kind === 'speech' && bare(lines[n] ?? '') === ''));
  if (!gone.some((is, n) => is && kinds[n] !== 'speech')) return none;
  if (gone.every(Boolean)) return new Set(lines.keys());
  // Next to speech only certain credits are removed, and only at the beginning or the end.
  const isSure = (n: number): boolean => kinds[n] === 'sure';
  let head = 0;
  while (isSure(head)) head++;
  let tail = lines.length;
  while (tail > head && isSure(tail - 1)) tail--;
  return new Set([...lines.keys()].filter((n) => n < head || n >= tail));
}

function isCredit(kinds: readonly Kind[], n: number, isEdge: boolean): boolean {
  const kind = kinds[n];
  if (kind === 'sure' || (kind === 'open' && kinds[n + 1] === 'sure')) return true;
  if (!isEdge) return false;
  if (kind === 'edge' || kind === 'address' || kind === 'site') return true;
  // A single name counts only below the role that it belongs to, or above it.
  if (kind === 'name') return kinds[n - 1] === 'open' || (kinds[n - 1] === 'name' && isCredit(kinds, n - 1, isEdge));
  return kind === 'open' && (kinds[n + 1] === 'name' || kinds[n + 1] === 'address' || kinds[n + 1] === 'site');
}

function kindOf(line: string): Kind {
  const isSaid = /^\s{0,4}[-–—]\s?[^-–—=\s]/.test(line) && !/[-–—=~]\s{0,4}$/.test(line);
  const text = bare(line);
  if (text === '') return 'speech';
  const hasSite = ANY_SITE.test(text);
  const parts = roleOf(text);
  if (ADVERTISED.test(text) || (hasSite && (parts || ADDRESS.test(text)))) return 'sure';
  if (isSaid) return 'speech';
  if (ADDRESS.test(text) || /^@[\w.]+$/.test(text)) return 'address';
  if (hasSite && DOMAIN.test(text) && !/[?!.,]\s*$/.test(line)) return 'site';
  if (parts) {
    const rest = bareKept(line).slice(parts.length).trim();
    if (rest === '') return 'open';
    if (looksLikeName(rest, parts.isLoose)) return 'edge';
    return 'speech';
  }
  return looksLikeName(bareKept(line), false) ? 'name' : 'speech';
}

/** Returns a line without decoration (`== … ==`, `-=[ … ]=-`, notes, quotes) at both ends. */
function bareKept(line: string): string {
  return line
    .replace(/^[\s=~*♪♫#|<>[\](){}_"'“”«»•·.+-]+/, '')
    .replace(/[\s=~*♪♫#|<>[\](){}_"'“”«»•·+-]+$/, '')
    .replaceAll(/\s+/g, ' ');
}

const bare = (line: string): string =>
  bareKept(line)
    .toLowerCase()
    .replace(/[.,;]+$/, '');

/**
 * Finds a role at the start of a text. Returns the length of its words and of those before the name; `isLoose` if a
 * colon follows.
 */
function roleOf(text: string): { length: number; isLoose: boolean } | undefined {
  const role = CREDIT_ROLES.exec(text);
  if (!role) return undefined;
  const joint = CONNECTORS.exec(text.slice(role[0].length));
  if (!joint || joint[0] === '') return undefined;
  return { length: role[0].length + joint[0].length, isLoose: !joint[0].includes(':') };
}

/** Few words and no sentence. After `by` one word may be a nickname in lower case; after a colon it may not. */
function looksLikeName(text: string, allowsNickname: boolean): boolean {
  if (text.length > 60 || /[?!…;]|\.\.|[.,:]$|(?:n't|n’t|'m|'re|'ll|'ve|’m|’re|’ll|’ve)\b/i.test(text)) return false;
  const words = text.split(' ');
  if (words.length > 7) return false;
  const isName = (word: string): boolean =>
    /^[^\p{Ll}]/u.test(word) ||
    /[\d_@]/.test(word) ||
    /^(?:and|und|och|og|ja|et|y|e|i|a|és|și|si|ve|и|і|та|de|da|van|von|der|la|le|di|del|of|the|at|by|for|per|pour|por|für|&)$/.test(
      word,
    );
  return words.every(isName) || (allowsNickname && words.length === 1);
}
