/**
 * `npm run bench`: the benches one after another, each in a separate process, and one table at the end.
 *
 * `npm run bench -- media start` runs only those. A bench that fails is said so in the table and makes the run fail;
 * a figure that falls short of its aim does not.
 */
import { spawn } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MARK, type Row } from './report.ts';

const ALL = [
  'list',
  'scan',
  'media',
  'start',
  'subtitles',
  'playback',
  'rules',
  'dialogue',
  'people',
  'shelves',
  'starving',
  'viewer-storage',
  'probe-parity',
] as const;
/** Only by name: it needs a folder of real media. */
const ASKED_FOR: readonly string[] = ['probe-parity'];

const asked = process.argv.slice(2);
const names = ALL.filter((name) => (asked.length > 0 ? asked.includes(name) : !ASKED_FOR.includes(name)));
if (names.length < asked.length) throw new Error(`the benches are ${ALL.join(', ')}`);

const rows: (Row & { bench: string })[] = [];
let failed = 0;
for (const name of names) {
  process.stdout.write(`\n${name}\n`);
  const status = await one(name);
  if (status !== 0) {
    failed += 1;
    rows.push({ bench: name, what: 'the bench itself', figure: `failed with ${status}` });
  }
}
process.stdout.write(
  `\n${cpus().length} × ${cpus()[0]?.model.trim() ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ` +
    `${process.version}\n\n`,
);
process.stdout.write(table(rows));
process.exitCode = failed > 0 ? 1 : 0;

function one(name: string): Promise<number | null> {
  const child = spawn(
    process.execPath,
    // Some collect their own garbage between what they measure.
    [
      '--expose-gc',
      fileURLToPath(new URL(name === 'playback' ? './playback/index.ts' : `./${name}.ts`, import.meta.url)),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, BENCH_ROWS: '1' } },
  );
  let rest = '';
  child.stdout.on('data', (bytes: Buffer) => {
    const lines = (rest + bytes.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) hear(name, line);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (rest !== '') hear(name, rest);
      resolve(code);
    });
  });
}

function hear(bench: string, line: string): void {
  if (!line.startsWith(MARK)) return void process.stdout.write(`  ${line}\n`);
  const row = JSON.parse(line.slice(MARK.length)) as Row;
  rows.push({ bench, ...row });
  process.stdout.write(`  ${row.what}: ${row.figure}\n`);
}

/** As Markdown, aligned for the terminal. */
function table(all: readonly (Row & { bench: string })[]): string {
  const cells = [
    ['Bench', 'What', 'Figure', 'Aim', '', 'Note'],
    ...all.map(({ bench, what, figure, aim = '', met, note = '' }) => [
      bench,
      what,
      figure,
      aim,
      met === undefined ? '' : met ? 'met' : 'short',
      note,
    ]),
  ];
  const widths = (cells[0] ?? []).map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |\n`;
  const [head = [], ...body] = cells;
  return `${line(head)}${line(widths.map((width) => '-'.repeat(width)))}${body.map(line).join('')}`;
}
