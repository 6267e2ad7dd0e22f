/**
 * Search in dialogue over the subtitles of 5,000 films with 1,500 lines each: words of a vocabulary of 30,000, drawn as
 * in a language, where few words are nearly everywhere. Phrases are taken from the films themselves.
 *
 * By hand: `node bench/dialogue.ts [--films=5000]`.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDialogue } from '../src/dialogue/store/find.ts';
import { openIndexFile } from '../src/dialogue/store/index-file.ts';
import { quantile, report } from './report.ts';

const FILMS = Number(process.argv.find((one) => one.startsWith('--films'))?.split('=')[1] ?? 5_000);
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

const folder = mkdtempSync(join(tmpdir(), 'matinee-bench-'));
try {
  const path = join(folder, 'index.sqlite');
  const file = openIndexFile(path, { isWriter: true });
  const questions: string[] = [];
  const began = performance.now();
  for (let film = 0; film < FILMS; film++) {
    const lines = Array.from({ length: LINES }, (_, i) => ({ start: i * 4000, end: i * 4000 + 3000, text: line() }));
    file.put({ id: `film ${film}`, source: 'subtitles', signature: 'a' }, [{ language: 'en', lines }]);
    if (film % Math.ceil(FILMS / QUESTIONS) === 0) {
      const words = (lines[700]?.text ?? '').split(' ');
      const count = 1 + (questions.length % 5);
      questions.push(words.slice(0, count).join(' '));
    }
  }
  const indexing = performance.now() - began;
  report({ what: 'index a film of 1,500 lines', figure: `${(indexing / FILMS).toFixed(1)} ms` });
  const size = statSync(path).size + statSync(`${path}-wal`).size;
  report({ what: 'size of the index, for each film', figure: `${(size / FILMS / 1024).toFixed(0)} KiB` });
  for (const [who, mask] of [
    ['an Owner', 0xff],
    ['a child that sees one film of eight', 0x01],
  ] as const) {
    const visible = new Uint8Array(Math.ceil(FILMS / 8)).fill(mask);
    const times = questions.map((q) => {
      const since = performance.now();
      findDialogue(file, { q, source: 'subtitles', visible, limit: 20 });
      const took = performance.now() - since;
      if (process.argv.includes('--slow') && took > AIM_MS) process.stderr.write(`${took.toFixed(0)} ms: ${q}\n`);
      return took;
    });
    const [half, most] = [quantile(times, 0.5), quantile(times, 0.99)];
    report({
      what: `find words in the dialogue of ${FILMS} films, for ${who}`,
      figure: `p50 ${half.toFixed(1)} ms, p99 ${most.toFixed(1)} ms`,
      aim: `p99 under ${AIM_MS} ms`,
      met: most < AIM_MS,
    });
  }
  file.close();
} finally {
  rmSync(folder, { recursive: true });
}
