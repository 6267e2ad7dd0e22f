/** Which items have text subtitles, by language, as both engines tell it; a change is seen at the next question. */
import assert from 'node:assert/strict';
import { eachEngine } from '../../lib/db/testing.ts';
import { inventoryStore } from '../store/inventory.ts';
import { subtitleMigrations } from '../store/migrations.ts';
import { createSubtitledReader } from './subtitled.ts';
import { idOf, plain, put } from './testing.ts';

eachEngine('items with text subtitles, by language', subtitleMigrations, async (_t, db) => {
  await put(
    db,
    plain(1, { said: ['de', 'en:inside'], state: 'known' }),
    plain(2, { said: ['pt-BR'] }),
    plain(3, { said: ['de:hidden', 'de:picture', 'de:forced'] }),
    plain(4, { said: ['-'] }),
    plain(5, { said: [] }),
    plain(6, { said: ['de:sdh'] }),
  );
  const reader = createSubtitledReader(inventoryStore(db), 2);
  const { version, all, byLanguage } = await reader.items();
  const of = (language: string) => [...(byLanguage.get(language) ?? [])].sort();
  assert.deepEqual(
    [...all].sort(),
    [1, 2, 4, 6].map(idOf),
    'pictures, hidden and forced ones are no text of the whole',
  );
  assert.deepEqual(of('de'), [1, 6].map(idOf));
  assert.deepEqual(of('en'), [idOf(1)]);
  assert.deepEqual([of('pt'), of('pt-br')], [[idOf(2)], [idOf(2)]]);
  assert.equal((await reader.items()).all, all, 'the same object until something changes');
  await put(db, plain(5, { said: ['fr'] }));
  reader.changed();
  const later = await reader.items();
  assert.notEqual(later.version, version);
  assert.deepEqual([...(later.byLanguage.get('fr') ?? [])], [idOf(5)]);
});
