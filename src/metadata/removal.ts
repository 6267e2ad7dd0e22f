/** Removes what the provider said about a film or show, with its seasons and episodes. */
import type { CatalogBackground } from '../catalog/index.ts';

export function createRemoval(catalog: Pick<CatalogBackground, 'layers' | 'outline'>) {
  /** Returns what removes a layer of an item and, for a show, of its seasons and episodes. */
  const layersOf = async (id: string, source: 'match' | 'tmdb') => {
    const { seasons: sections, episodes } = await catalog.outline(id);
    return [id, ...[...sections, ...episodes].map((one) => one.id)].map((item) => ({ item, source, facts: null }));
  };
  const drop = async (id: string): Promise<void> =>
    catalog.layers.write([...(await layersOf(id, 'match')), ...(await layersOf(id, 'tmdb'))]);
  /** Removes all facts, but not which work it is, so that it is read again when the provider can be asked. */
  const expire = async (id: string): Promise<void> => {
    const [item] = await catalog.layers.read([id]);
    const ids = item?.layers.match?.ids;
    const matched = (await layersOf(id, 'match')).filter((one) => one.item !== id);
    const choice = { item: id, source: 'match' as const, facts: ids ? { ids } : null };
    await catalog.layers.write([...(await layersOf(id, 'tmdb')), ...matched, choice]);
  };
  return { layersOf, drop, expire };
}
