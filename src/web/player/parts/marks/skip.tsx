/**
 * Skipping the intro, the recap, commercials and the credits: a button while one plays, or by itself with a way back.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import skip from 'lucide/dist/esm/icons/skip-forward.mjs';
import undo from 'lucide/dist/esm/icons/undo-2.mjs';
import { Button } from '../../../kit/forms/button.tsx';
import {
  isLast,
  markerAt,
  skipLabel,
  skippedWords,
  skipOf,
  type PlanMarkerKind,
  type PlanMarker,
} from '../../engine/markers.ts';
import type { Film } from '../../engine/timeline.ts';
import css from './marks.module.css';
import { playerWords as m } from '../../../messages/player.ts';
import { later } from '../../../lib/pending-work.ts';

/** How long the way back is offered. */
const UNDO_MS = 5000;

export interface SkipProps {
  film: Film;
  markers: readonly PlanMarker[];
  autoSkip: readonly PlanMarkerKind[];
  /** Whether something comes after the film: its last passage is then left to the offer of the next episode. */
  hasNext: boolean;
  say: (what: string) => void;
}
export interface Skipping {
  /** Marker that the button skips now. */
  marker: PlanMarker | undefined;
  skip: () => void;
  /** Marker that was just skipped automatically. */
  skipped: PlanMarker | undefined;
  undo: () => void;
}

export function useSkipping({
  film,
  markers,
  autoSkip,
  hasNext,
  say,
}: Omit<SkipProps, 'film'> & { film: Film | undefined }): Skipping {
  const [marker, setMarker] = useState<PlanMarker>();
  const [skipped, setSkipped] = useState<PlanMarker>();
  const undone = useRef(new Set<PlanMarker>()).current;
  const offered = markers.filter((one) => !(hasNext && film && isLast(one, film.duration())));
  const now = useRef({ offered, autoSkip, say });
  now.current = { offered, autoSkip, say };
  useEffect(() => {
    if (!film) return;
    let from = film.time();
    const look = () => {
      const { offered: all, autoSkip: kinds, say: tell } = now.current;
      const to = film.time();
      const found = film.video.seeking ? undefined : skipOf({ markers: all, autoSkip: kinds, undone, from, to });
      from = to;
      if (found) {
        // The next check starts after the skipped part, as if the viewer had jumped there.
        from = found.end;
        film.seek(found.end);
        setSkipped(found);
        tell(skippedWords(found));
      }
      setMarker(markerAt(all, film.time()));
    };
    const moments = ['timeupdate', 'seeking', 'seeked'];
    for (const name of moments) film.video.addEventListener(name, look);
    return () => {
      for (const name of moments) film.video.removeEventListener(name, look);
    };
  }, [film]);
  useEffect(() => {
    if (!skipped) return;
    return later(UNDO_MS, () => setSkipped(undefined), { isBackground: true });
  }, [skipped]);
  return {
    marker: skipped ? undefined : marker,
    skip: () => film && marker && film.seek(marker.end),
    skipped,
    undo: () => {
      if (!film || !skipped) return;
      undone.add(skipped);
      film.seek(skipped.start);
      setSkipped(undefined);
    },
  };
}

export const Skip = ({ marker, skip: act, skipped, undo: back }: Skipping) => {
  if (skipped)
    return (
      <div className={css.skip}>
        <Button icon={undo} onClick={back}>
          {m.undo}
        </Button>
      </div>
    );
  if (!marker) return null;
  return (
    <div className={css.skip}>
      <Button icon={skip} isFilled onClick={act}>
        {skipLabel(marker)}
      </Button>
    </div>
  );
};
