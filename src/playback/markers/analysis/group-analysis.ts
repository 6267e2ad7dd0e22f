/** Analyses one group of items: a season whose files have changed, or a film. Keeps the fingerprints of files. */
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { Processes } from '../../../lib/process.ts';
import type { MarkerStore } from '../store.ts';
import { analyseGroup, type EpisodeNeeds } from './episodes.ts';
import { createGroups, type EpisodeGroup, signatureOf } from './groups.ts';
import { type MatchLimits, PASSAGE_LIMITS } from './match.ts';
import { createPrintCache } from './prints.ts';

export type GroupAnalysisNeeds = Omit<EpisodeNeeds, 'cache' | 'helper' | 'limits' | 'turn' | 'analysed'> & {
  groups: Pick<ReturnType<typeof createGroups>, 'subjects'>;
  store: Pick<MarkerStore, 'analysed' | 'setAnalysed'>;
  processes: Pick<Processes, 'startHelper'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** The server's folder for data that can be rebuilt (`paths.cache`). */
  cache: string;
  limits?: MatchLimits;
};

export interface GroupAnalysis {
  /** Analyses a group, unless none of its files has changed since the last time. Fails as `analyseGroup` does. */
  analyse(
    group: EpisodeGroup,
    options: { isForced: boolean } & Pick<EpisodeNeeds, 'turn' | 'analysed'>,
    signal: AbortSignal,
  ): Promise<void>;
  close(): Promise<void>;
}

const MIB = 1024 ** 2;
const MATCH_MS = 120_000;

export function createGroupAnalysis(needs: GroupAnalysisNeeds): GroupAnalysis {
  const { groups, store, processes, clock, log, limits = PASSAGE_LIMITS } = needs;
  const prints = createPrintCache({ folder: `${needs.cache}/fingerprints`, log });
  const helper = processes.startHelper({
    name: 'markers',
    module: new URL('./match-helper.ts', import.meta.url),
    deadlineMs: MATCH_MS,
    isBinary: true,
    memoryLimit: 512 * MIB,
    reads: [],
  });
  return {
    analyse: async (group, { isForced, turn, analysed }, signal) => {
      const subjects = await groups.subjects(group);
      const season = signatureOf(subjects);
      const known = await store.analysed(subjects.map(({ id }) => id));
      if (!isForced && subjects.every(({ id }) => known.get(id)?.season === season)) return;
      const found = await analyseGroup({ ...needs, cache: prints, helper, limits, turn, analysed }, subjects, signal);
      // Files may have been replaced in the meantime; then the next analysis reads them again.
      const rows = found.map((one) => ({ ...one, season }));
      await store.setAnalysed(rows, clock.now());
    },
    close: () => helper.close(),
  };
}
