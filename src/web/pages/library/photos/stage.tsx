/** The photo itself: fitted, zoomed by wheel, fingers or double click, moved, and drawn to the next one. */
import { useEffect, useRef, useState } from 'preact/hooks';
import plus from 'lucide/dist/esm/icons/zoom-in.mjs';
import minus from 'lucide/dist/esm/icons/zoom-out.mjs';
import { IconButton } from '../../../kit/forms/button.tsx';
import { cx } from '../../../lib/cx.ts';
import { photoWords as m } from '../../../messages/photos.ts';
import { MotionButton } from './motion.tsx';
import { PhotoNeighbours } from './neighbours.tsx';
import { StagePictures } from './pictures.tsx';
import { focusControls, sideKeys, type StageProps, useStagePointers, useZoom } from './touch.ts';
import type { PhotoItem } from './viewer-bar.tsx';
import { DOUBLE_ZOOM, NO_ZOOM, zoomedAt } from './zoom.ts';
import css from './viewer.module.css';

const STEP = 1.5;
/** Pixels by which an arrow key moves a zoomed picture. */
const MOVE_PX = 120;

export const PhotoStage = ({ item, near, ...acts }: StageProps) => {
  const { onNext, onPrevious, onTouch } = acts;
  const picture = item.dimensions ?? { width: 0, height: 0 };
  const zoomed = useZoom(picture);
  const { box, zoom, change, fromMiddle } = zoomed;
  const { drag, handlers } = useStagePointers(zoomed, acts);
  const stage = useRef<HTMLDivElement>(null);
  const isZoomed = zoom.scale > 1;
  const [isBroken, setBroken] = useState(false);
  useEffect(() => stage.current?.focus({ preventScroll: true }), []);
  const zoomBy = (factor: number) => {
    onTouch();
    change((before) => zoomedAt(before, { x: 0, y: 0 }, factor));
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const moveBy = (x: number, y: number) => () =>
      change((before) => ({ ...before, x: before.x + x * MOVE_PX, y: before.y + y * MOVE_PX }));
    const keys: Record<string, (() => void) | undefined> = {
      ...(isZoomed
        ? { ArrowRight: moveBy(-1, 0), ArrowLeft: moveBy(1, 0), ArrowDown: moveBy(0, -1), ArrowUp: moveBy(0, 1) }
        : { ...sideKeys(acts), ArrowDown: () => focusControls(box.current) }),
      '+': () => zoomBy(STEP),
      '=': () => zoomBy(STEP),
      '-': () => zoomBy(1 / STEP),
      '0': () => change(() => NO_ZOOM),
      Enter: () => zoomBy(isZoomed ? 1 / 8 : DOUBLE_ZOOM),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]?.();
  };
  const moved = isZoomed ? zoom : { scale: 1, x: drag?.x ?? 0, y: Math.max(0, drag?.y ?? 0) };
  return (
    <div ref={box} className={css.stage}>
      <div
        ref={stage}
        className={cx(css.touch, isZoomed && css.zoomed)}
        role="img"
        aria-label={item.title}
        tabIndex={0}
        data-zoom={zoom.scale.toFixed(2)}
        onKeyDown={onKey}
        onDblClick={(event) => {
          onTouch();
          change((before) => (before.scale > 1 ? NO_ZOOM : zoomedAt(before, fromMiddle(event), DOUBLE_ZOOM)));
        }}
        {...handlers}
      >
        <div
          className={cx(css.moved, drag !== undefined && css.dragged)}
          style={{ transform: `translate(${moved.x}px, ${moved.y}px) scale(${moved.scale})` }}
        >
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
    <IconButton icon={minus} label={m.zoomOut} disabled={!isZoomed} onClick={() => zoomBy(1 / STEP)} />
    <IconButton icon={plus} label={m.zoomIn} onClick={() => zoomBy(STEP)} />
    {item.motion && item.links.media !== undefined && (
      <MotionButton address={`${item.links.media}?version=${item.motion.version}`} motion={item.motion} over={over} />
    )}
  </div>
);
