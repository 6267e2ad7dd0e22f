/**
 * Finds what extras belong to, when the items of a scan are known. An extra that is named after a video next to it
 * belongs to that item; any other one to the only film or show that its folder holds, or else to nothing.
 */
import { fold, stemOf } from '../../naming/text.ts';
import type { ExtraOwner, FoundExtraItem, NearFile } from '../../store/extras.ts';
import type { ScanScope } from './scope.ts';

type ExtraScope = Pick<ScanScope, 'store' | 'library'>;

/** Finds the owners of all extras of a library. Returns whether something changed. */
export async function linkExtras({ store, library }: ExtraScope, signal: AbortSignal): Promise<boolean> {
  const [extras, before] = [await store.extrasIn(library.id), await store.extraOwnersIn(library.id)];
  if (extras.length === 0 && before.length === 0) return false;
  const owners: ExtraOwner[] = [];
  for (const [home, some] of Map.groupBy(extras, ({ extra }) => extra.home)) {
    signal.throwIfAborted();
    const near = await store.filesNear(library.id, home);
    for (const one of some) owners.push(ownerOf(one, near));
  }
  owners.sort((a, b) => (a.item < b.item ? -1 : 1));
  if (JSON.stringify(owners) === JSON.stringify(before)) return false;
  await store.putExtraOwners(library.id, owners);
  return true;
}

const only = <T>(all: readonly T[]): T | undefined => {
  const different = new Set(all);
  return different.size === 1 ? all[0] : undefined;
};

/** `near` are the files of items in the home of the extra and below it. */
export function ownerOf({ id, extra }: FoundExtraItem, near: readonly NearFile[]): ExtraOwner {
  const own = near.filter(({ folder }) => folder === extra.home);
  const named = extra.beside === undefined ? undefined : namesake(extra.beside, own);
  if (named !== undefined) return { item: id, owner: named, section: null };
  const candidates = own.length > 0 ? own : near;
  const owner = only(candidates.map(({ item, group }) => group ?? item));
  if (owner === undefined) return { item: id, owner: null, section: null };
  const section =
    extra.season === undefined
      ? only(own.map((file) => file.section))
      : near.find(({ sectionNumber }) => sectionNumber === extra.season)?.section;
  return { item: id, owner, section: section ?? null };
}

/** Returns the item whose file has this name, or the only one whose name begins with it. */
function namesake(name: string, files: readonly NearFile[]): string | undefined {
  const wanted = fold(name);
  if (wanted === '') return undefined;
  const stems = files.map(({ name: file, item }) => ({ item, stem: fold(stemOf(file)) }));
  const same = stems.filter(({ stem }) => stem === wanted);
  const alike = same.length > 0 ? same : stems.filter(({ stem }) => stem.startsWith(`${wanted} `));
  return only(alike.map(({ item }) => item));
}
