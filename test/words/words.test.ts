/** The dashboard's words are in its catalogue: those that are still in its code are counted, and only become fewer. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { files, findAll, findWords, reads, WEB } from './find.ts';

/** How many words each folder may hold outside the catalogue. A smaller count is put here by whoever converts them. */
const LEFT: Readonly<Record<string, number>> = {
  app: 1,
  kit: 1,
  lib: 17,
  'main.tsx': 1,
  // Style sheets of the text in its frame.
  'pages/reader': 5,
  'pages/settings': 10,
  'pages/subtitles': 2,
  'parts/subtitles': 3,
  workbench: 3,
  worker: 1,
};

const folderOf = (file: string): string =>
  file
    .split('/')
    .slice(0, /^(pages|parts)\//.test(file) ? 2 : 1)
    .join('/');

test('no folder has more words outside the catalogue than it had', () => {
  const found: Record<string, string[]> = {};
  for (const { file, line, source } of findAll()) (found[folderOf(file)] ??= []).push(`${file}:${line} ${source}`);
  for (const [folder, words] of Object.entries(found))
    assert.ok(
      words.length <= (LEFT[folder] ?? 0),
      `${folder}: ${words.length} words, ${LEFT[folder] ?? 0} allowed. Put new ones into src/web/messages/:\n` +
        `${words.join('\n')}`,
    );
});

test('every message is used', async () => {
  const code = files()
    .map((file) => readFileSync(join(WEB, file), 'utf8'))
    .join('\n');
  for (const file of readdirSync(join(WEB, 'messages/en'))) {
    const area = file.replace('.ts', '');
    const [messages = {}] = Object.values((await import(join(WEB, 'messages/en', file))) as Record<string, object>);
    const unused = Object.keys(messages).filter((key) => !new RegExp(`\\b(m|${area}Words)\\.${key}\\b`).test(code));
    assert.deepEqual(unused, [], file);
  }
});

test('words are found where they are, and code is not taken for words', () => {
  const code = `
    import x from 'Some Package';
    const title = 'Save all';
    throw new Error('Not for people');
    const key = event.key === 'Enter' ? 'ArrowLeft' : 'data-first';
    const path = \`/api/\${id}\`;
    export const A = () => <p className="Big Box" title="Hello">Two words {name} <b aria-label={\`Remove \${name}\`} /></p>;
  `;
  assert.deepEqual(
    findWords('a.tsx', code).map(({ source }) => source.trim()),
    ["'Save all'", '"Hello"', 'Two words', '`Remove ${name}`'],
  );
  assert.ok(!reads('center') && !reads('preferred-language') && reads('Undo') && reads('is running'));
});
