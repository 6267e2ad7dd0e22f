/** Parses lyrics: plain text, and LRC with the time of each line. Pure and linear. */
export interface LyricLine {
  /** Seconds. */
  start?: number;
  text: string;
}
export interface ParsedLyrics {
  synced: boolean;
  language?: string;
  lines: LyricLine[];
}

/** Extensions of the files next to a track that may hold its lyrics, in the order in which they are tried. */
export const LYRICS_EXTENSIONS = ['lrc', 'LRC', 'txt'] as const;

const LYRICS_NAME = /\.(lrc|txt)$/i;
export const isLyricsName = (name: string): boolean => LYRICS_NAME.test(name);

const MAX_LINES = 10_000;
const MAX_LINE = 2_000;
const STAMP = /^\s{0,8}\[(\d{1,3}):(\d{1,2})(?:[.:](\d{1,3}))?\]/;
const TAG = /^\s{0,8}\[([a-z#]{1,16}):([^\]]{0,200})\]\s{0,8}$/i;
/** Times of single words, in lines that have them. */
const WORD_STAMP = /<\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?>/g;

/** Parses LRC: several stamps a line, and `[offset:ms]`, of which a positive one shows lines earlier. */
export function parseLyrics(text: string): ParsedLyrics {
  const stamped: { start: number; text: string; at: number }[] = [];
  const plain: LyricLine[] = [];
  let offset = 0;
  let language: string | undefined;
  let rest = text.startsWith('\uFEFF') ? text.slice(1) : text;
  for (let count = 0; rest !== '' && count < MAX_LINES; count++) {
    const end = /\r\n|\r|\n/.exec(rest);
    let line = (end ? rest.slice(0, end.index) : rest).slice(0, MAX_LINE);
    rest = end ? rest.slice(end.index + end[0].length) : '';
    const tag = TAG.exec(line);
    if (tag && STAMP.exec(line) === null) {
      const value = (tag[2] ?? '').trim();
      if (tag[1]?.toLowerCase() === 'offset' && /^[+-]?\d{1,6}$/.test(value)) offset = Number(value) / 1000;
      if (tag[1]?.toLowerCase() === 'la' && /^[a-z]{2,3}(?:-[a-z]{2,4})?$/i.test(value)) language = value.toLowerCase();
      continue;
    }
    const starts: number[] = [];
    for (let stamp = STAMP.exec(line); stamp; stamp = STAMP.exec(line)) {
      starts.push(secondsOf(stamp));
      line = line.slice(stamp[0].length);
    }
    const words = line.replaceAll(WORD_STAMP, '').trim();
    plain.push({ text: words });
    for (const start of starts)
      if (stamped.length < MAX_LINES) stamped.push({ start, text: words, at: stamped.length });
  }
  const lines =
    stamped.length === 0
      ? trimmed(plain)
      : stamped
          .map((line) => ({ ...line, start: Math.max(0, Math.round((line.start - offset) * 1000) / 1000) }))
          .sort((a, b) => a.start - b.start || a.at - b.at)
          .map(({ start, text: words }) => ({ start, text: words }));
  return { synced: stamped.length > 0, ...(language !== undefined && { language }), lines };
}

const secondsOf = ([, minutes = '0', seconds = '0', part = '']: RegExpExecArray): number =>
  Number(minutes) * 60 + Number(seconds) + (part === '' ? 0 : Number(part) / 10 ** part.length);

/** Leaves out empty lines at the start and the end. */
function trimmed(lines: readonly LyricLine[]): LyricLine[] {
  const first = lines.findIndex(({ text }) => text !== '');
  const last = lines.findLastIndex(({ text }) => text !== '');
  return first < 0 ? [] : lines.slice(first, last + 1);
}
