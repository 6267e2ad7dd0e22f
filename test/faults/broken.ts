/**
 * Planted faults: pieces of text of modules that are replaced, so that the same checks can be run against a program
 * that breaks its promise, and must then find the damage.
 *
 * `programFile` of `programs.ts` has all of them built in, and `FAULT` chooses one. Loaded first, this module plants it
 * in sources: `FAULT=in-place node --import ./test/faults/broken.ts src/main.ts`.
 */
import { type Fault, replaceOnLoad } from './replaced.ts';

/** Every fault: what it breaks is said by its name. */
export const FAULTS: Readonly<Record<string, readonly Fault[]>> = {
  /** A file is written under its own name, as if a crash never came. */
  'in-place': [
    { file: 'lib/files/write.ts', from: 'const temporary = newStray();', to: 'const temporary = name;' },
    {
      file: 'lib/files/write.ts',
      from: 'const hasBoth = await linkOrRename(parent, temporary, name);',
      to: 'const hasBoth = false;',
    },
  ],
  /** Leftovers of a killed writer are not removed. */
  'no-sweep': [
    {
      file: 'lib/files/write.ts',
      from: "if (entry.kind !== 'file' || !isStray(entry.name)) continue;",
      to: 'continue;',
    },
  ],
  /** A bulk edit writes each item in a separate transaction. */
  'edit-in-parts': [
    {
      file: 'catalog/store/layers/edits.ts',
      from: 'change: (ids: readonly string[],',
      to: `change: async (ids, how) => {
        let all = { rows: [], change: undefined };
        for (const id of ids) {
          const { rows, change } = await editStore(db).one([id], { ...how, check: () => {} });
          all = { rows: [...all.rows, ...rows], change: change ?? all.change };
        }
        return all;
      },
      one: (ids: readonly string[],`,
    },
  ],
  /** An uploaded picture is named by its row before it is written. */
  'picture-unwritten': [
    {
      file: 'catalog/core/kept-pictures.ts',
      from: 'await writeWhole(path, made);',
      to: 'setTimeout(() => void writeWhole(path, made), 3_600_000).unref();',
    },
  ],
  /** The facts of a film are written before its picture. */
  'facts-in-parts': [
    {
      file: 'metadata/matching.ts',
      from: 'await catalog.layers.write([{ item: id, source, facts }',
      to: `await catalog.layers.write([{ item: id, source, facts: { ...facts, images: had } }]);
        crashPoint('metadata.match.layered');
        await catalog.layers.write([{ item: id, source, facts }`,
    },
  ],
  /** An entry of a playlist is taken from its place, and put elsewhere in another transaction. */
  'reorder-in-parts': [
    {
      file: 'lists/store/playlists.ts',
      from: `db.write('safe', async (tx: ListTransaction): Promise<boolean> => {
        const named`,
      to: `(void db.write('safe', async (tx: ListTransaction) => void (await tx.updateTable('lists_entry')
          .set({ place: 0 }).where('id', '=', entry).execute())), db)
        .write('safe', async (tx: ListTransaction): Promise<boolean> => {
        const named`,
    },
    {
      file: 'lists/store/collections.ts',
      from: `db.write('safe', async (tx: CollectionTransaction) => {
        await ensure(tx, row);
        const entries`,
      to: `(void db.write('safe', (tx: CollectionTransaction) =>
          putEntries(tx, [{ collection: row.id, item: how.item, state: 'member', place: -1 }])), db)
        .write('safe', async (tx: CollectionTransaction) => {
        await ensure(tx, row);
        const entries`,
    },
  ],
  /** The steps of a change of identity are written one after the other. */
  'identity-in-parts': [
    {
      file: 'identity/store/store.ts',
      from: `await db.write('safe', async (tx: IdentityTransaction) => {
        for (const step of steps) {
          await writeStep(tx, step);`,
      to: `await Promise.try(async () => {
        for (const step of steps) {
          await db.write('safe', (tx) => writeStep(tx, step));`,
    },
  ],
  /** A chosen order of episodes does not mark its show, so no later run applies it. */
  'order-unmarked': [
    {
      file: 'metadata/store.ts',
      from: '.set({ episode_order: `${work}:${order}`, changed: 1 })',
      to: '.set({ episode_order: `${work}:${order}` })',
    },
  ],
  /** A folder counts as scanned before it is. */
  'folder-done-early': [
    {
      file: 'catalog/core/scan/assemble.ts',
      from: "return { ...folder, mtime: UNTRUSTED, signature: '', aside: placesBelow ? aside : folder.aside };",
      to: 'return folder;',
    },
  ],
  /** A subtitle is written before the database has the intent. */
  'no-intent': [
    { file: 'subtitles/install/install.ts', from: 'await store.intend(intent);\n  crashPoint(`', to: 'crashPoint(`' },
  ],
  /** Files are hidden before the database has the intent. */
  'no-hiding-intent': [
    { file: 'subtitles/cleanup/hide.ts', from: 'await store.intend(files', to: '((..._rows: unknown[]) => {})(files' },
  ],
  /** The old file is removed before the new one is written. */
  'removed-first': [
    {
      file: 'subtitles/install/install.ts',
      from: 'await store.intend(intent);\n  crashPoint(`',
      to: 'await store.intend(intent);\n  await removeOld(intent, root);\n  crashPoint(`',
    },
  ],
  /** A start does not remove the file that was replaced by one with another name. */
  'replaced-not-removed': [
    {
      file: 'subtitles/install/install.ts',
      from: 'if (over && !isInPlace) await removeReplaced(needs, intent, root);',
      to: '',
    },
  ],
  /** The bytes of a removed subtitle are kept nowhere. */
  'removed-not-preserved': [
    {
      file: 'subtitles/install/install.ts',
      from: 'await preserved.put(await readExactly(place, over.content));',
      to: '',
    },
  ],
  /** The bytes of a replaced subtitle are read and not kept. */
  'replaced-not-preserved': [
    {
      file: 'subtitles/install/install.ts',
      from: 'if (over) await preserved.put(',
      to: 'if (over) await (async (_bytes: unknown) => {})(',
    },
  ],
  /** The bytes of a replaced subtitle are not read. */
  'replaced-not-read': [
    {
      file: 'subtitles/install/install.ts',
      from: 'if (over) await preserved.put(await readExactly(inRoot(root, over.relative), over.content));',
      to: '',
    },
  ],
  /** A subtitle is written in part under its final name. */
  'installed-in-part': [
    {
      file: 'subtitles/install/install.ts',
      from: 'await writeWhole(place, bytes, { exclusive: !isInPlace, check });',
      to: 'await writeWhole(place, bytes.subarray(0, 40), { exclusive: !isInPlace, check });',
    },
  ],
  /** A subtitle is replaced, and its bytes are kept nowhere. */
  'not-preserved': [
    { file: 'subtitles/history/preserved.ts', from: 'await writeWhole(path(content), bytes);', to: '' },
  ],
  /** A saved setting is acknowledged before it is written. */
  'early-answer': [
    {
      file: 'config/config.ts',
      from: 'await store.write(rows, clock.now(), async (tx) => {',
      to: `const later = (...given) => void setTimeout(() => void store.write(...given), 3_600_000).unref();
        later(rows, clock.now(), async (tx) => {`,
    },
  ],
  /** The database is upgraded where it lies, step by step. */
  'upgrade-in-place': [
    {
      file: 'lib/db/upgrade.ts',
      from: 'const copyOf = (file: string): string => `${file}.upgrade`;',
      to: 'const copyOf = (file: string): string => file;',
    },
    { file: 'lib/db/upgrade.ts', from: 'await copyWhole(file, copy);', to: '' },
    { file: 'lib/db/upgrade.ts', from: '  await removeDatabase(copyOf(file));\n  const live', to: '  const live' },
  ],
};

const name = process.env['FAULT'];
if (name !== undefined) {
  const planted = FAULTS[name];
  if (!planted) throw new Error(`FAULT names no fault: ${name}`);
  replaceOnLoad(planted);
}
