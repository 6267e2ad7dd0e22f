/** Measured loudness of tracks whose tags state none. */
import type { Kysely } from 'kysely';
import { kindsWith } from '../../contract/catalog/kinds.ts';
import { columns, type Database, type Engine, table } from '../../lib/db/index.ts';
import type { AudioGain } from '../probe/types.ts';
import { once } from './prepared.ts';
import type { CatalogTables, LoudnessTable } from './tables.ts';
import { inChunks, upserter } from './writing.ts';

export async function loudness(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'catalog_loudness')
    .addColumn('item', c.id, (col) => col.primaryKey())
    .addColumn('source', c.text, (col) => col.notNull())
    .addColumn('change', c.integer, (col) => col.notNull())
    .addColumn('gain', c.real)
    .addColumn('peak', c.real)
    .addColumn('album_gain', c.real)
    .addColumn('album_peak', c.real)
    .execute();
}

const TRACKS = kindsWith({ role: 'item', medium: 'audio' });
const upsertLoudness = upserter('catalog_loudness', ['item']);

export const loudnessStore = (db: Database, written: () => void) => {
  const read = () => db.tables<CatalogTables>();
  const one = once(() => read().selectFrom('catalog_loudness').selectAll().where('item', '=', '').compile());
  return {
    /** Returns the measured gain of a track. */
    measuredGain: async (item: string): Promise<AudioGain | undefined> => {
      const [row] = await db.run(one(), [item]);
      if (!row) return undefined;
      return {
        ...(row.gain !== null && { track: row.gain }),
        ...(row.peak !== null && { trackPeak: row.peak }),
        ...(row.album_gain !== null && { album: row.album_gain }),
        ...(row.album_peak !== null && { albumPeak: row.album_peak }),
      };
    },
    /**
     * Returns albums of these libraries, by their ids after `after`, with a track that changed since it was measured,
     * if it ever was.
     */
    albumsToMeasure: async (libraries: readonly string[], after: string, most: number): Promise<string[]> => {
      if (libraries.length === 0) return [];
      const rows = await read()
        .selectFrom('catalog_item')
        .leftJoin('catalog_loudness', 'catalog_loudness.item', 'catalog_item.id')
        .select('catalog_item.show')
        .distinct()
        .where('catalog_item.kind', 'in', TRACKS)
        .where('catalog_item.present', '=', 1)
        .where('catalog_item.library', 'in', libraries)
        .where('catalog_item.show', '>', after)
        .where((eb) =>
          eb.or([
            eb('catalog_loudness.item', 'is', null),
            eb('catalog_loudness.change', '<', eb.ref('catalog_item.change')),
          ]),
        )
        .orderBy('catalog_item.show')
        .limit(most)
        .execute();
      return rows.flatMap(({ show }) => show ?? []);
    },
    /** Returns the ids of the present tracks of an album, with the number of their last change. */
    tracksToMeasure: (album: string): Promise<{ id: string; change: number }[]> =>
      read()
        .selectFrom('catalog_item')
        .select(['id', 'change'])
        .where('show', '=', album)
        .where('kind', 'in', TRACKS)
        .where('present', '=', 1)
        .execute(),
    loudnessOf: async (items: readonly string[]): Promise<LoudnessTable[]> =>
      inChunks(items, (some) => read().selectFrom('catalog_loudness').selectAll().where('item', 'in', some).execute()),
    putLoudness: (rows: readonly LoudnessTable[]): Promise<void> =>
      db.write<CatalogTables, void>('grouped', (tx) => upsertLoudness(tx, rows)).finally(written),
  };
};
export type LoudnessStore = ReturnType<typeof loudnessStore>;
