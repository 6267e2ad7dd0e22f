/** Reads and writes what extras belong to. */
import { kindsWith } from '../../contract/catalog/kinds.ts';
import type { Database } from '../../lib/db/index.ts';
import { type Details, type ItemRecord, parseDetails, parseItem } from './records.ts';
import type { CatalogTables, ExtraTable } from './tables.ts';
import { chunks, inChunks } from './writing.ts';

/** Prefix of the keys of extras, and the first text after all keys with it. An index finds them without the rest. */
export const EXTRA_KEYS = 'extra:';
const AFTER_EXTRA_KEYS = 'extra;';
const EXTRAS = kindsWith({ role: 'extra' });
const ITEMS = kindsWith({ role: 'item' });

/** An extra that a scan found. */
export interface FoundExtraItem {
  id: string;
  extra: NonNullable<Details['extra']>;
}
/** A file of an item near an extra. */
export interface NearFile {
  folder: string;
  name: string;
  item: string;
  group: string | null;
  section: string | null;
  sectionNumber: number | null;
}
export type ExtraOwner = Pick<ExtraTable, 'item' | 'owner' | 'section'>;

export const extraScanStore = (db: Database) => {
  const read = () => db.tables<CatalogTables>();
  return {
    /** Returns the extras of a library that are present. */
    extrasIn: async (library: string): Promise<FoundExtraItem[]> => {
      const rows = await read()
        .selectFrom('catalog_item')
        .select(['id', 'detail'])
        .where('library', '=', library)
        .where('key', '>=', EXTRA_KEYS)
        .where('key', '<', AFTER_EXTRA_KEYS)
        .where('kind', 'in', EXTRAS)
        .where('present', '=', 1)
        .execute();
      return rows.flatMap(({ id, detail }) => {
        const { extra } = parseDetails(detail);
        return extra ? [{ id, extra }] : [];
      });
    },
    /** Returns the present files of items in a folder and below it. */
    filesNear: async (library: string, folder: string): Promise<NearFile[]> => {
      const rows = await read()
        .selectFrom('catalog_file')
        .innerJoin('catalog_item', 'catalog_item.id', 'catalog_file.item')
        .select([
          'catalog_file.folder',
          'catalog_file.name',
          'catalog_item.id as item',
          'catalog_item.show as group',
          'catalog_item.season as section',
          'catalog_item.season_number as sectionNumber',
        ])
        .where('catalog_file.library', '=', library)
        .where('catalog_file.missing', 'is', null)
        .where('catalog_item.kind', 'in', ITEMS)
        .where((eb) => {
          // Everything is below the root; what belongs to the root is in it.
          if (folder === '') return eb('catalog_file.folder', '=', '');
          // One range of the index, without which SQLite walks the whole library. `0` is the character after `/`; other
          // folders come between the two.
          return eb.and([
            eb('catalog_file.folder', '>=', folder),
            eb('catalog_file.folder', '<', `${folder}0`),
            eb.or([eb('catalog_file.folder', '=', folder), eb('catalog_file.folder', '>', `${folder}/`)]),
          ]);
        })
        .orderBy('catalog_file.folder')
        .orderBy('catalog_file.name')
        .execute();
      return rows;
    },
    extraOwnersIn: (library: string): Promise<ExtraOwner[]> =>
      read()
        .selectFrom('catalog_extra')
        .select(['item', 'owner', 'section'])
        .where('library', '=', library)
        .orderBy('item')
        .execute(),
    /** Replaces what the extras of a library belong to. */
    putExtraOwners: (library: string, owners: readonly ExtraOwner[]): Promise<void> =>
      db.write<CatalogTables, void>('grouped', async (tx) => {
        await tx.deleteFrom('catalog_extra').where('library', '=', library).execute();
        for (const some of chunks(owners)) {
          const items = some.map(({ item }) => item);
          // An extra may have come from another library.
          await tx.deleteFrom('catalog_extra').where('item', 'in', items).execute();
          await tx
            .insertInto('catalog_extra')
            .values(some.map((owner) => ({ ...owner, library })))
            .execute();
        }
      }),
  };
};

/** An extra that belongs to something. */
export interface OwnedExtra {
  item: string;
  owner: string;
  section: string | null;
  /** Number of the section. */
  season: number | null;
  duration: number | null;
}

export const extraReadingStore = (db: Database) => ({
  /** Returns every extra that belongs to something. */
  extraOwners: async (): Promise<OwnedExtra[]> => {
    const rows = await db
      .tables<CatalogTables>()
      .selectFrom('catalog_extra')
      .innerJoin('catalog_item', 'catalog_item.id', 'catalog_extra.item')
      .leftJoin('catalog_item as s', 's.id', 'catalog_extra.section')
      .select([
        'catalog_extra.item',
        'catalog_extra.owner',
        'catalog_extra.section',
        's.season_number as season',
        'catalog_item.duration',
      ])
      .where('catalog_item.present', '=', 1)
      .where('catalog_extra.owner', 'is not', null)
      .orderBy('catalog_extra.item')
      .execute();
    return rows.flatMap(({ owner, ...row }) => (owner === null ? [] : [{ ...row, owner }]));
  },
  items: async (ids: readonly string[]): Promise<ItemRecord[]> =>
    (
      await inChunks(ids, (some) =>
        db.tables<CatalogTables>().selectFrom('catalog_item').selectAll().where('id', 'in', some).execute(),
      )
    ).map(parseItem),
});
