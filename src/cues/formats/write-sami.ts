/**
 * Writes SAMI: one language, a `SYNC` where text appears and an empty one where it disappears. Cues that begin together
 * become one; a cue ends where the next one begins, because SAMI shows one text at a time.
 */
import { plainText, type Cue, type SubtitleDocument } from '../cue.ts';
import { runsOf, spansOfRuns, withoutRuby, type TextLine } from './looks.ts';
import { tagged } from './tags.ts';

interface Shown {
  start: number;
  end: number;
  /** Grows with every cue that begins at the same time. */
  lines: TextLine[];
}

/** `cues` are in order of time. */
export function writeSami(
  cues: readonly Cue[],
  { language = 'en', title }: Pick<SubtitleDocument, 'language' | 'title'>,
): string {
  const tag = /^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8})?/.exec(language)?.[0] ?? 'en';
  const name = `${tag.slice(0, 2).toUpperCase()}CC`;
  const shown = shownOf(cues);
  const body: string[] = [];
  shown.forEach(({ start, end, lines }, n) => {
    const text = tagged(spansOfRuns(lines), { text: escaped, lineBreak: '<br>' }).replace(/^ /, '').replace(/ $/, '');
    const next = shown[n + 1]?.start ?? Infinity;
    body.push(`<SYNC Start=${start}><P Class=${name}>${text}\n`);
    if (end < next) body.push(`<SYNC Start=${end}><P Class=${name}>&nbsp;\n`);
  });
  return [
    '<SAMI>\n<HEAD>\n',
    title === undefined ? '' : `<TITLE>${escaped(title)}</TITLE>\n`,
    '<STYLE TYPE="text/css"><!--\nP { text-align: center; }\n' +
      `.${name} { Name: ${name}; lang: ${tag}; SAMIType: CC; }\n--></STYLE>\n</HEAD>\n<BODY>\n`,
    ...body,
    '</BODY>\n</SAMI>\n',
  ].join('');
}

function shownOf(cues: readonly Cue[]): Shown[] {
  const out: Shown[] = [];
  for (const cue of cues) {
    const lines = withoutRuby(runsOf(cue.spans)).filter(({ runs }) =>
      runs.some(({ text }) => /[^ \t\n\v\f\r\0]/.test(text)),
    );
    if (cue.end <= cue.start || plainText(cue.spans).trim() === '') continue;
    const last = out.at(-1);
    if (last?.start === cue.start) {
      last.end = Math.max(last.end, cue.end);
      for (const line of lines) last.lines.push(line);
    } else out.push({ start: cue.start, end: cue.end, lines });
  }
  return out;
}

/** Runs of white space are one space in SAMI; a hard space keeps them apart. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\0', '')
    .replaceAll(/[\t\n\v\f\r ]+/g, ' ')
    .replaceAll('\u00a0', '&nbsp;');
}
