/**
 * Shows, before the viewer presses Play, how an item will play on this device: as it is, or what the server converts,
 * and why.
 */
import { useQuery } from '@tanstack/react-query';
import { useContext, useEffect } from 'preact/hooks';
import { PreloadPage } from '../../lib/navigation/preload.ts';
import { sentence } from '../../data/client.ts';
import { askPlan, deliveryOf, type PlanReply, type PlayedVersion } from '../../parts/playback/plan.ts';
import { preloadHls } from '../../parts/playback/hls-library.ts';
import { isStreamOurs } from '../../parts/playback/stream-support.ts';
import { wayOf, whyOf } from '../../parts/playback/words.ts';
import css from './item.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

const FRESH_MS = 60_000;

export const PlaybackPreview = ({ id, version }: PlayedVersion) => {
  const { data, error } = useQuery<PlanReply>({
    queryKey: ['playback', 'preview', id, version],
    queryFn: () => askPlan({ id, version }),
    staleTime: FRESH_MS,
    retry: false,
  });
  const preload = useContext(PreloadPage);
  const delivery = data && deliveryOf(data);
  // Play is pressed next, and then waits for no code.
  useEffect(() => {
    if (delivery) preload('player');
    if (delivery === 'hls' && isStreamOurs()) preloadHls();
  }, [delivery]);
  if (error) return <p className={css.way}>{sentence(error)}</p>;
  if (!data) return <p className={css.way}>&nbsp;</p>;
  const why = whyOf(data);
  const way = delivery ? wayOf(data) : m.cannotBePlayedOnThis;
  if (why.length === 0) return <p className={css.way}>{m.onThisDevice({ way })}</p>;
  return (
    <details className={css.way}>
      <summary>{way}</summary>
      <ul>
        {why.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </details>
  );
};
