/**
 * Changes of the configured list of libraries, one at a time.
 *
 * Each change is computed from the list as it is saved and is written under the configuration's lock, so concurrent
 * changes do not undo each other. While no list is configured, the catalogue reads `paths.media` as its default
 * library; the first library that is added turns that one into an ordinary entry, with its id, items and history.
 */
import { normalize } from 'node:path';
import type { Activity } from '../../activity/index.ts';
import type { Config, LibraryOptions, LibrarySetting } from '../../config/index.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import type { CommitCursor } from '../../lib/db/index.ts';
import { Failure, found } from '../../lib/failure.ts';
import { createLock } from '../../lib/lock.ts';
import type { CatalogAdmin } from '../index.ts';
import type { LibraryState } from '../types.ts';

export interface LibraryChange extends Partial<Pick<LibrarySetting, 'name' | 'path' | 'kind'>> {
  /** Replaces all of its options. */
  options?: LibraryOptions;
}

export interface LibraryList {
  isManaged(): boolean;
  /** Adds a library. Fails as `conflict` if its name is taken or its folder overlaps with that of another one. */
  add(library: LibrarySetting, by: Principal): Promise<LibraryState>;
  /** Changes some members of a library, which keeps its id. Fails as `missing`, or as `conflict` as `add` does. */
  update(id: string, change: LibraryChange, by: Principal): Promise<LibraryState>;
  /** Removes a library from the list. Fails as `missing`, or as `conflict` for the default library of an empty list. */
  remove(id: string, by: Principal): Promise<void>;
}

/** Name of the default library when a new library has taken its own. */
const OTHER_NAME = 'Media folder';

export interface LibraryListNeeds {
  admin: CatalogAdmin;
  config: Config;
  /** Returns what records an event in the transaction that saves the list. */
  recorded: Activity['recorded'];
}

export function createLibraryList({ admin, config, recorded }: LibraryListNeeds): LibraryList {
  // Held until the catalogue has adopted the list: before that, ids and paths do not match.
  const lock = createLock();
  const stateOf = (id: string): LibraryState =>
    found(
      admin.libraries().find((library) => library.id === id),
      'no such library',
      'no-such-library',
    );

  /**
   * `next` receives the saved list, or undefined while none is saved. An empty result brings the default library back.
   */
  const save = async (
    next: (saved: readonly LibrarySetting[] | undefined) => readonly LibrarySetting[],
    recorded: CommitCursor,
  ): Promise<void> => {
    await config.change(
      'libraries',
      (saved) => {
        const list = next(saved);
        return list.length === 0 ? '' : JSON.stringify(list);
      },
      { recorded: () => recorded },
    );
    await admin.reload();
  };
  /** A library that is added has no id yet. */
  const recording = (
    by: Principal,
    kind: 'library-added' | 'library-changed' | 'library-removed',
    library: { id?: string; kind: LibrarySetting['kind'] },
  ): CommitCursor => recorded({ kind, outcome: 'done', by, target: library.id, details: { kind: library.kind } });
  const isEntryOf = (library: LibraryState) => (entry: LibrarySetting) => entry.path === library.path;
  /** The configuration can be changed by other ways than this one; then an id says nothing about the saved list. */
  const mustHold = (list: readonly LibrarySetting[], library: LibraryState): void => {
    if (!list.some(isEntryOf(library)))
      throw new Failure('conflict', 'the libraries were changed in the meantime; read them again', {
        reason: 'libraries-changed',
      });
  };

  return {
    isManaged: () => config.all().find(({ key }) => key === 'libraries')?.managed === true,
    add: (library, by) =>
      lock.run(async () => {
        await save(
          (saved) => (saved ? [...saved, library] : keepDefault(config.libraries()[0], library)),
          recording(by, 'library-added', { kind: library.kind }),
        );
        return found(
          admin.libraries().find(({ name }) => name === library.name.trim()),
          'no such library',
          'no-such-library',
        );
      }),
    update: (id, change, by) =>
      lock.run(async () => {
        const library = stateOf(id);
        if (change.name !== undefined && change.path !== undefined) await admin.rename(id, change.name.trim());
        try {
          await save(
            (saved) => {
              const list = saved ?? config.libraries();
              mustHold(list, library);
              return list.map((entry) => (isEntryOf(library)(entry) ? changed(entry, change) : entry));
            },
            recording(by, 'library-changed', { id, kind: change.kind ?? library.kind }),
          );
        } catch (error) {
          await admin.reload();
          throw error;
        }
        return stateOf(id);
      }),
    remove: (id, by) =>
      lock.run(async () => {
        const library = stateOf(id);
        await save(
          (saved) => {
            if (!saved)
              throw new Failure(
                'conflict',
                'this is the default library, which is used while no other is listed; add another one first',
                { reason: 'default-library' },
              );
            mustHold(saved, library);
            return saved.filter((entry) => !isEntryOf(library)(entry));
          },
          recording(by, 'library-removed', library),
        );
      }),
  };
}

const changed = (
  { name, path, kind, ...options }: LibrarySetting,
  { options: next = options, ...change }: LibraryChange,
): LibrarySetting => ({ name, path, kind, ...change, ...next });

/** The first list: the default library stays, unless the new one is the same folder and so only names it. */
function keepDefault(fallback: LibrarySetting | undefined, library: LibrarySetting): readonly LibrarySetting[] {
  if (!fallback || fallback.path === normalize(`${library.path}/`).slice(0, -1)) return [library];
  const isNameTaken = fallback.name.toLowerCase() === library.name.trim().normalize('NFC').toLowerCase();
  return [isNameTaken ? { ...fallback, name: OTHER_NAME } : fallback, library];
}
