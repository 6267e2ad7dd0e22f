/** Reads a film or show with its layers, and says by what the provider is asked for it. */
import type { CatalogBackground, GroupOutline, ItemLayers, PlayableFile } from '../catalog/index.ts';
import { Failure, found } from '../lib/failure.ts';
import type { WorkQuestion } from './confidence.ts';

export type LayeredWork = ItemLayers & { kind: WorkQuestion['kind'] };

/** Services by whose ids a work is looked up. TMDB knows no films by their number at TheTVDB. */
const LOOKED_UP = { movie: ['tmdb', 'imdb', 'wikidata'], show: ['tmdb', 'imdb', 'tvdb', 'wikidata'] } as const;
/** Specials. */
const NO_SEASON = 0;

/** Returns the length of the first version, which may have several parts; undefined if it is not known. */
function lengthOfVersion(files: readonly PlayableFile[]): number | undefined {
  const lengths = files.filter(({ id }) => id === files[0]?.id).map(({ info }) => info?.duration);
  return lengths.every((one) => one !== undefined) ? lengths.reduce((sum, one) => sum + one, 0) : undefined;
}

/** Returns the last season, the last episode of each, and the length of the middle one of the episodes. */
function countedIn(episodes: GroupOutline['episodes']): Pick<WorkQuestion, 'duration' | 'seasons' | 'episodes'> {
  const last = new Map<number, number>();
  for (const one of episodes) last.set(one.season, Math.max(last.get(one.season) ?? 0, one.last));
  const lengths = episodes
    .flatMap(({ season, episode, last: end, duration }) =>
      season === NO_SEASON || end !== episode || duration === null ? [] : [duration],
    )
    .toSorted((one, other) => one - other);
  return {
    duration: lengths[Math.floor(lengths.length / 2)],
    seasons: last.size === 0 ? undefined : Math.max(...last.keys()),
    episodes: last,
  };
}

export function createQuestions(catalog: Pick<CatalogBackground, 'layers' | 'subject' | 'outline'>) {
  const read = async (item: string): Promise<LayeredWork> => {
    const [layers] = await catalog.layers.read([item]);
    const { kind } = found(layers, 'no such film or show', 'no-such-item');
    if (!layers || (kind !== 'movie' && kind !== 'show'))
      throw new Failure('missing', 'no such film or show', { reason: 'no-such-item' });
    return { ...layers, kind };
  };
  const lengthOf = async (film: string) => ({ duration: lengthOfVersion((await catalog.subject(film))?.files ?? []) });
  const wantedOf = async ({ id, kind, layers }: LayeredWork): Promise<WorkQuestion> => {
    const sources = [layers.edit, layers.match, layers.nfo, layers.tags, layers.name].flatMap((one) => one ?? []);
    const counted = kind === 'movie' ? await lengthOf(id) : countedIn((await catalog.outline(id)).episodes);
    const stated = sources.filter((source) => source !== layers.match);
    const ids: Readonly<Record<string, string>> = Object.assign({}, ...sources.toReversed().map((one) => one.ids));
    return {
      kind,
      titles: sources.flatMap(({ title, originalTitle }) => [title ?? [], originalTitle ?? []].flat()),
      year: sources.map(({ year }) => year ?? undefined).find((year) => year !== undefined),
      ...counted,
      id: ids['tmdb'],
      isIdStated: stated.some((source) => LOOKED_UP[kind].some((service) => source.ids?.[service] !== undefined)),
      foreign: ids,
    };
  };
  return { read, wantedOf };
}
