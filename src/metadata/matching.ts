/**
 * Matches one film or show with a work of TMDB and writes what the work says, its seasons and episodes included.
 *
 * All layers of an item are written in one transaction, so that a crash leaves the old facts or the new ones. The row
 * that remembers the match follows; a crash in between repeats the question.
 */
import type { CatalogBackground, CatalogWork, LayerFacts } from '../catalog/index.ts';
import type { MatchCandidate } from '../contract/catalog/candidates.ts';
import type { RefreshResult } from '../contract/metadata/metadata.ts';
import type { Clock } from '../lib/clock.ts';
import { crashPoint } from '../lib/crash.ts';
import { found } from '../lib/failure.ts';
import { posterOf } from './offered.ts';
import { createMemory } from './memory.ts';
import { createQuestions, type LayeredWork } from './question.ts';
import { createRemoval } from './removal.ts';
import { createKeyedLock } from '../lib/lock.ts';
import { isCertain } from './confidence.ts';
import { createRivals } from './rivals.ts';
import { layerFactsOf, titlesOf } from './facts.ts';
import type { createSeasons } from './seasons.ts';
import type { MatchStore } from './store.ts';
import { trailersOf } from './trailers.ts';
import { type createWorks, languageQuery, type MetadataPreferences, offerOf, type Work } from './works.ts';

const MS_PER_DAY = 86_400_000;
/** A show whose last episode is not older than this is on air, even if the date of the next one is not known. */
const ON_AIR_DAYS = 14;

export interface MatchingNeeds {
  worksOf(library: string): ReturnType<typeof createWorks>;
  seasons: ReturnType<typeof createSeasons>;
  catalog: Pick<CatalogBackground, 'layers' | 'seasons' | 'subject' | 'work' | 'outline'>;
  store: MatchStore;
  clock: Clock;
}
export interface RefreshOptions {
  mode: 'missing' | 'all';
  images: boolean;
}
type Compared = Awaited<ReturnType<ReturnType<typeof createWorks>['compare']>>['compared'][number];
const isOnAir = (page: Work, now: number): boolean =>
  'name' in page &&
  (page.next_episode_to_air != null || now - Date.parse(page.last_air_date ?? '1900-01-01') < ON_AIR_DAYS * MS_PER_DAY);

const candidateOf = ({ page, confidence, evidence }: Compared): MatchCandidate => {
  const { year } = offerOf(page);
  const poster = posterOf(page);
  return {
    provider: 'tmdb',
    id: String(page.id),
    title: titlesOf(page)[0] ?? '',
    ...(year !== undefined && { year }),
    ...(poster !== undefined && { poster }),
    ...(page.overview?.trim() && { plot: page.overview.trim() }),
    confidence,
    evidence,
  };
};

function factsOf(page: Work, { country, language }: MetadataPreferences): LayerFacts {
  const trailers = trailersOf(page, language);
  return { ...layerFactsOf(page, country), ...(trailers.length > 0 && { trailers }) };
}

/** Returns a function that writes what a work says about an item, its seasons and episodes included. */
const createWorkWriting =
  ({
    worksOf,
    seasons,
    catalog,
    removal,
  }: Pick<MatchingNeeds, 'worksOf' | 'seasons' | 'catalog'> & { removal: ReturnType<typeof createRemoval> }) =>
  async (
    item: LayeredWork,
    { page, source, images }: { page: Work; source: 'match' | 'tmdb'; images: boolean },
    signal: AbortSignal,
  ): Promise<void> => {
    const { id, kind, layers, library } = item;
    const works = worksOf(library);
    const had = layers[source]?.images;
    // A picture that cannot be fetched now does not remove the existing one.
    const kept = images ? { ...had, ...(await works.pictures(page, signal)) } : had;
    const query = languageQuery(works.preferences);
    const parts = kind === 'show' ? await seasons(id, { work: String(page.id), source, images, query }, signal) : [];
    signal.throwIfAborted();
    const facts: LayerFacts = { ...factsOf(page, works.preferences), ...(kept && { images: kept }) };
    // Facts of a work that was found before do not shine through those of the chosen one.
    const others = source === 'match' ? await removal.layersOf(id, 'tmdb') : [];
    await catalog.layers.write([{ item: id, source, facts }, ...parts, ...others]);
    crashPoint('metadata.match.layered');
  };

/** Returns a function that refuses the match of an item with a work that another item fits better. */
const createDisplacement =
  ({
    read,
    removal,
    remember,
    store,
    catalog,
  }: Pick<MatchingNeeds, 'store' | 'catalog'> & {
    read: ReturnType<typeof createQuestions>['read'];
    removal: ReturnType<typeof createRemoval>;
    remember: ReturnType<typeof createMemory>;
  }) =>
  async (item: string, work: string | undefined): Promise<void> => {
    const row = await store.of(item);
    const layered = await read(item);
    if (row?.state !== 'matched' || row.work !== work || layered.layers.match) return;
    await catalog.layers.write(await removal.layersOf(item, 'tmdb'));
    await remember(layered, { state: 'unsure' });
  };

export function createMatching({ worksOf, seasons, catalog, store, clock }: MatchingNeeds) {
  const lock = createKeyedLock();
  /** Two items that would become the same work wait for each other. */
  const works = createKeyedLock();
  const { read, wantedOf } = createQuestions(catalog);
  const removal = createRemoval(catalog);
  const remember = createMemory({ store, catalog, clock });
  const rivals = createRivals({ questions: { read, wantedOf }, store, catalog });

  const write = createWorkWriting({ worksOf, seasons, catalog, removal });
  const refresh = async (
    item: string,
    { mode, images }: RefreshOptions,
    { as, known }: { as?: CatalogWork; known?: string | null },
    signal: AbortSignal,
  ): Promise<RefreshResult & { displaced?: readonly string[] }> => {
    const layered = await read(item);
    const source = layered.layers.match ? 'match' : 'tmdb';
    const had = layered.layers[source];
    if (layered.isLocked) {
      await remember(layered, { state: 'locked' }, as);
      return { outcome: 'locked' };
    }
    if (mode === 'missing' && had) return { outcome: 'unchanged' };
    const wanted = await wantedOf(layered);
    const id = wanted.id ?? had?.ids?.['tmdb'] ?? known ?? undefined;
    const { compared, isIdUnknown } = await worksOf(layered.library).compare({ ...wanted, id }, undefined, signal);
    const [best] = compared;
    const keep = had ? { state: 'matched' as const, ...(had.ids?.['tmdb'] && { work: had.ids['tmdb'] }) } : undefined;
    const refuse = async (candidates: readonly Compared[]): Promise<RefreshResult> => {
      const state = isIdUnknown ? 'unknown-id' : 'unsure';
      await remember(layered, keep ?? { state, candidates: candidates.map(candidateOf) }, as);
      return { outcome: 'unsure' };
    };
    if (isIdUnknown) return refuse(compared);
    if (!best) {
      await remember(layered, keep ?? { state: 'not-found' }, as);
      return { outcome: 'not-found' };
    }
    if (!isCertain(compared.map(({ confidence }) => confidence))) return refuse(compared);
    return works.run(`${layered.library} ${layered.kind} ${best.page.id}`, async () => {
      const { own, displaced } = await rivals(layered, best);
      const others = compared.slice(1);
      if (!isCertain([own, ...others].map(({ confidence }) => confidence))) return refuse([own, ...others]);
      await write(layered, { page: best.page, source, images: images || had?.images === undefined }, signal);
      const isAiring = isOnAir(best.page, clock.now());
      await remember(layered, { state: 'matched', work: String(best.page.id), isAiring }, as);
      return { outcome: 'refreshed', displaced };
    });
  };
  const displace = createDisplacement({ read, removal, remember, store, catalog });
  /** Refreshes an item, then those that lost their work to it, one at a time: no one waits while holding an item. */
  const refreshAlone = async (item: string, run: () => ReturnType<typeof refresh>): Promise<RefreshResult> => {
    const { displaced = [], ...result } = await lock.run(item, run);
    const work = displaced.length === 0 ? undefined : (await store.of(item))?.work;
    for (const other of displaced) await lock.run(other, () => displace(other, work ?? undefined));
    return result;
  };

  return {
    candidates: async (item: string, query: string | undefined, signal: AbortSignal) => {
      const layered = await read(item);
      const { compared, isIdUnknown } = await worksOf(layered.library).compare(await wantedOf(layered), query, signal);
      return {
        items: compared.map(candidateOf),
        certain: !isIdUnknown && isCertain(compared.map(({ confidence }) => confidence)),
      };
    },
    match: (item: string, id: string, signal: AbortSignal): Promise<void> =>
      lock.run(item, async () => {
        const layered = await read(item);
        const page = found(
          await worksOf(layered.library).work(layered.kind, id, signal),
          'the provider has no such work',
          'no-such-work',
        );
        await write(layered, { page, source: 'match', images: true }, signal);
        await remember(layered, { state: 'matched', work: id, isAiring: isOnAir(page, clock.now()) });
      }),
    unmatch: (item: string): Promise<void> =>
      lock.run(item, async () => {
        // First, so that no refresh matches it again: one that is killed here finds and drops the rest.
        await remember(await read(item), { state: 'none' });
        crashPoint('metadata.none.recorded');
        await removal.drop(item);
      }),
    refresh: (item: string, how: RefreshOptions, signal: AbortSignal): Promise<RefreshResult> =>
      refreshAlone(item, async () => {
        const row = await store.of(item);
        return row?.state === 'none'
          ? { outcome: 'unchanged' }
          : refresh(item, how, { known: row?.work ?? null }, signal);
      }),
    /** Refreshes an item of the task's list. */
    refreshDue: (
      work: CatalogWork,
      how: { images: boolean; known: string | null },
      signal: AbortSignal,
    ): Promise<RefreshResult> =>
      refreshAlone(work.id, () =>
        refresh(work.id, { mode: 'all', images: how.images }, { as: work, known: how.known }, signal),
      ),
    expire: (item: string): Promise<void> => lock.run(item, () => removal.expire(item)),
    drop: (item: string): Promise<void> => lock.run(item, () => removal.drop(item)),
  };
}
export type Matching = ReturnType<typeof createMatching>;
