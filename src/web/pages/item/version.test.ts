/** The chosen version decides what is played and downloaded, and how large the download is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenVersion, downloadsOf, type ItemVersion, versionQuery } from './version.ts';

const version = (id: string, size: number, parts = 1): ItemVersion => ({
  id,
  label: id,
  size,
  parts,
  streams: [],
  available: true,
});
const hd = version('aaaaaaaaaaaaaaaa', 8_000_000_000);
const discs = version('bbbbbbbbbbbbbbbb', 1_400_000_000, 2);
const item = { versions: [hd, discs], links: { download: '/download/0123456789abcdef' } };

test('the version that plays first is chosen until the address names another', () => {
  assert.equal(chosenVersion(item, null), hd);
  assert.equal(chosenVersion(item, 'cccccccccccccccc'), hd);
  assert.equal(chosenVersion(item, discs.id), discs);
  assert.deepEqual([versionQuery(item, hd), versionQuery(item, discs)], [undefined, discs.id]);
});
test('a download is the chosen version with all its parts', () => {
  assert.deepEqual(downloadsOf(item, hd), ['/download/0123456789abcdef?version=aaaaaaaaaaaaaaaa']);
  assert.deepEqual(downloadsOf(item, discs), [
    '/download/0123456789abcdef?version=bbbbbbbbbbbbbbbb&part=1',
    '/download/0123456789abcdef?version=bbbbbbbbbbbbbbbb&part=2',
  ]);
  assert.deepEqual(downloadsOf({ links: {} }, hd), []);
  assert.deepEqual(downloadsOf(item, { ...hd, available: false }), []);
});
