/**
 * Shelves: how fast each kind is scanned, opened and listed, compared with a known program in the same run.
 *
 * By hand: `node bench/shelves.ts [--only=music,tags] [--tracks=10000] [--tagged=500]`. Each part is a file in
 * `bench/shelves/` and a line of `PARTS`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureBooks } from './shelves/books.ts';
import { measureComics } from './shelves/comics.ts';
import { measureMixed } from './shelves/mixed.ts';
import { measureMusic } from './shelves/music.ts';
import { measurePhotos } from './shelves/photos.ts';
import { measureMixedRules } from './shelves/rules.ts';
import { measureTags } from './shelves/tags.ts';

const PARTS: Readonly<Record<string, (home: string) => Promise<void>>> = {
  music: measureMusic,
  tags: measureTags,
  photos: measurePhotos,
  books: measureBooks,
  comics: measureComics,
  rules: measureMixedRules,
  mixed: measureMixed,
};

const only = process.argv
  .find((one) => one.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',');
const home = mkdtempSync(join(tmpdir(), 'matinee-shelves-'));
try {
  for (const [name, measure] of Object.entries(PARTS)) if (only?.includes(name) ?? true) await measure(home);
} finally {
  rmSync(home, { recursive: true, force: true });
}
