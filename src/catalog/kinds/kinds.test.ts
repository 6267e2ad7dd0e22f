/**
 * The core of the catalogue asks the registry: a kind that it knew by name would be forgotten when the next kind is
 * added.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ITEM_KINDS, LIBRARY_KINDS, kindNames } from '../../contract/catalog/kinds.ts';
import { kinds } from './index.ts';

const CATALOG = fileURLToPath(new URL('..', import.meta.url));
const KIND = kindNames(ITEM_KINDS).join('|');
const NAMED = new RegExp(`from '[^']*/kinds/|\\bkind (===|!==) '(${KIND})'|\\bcase '(${KIND})'`);

const sources = ['core', 'store'].flatMap((folder) =>
  readdirSync(join(CATALOG, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name)),
);

test('no module of the core or the stores compares the name of a kind or imports one', () => {
  assert.ok(sources.length > 50);
  assert.deepEqual(
    sources.filter((name) => NAMED.test(readFileSync(join(CATALOG, name), 'utf8'))),
    [],
  );
  for (const breach of [
    "export const a = (row: Row) => row.kind === 'show';",
    "export const a = ({ kind }: Row) => kind !== 'movie';",
    "import { film } from '../../kinds/film/index.ts';",
  ])
    assert.match(breach, NAMED);
});

test('every library that is scanned has kinds with cards, pages and a placement', () => {
  for (const library of kindNames(LIBRARY_KINDS)) {
    for (const kind of LIBRARY_KINDS[library].holds) {
      assert.ok(kinds.rows(kind), kind);
      assert.ok(kinds.facetsFor([kind]).length > 0);
    }
    const holds: readonly string[] = LIBRARY_KINDS[library].holds;
    const hasVideos = ['movie', 'show', 'video'].some((kind) => holds.includes(kind));
    assert.equal(kinds.isMedia(library, 'Film (1999).mkv'), hasVideos, library);
    assert.equal(kinds.isMedia(library, '01 Song.flac'), library === 'music' || library === 'audiobooks', library);
    const guess = kinds.guess({ library, path: 'Film (1999).mkv', siblings: ['Film (1999).mkv'] });
    assert.equal(kinds.placementOf(guess) !== undefined, ['movies', 'mixed', 'photos'].includes(library), library);
  }
});
