/** The loudness of the film and where people speak in it: the whole once, and again in detail for what is in view. */
import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { call, CallFailed, sentence } from '../../data/client.ts';
import type { Reply } from '../../data/query.ts';
import { useStore, type Store } from '../../lib/store.ts';
import { useListening } from '../../parts/subtitles/use-speech-progress.ts';
import type { SubtitleAddress } from '../../parts/subtitles/words.ts';
import { tilesOf, type WaveformView } from './geometry.ts';
import { later } from '../../lib/pending-work.ts';

export type AudioPiece = Reply<'workbench', 'audio'>;
export interface WaveformSound {
  /** Coarse before fine: what comes later is drawn over what came before. */
  pieces: readonly AudioPiece[];
  isListening: boolean;
  /** How far it is, or what it waits for. */
  how: string | undefined;
  /** Why there is no curve. */
  why: string | undefined;
  /** Given where another try may end otherwise. */
  again: (() => void) | undefined;
}
/** Time that a view must stay unchanged before its details are requested. */
const REST_MS = 200;

const query = ({ id, part }: SubtitleAddress, language: string, piece: Partial<WaveformView>, isOn: boolean) => ({
  queryKey: ['workbench-audio', id, part, language, piece.from ?? 0, piece.to ?? 0] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => call.workbench.audio({ id, part, language, ...piece }, signal),
  enabled: isOn,
  staleTime: Number.POSITIVE_INFINITY,
  // Trying again helps only after a lost connection or an interruption of the server.
  retry: (count: number, error: unknown) =>
    count < 2 && error instanceof CallFailed && (error.status === 0 || error.status === 503),
});

export function useWaveformSound(
  of: SubtitleAddress,
  { language, view, duration }: { language: string; view: Store<WaveformView>; duration: number },
): WaveformSound {
  const now = useStore(view);
  const [resting, setResting] = useState(now);
  useEffect(() => {
    return later(REST_MS, () => setResting(now));
  }, [now]);
  const tiles = tilesOf(resting, duration).filter(({ from, to }) => to - from < duration - 0.001);
  const answers = useQueries({
    queries: [query(of, language, {}, true), ...tiles.map((tile) => query(of, language, tile, true))],
  });
  const [all] = answers;
  const stamp = answers.map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  const pieces = useMemo(() => answers.flatMap(({ data }) => data ?? []), [stamp]);
  const isListening = all?.isPending ?? false;
  const how = useListening(of.id, isListening);
  return {
    pieces,
    isListening,
    how,
    why: all?.error && !all.data ? sentence(all.error) : undefined,
    again: all?.error instanceof CallFailed && all.error.status === 409 ? undefined : () => void all?.refetch(),
  };
}
