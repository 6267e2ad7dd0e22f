/** Kept candidates: ids, order, age and limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlayableFile } from '../../catalog/index.ts';
import { MAX_CANDIDATES } from '../../contract/subtitles/candidates.ts';
import { film, offer } from '../choosing/testing.ts';
import { score } from '../choosing/score.ts';
import { createCandidateLists, mayBeChosen, verdictOf } from './candidate-lists.ts';

const file: PlayableFile = {
  id: 'v',
  item: 'i',
  library: 'l',
  root: '/',
  relative: 'Film.mkv',
  size: 5,
  modifiedMs: 1,
  part: 1,
  info: undefined,
  available: true,
};
const about = (item: string, language = 'en') => ({ item, language, role: 'normal' as const });
const open = () => {
  const clock = { at: 1_000_000, now: () => clock.at };
  const lists = createCandidateLists({ clock });
  const keep = (item: string, ids: readonly string[], language?: string) =>
    lists.keep({
      about: about(item, language),
      file,
      ask: film,
      answers: [],
      scored: ids.map((id) =>
        score(offer({ id, title: 'The Matrix', year: id.startsWith('old') ? 1990 : 1999 }), film),
      ),
    });
  return { clock, lists, keep };
};

test('ids belong to one item and language, and candidates with a conflict come last', () => {
  const { keep, lists } = open();
  const first = keep('a', ['old', '1', '2']);
  assert.deepEqual(
    first.candidates.map(({ scored }) => scored.candidate.id),
    ['1', '2', 'old'],
  );
  const ids = [first, keep('b', ['1']), keep('a', ['1'], 'de'), open().keep('a', ['1'])].map(
    ({ candidates }) => candidates[0]?.id,
  );
  assert.equal(new Set(ids).size, 4, 'another item, language or server has other ids');
  assert.equal(keep('a', ['1']).candidates[0]?.id, ids[0]);
  assert.equal(lists.last(about('a'), { ...file, size: 6 }), undefined, 'the video is another one');
  const [last] = keep('a', ['old']).candidates;
  assert.ok(last);
  const verdict = verdictOf(last, []);
  assert.deepEqual([verdict?.reason, mayBeChosen(verdict)], ['year', false]);
});

test('lists, their candidates and the kept bytes are limited, and end with time', () => {
  const { clock, keep, lists } = open();
  const many = keep(
    'many',
    Array.from({ length: 500 }, (_, n) => String(n)),
  );
  assert.deepEqual([many.candidates.length, many.total], [MAX_CANDIDATES, 500]);
  for (let n = 0; n < 40; n++) keep(`item ${n}`, ['1', '2', '3']);
  assert.equal(lists.last(about('many'), file), undefined, 'the oldest lists are dropped');
  assert.ok(lists.last(about('item 39'), file));

  const bytes = () => new Uint8Array(3 * 1024 ** 2);
  const all = [37, 38, 39].flatMap((n) => lists.last(about(`item ${n}`), file)?.candidates ?? []);
  for (const one of all) lists.keepDownload(one, { bytes: bytes(), name: 'x.srt' });
  const kept = all.flatMap((one, n) => (one.downloaded ? [n] : []));
  assert.deepEqual(kept, [7, 8], 'at most 8 MiB, the newest');

  const list = lists.last(about('item 39'), file);
  assert.ok(list && lists.isFresh(list));
  clock.at += 11 * 60_000;
  assert.equal(lists.isFresh(list), false);
  assert.ok(lists.last(about('item 39'), file));
  clock.at += 60 * 60_000;
  assert.equal(lists.last(about('item 39'), file), undefined);
});
