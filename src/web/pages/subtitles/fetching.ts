/** The batch of this tab, tied to the server. */
import { call, CallFailed } from '../../data/client.ts';
import { readAgain } from '../../data/query.ts';
import { createStore } from '../../lib/store.ts';
import { createBatch, NO_BATCH } from './batch.ts';
import { refusal, sourceName } from './words.ts';

export const batchState = createStore(NO_BATCH);
export const batch = createBatch({
  state: batchState,
  async fetchOne({ id, language }, signal) {
    const { source, score } = await call.subtitles.fetch({ id, ...(language !== undefined && { language }) }, signal);
    readAgain('subtitles');
    return `${sourceName(source)}, score ${Math.round(score)}`;
  },
  explain: (error) => refusal(error).says,
  isHopeless: (error) => refusal(error).isSetup || (error instanceof CallFailed && (error.status === 401 || error.status === 403)),
});
