/** Builds the items of a page: the state of each file, and of a film in several files that of each part. */
import type { z } from 'zod';
import type { subtitles as endpoints } from '../../contract/subtitles/library.ts';
import type { LanguageState, ProviderState } from '../../contract/subtitles/states.ts';
import { iso } from '../../lib/clock.ts';
import { itemOfKey } from '../parts/part-keys.ts';
import type { AuditStore } from '../store/audits.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { InventoryStore } from '../store/inventory.ts';
import type { ProviderStore } from '../store/providers.ts';
import type { InventoryRow } from '../store/rows.ts';
import { distinctLanguages, type WantedSource } from '../wanted.ts';
import { type CoverageQuery, isSameSubtitle, judgeShape } from './coverage.ts';
import type { JudgedShape } from './film-shapes.ts';
import { type AskedState, type KnownFacts, missingFacts, statesOf } from './states.ts';

type Item = z.input<typeof endpoints.inventory.result>['items'][number];
type Part = NonNullable<Item['parts']>[number];

export interface InventoryNeeds {
  inventory: InventoryStore;
  installing: InstallingStore;
  providers: ProviderStore;
  audits: Pick<AuditStore, 'of'>;
  wanted: WantedSource;
  /** The configured libraries in order, and whether each can be reached. */
  libraries(): readonly { id: string; name: string; kind: string; isOnline: boolean }[];
  providerStates(): Promise<ProviderState[]>;
}

interface Shown {
  rows: readonly InventoryRow[];
  judged: readonly JudgedShape[];
  query: CoverageQuery;
  which?: AskedState | undefined;
}

type FactsOf = (row: InventoryRow) => KnownFacts;

export async function pageItems(needs: InventoryNeeds, { rows, judged, query, which }: Shown): Promise<Item[]> {
  const shapes = new Map(judged.map((shape) => [shape.id, shape]));
  const films = rows.filter(({ shape }) => shapes.get(shape)?.parts !== undefined).map(({ id }) => id);
  const later = await needs.inventory.laterParts(films);
  const factsOf = await readFacts(needs, [...rows, ...later], query);
  return rows.flatMap((row): Item[] => {
    const shape = shapes.get(row.shape);
    // The item changed between the two reads. It is on the next page that is requested.
    if (!shape) return [];
    const parts =
      shape.parts && partsOf([row, ...later.filter(({ id }) => itemOfKey(id) === row.id)], shape, { factsOf, query });
    const { missing } = shape;
    return [
      {
        id: row.id,
        title: row.title,
        kind: row.kind,
        ...(row.year !== null && { year: row.year }),
        ...(row.context !== null && { context: row.context }),
        file: row.file,
        modified: iso(row.modified),
        ready: shape.status === 'ready',
        missing: distinctLanguages(missing),
        lacks: missing,
        languages: parts ? statesOfFilm(parts) : statesOf(row, { tracks: row.tracks, missing, which }, factsOf(row)),
        ...(parts && { parts }),
      },
    ];
  });
}

/** Reads what the stores know about files. */
async function readFacts(
  needs: InventoryNeeds,
  rows: readonly InventoryRow[],
  { wanted, first }: CoverageQuery,
): Promise<FactsOf> {
  const ids = rows.map(({ id }) => id);
  const [files, searches, pauses, frozen, judgements] = await Promise.all([
    needs.installing.filesOf(ids),
    needs.inventory.searches(ids),
    needs.providers.pauses(ids),
    needs.installing.frozen(ids),
    needs.audits.of(ids),
  ]);
  return ({ id, tracks, library }) => {
    const own = <T extends { item: string }>(of: readonly T[]) => of.filter(({ item }) => item === id);
    return {
      files: own(files),
      searches: own(searches),
      pauses: own(pauses),
      frozen: own(frozen),
      judgements: own(judgements),
      tracks,
      there: new Set(tracks.flatMap(({ relative }) => relative ?? [])),
      asked: wanted(library),
      first,
    };
  };
}

/** Returns the state of each part of a film. */
function partsOf(
  rows: readonly InventoryRow[],
  { parts = [] }: JudgedShape,
  { factsOf, query }: { factsOf: FactsOf; query: CoverageQuery },
): Part[] {
  return rows.flatMap((row): Part[] => {
    const shape = parts.find(({ id }) => id === row.shape);
    if (!shape || row.part === null) return [];
    const { status, missing } = judgeShape(shape, query);
    return [
      {
        part: row.part,
        file: row.file,
        ready: status === 'ready',
        missing: distinctLanguages(missing),
        lacks: missing,
        languages: statesOf(row, { tracks: row.tracks, missing, which: undefined }, factsOf(row)),
      },
    ];
  });
}

/**
 * Returns the states of a film, from its parts: of each language and kind that of the first part without it, otherwise
 * that of the first part.
 */
function statesOfFilm(parts: readonly Part[]): LanguageState[] {
  const states = parts.flatMap(({ languages }) => languages as LanguageState[]);
  const distinct = states.filter((one, at) => states.findIndex((other) => isSameSubtitle(one, other)) === at);
  return distinct.map((one) => {
    const own = parts.map(({ part, languages }) => ({
      part,
      state: (languages as LanguageState[]).find((other) => isSameSubtitle(one, other)),
    }));
    const without = own.find(({ state }) => !state?.installed);
    if (!without) return one;
    const { installed: _installed, timing: _timing, ...rest } = without.state ?? one;
    return rest.reason === undefined
      ? { ...rest, ...missingFacts({ reason: 'part-without', values: { part: without.part } }) }
      : rest;
  });
}
