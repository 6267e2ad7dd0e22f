/** Loudness of tracks, for the task that measures those whose tags state none. */
import type { LoudnessStore } from '../store/loudness.ts';
import type { PlayableFile, TrackLoudness, TrackToMeasure } from '../types.ts';

interface TrackLoudnessNeeds {
  store: LoudnessStore;
  /** Returns the ids of the libraries that can be reached. */
  reachable(): readonly string[];
  /** Returns the file of a track with the facts of its header alone. */
  fileOf(item: string): Promise<PlayableFile | undefined>;
}

const sourceOf = ({ id, size, modifiedMs, window }: PlayableFile): string =>
  [id, size, Math.round(modifiedMs), window?.start ?? 0, window?.end ?? ''].join(' ');

export function createTrackLoudness({ store, reachable, fileOf }: TrackLoudnessNeeds): TrackLoudness {
  const changes = new WeakMap<TrackToMeasure, number>();
  return {
    due: (after, most) => store.albumsToMeasure(reachable(), after, most),
    tracks: async (album) => {
      const items = await store.tracksToMeasure(album);
      const rows = new Map((await store.loudnessOf(items.map(({ id }) => id))).map((row) => [row.item, row]));
      const tracks: TrackToMeasure[] = [];
      for (const { id, change } of items) {
        const file = await fileOf(id);
        if (!file) continue;
        const row = rows.get(id);
        const isSame = row !== undefined && row.source === sourceOf(file);
        const measured = isSame
          ? { ...(row.gain !== null && { track: row.gain }), ...(row.peak !== null && { trackPeak: row.peak }) }
          : undefined;
        const track = { item: id, file, stated: file.info?.audio?.gain ?? {}, measured };
        changes.set(track, change);
        tracks.push(track);
      }
      return tracks;
    },
    put: (results) =>
      store.putLoudness(
        results.map(({ track, gain }) => ({
          item: track.item,
          source: sourceOf(track.file),
          change: changes.get(track) ?? 0,
          gain: gain.track ?? null,
          peak: gain.trackPeak ?? null,
          album_gain: gain.album ?? null,
          album_peak: gain.albumPeak ?? null,
        })),
      ),
  };
}
