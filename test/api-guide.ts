/** Runs the commands of docs/api.md, in their order and as one script, against a server of a test. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const GUIDE = join(import.meta.dirname, '../docs/api.md');
/** Values that a reader sets first, in place of the guide's own. */
interface GuideValues {
  SERVER: string;
  NAME: string;
  PASSWORD: string;
}

/** Output of the commands, by the heading that they are under. */
export async function runGuide(folder: string, values: GuideValues): Promise<Map<string, string>> {
  const { assignments, commands, refusal } = await readGuide();
  assert.deepEqual(
    assignments.split('\n').map((line) => line.split('=')[0]),
    Object.keys(values),
    'the first block sets what a reader has to set, and nothing else',
  );
  const script = ['set -eu', ...commands.flatMap(({ heading, text }) => [`echo '## ${heading}'`, text])].join('\n');
  const env = { PATH: process.env['PATH'], HOME: folder, ...values };
  const { stdout } = await run('sh', ['-c', script], { cwd: folder, env });
  const token = commands.filter(({ heading }) => heading === 'Sign in').map(({ text }) => text);
  const { command, expected } = refusal;
  const refused = await run('sh', ['-c', [...token, 'ITEM=0123456789abcdef', `${command} || true`].join('\n')], {
    cwd: folder,
    env,
  });
  assert.deepEqual(JSON.parse(refused.stdout), JSON.parse(expected), 'the error that the guide shows');
  return new Map(
    stdout
      .split(/^## /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
  );
}

async function readGuide() {
  const text = await readFile(GUIDE, 'utf8');
  const blocks = text.split(/^## /m).flatMap((part) =>
    [...part.matchAll(/^```(\w+)(?: ([\w-]+))?\n([^]*?)\n```$/gm)].map(([, language = '', mark = '', body = '']) => ({
      heading: part.slice(0, part.indexOf('\n')),
      language,
      mark,
      text: body,
    })),
  );
  const [first, ...rest] = blocks.filter(({ language, mark }) => language === 'sh' && mark === '');
  const refusal = blocks.find(({ mark }) => mark === 'error');
  const expected = blocks.find(({ language }) => language === 'json');
  assert.ok(first && refusal && expected);
  const headings = [...new Set(rest.map(({ heading }) => heading))];
  assert.deepEqual(headings, ['Sign in', 'List', 'Play', 'Fetch a subtitle']);
  return {
    assignments: first.text,
    // Commands under one heading are one part of the script.
    commands: headings.map((heading) => ({
      heading,
      text: rest
        .filter((block) => block.heading === heading)
        .map((block) => block.text)
        .join('\n'),
    })),
    refusal: { command: refusal.text, expected: expected.text },
  };
}
