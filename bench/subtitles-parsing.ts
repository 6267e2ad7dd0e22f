/**
 * Reading a file of 100,000 cues of each format from its bytes: character set, format, cues. Where a cue takes more
 * room than the limit of 4 MiB leaves for it, as many as fit, and the time is that of 100,000.
 */
import { readSubtitle, SUBTITLE_FORMAT_TABLE } from '../src/cues/index.ts';
import { median, report } from './report.ts';

const CUES = 100_000;
const MOST_BYTES = 4 * 1024 * 1024;
const ROUNDS = 3;

/** Reports one row a format. */
export async function benchParsing(): Promise<void> {
  for (const { title: name, extensions, sample } of SUBTITLE_FORMAT_TABLE) {
    const { head, tail, cue } = sample;
    const [extension] = extensions;
    let text = head;
    let count = 0;
    for (; count < CUES && text.length + 100 < MOST_BYTES; count++) text += cue(count * 860, count * 860 + 800, 'Hi');
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
