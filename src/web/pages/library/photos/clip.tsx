/** A clip between photos: it plays when it is opened, and is zoomed, swiped and left as a photo is. */
import { useRef, useState } from 'preact/hooks';
import { createLateLayer } from '../../../kit/layers/late.ts';
import { cx } from '../../../lib/cx.ts';
import { type ClipActions, type ClipStatus, loadClipPlayer } from '../../../parts/playback/clip-player.ts';
import { PhotoNeighbours } from './neighbours.tsx';
import { StagePictures } from './pictures.tsx';
import { type StageProps, useStageFocus } from './touch.ts';
import { actOnStageKey, useZoomStage } from './zoom-stage.ts';
import css from './viewer.module.css';

const useClipPlayer = createLateLayer(loadClipPlayer, { isAhead: false });

interface ClipStageProps extends StageProps {
  actions: { current: ClipActions | undefined };
  onStatus: (status: ClipStatus) => void;
}

export const ClipStage = ({ item, near, actions, onStatus, ...acts }: ClipStageProps) => {
  const { onNext, onPrevious } = acts;
  const stage = useRef<HTMLDivElement>(null);
  const [picture, setPicture] = useState<HTMLDivElement | null>(null);
  const Player = useClipPlayer(true, () => onStatus('failed'));
  const { box, zoom, isZoomed, isDragged, keys, handlers, transform } = useZoomStage(
    item.dimensions ?? { width: 0, height: 0 },
    { ...acts, onTap: (isFinger) => actions.current?.tap(isFinger) },
  );
  useStageFocus(stage);
  return (
    <div ref={box} className={css.stage}>
      <div
        ref={stage}
        className={cx(css.touch, isZoomed ? css.zoomed : css.clip)}
        role="group"
        aria-label={item.title}
        tabIndex={0}
        autoFocus
        data-zoom={zoom.scale.toFixed(2)}
        onKeyDown={(event) => actOnStageKey(event, { ...keys, Enter: () => actions.current?.toggle() })}
        {...handlers}
      >
        <div ref={setPicture} className={cx(css.moved, isDragged && css.dragged)} style={{ transform }}>
          <StagePictures item={item} isZoomed={false} onBroken={() => undefined} />
        </div>
      </div>
      <PhotoNeighbours near={near} onNext={onNext} onPrevious={onPrevious} />
      {Player && picture && <Player into={picture} {...{ item, actions, onStatus, onNext, onPrevious }} />}
    </div>
  );
};
