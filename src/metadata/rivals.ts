/** Finds the items of a library that are matched with a work already, and compares how well each of them fits it. */
import type { CatalogBackground } from '../catalog/index.ts';
import { Failure } from '../lib/failure.ts';
import { confidenceOf, lessFor, MIN_LEAD, type MatchEvidence } from './confidence.ts';
import type { createQuestions, LayeredWork } from './question.ts';
import type { MatchStore } from './store.ts';
import { offerOf, type Work } from './works.ts';

export interface RivalNeeds {
  questions: ReturnType<typeof createQuestions>;
  store: Pick<MatchStore, 'itemsOfWork'>;
  catalog: Pick<CatalogBackground, 'work'>;
}
interface Fitting {
  page: Work;
  confidence: number;
  evidence: MatchEvidence[];
}

/** Confidence of an item that an Owner matched. */
const CHOSEN = 100;

/**
 * Returns a function that says how well a work fits an item, given the others that have it: less if one of them fits it
 * as well, and with those that it displaces because it fits clearly better. An id says more than any other item.
 */
export const createRivals =
  ({ questions, store, catalog }: RivalNeeds) =>
  async ({ id, kind, library }: LayeredWork, best: Fitting): Promise<{ own: Fitting; displaced: string[] }> => {
    if (best.evidence.includes('id')) return { own: best, displaced: [] };
    const offered = offerOf(best.page);
    const displaced: string[] = [];
    let strongest = 0;
    for (const other of await store.itemsOfWork(library, offered.id)) {
      const work = other === id ? undefined : await catalog.work(other);
      if (work?.kind !== kind || !work.isPresent) continue;
      const layered = await questions.read(other).catch(ignoreGone);
      if (!layered) continue;
      const fit = layered.layers.match ? CHOSEN : confidenceOf(await questions.wantedOf(layered), offered).confidence;
      strongest = Math.max(strongest, fit);
      displaced.push(other);
    }
    if (displaced.length === 0) return { own: best, displaced };
    if (best.confidence - strongest >= MIN_LEAD) return { own: best, displaced };
    return { own: lessFor(best), displaced: [] };
  };

/** An item may be deleted meanwhile. */
function ignoreGone(error: unknown): undefined {
  if (error instanceof Failure && error.kind === 'missing') return undefined;
  throw error;
}
