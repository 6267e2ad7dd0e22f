/** Places in books: when a page that is shown as a whole, or in pieces, counts as read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WatchTable } from '../store/tables.ts';
import { advanceReading } from './reading-places.ts';

const UNREAD: WatchTable = {
  ...{ profile: 'p1', item: 'i1', position: 0, watched: 0, play_count: 0, listed: null, rating: null },
  ...{ last_played: null, dismissed: 0, session: null, sequence: null, file: null, file_offset: null },
  ...{ part: null, part_offset: null, percent: null },
};

test('a high page that is shown in pieces is finished at its end, and one that is shown as a whole at once', () => {
  const at = (part: number, offset: number, isPaged = true) => {
    const now = advanceReading(UNREAD, { part, offset }, { isPaged, parts: 3 }, 1);
    return [now.watched === 1, now.part, now.part_offset, now.percent];
  };
  assert.deepEqual(at(1, 0.5), [false, 1, 0.5, 50]);
  assert.deepEqual(at(2, 0.001), [false, 2, 0.001, 66.7]);
  assert.deepEqual(at(2, 0.4), [false, 2, 0.4, 80]);
  for (const offset of [0, 1]) assert.deepEqual(at(2, offset), [true, null, null, null]);
  // The last part of a text begins at 0.
  assert.deepEqual(at(2, 0, false), [false, 2, 0, 66.7]);
  assert.deepEqual(at(2, 0.95, false), [true, null, null, null]);
});
