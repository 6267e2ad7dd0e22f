/** Pictures and order of lists. */
import type { Cover } from '../contract/lists/playlists.ts';
import type { VisibleCatalog } from '../catalog/index.ts';

/** The key that lists are sorted by. */
export const listNameKey = ({ name, id }: { name: string; id: string }): [string, string] => [name, id];
/** Compares lists by name. */
export const byListName = (a: { name: string; id: string }, b: { name: string; id: string }): number =>
  byText(a.name, b.name) || byText(a.id, b.id);
const byText = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true, sensitivity: 'base' });

/** Returns the pictures of items, as those of a list. */
export async function coversOf(view: Pick<VisibleCatalog, 'cards'>, ids: readonly string[]): Promise<Cover[]> {
  return (await view.cards(ids)).map(({ id, kind, title, images }) => ({ id, kind, title, images }));
}
