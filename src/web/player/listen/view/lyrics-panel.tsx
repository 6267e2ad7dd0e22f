/** The lyrics of a track. The line that is sung is in the middle, and a click on a line plays from there. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'preact/hooks';
import { call, CallFailed } from '../../../data/client.ts';
import type { Reply } from '../../../data/query.ts';
import { useStore } from '../../../lib/store.ts';
import { listenWords as m } from '../../../messages/listening.ts';
import type { ListenItem } from '../../../parts/listening/items.ts';
import { seek } from '../engine/engine.ts';
import { listenClock } from '../engine/state.ts';
import { lineAt } from './lyrics.ts';
import css from './listening.module.css';

type Lyrics = Reply<'music', 'lyrics'>;

/**
 * Returns the lyrics of a track; undefined if there are none, and for books. They are asked for once, also if there are
 * none: their key is none of those that events have read again, because playing a track does not change its lyrics.
 */
export const useLyrics = ({ id, kind }: ListenItem): Lyrics | undefined =>
  useQuery({
    queryKey: ['lyrics', id],
    queryFn: ({ signal }) => lyricsOrNone(id, signal),
    enabled: kind === 'track',
    staleTime: Infinity,
  }).data ?? undefined;

async function lyricsOrNone(id: string, signal: AbortSignal): Promise<Lyrics | null> {
  try {
    return await call.music.lyrics({ id }, signal);
  } catch (error) {
    if (error instanceof CallFailed && error.reason === 'no-lyrics') return null;
    throw error;
  }
}

/** Time for which lyrics that a person has scrolled stay where they are. */
const SCROLLED_MS = 5000;

const Synced = ({ lines }: Pick<Lyrics, 'lines'>) => {
  const { time } = useStore(listenClock);
  const box = useRef<HTMLOListElement>(null);
  const scrolledAt = useRef(-Infinity);
  const now = lineAt(lines, time);
  useEffect(() => {
    const list = box.current;
    const line = list?.children[now] as HTMLElement | undefined;
    if (!list || !line || performance.now() - scrolledAt.current < SCROLLED_MS) return;
    list.scrollTop = line.offsetTop - list.offsetTop - (list.clientHeight - line.offsetHeight) / 2;
  }, [now]);
  const onScroll = () => {
    scrolledAt.current = performance.now();
  };
  return (
    <ol ref={box} className={css.lyrics} onWheel={onScroll} onTouchMove={onScroll}>
      {lines.map(({ start, text }, at) => (
        <li key={at}>
          <button
            type="button"
            className={css.lyric}
            aria-current={at === now ? 'true' : undefined}
            title={m.playFromLine}
            onClick={() => start !== undefined && seek(start)}
          >
            {text === '' ? '♪' : text}
          </button>
        </li>
      ))}
    </ol>
  );
};

export const LyricsPanel = ({ lyrics: { synced, lines, language } }: { lyrics: Lyrics }) => (
  <div lang={language}>
    {synced ? (
      <Synced lines={lines} />
    ) : (
      <div className={css.plainLyrics}>{lines.map(({ text }) => text).join('\n')}</div>
    )}
  </div>
);
