/** Choosing what a change can break, in a small tree with the folders of the real one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose } from './choose.ts';

const importing = (...paths: readonly string[]): string => paths.map((path) => `import {} from '${path}';`).join('\n');

const TREE: Readonly<Record<string, string>> = {
  'src/lib/text.ts': '',
  'src/lib/text.test.ts': importing('./text.ts'),
  'src/lists/playlists.ts': importing('../lib/text.ts'),
  'src/lists/playlists.test.ts': importing('./playlists.ts'),
  'src/lists/domain.ts': importing('./playlists.ts'),
  'src/reading/books.ts': "import type { Text } from '../lib/text.ts';",
  'src/reading/books.test.ts': importing('./books.ts'),
  'src/domains.ts': importing('./lists/domain.ts', './contract/reading/books.ts', './contract/identity/session.ts'),
  'src/contract/lists/playlists.ts': "path: '/api/v1/playlists/{id}'",
  'src/contract/reading/books.ts': "path: '/api/v1/books/{id}'",
  'src/contract/identity/session.ts': "path: '/api/v1/session'",
  'src/contract/dashboard/pages.ts':
    "export const PAGES = {\n  home: '/',\n  playlist: '/playlist/{id}',\n  book: '/book/{id}',\n};",
  'src/web/app/pages.ts':
    "const x = {\n  home: { load: () => import('../pages/home/page.tsx') },\n  playlist: { load: () => import('../pages/playlist/page.tsx') },\n  book: { load: () => import('../pages/book/page.tsx') },\n};",
  'src/web/pages/home/page.tsx': importing('../../kit/card.tsx'),
  'src/web/pages/playlist/page.tsx': importing('../../kit/rows.tsx'),
  'src/web/pages/book/page.tsx': importing('./cover.tsx'),
  'src/web/pages/book/cover.tsx': '',
  'src/web/pages/book/cover.test.tsx': importing('./cover.tsx'),
  'src/web/kit/card.tsx': '',
  'src/web/kit/rows.tsx': '',
  'test/world.ts': importing('../src/domains.ts', '../src/lib/text.ts'),
  'test/flows/pages.test.ts': importing('../world.ts'),
  'test/flows/lists.test.ts': `${importing('../world.ts', './lists.ts')}; goto(\`/playlist/\${id}?sort=name\`)`,
  'test/flows/lists.ts': '',
  'test/flows/reader.test.ts': `${importing('../world.ts')}; goto(\`/book/\${id}\`)`,
  'test/playlists.test.ts': `${importing('./world.ts')}; call('GET', \`/api/v1/playlists/\${id}\`)`,
  'test/books.test.ts': `${importing('./world.ts', './shelf.ts')}`,
  'test/shelf.ts': "call('GET', `/api/v1/books/${id}`)",
  'test/specimens.test.ts': importing('./world.ts'),
  'test/data/one.bin': '',
  'test/data/README.md': '',
  'test/data/reads.test.ts': '',
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [
      `test/other${n}.test.ts`,
      `${importing('./world.ts')}; call('/api/v1/session')`,
    ]),
  ),
};
const FILES = new Map(Object.entries(TREE));

const CASES: readonly (readonly [
  what: string,
  changed: readonly string[],
  tests: readonly string[],
  pages?: readonly string[],
])[] = [
  [
    'a module: its tests and those of modules above it, and not those that import its types',
    ['src/lib/text.ts'],
    ['src/lib/text.test.ts', 'src/lists/playlists.test.ts'],
  ],
  [
    'a domain: tests that name its addresses, though they reach everything',
    ['src/lists/playlists.ts'],
    ['src/lists/playlists.test.ts', 'test/playlists.test.ts'],
  ],
  ['an address in a helper of the test', ['src/contract/reading/books.ts'], ['test/books.test.ts']],
  ['an address that many tests name says nothing', ['src/contract/identity/session.ts'], []],
  [
    'a component: its test, flows that open its pages, and visits of these',
    ['src/web/pages/book/cover.tsx'],
    ['src/web/pages/book/cover.test.tsx', 'test/flows/pages.test.ts', 'test/flows/reader.test.ts'],
    ['book'],
  ],
  [
    'a part of a page that is opened with a query',
    ['src/web/kit/rows.tsx'],
    ['test/flows/lists.test.ts', 'test/flows/pages.test.ts'],
    ['playlist'],
  ],
  ['a helper of one test', ['test/flows/lists.ts'], ['test/flows/lists.test.ts']],
  ['a test', ['test/books.test.ts'], ['test/books.test.ts']],
  ['a test that was deleted', ['test/gone.test.ts'], []],
  ['data that no file names: the tests of its folder', ['test/data/one.bin'], ['test/data/reads.test.ts']],
  ['a document', ['test/data/README.md'], []],
  ['nothing', [], []],
];

for (const [what, changed, tests, pages = []] of CASES)
  test(what, () => assert.deepEqual(choose(FILES, changed), { tests, pages }));

test('a helper of all tests: all of them, with all pages', () => {
  const { tests, pages } = choose(FILES, ['test/world.ts', 'src/web/kit/rows.tsx']);
  assert.deepEqual(tests, [...FILES.keys()].filter((file) => (TREE[file] ?? '').includes('/world.ts')).sort());
  assert.deepEqual(pages, []);
});
