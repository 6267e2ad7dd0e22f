/**
 * Measures in the background how loud tracks are whose tags do not say so, an album at a time. It waits while anything
 * is played. An album is stored whole, so work that was interrupted begins with the album that it was at.
 */
import type { AudioGain, CatalogBackground, TrackToMeasure } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { inRoot } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import { ProcessFailure } from '../../lib/process.ts';
import { task, type TaskContext, type TaskDefinition, waitsWhile } from '../../lib/tasks/index.ts';
import { albumGain, gainOf } from './album-gain.ts';

export interface LoudnessNeeds {
  catalog: Pick<CatalogBackground, 'loudness' | 'root'>;
  ffmpeg: Pick<Ffmpeg, 'measureLoudness'>;
  /** Whether something is played: nothing is measured meanwhile. */
  isPlaying(): boolean;
  log: Pick<Log, 'warn'>;
}

export const LOUDNESS_TASK = 'loudness';
const ALBUMS_AT_ONCE = 50;

export function createLoudnessBackground({ catalog, ffmpeg, isPlaying, log }: LoudnessNeeds): {
  task: TaskDefinition<Record<string, never>>;
  isDue(): Promise<boolean>;
} {
  const { loudness } = catalog;

  const measure = async ({ file, item }: TrackToMeasure, signal: AbortSignal): Promise<AudioGain> => {
    const stream = file.window?.stream ?? file.info?.streams.find(({ type }) => type === 'audio')?.index;
    if (stream === undefined) return {};
    try {
      const media = inRoot(await catalog.root(file.root), file.relative);
      const found = await ffmpeg.measureLoudness({ media, ...file.window, stream }, signal);
      return found ? { track: gainOf(found.lufs), ...(found.peak !== undefined && { trackPeak: found.peak }) } : {};
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProcessFailure) || error.fault === 'missing') throw error;
      log.warn('loudness.not-measured', { item, reason: error.message });
      return {};
    }
  };
  /** Returns false where the library is away: the album is measured when it is back. */
  const album = async (
    id: string,
    { turn, signal }: Pick<TaskContext<unknown>, 'turn' | 'signal'>,
  ): Promise<boolean> => {
    const tracks = await loudness.tracks(id);
    if (!tracks.every(({ file }) => file.available)) return false;
    const gains: AudioGain[] = [];
    for (const track of tracks) {
      await turn();
      gains.push(track.stated.track === undefined ? (track.measured ?? (await measure(track, signal))) : track.stated);
    }
    const all = albumGain(tracks.map(({ file }, i) => ({ gain: gains[i] ?? {}, duration: file.info?.duration ?? 0 })));
    await loudness.put(tracks.map((track, i) => ({ track, gain: { ...gains[i], ...all } })));
    return true;
  };

  return {
    isDue: async () => (await loudness.due('', 1)).length > 0,
    task: task<Record<string, never>>({
      name: LOUDNESS_TASK,
      title: 'Measure loudness',
      summary: 'Measure how loud music is whose tags do not say so',
      heavy: { waitsFor: waitsWhile(isPlaying, 'waiting-for-playback') },
      run: async ({ progress, signal, turn }) => {
        let [done, after] = [0, ''];
        for (;;) {
          const albums = await loudness.due(after, ALBUMS_AT_ONCE);
          if (albums.length === 0) break;
          for (const [i, id] of albums.entries()) {
            try {
              if (await album(id, { turn, signal })) done++;
            } catch (error) {
              signal.throwIfAborted();
              if (!(error instanceof Failure) || error instanceof ProcessFailure || error.kind !== 'unavailable')
                throw error;
            }
            after = id;
            // How many follow is not known beyond those that were read.
            progress(albums.length < ALBUMS_AT_ONCE ? (i + 1) / albums.length : 0.5, {
              reason: 'albums',
              values: { count: done },
            });
          }
        }
        progress(1, done === 0 ? { reason: 'nothing-new', values: {} } : { reason: 'albums', values: { count: done } });
      },
    }),
  };
}
