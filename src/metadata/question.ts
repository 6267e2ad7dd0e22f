/** Reads a film or show with its layers, and says by what the provider is asked for it. */
import type { CatalogBackground, ItemLayers } from '../catalog/index.ts';
import { Failure, found } from '../lib/failure.ts';
import type { WorkQuestion } from './confidence.ts';

export type LayeredWork = ItemLayers & { kind: WorkQuestion['kind'] };

export function createQuestions(catalog: Pick<CatalogBackground, 'layers' | 'subject' | 'outline'>) {
  const read = async (item: string): Promise<LayeredWork> => {
    const [layers] = await catalog.layers.read([item]);
    const { kind } = found(layers, 'no such film or show', 'no-such-item');
    if (!layers || (kind !== 'movie' && kind !== 'show'))
      throw new Failure('missing', 'no such film or show', { reason: 'no-such-item' });
    return { ...layers, kind };
  };
  const lastSeason = async (show: string): Promise<number | undefined> => {
    const numbers = (await catalog.outline(show)).episodes.map(({ season }) => season);
    return numbers.length === 0 ? undefined : Math.max(...numbers);
  };
  const wantedOf = async ({ id, kind, layers }: LayeredWork): Promise<WorkQuestion> => {
    const sources = [layers.edit, layers.match, layers.nfo, layers.tags, layers.name].flatMap((one) => one ?? []);
    const subject = kind === 'movie' ? await catalog.subject(id) : undefined;
    const ids: Readonly<Record<string, string>> = Object.assign({}, ...sources.toReversed().map((one) => one.ids));
    return {
      kind,
      titles: sources.flatMap(({ title, originalTitle }) => [title ?? [], originalTitle ?? []].flat()),
      year: sources.map(({ year }) => year ?? undefined).find((year) => year !== undefined),
      duration: subject?.files.reduce((sum, { info }) => sum + (info?.duration ?? 0), 0),
      seasons: kind === 'show' ? await lastSeason(id) : undefined,
      id: ids['tmdb'],
      foreign: ids,
    };
  };
  return { read, wantedOf };
}
