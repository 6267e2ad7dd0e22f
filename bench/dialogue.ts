/**
 * Search in dialogue over the subtitles of 5,000 films with 1,500 lines each: words of a vocabulary of 30,000, drawn as
 * in a language, where few words are nearly everywhere. Phrases are taken from the films themselves.
 *
 * The floor is the bare full-text query for the same words and 20 rows, without visibility and without reading a line.
 *
 * By hand: `node bench/dialogue.ts [--films=5000] [--slow] [--keep=FOLDER]`; a kept index is searched again.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { findDialogue } from '../src/dialogue/store/find.ts';
import { parsePhrase, phraseQuery } from '../src/dialogue/words.ts';
import { openIndexFile } from '../src/dialogue/store/index-file.ts';
import { quantile, report } from './report.ts';

const option = (name: string) => process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1];
const FILMS = Number(option('films') ?? 5_000);
const LINES = 1_500;
const VOCABULARY = 30_000;
const QUESTIONS = 400;
const AIM_MS = 50;

let seed = 42;
const random = (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
/** By Zipf's law: the word of rank n is drawn with a probability of 1/n. */
const word = (): string => `w${Math.floor(VOCABULARY ** random()).toString(36)}`;
const line = (): string => Array.from({ length: 3 + Math.floor(random() * 6) }, word).join(' ');

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const kept = option('keep');
const folder = kept ?? mkdtempSync(join(tmpdir(), 'matinee-bench-'));
const path = join(folder, 'index.sqlite');

/** Makes the index, unless it was kept. Returns beginnings of phrases that are in it. */
function fill(): string[] {
  const isThere = existsSync(path);
  const file = isThere ? undefined : openIndexFile(path, { isWriter: true });
  const questions: string[] = [];
  const began = performance.now();
  for (let film = 0; film < FILMS; film++) {
    const lines = Array.from({ length: LINES }, (_, i) => ({ start: i * 4000, end: i * 4000 + 3000, text: line() }));
    file?.put({ id: `film ${film}`, source: 'subtitles', signature: 'a' }, [{ language: 'en', lines }]);
    if (film % Math.ceil(FILMS / QUESTIONS) !== 0) continue;
    const words = (lines[700]?.text ?? '').split(' ');
    questions.push(words.slice(0, 1 + (questions.length % 5)).join(' '));
  }
  const indexing = performance.now() - began;
  file?.close();
  if (!isThere) report({ what: 'index a film of 1,500 lines', figure: `${(indexing / FILMS).toFixed(1)} ms` });
  report({
    what: 'size of the index, for each film',
    figure: `${(statSync(path).size / FILMS / 1024).toFixed(0)} KiB`,
  });
  return questions;
}

interface Measured {
  /** Milliseconds of each question. */
  times: number[];
  /** Milliseconds of CPU time of each question in this thread: other programs do not change these. */
  cpu: number[];
}

function measure(questions: readonly string[], ask: (q: string) => void): Measured {
  const cpu: number[] = [];
  const times = questions.map((q) => {
    const since = process.threadCpuUsage();
    const start = performance.now();
    ask(q);
    const took = performance.now() - start;
    const { user, system } = process.threadCpuUsage(since);
    cpu.push((user + system) / 1000);
    if (process.argv.includes('--slow') && took > AIM_MS) process.stderr.write(`${took.toFixed(0)} ms: ${q}\n`);
    return took;
  });
  return { times, cpu };
}

try {
  const questions = fill();
  const bare = new DatabaseSync(path, { readOnly: true });
  const rows = bare.prepare('select rowid from words where words match ? order by rowid limit 20');
  const floor = measure(questions, (q) => void rows.all(phraseQuery(parsePhrase(q))));
  bare.close();
  const figures = ({ times, cpu }: Measured): string =>
    `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms, ` +
    `CPU p50 ${quantile(cpu, 0.5).toFixed(1)} ms, p99 ${quantile(cpu, 0.99).toFixed(1)} ms`;
  report({ what: 'floor: the full-text query alone, 20 rows', figure: figures(floor) });
  const file = openIndexFile(path, { isWriter: false });
  for (const [who, mask] of [
    ['an Owner', 0xff],
    ['a child that sees one film of eight', 0x01],
  ] as const) {
    const visible = new Uint8Array(Math.ceil(FILMS / 8)).fill(mask);
    const found = measure(questions, (q) => void findDialogue(file, { q, source: 'subtitles', visible, limit: 20 }));
    const most = quantile(found.times, 0.99);
    const ratio = total(found.cpu) / total(floor.cpu);
    report({
      what: `find words in the dialogue of ${FILMS} films, for ${who}`,
      figure: figures(found),
      aim: `p99 under ${AIM_MS} ms`,
      met: most < AIM_MS,
      note: `${ratio.toFixed(1)} times the CPU of the floor; load ${loadavg()[0]?.toFixed(1)}`,
    });
  }
  file.close();
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true });
}
