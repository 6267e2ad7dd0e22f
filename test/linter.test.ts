/** The linter refuses the faults that need types, and its settings make no other exceptions than these. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');

const LINT: readonly (readonly [rule: string, text: string])[] = [
  [
    'typescript(no-floating-promises)',
    'const go = async (): Promise<void> => {};\nexport const a = (): void => { go(); };\n',
  ],
  [
    'typescript(no-misused-promises)',
    'const go = async (): Promise<boolean> => true;\nexport const a = (): number => (go() ? 1 : 2);\n',
  ],
  ['typescript(no-explicit-any)', 'export const a = (b: any): unknown => b;\n'],
  ['typescript(no-non-null-assertion)', 'export const a = (b: string[]): string => b[0]!;\n'],
  ['import(no-default-export)', 'export default 1;\n'],
  ['import(no-cycle)', "import { b } from './other.ts';\nexport const a = (): number => b();\n"],
  // A circle of types alone is one, too: neither file can be read without the other.
  ['import(no-cycle)', "import type { B } from './other.ts';\nexport type A = B[];\n"],
];

test('the linter is set to refuse what no pattern can see', { timeout: 900_000 }, async (t) => {
  // Within the repository, so that the types of Node are found; under a name that every other check passes by.
  const folder = await mkdtemp(join(ROOT, 'lint-breach-'));
  t.after(() => rm(folder, { recursive: true }));
  const { ignorePatterns: _, ...settings } = JSON.parse(await readFile(join(ROOT, '.oxlintrc.json'), 'utf8')) as {
    ignorePatterns: string[];
  };
  await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
  const project = { extends: '../tsconfig.json', include: ['*.ts'], exclude: [] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(project));
  // A file for each breach, and a run for all.
  for (const [n, [, text]] of LINT.entries()) {
    await writeFile(
      join(folder, `other-${n}.ts`),
      `import { a, type A } from './breach-${n}.ts';\nexport const b = (): number => a();\n` +
        'export type B = A | number;\n',
    );
    await writeFile(join(folder, `breach-${n}.ts`), '/** x */\n' + text.replace('./other.ts', `./other-${n}.ts`));
  }
  const { stdout } = await promisify(execFile)(
    'node_modules/.bin/oxlint',
    ['--no-ignore', '-c', join(folder, 'settings.json'), '-f', 'json', folder],
    { cwd: ROOT, maxBuffer: 16 << 20 },
  ).catch((error: { stdout: string }) => error);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  for (const [n, [rule]] of LINT.entries()) {
    const codes = diagnostics.filter(({ filename }) => filename.endsWith(`breach-${n}.ts`)).map(({ code }) => code);
    assert.ok(codes.includes(rule), `${rule}: ${codes.join(', ') || 'nothing found'}`);
  }
});

test('the linter is told of no more exceptions than these', async () => {
  const { overrides } = JSON.parse(await readFile(join(ROOT, '.oxlintrc.json'), 'utf8')) as {
    overrides: { files: string[] }[];
  };
  assert.deepEqual(
    overrides.map(({ files }) => files.join()),
    ['src/web/vite.config.ts,tools/tests/fast-check.ts,tools/tests/reporter.ts'],
  );
});
