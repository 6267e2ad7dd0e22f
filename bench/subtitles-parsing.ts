/**
 * Reading a file of 100,000 cues of each format from its bytes: character set, format, cues. Where a cue takes more
 * room than the limit of 4 MiB leaves for it, as many as fit, and the time is that of 100,000.
 */
import { readSubtitle } from '../src/cues/index.ts';
import { median, report } from './report.ts';

const CUES = 100_000;
const MOST_BYTES = 4 * 1024 * 1024;
const ROUNDS = 3;

const two = (value: number): string => String(value).padStart(2, '0');
const clock = (seconds: number): string =>
  `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;

interface Sample {
  extension: string;
  head: string;
  tail: string;
  cue(n: number): string;
}
const SAMPLES: Record<string, Sample> = {
  SRT: { extension: 'srt', head: '', tail: '', cue: (n) => `${n + 1}\n${clock(n)},000 --> ${clock(n)},900\nHi\n\n` },
  WebVTT: { extension: 'vtt', head: 'WEBVTT\n\n', tail: '', cue: (n) => `${clock(n)}.000 --> ${clock(n)}.900\nHi\n\n` },
  ASS: {
    extension: 'ass',
    head: '[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Start, End, Text\n',
    tail: '',
    cue: (n) => `Dialogue: ${clock(n).slice(1)}.00,${clock(n).slice(1)}.90,Hi\n`,
  },
  TTML: {
    extension: 'ttml',
    head: '<tt xmlns="http://www.w3.org/ns/ttml"><body><div>',
    tail: '</div></body></tt>',
    cue: (n) => `<p begin="${n}s" end="${n}.9s">Hi</p>`,
  },
  SAMI: { extension: 'smi', head: '<SAMI><BODY>', tail: '</BODY></SAMI>', cue: (n) => `<SYNC Start=${n}000><P>Hi\n` },
  MicroDVD: { extension: 'sub', head: '{1}{1}25\n', tail: '', cue: (n) => `{${n * 25}}{${n * 25 + 22}}Hi\n` },
};

/** Reports one row a format. */
export async function benchParsing(): Promise<void> {
  for (const [name, { extension, head, tail, cue }] of Object.entries(SAMPLES)) {
    let text = head;
    let count = 0;
    for (; count < CUES && text.length + 60 < MOST_BYTES; count++) text += cue(count);
    const bytes = Buffer.from(text + tail);
    const times: number[] = [];
    const used: number[] = [];
    let read = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const since = performance.now();
      const before = process.cpuUsage();
      read = (await readSubtitle(bytes, { extension })).document.cues.length;
      times.push((performance.now() - since) / 1000);
      const { user, system } = process.cpuUsage(before);
      used.push((user + system) / 1e6);
    }
    const time = median(times) * (CUES / count);
    const notes = [`${(median(used) * (CUES / count)).toFixed(2)} processor seconds`];
    if (count < CUES) notes.push(`${count.toLocaleString('en')} fit into 4 MiB`);
    if (read !== count) notes.push(`${read} of ${count} cues were read`);
    report({
      what: `reading ${CUES.toLocaleString('en')} cues of ${name}`,
      figure: `${time.toFixed(2)} s`,
      aim: 'under 1 s',
      met: time < 1 && read === count,
      note: notes.join(', '),
    });
  }
}

if (import.meta.main) await benchParsing();
