/** The photo itself: fitted, zoomed by wheel, fingers or double click, moved, and drawn to the next one. */
import { useRef, useState } from 'preact/hooks';
import plus from 'lucide/dist/esm/icons/zoom-in.mjs';
import minus from 'lucide/dist/esm/icons/zoom-out.mjs';
import { IconButton } from '../../../kit/forms/button.tsx';
import { cx } from '../../../lib/cx.ts';
import { photoWords as m } from '../../../messages/photos.ts';
import { MotionButton } from './motion.tsx';
import { PhotoNeighbours } from './neighbours.tsx';
import { StagePictures } from './pictures.tsx';
import { type StageProps, useStageFocus } from './touch.ts';
import type { PhotoItem } from './viewer-bar.tsx';
import { DOUBLE_ZOOM, MAX_ZOOM, NO_ZOOM, zoomedAt } from './zoom.ts';
import { actOnStageKey, useZoomStage, ZOOM_STEP } from './zoom-stage.ts';
import css from './viewer.module.css';

export const PhotoStage = ({ item, near, ...acts }: StageProps) => {
  const { onNext, onPrevious, onTouch } = acts;
  const picture = item.dimensions ?? { width: 0, height: 0 };
  const { box, zoom, change, fromMiddle, isZoomed, isDragged, zoomBy, keys, handlers, transform } = useZoomStage(
    picture,
    acts,
  );
  const stage = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);
  useStageFocus(stage);
  return (
    <div ref={box} className={css.stage}>
      <div
        ref={stage}
        className={cx(css.touch, isZoomed && css.zoomed)}
        role="img"
        aria-label={item.title}
        tabIndex={0}
        autoFocus
        data-zoom={zoom.scale.toFixed(2)}
        onKeyDown={(event) =>
          actOnStageKey(event, { ...keys, Enter: () => zoomBy(isZoomed ? 1 / MAX_ZOOM : DOUBLE_ZOOM) })
        }
        onDblClick={(event) => {
          onTouch();
          change((before) => (before.scale > 1 ? NO_ZOOM : zoomedAt(before, fromMiddle(event), DOUBLE_ZOOM)));
        }}
        {...handlers}
      >
        <div className={cx(css.moved, isDragged && css.dragged)} style={{ transform }}>
          {!isBroken && <StagePictures item={item} isZoomed={isZoomed} onBroken={() => setBroken(true)} />}
        </div>
      </div>
      {isBroken && (
        <p className={css.broken} role="status">
          {m.pictureCannotBeShown}
        </p>
      )}
      <PhotoNeighbours near={near} onNext={onNext} onPrevious={onPrevious} />
      <Controls item={item} isZoomed={isZoomed} zoomBy={zoomBy} over={stage} />
    </div>
  );
};

/** The buttons below the picture. */
const Controls = ({
  item,
  isZoomed,
  zoomBy,
  over,
}: {
  item: PhotoItem;
  isZoomed: boolean;
  zoomBy: (factor: number) => void;
  over: { readonly current: HTMLElement | null };
}) => (
  <div className={css.under} data-controls>
    <IconButton icon={minus} label={m.zoomOut} disabled={!isZoomed} onClick={() => zoomBy(1 / ZOOM_STEP)} />
    <IconButton icon={plus} label={m.zoomIn} onClick={() => zoomBy(ZOOM_STEP)} />
    {item.motion && item.links.media !== undefined && (
      <MotionButton address={`${item.links.media}?version=${item.motion.version}`} motion={item.motion} over={over} />
    )}
  </div>
);
