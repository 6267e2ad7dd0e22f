/** The placement version changes with the stored facts and the rules of the kinds, and makes unchanged folders new. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { kinds } from '../../kinds/index.ts';
import { ITEM_FACTS } from '../../store/records.ts';
import { readDirectories } from './directory-reader.ts';
import { placementVersion } from './placement-version.ts';

const NOW = Date.parse('2026-01-02');

test('only a new fact of an item or a new rule of a kind changes the version', () => {
  const version = placementVersion(kinds.placementVersions);
  assert.equal(placementVersion(kinds.placementVersions), version);
  const details = { ...ITEM_FACTS.detail, countries: true };
  assert.notEqual(placementVersion(kinds.placementVersions, { ...ITEM_FACTS, detail: details }), version);
  const newRule = kinds.placementVersions.replace(/movie (\d+)/, (_, number: string) => `movie ${Number(number) + 1}`);
  assert.notEqual(newRule, kinds.placementVersions);
  assert.notEqual(placementVersion(newRule), version);
});

test('an unchanged folder is read again after the version changed', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'matinee-placement-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'Film'));
  writeFileSync(join(root, 'Film/Film.mkv'), 'x');
  const long = new Date('2025-01-01');
  utimesSync(join(root, 'Film/Film.mkv'), long, long);
  const read = (placement: string, signature?: string) =>
    readDirectories({
      root,
      folders: [{ path: 'Film', ...(signature !== undefined && { mtime: 0, signature }) }],
      isFull: true,
      now: NOW,
      placement,
      ignored: [],
    })[0];
  const first = read('a');
  const signature = first?.state === 'listed' ? first.signature : '';
  assert.equal(read('a', signature)?.state, 'same');
  assert.equal(read('b', signature)?.state, 'listed');
});
