/** A clip between photos: it plays when it is opened, and is swiped and left as a photo is. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { createLateLayer } from '../../../kit/layers/late.ts';
import { cx } from '../../../lib/cx.ts';
import { type ClipActions, type ClipStatus, loadClipPlayer } from '../../../parts/playback/clip-player.ts';
import { PhotoNeighbours } from './neighbours.tsx';
import { StagePictures } from './pictures.tsx';
import { focusControls, sideKeys, type StageProps, useStagePointers, useStageBox } from './touch.ts';
import { NO_ZOOM } from './zoom.ts';
import css from './viewer.module.css';

const useClipPlayer = createLateLayer(loadClipPlayer, { isAhead: false });

interface ClipStageProps extends StageProps {
  actions: { current: ClipActions | undefined };
  onStatus: (status: ClipStatus) => void;
}

export const ClipStage = ({ item, near, onNext, onPrevious, onClose, actions, onStatus }: ClipStageProps) => {
  const { box, ...stageBox } = useStageBox();
  const stage = useRef<HTMLDivElement>(null);
  const [picture, setPicture] = useState<HTMLDivElement | null>(null);
  const Player = useClipPlayer(true, () => onStatus('failed'));
  const { drag, handlers } = useStagePointers(
    // A clip is not zoomed.
    { ...stageBox, zoom: NO_ZOOM, change: () => undefined },
    {
      onNext,
      onPrevious,
      onClose,
      onTouch: () => undefined,
      onTap: (isFinger) => actions.current?.tap(isFinger),
    },
  );
  useEffect(() => stage.current?.focus({ preventScroll: true }), []);
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const keys: Record<string, (() => void) | undefined> = {
      ...sideKeys({ onNext, onPrevious }),
      ArrowDown: () => focusControls(box.current),
      Enter: () => actions.current?.toggle(),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]?.();
  };
  return (
    <div ref={box} className={css.stage}>
      <div
        ref={stage}
        className={cx(css.touch, css.clip)}
        role="group"
        aria-label={item.title}
        tabIndex={0}
        onKeyDown={onKey}
        {...handlers}
      >
        <div
          ref={setPicture}
          className={cx(css.moved, drag !== undefined && css.dragged)}
          style={{ transform: `translate(${drag?.x ?? 0}px, ${Math.max(0, drag?.y ?? 0)}px)` }}
        >
          <StagePictures item={item} isZoomed={false} onBroken={() => undefined} />
        </div>
      </div>
      <PhotoNeighbours near={near} onNext={onNext} onPrevious={onPrevious} />
      {Player && picture && <Player into={picture} {...{ item, actions, onStatus, onNext, onPrevious }} />}
    </div>
  );
};
