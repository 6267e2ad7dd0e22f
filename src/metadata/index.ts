/**
 * Online metadata: finds films and shows at TMDB, lets an Owner choose the right one, and writes what it says as layers
 * of the catalogue. Without a configured provider it sends no request, and items show the facts of their files.
 */
import type { CatalogBackground, ItemLayers } from '../catalog/index.ts';
import type { MatchCandidate, RefreshResult } from '../contract/metadata/metadata.ts';
import { Failure, found } from '../lib/failure.ts';
import { createKeyedLock } from '../lib/lock.ts';
import type { MetadataClient } from './client.ts';
import { isCertain, type WorkQuestion } from './confidence.ts';
import { layerFactsOf, titlesOf } from './facts.ts';
import { createWorks, offerOf, type Work } from './works.ts';

export interface MetadataNeeds {
  client: MetadataClient;
  catalog: Pick<CatalogBackground, 'layers' | 'seasons' | 'subject'>;
  /** Language of texts, and country of certifications. */
  preferences(): { language: string; country: string | undefined };
}

export interface OnlineMetadata {
  /** Checks the credential of the provider. */
  test(signal: AbortSignal): Promise<{ configured: boolean; connected: boolean; error?: string }>;
  /** Returns the works that an item could be, the best first, and whether the first one is certain. */
  candidates(
    item: string,
    query: string | undefined,
    signal: AbortSignal,
  ): Promise<{ items: MatchCandidate[]; certain: boolean }>;
  /** Makes an item the work with this id. */
  match(item: string, id: string, signal: AbortSignal): Promise<void>;
  /** Removes everything that a provider says about an item. */
  unmatch(item: string): Promise<void>;
  /** Reads again what the provider says about an item; one that is not matched is matched if a work is certain. */
  refresh(item: string, how: { mode: 'missing' | 'all'; images: boolean }, signal: AbortSignal): Promise<RefreshResult>;
}

export function createMetadata({ client, catalog, preferences }: MetadataNeeds): OnlineMetadata {
  const lock = createKeyedLock();
  const { work, compare, pictures } = createWorks({ client, catalog, preferences });

  const read = async (item: string): Promise<ItemLayers & { kind: WorkQuestion['kind'] }> => {
    const [layers] = await catalog.layers.read([item]);
    const { kind } = found(layers, 'no such film or show', 'no-such-item');
    if (!layers || (kind !== 'movie' && kind !== 'show'))
      throw new Failure('missing', 'no such film or show', { reason: 'no-such-item' });
    return { ...layers, kind };
  };

  const wantedOf = async ({ id, kind, layers }: ItemLayers & { kind: WorkQuestion['kind'] }): Promise<WorkQuestion> => {
    const sources = [layers.edit, layers.match, layers.nfo, layers.tags, layers.name].flatMap((one) => one ?? []);
    const stated = sources.map(({ ids: own }) => own?.['tmdb']).find((one) => one !== undefined);
    const subject = kind === 'movie' ? await catalog.subject(id) : undefined;
    return {
      kind,
      titles: sources.flatMap(({ title, originalTitle }) => [title ?? [], originalTitle ?? []].flat()),
      year: sources.map(({ year }) => year ?? undefined).find((year) => year !== undefined),
      duration: subject?.files.reduce((sum, { info }) => sum + (info?.duration ?? 0), 0),
      seasons: kind === 'show' ? await lastSeason(id) : undefined,
      id: stated,
    };
  };
  const lastSeason = async (show: string): Promise<number | undefined> => {
    const firsts = (await catalog.seasons(show)).flatMap(([first]) => first ?? []);
    const numbers = await Promise.all(firsts.map(async (one) => (await catalog.subject(one))?.season ?? 0));
    return numbers.length === 0 ? undefined : Math.max(...numbers);
  };

  /** Writes what a page says, unless the item was matched differently in the meantime. */
  const write = async (
    { id, layers }: ItemLayers,
    { page, source, images }: { page: Work; source: 'match' | 'tmdb'; images: boolean },
    signal: AbortSignal,
  ): Promise<void> => {
    const had = layers[source]?.images;
    // A picture that cannot be had now does not remove the one that is there.
    const kept = images ? { ...had, ...(await pictures(page, signal)) } : had;
    signal.throwIfAborted();
    const facts = { ...layerFactsOf(page, preferences().country), ...(kept && { images: kept }) };
    await catalog.layers.write([{ item: id, source, facts }]);
  };

  return {
    test: async (signal) => {
      if (!client.isConfigured) return { configured: false, connected: false };
      try {
        await client.test(signal);
        return { configured: true, connected: true };
      } catch (error) {
        if (!(error instanceof Failure) || signal.aborted) throw error;
        return { configured: true, connected: false, error: error.message };
      }
    },
    candidates: async (item, query, signal) => {
      const compared = await compare(await wantedOf(await read(item)), query, signal);
      return {
        items: compared.map(({ page, confidence, evidence }) => ({
          provider: 'tmdb' as const,
          id: String(page.id),
          title: titlesOf(page)[0] ?? '',
          ...withYear(offerOf(page).year),
          ...(page.overview?.trim() ? { plot: page.overview.trim() } : {}),
          confidence,
          evidence,
        })),
        certain: isCertain(compared.map(({ confidence }) => confidence)),
      };
    },
    match: (item, id, signal) =>
      lock.run(item, async () => {
        const layered = await read(item);
        const page = found(await work(layered.kind, id, signal), 'the provider has no such work', 'no-such-work');
        await write(layered, { page, source: 'match', images: true }, signal);
      }),
    unmatch: (item) =>
      lock.run(item, async () => {
        await read(item);
        await catalog.layers.write([
          { item, source: 'match', facts: null },
          { item, source: 'tmdb', facts: null },
        ]);
      }),
    refresh: (item, { mode, images }, signal) =>
      lock.run(item, async () => {
        const layered = await read(item);
        const source = layered.layers.match ? 'match' : 'tmdb';
        const had = layered.layers[source];
        if (layered.isLocked) return { outcome: 'locked' };
        if (mode === 'missing' && had) return { outcome: 'unchanged' };
        const wanted = await wantedOf(layered);
        const [best, ...others] = await compare({ ...wanted, id: wanted.id ?? had?.ids?.['tmdb'] }, undefined, signal);
        if (!best) return { outcome: 'not-found' };
        if (!isCertain([best, ...others].map(({ confidence }) => confidence))) return { outcome: 'unsure' };
        await write(layered, { page: best.page, source, images: images || had?.images === undefined }, signal);
        return { outcome: 'refreshed' };
      }),
  };
}

const withYear = (year: number | undefined) => (year === undefined ? {} : { year });
