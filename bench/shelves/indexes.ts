/** Indexes that a server builds in the background, and how far each has come: read from its database. */
import { DatabaseSync } from 'node:sqlite';
import { kindNames, ITEM_KINDS, itemFacts, kindsWith } from '../../src/contract/catalog/kinds.ts';

const VIDEO = kindsWith({ role: 'item', medium: 'video' });
const LISTED = kindNames(ITEM_KINDS).filter(
  (kind) => itemFacts(kind).role !== 'extra' && itemFacts(kind).role !== 'section',
);

/** Tables with the last change that an index has followed, and the kinds of items that it follows. */
const FOLLOWERS = [
  { name: 'texts', cursor: 'select change from catalog_text_cursor', kinds: LISTED },
  { name: 'people', cursor: 'select change from catalog_person_cursor', kinds: LISTED },
  { name: 'subtitles', cursor: 'select change from subtitle_cursor', kinds: VIDEO },
  { name: 'walks', cursor: "select change from playback_cursor where follower = 'walks'", kinds: VIDEO },
] as const;

/** Returns the names of the indexes that have not followed every change of their items yet. */
export function indexesBehind(database: string): string[] {
  const db = new DatabaseSync(database, { readOnly: true });
  try {
    return FOLLOWERS.filter(({ cursor, kinds }) => {
      const { change = 0 } = (db.prepare(cursor).get() ?? {}) as { change?: number };
      const names = kinds.map((kind) => `'${kind}'`).join();
      return db.prepare(`select 1 from catalog_item where change > ? and kind in (${names})`).get(change) !== undefined;
    }).map(({ name }) => name);
  } finally {
    db.close();
  }
}
