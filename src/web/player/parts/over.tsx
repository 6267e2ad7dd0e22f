/** Overlay in the middle of the picture: waiting, an error, what a key did, and the button back to the start. */
import { useEffect, useState } from 'preact/hooks';
import play from 'lucide/dist/esm/icons/play.mjs';
import restart from 'lucide/dist/esm/icons/rotate-ccw.mjs';
import type { To } from '../../lib/navigation/addresses.ts';
import { Icon } from '../../kit/art/icon.tsx';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { useOwnTime } from '../../data/day-time.ts';
import { secondsLeft } from '../../lib/day-time.ts';
import { position } from '../../lib/format.ts';
import type { Player } from '../engine/actions.ts';
import type { MediaState } from '../engine/media.ts';
import type { FilmSource } from '../engine/stream/source.ts';
import css from './over.module.css';
import { playerWords as m } from '../../messages/player.ts';
import { later } from '../../lib/pending-work.ts';

const SHOW_RESUMED_MS = 9000;

/** True once something has been so for a while: what is over at once is not worth a word. */
export function useLasting(is: boolean, ms: number): boolean {
  const [has, setHas] = useState(false);
  useEffect(() => {
    setHas(false);
    if (!is) return;
    return later(ms, () => setHas(true));
  }, [is, ms]);
  return has && is;
}

const Resumed = ({ start, player }: { start: number; player: Player }) => {
  const [isOver, setOver] = useState(start < 1);
  useEffect(() => later(SHOW_RESUMED_MS, () => setOver(true), { isBackground: true }), []);
  if (isOver) return null;
  return (
    <div className={css.resumed} role="status">
      <span>{m.resumedAt({ position: position(start) })}</span>
      <Button
        icon={restart}
        onClick={() => {
          player.seekTo(0);
          player.play();
          setOver(true);
        }}
      >
        {m.startFromTheBeginning}
      </Button>
    </div>
  );
};

const Fault = ({ source, behind }: { source: FilmSource; behind: To }) => {
  const { fault, retry } = source;
  const time = useOwnTime();
  const isOver = time !== undefined && secondsLeft(time) === 0;
  if (!fault) return null;
  const title = {
    lost: m.playbackIsInterrupted,
    refused: m.thisCannotBePlayedNow,
    undecodable: m.thisBrowserCannotPlayThisFilm,
    ended: m.playbackWasStopped,
  }[fault.kind];
  return (
    <div className={css.fault} role="alert">
      <h2>{title}</h2>
      <p>{fault.says}</p>
      <div className={css.actions}>
        <Button look="primary" onClick={retry}>
          {fault.kind === 'lost' ? m.retryNow : m.tryAgain}
        </Button>
        {isOver && <ButtonLink to={{ page: 'requests' }}>{m.askForMoreTime}</ButtonLink>}
        <ButtonLink look="quiet" to={behind}>
          {m.goBack}
        </ButtonLink>
      </div>
    </div>
  );
};

export const WaitingRing = () => (
  <div className={css.wait} role="status">
    <div className={css.ring} />
    <span className="unseen">{m.loading}</span>
  </div>
);
/** The play button over the picture, for browsers that refuse to play unasked. */
export const BeginButton = ({ title, onClick }: { title: string; onClick: () => void }) => (
  <button type="button" className={css.begin} onClick={onClick} aria-label={m.playTitle({ title })}>
    <Icon of={play} size={2.25} isFilled />
  </button>
);

export interface OverProps {
  media: MediaState;
  source: FilmSource;
  said: string;
  player: Player;
  start: number;
  title: string;
  behind: To;
}
export const PlayerOverlay = ({ media, source, said, player, start, title, behind }: OverProps) => {
  const isWaiting = useLasting(media.isWaiting && source.fault === undefined && !media.isEnded, 500);
  // Nothing has begun: the browser wants a hand first.
  const isShy = useLasting(!media.isBegun && media.isPaused && source.fault === undefined, 700);
  return (
    <>
      {isWaiting && !isShy && <WaitingRing />}
      {isShy && <BeginButton title={title} onClick={player.play} />}
      <div className={css.said} role="status" aria-live="polite">
        {said && <span>{said}</span>}
      </div>
      {media.isBegun && !source.fault && <Resumed start={start} player={player} />}
      <Fault source={source} behind={behind} />
    </>
  );
};
