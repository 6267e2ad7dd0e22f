/**
 * Splits text into lines, whole or in pieces. A line ends with LF, CR or CRLF, as in WebVTT; files of the other formats
 * mix them.
 */
export function linesOf(text: string): string[] {
  const out: string[] = [];
  let from = text.startsWith('\ufeff') ? 1 : 0;
  for (let at = from; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c !== 10 && c !== 13) continue;
    out.push(text.slice(from, at));
    if (c === 13 && text.charCodeAt(at + 1) === 10) at++;
    from = at + 1;
  }
  if (from < text.length) out.push(text.slice(from));
  return out;
}

/** Returns lines with their ends, so that joining them restores the text. */
export function rawLinesOf(text: string): string[] {
  const out: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c !== 10 && c !== 13) continue;
    if (c === 13 && text.charCodeAt(at + 1) === 10) at++;
    out.push(text.slice(from, at + 1));
    from = at + 1;
  }
  if (from < text.length) out.push(text.slice(from));
  return out;
}

/** Returns a line without its end. */
export function withoutEnd(raw: string): string {
  let to = raw.length;
  while (to > 0 && (raw.charCodeAt(to - 1) === 10 || raw.charCodeAt(to - 1) === 13)) to--;
  return raw.slice(0, to);
}

/**
 * Splits text that arrives in arbitrary pieces, and passes on each line. Each piece is examined once, however small: an
 * unfinished line is a list of pieces, not a growing string.
 */
export function lineFeed(line: (text: string) => void): { push(piece: string): void; end(): void } {
  let pieces: string[] = [];
  let afterCr = false;
  let isFirst = true;
  const emit = (tail: string): void => {
    const whole = pieces.length > 0 ? pieces.join('') + tail : tail;
    pieces = [];
    line(isFirst && whole.startsWith('\ufeff') ? whole.slice(1) : whole);
    isFirst = false;
  };
  return {
    push(piece) {
      let from = 0;
      for (let at = 0; at < piece.length; at++) {
        const c = piece.charCodeAt(at);
        if (c === 10 && afterCr) from = at + 1;
        else if (c === 10 || c === 13) {
          emit(piece.slice(from, at));
          from = at + 1;
        }
        afterCr = c === 13;
      }
      if (from < piece.length) pieces.push(piece.slice(from));
    },
    end() {
      if (pieces.length > 0) emit('');
    },
  };
}
