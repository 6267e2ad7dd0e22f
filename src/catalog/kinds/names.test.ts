/**
 * Every row of the table of names is placed where it says. A failure lists the rows by pattern, so that the rule which
 * broke is known at once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LibraryKind } from '../../contract/catalog/kinds.ts';
import type { Guess } from '../naming/types.ts';
import { kinds } from './index.ts';
import { NAMES_FROM_ELSEWHERE } from './names-from-elsewhere.ts';
import { NAMES_OF_FOLDERS } from './names-of-folders.ts';
import { NAMES_TABLE } from './names-table.ts';

interface NameRow {
  pattern: string;
  library: LibraryKind;
  path: string;
  expected: string;
  siblings: readonly string[];
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
const fileOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Reads the table. The siblings of a row are the other rows of its scene that are in the same folder. */
function readTable(text: string): NameRow[] {
  const rows: NameRow[] = [];
  let [pattern, library, home] = ['', 'movies' as LibraryKind, ''];
  let names = new Map<string, string[]>();
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    if (line.startsWith('## ')) pattern = line.slice(3);
    else if (line.startsWith('@')) {
      const [kind = '', ...folder] = line.slice(1).split(' ');
      [library, home, names] = [kind as LibraryKind, folder.join(' '), new Map()];
    } else {
      const [name = '', expected] = line.replace(/^\+ /, '').split(' => ');
      const path = `${home}${name}`;
      const siblings = (home === '' ? undefined : names.get(folderOf(path))) ?? [];
      names.set(folderOf(path), siblings);
      siblings.push(fileOf(path));
      if (expected !== undefined) rows.push({ pattern, library, path, expected, siblings });
    }
  }
  return rows;
}

const yearOf = (of: { year?: number } | undefined) => (of?.year === undefined ? '' : ` (${of.year})`);

/** Writes a guess as a row says it; `expected` decides which of the facts that need not be stated are written. */
function written(guess: Guess, expected: string): string {
  const { edition, version, part, episodeTitle, extra, release } = guess;
  const stated = [
    ...(/ ed=/.test(expected) ? [` ed=${edition}`] : []),
    ...(/ v=/.test(expected) ? [` v=${version}`] : []),
    ...(/ g=/.test(expected) ? [` g=${release.group}`] : []),
  ].join('');
  const partText = part === undefined ? '' : ` p${part}`;
  if (guess.kind === 'movie') return `film ${guess.title}${yearOf(guess)}${partText}${stated}`;
  if (guess.kind === 'extra') return expected === 'extra' ? 'extra' : `extra ${extra}`;
  if (guess.kind !== 'episode') return guess.kind === 'unplaced' ? 'unmatched' : guess.kind;
  const { show, season, episode, episodeEnd, date } = guess;
  const last = episodeEnd === undefined ? '' : `-${episodeEnd}`;
  const numbers = `S${season ?? '?'}${episode === undefined ? '' : `E${episode}`}${last}`;
  const title = expected.includes('"') ? ` "${episodeTitle}"` : '';
  return `${show?.title}${yearOf(show)} ${numbers}${title}${date === undefined ? '' : ` @${date}`}${partText}${stated}`;
}

const ROWS = [NAMES_TABLE, NAMES_OF_FOLDERS, NAMES_FROM_ELSEWHERE].flatMap(readTable);

function misplaced(rows: readonly NameRow[]): Map<string, string[]> {
  const wrong = new Map<string, string[]>();
  for (const { pattern, library, path, expected, siblings } of rows) {
    const is = written(kinds.guess({ library, path, siblings }) as Guess, expected);
    if (is !== expected)
      wrong.set(pattern, [...(wrong.get(pattern) ?? []), `${library}: ${path}\n  is   ${is}\n  want ${expected}`]);
  }
  return wrong;
}

test('every name of the table is placed where it belongs', (t) => {
  const wrong = misplaced(ROWS);
  for (const [pattern, rows] of Map.groupBy(ROWS, (row) => row.pattern))
    t.diagnostic(`${pattern}: ${rows.length - (wrong.get(pattern)?.length ?? 0)} of ${rows.length}`);
  assert.ok(ROWS.length >= 600, `${ROWS.length} rows`);
  assert.ok(wrong.size === 0, [...wrong].map(([pattern, rows]) => `${pattern}\n${rows.join('\n')}`).join('\n'));
});
