/**
 * Scales times inside the text of an ASS or SSA line when the pace of the film changes: lengths of karaoke (`\k \K \kf
 * \ko`, hundredths), its beginnings (`\kt`), and the ms of `\t \move \fad \fade`. They count from the start of their
 * line, so that an offset alone does not change them.
 *
 * Promises: linear; only the digits of such times change; the syllables of a line end together where the scaled line
 * ends, however short each one is. Source: the ASS notes of Aegisub and libass, which distinguish the two kinds of
 * fade, and of `\t`, by the number of arguments.
 */

/** Returns the text field of a line with its times × `pace`. */
export function scaledTimes(text: string, pace: number): string {
  if (!text.includes('{')) return text;
  const karaoke = createKaraoke(pace);
  let out = '';
  let from = 0;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', from)) {
    // An escaped brace opens no block.
    const close = text[at - 1] === '\\' ? at : text.indexOf('}', at);
    if (close < 0) break;
    out += text.slice(from, at) + (close === at ? '{' : scaledBlock(text.slice(at, close + 1), pace, karaoke));
    from = close + 1;
  }
  return out + text.slice(from);
}

type Karaoke = (kind: string, value: string) => string;

/** Scales syllables by the running sum, so that rounding errors do not add up. */
function createKaraoke(pace: number): Karaoke {
  let sum = 0;
  return (kind, value) => {
    const before = kind === 'kt' ? 0 : sum;
    sum = before + Number(value);
    return String(Math.round(sum * pace) - Math.round(before * pace));
  };
}

/**
 * Matches a tag's name and the number or parenthesis after it. Tags inside the parentheses of another tag are not
 * searched.
 */
const TAG = /\\(?:(k[fot]?|K)(\s?)(\d{1,7}(?:\.\d{1,3})?)(?=[\s\\})])|(t|move|fade?)(\s?)\(|[^\\(}]{0,64}\()/y;

function scaledBlock(block: string, pace: number, karaoke: Karaoke): string {
  let out = '';
  for (let at = 0; at < block.length;) {
    const next = block.indexOf('\\', at);
    if (next < 0) return out + block.slice(at);
    out += block.slice(at, next);
    TAG.lastIndex = next;
    const found = TAG.exec(block);
    if (!found) {
      out += '\\';
      at = next + 1;
      continue;
    }
    at = next + found[0].length;
    const [, syllable, space, value, name] = found;
    if (syllable !== undefined) out += `\\${syllable}${space}${karaoke(syllable, value ?? '')}`;
    else {
      const to = closing(block, at);
      out += found[0] + (name === undefined ? block.slice(at, to) : scaledArguments(name, block.slice(at, to), pace));
      at = to;
    }
  }
  return out;
}

/** Returns where the parenthesis opened before `from` closes. A block may lack the closing one. */
function closing(block: string, from: number): number {
  let depth = 1;
  for (let at = from; at < block.length - 1; at++) {
    const c = block[at];
    if (c === '(') depth++;
    else if (c === ')' && --depth === 0) return at;
  }
  return block.length - 1;
}

function scaledArguments(name: string, text: string, pace: number): string {
  const tags = text.indexOf('\\');
  const numbers = (name === 't' && tags >= 0 ? text.slice(0, tags) : text).split(',');
  // `\t` has a comma before its tags: a value after that is no number.
  const count = name === 't' && tags >= 0 ? numbers.length - 1 : numbers.length;
  const isTime = timesOf(name, count);
  const scaled = numbers.map((each, n) =>
    isTime(n) ? each.replace(/-?\d{1,9}(?:\.\d{1,3})?/, (value) => String(Math.round(Number(value) * pace))) : each,
  );
  return scaled.join(',') + (name === 't' && tags >= 0 ? text.slice(tags) : '');
}

/** Selects the arguments that are times, by the name of a tag and their number. */
function timesOf(name: string, count: number): (n: number) => boolean {
  if (name === 't') return (n) => count >= 2 && n < 2;
  if (name === 'move') return (n) => count === 6 && n >= 4;
  return (n) => count === 2 || (count === 7 && n >= 3);
}
