/** Splits a release name into words, and finds those of the table of words among them. */
import { MAX_TOKENS, type ReleaseWord, WORDS } from './words.ts';

export interface NameToken {
  text: string;
  start: number;
  end: number;
}
export interface Hit {
  from: number;
  to: number;
  word: ReleaseWord;
  /** `5.1` of `DDP5.1`. */
  channels?: string;
}

/** Returns the words of a text in lower case and without apostrophes. `start` and `end` are offsets in the text. */
export function tokensOf(text: string): NameToken[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}'’+&]+/gu)].map((match) => ({
    text: match[0].toLowerCase().replaceAll(/['’]/g, ''),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Returns the longest word of the table that starts at this token. */
export function findWord(all: NameToken[], at: number, text: string): Hit | undefined {
  let joined = '';
  let best: Hit | undefined;
  for (let to = at; to < Math.min(all.length, at + MAX_TOKENS); to++) {
    const token = all[to];
    const previous = all[to - 1];
    // Words are joined over a separator or two, never over a longer gap.
    if (!token || (to > at && previous && token.start - previous.end > 2)) break;
    joined += token.text;
    if (joined.length > 30) break;
    const word = WORDS.get(joined) ?? (to === at ? shaped(joined, text, token) : undefined);
    if (word && !(word.field === 'channels' && to === at && /^\d+$/.test(joined)))
      best = { from: at, to: to + 1, word, ...channelsOf(joined, word) };
  }
  return best;
}

function channelsOf(joined: string, word: ReleaseWord): { channels?: string } {
  const digits = word.field === 'audio' ? /([1-7])([0-2])$/.exec(joined) : null;
  return digits ? { channels: `${digits[1]}.${digits[2]}` } : {};
}

/** Words with a number inside that no table lists: picture sizes, `DDP5`, `AAC2`. */
function shaped(word: string, text: string, token: NameToken): ReleaseWord | undefined {
  const size = /^(\d{3,4})x(\d{3,4})$/.exec(word);
  if (size) {
    const [width, height] = [Number(size[1]), Number(size[2])];
    const value =
      width >= 3800 || height >= 2000
        ? '2160p'
        : width >= 1900 || height >= 1000
          ? '1080p'
          : width >= 1200 || height >= 700
            ? '720p'
            : height >= 560
              ? '576p'
              : '480p';
    return { field: 'resolution', value, strong: true };
  }
  const audio = /^(ddp|dd\+|dd|aac|ac3|eac3|dts|flac|truehd|opus|pcm|lpcm|dtshd|ma|dtsx)[1-7]$/.exec(word)?.[1];
  if (audio === undefined || !/^\.\d/.test(text.slice(token.end, token.end + 2))) return undefined;
  const base = WORDS.get(audio);
  return base && { ...base, value: base.value, strong: true };
}
