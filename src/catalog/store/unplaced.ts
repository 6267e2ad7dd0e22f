/** Files that a scan could not identify or read. */
import type { Database } from '../../lib/db/index.ts';
import { type FileRecord, parseStrings } from './records.ts';
import type { CatalogTables } from './tables.ts';

export type UnplacedFile = Pick<FileRecord, 'id' | 'library' | 'folder' | 'name' | 'problem' | 'evidence' | 'seen'>;

export const unplacedStore = (db: Database) => {
  const files = () =>
    db.tables<CatalogTables>().selectFrom('catalog_file').where('missing', 'is', null).where('problem', 'is not', null);
  return {
    unplaced: async ({
      library,
      after,
      offset = 0,
      limit,
    }: {
      library?: string | undefined;
      after?: Pick<UnplacedFile, 'folder' | 'name' | 'id'> | undefined;
      offset?: number | undefined;
      limit: number;
    }): Promise<{ rows: UnplacedFile[]; total: number }> => {
      const from = files().$if(library !== undefined, (q) => q.where('library', '=', library ?? ''));
      const page = from.$if(after !== undefined, (q) =>
        q.where((eb) =>
          eb(
            eb.refTuple('folder', 'name', 'id'),
            '>',
            eb.tuple(after?.folder ?? '', after?.name ?? '', after?.id ?? ''),
          ),
        ),
      );
      const rows = await page
        .select(['id', 'library', 'folder', 'name', 'problem', 'evidence', 'seen'])
        .orderBy('folder')
        .orderBy('name')
        .orderBy('id')
        .offset(offset)
        .limit(limit)
        .execute();
      const { total } = await from.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      return { rows: rows.map((row) => ({ ...row, evidence: parseStrings(row.evidence) })), total: Number(total) };
    },
    countUnplaced: async (): Promise<number> =>
      Number(
        (
          await files()
            .select((eb) => eb.fn.countAll<number>().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      ),
  };
};
