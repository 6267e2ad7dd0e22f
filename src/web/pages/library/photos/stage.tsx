/** The photo itself: fitted, zoomed by wheel, fingers or double click, moved, and drawn to the next one. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import left from 'lucide/dist/esm/icons/chevron-left.mjs';
import right from 'lucide/dist/esm/icons/chevron-right.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import plus from 'lucide/dist/esm/icons/zoom-in.mjs';
import minus from 'lucide/dist/esm/icons/zoom-out.mjs';
import { artUrl } from '../../../kit/art/artwork.tsx';
import { ButtonLink, IconButton } from '../../../kit/forms/button.tsx';
import { cx } from '../../../lib/cx.ts';
import { forward } from '../../../lib/direction.ts';
import { photoWords as m } from '../../../messages/photos.ts';
import type { PhotoCard } from './cards.ts';
import { MotionButton } from './motion.tsx';
import type { PhotoItem } from './viewer-bar.tsx';
import { bounded, DOUBLE_ZOOM, NO_ZOOM, pinched, type Point, type Size, swipeOf, type Zoom, zoomedAt } from './zoom.ts';
import css from './viewer.module.css';

/** Widths in which photos are made, apart from the small ones of the list. */
const WIDTHS = [720, 1280, 1920, 3840] as const;
/** Formats that every browser shows, so that a zoomed picture can be the original. */
const SHOWN = new Set(['jpeg', 'png', 'webp', 'gif', 'avif']);
/** Bytes. A larger original takes longer to load than a look at it takes. */
const MAX_ORIGINAL = 40 * 1000 * 1000;
const STEP = 1.5;
/** Pixels by which an arrow key moves a zoomed picture. */
const MOVE_PX = 120;

const srcSet = (id: string, version: string): string =>
  WIDTHS.map((width) => `${artUrl(id, { kind: 'thumb', width, version })} ${width}w`).join(', ');

/** The address of the original, if a browser shows it and this Profile may have it. */
function originalOf({ links, versions, kind }: PhotoItem): string | undefined {
  const [first] = versions;
  if (kind !== 'photo' || links.media === undefined || !first || first.size > MAX_ORIGINAL) return undefined;
  return SHOWN.has(first.container ?? '') ? `${links.media}?version=${first.id}` : undefined;
}

interface StageProps {
  item: PhotoItem;
  /** Photos whose pictures are loaded in advance. */
  near: readonly (PhotoCard | undefined)[];
  onNext: (() => void) | undefined;
  onPrevious: (() => void) | undefined;
  onClose: () => void;
  /** Called when the picture is moved or zoomed. */
  onTouch: () => void;
}

function useZoom(picture: Size) {
  const box = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState<Zoom>(NO_ZOOM);
  const stage = (): Size => ({ width: box.current?.clientWidth ?? 1, height: box.current?.clientHeight ?? 1 });
  const change = (how: (before: Zoom) => Zoom) => setZoom((before) => bounded(how(before), picture, stage()));
  const fromMiddle = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const at = box.current?.getBoundingClientRect();
    return at ? { x: clientX - at.left - at.width / 2, y: clientY - at.top - at.height / 2 } : { x: 0, y: 0 };
  };
  // Preact listens to the wheel passively, and the page behind must not scroll.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      change((before) => zoomedAt(before, fromMiddle(event), Math.exp(-event.deltaY / (event.ctrlKey ? 120 : 400))));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [picture.width, picture.height]);
  return { box, zoom, change, fromMiddle, stage };
}

/** Pointers on the stage: one drags, two pinch. */
function usePointers(
  { zoom, change, fromMiddle, stage }: ReturnType<typeof useZoom>,
  { onNext, onPrevious, onClose, onTouch }: Omit<StageProps, 'item' | 'near'>,
) {
  const pointers = useRef(new Map<number, Point>());
  const began = useRef<Point | undefined>(undefined);
  const [drag, setDrag] = useState<Point>();
  const end = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
    const way = drag && swipeOf(drag, stage().width);
    setDrag(undefined);
    began.current = undefined;
    if (!way) return;
    const isForward = way === 'next' ? forward() === 1 : forward() === -1;
    if (way === 'close') onClose();
    else (isForward ? onNext : onPrevious)?.();
  };
  return {
    drag,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if ((event.target as HTMLElement).closest('button, a')) return;
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
        pointers.current.set(event.pointerId, fromMiddle(event));
        began.current = pointers.current.size === 1 ? fromMiddle(event) : undefined;
        setDrag(undefined);
      },
      onPointerMove: (event: PointerEvent) => {
        const before = pointers.current.get(event.pointerId);
        if (!before) return;
        const at = fromMiddle(event);
        const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
        pointers.current.set(event.pointerId, at);
        if (other) {
          onTouch();
          change((zoomed) => pinched(zoomed, [before, other], [at, other]));
        } else if (zoom.scale > 1)
          change((zoomed) => ({ ...zoomed, x: zoomed.x + at.x - before.x, y: zoomed.y + at.y - before.y }));
        else if (began.current) setDrag({ x: at.x - began.current.x, y: at.y - began.current.y });
      },
      onPointerUp: end,
      onPointerCancel: (event: PointerEvent) => {
        pointers.current.delete(event.pointerId);
        setDrag(undefined);
      },
    },
  };
}

export const PhotoStage = ({ item, near, ...acts }: StageProps) => {
  const { onNext, onPrevious, onTouch } = acts;
  const picture = item.dimensions ?? { width: 0, height: 0 };
  const zoomed = useZoom(picture);
  const { box, zoom, change, fromMiddle } = zoomed;
  const { drag, handlers } = usePointers(zoomed, acts);
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
    const [next, previous] = forward() === 1 ? [onNext, onPrevious] : [onPrevious, onNext];
    const moveBy = (x: number, y: number) => () =>
      change((before) => ({ ...before, x: before.x + x * MOVE_PX, y: before.y + y * MOVE_PX }));
    const keys: Record<string, (() => void) | undefined> = {
      ...(isZoomed
        ? { ArrowRight: moveBy(-1, 0), ArrowLeft: moveBy(1, 0), ArrowDown: moveBy(0, -1), ArrowUp: moveBy(0, 1) }
        : { ArrowRight: next, ArrowLeft: previous }),
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
          {!isBroken && <Pictures item={item} isZoomed={isZoomed} onBroken={() => setBroken(true)} />}
        </div>
      </div>
      {isBroken && (
        <p className={css.broken} role="status">
          {m.pictureCannotBeShown}
        </p>
      )}
      {near.map(
        (card) =>
          card?.images.thumb !== undefined && (
            <img
              key={card.id}
              className={css.ahead}
              srcSet={srcSet(card.id, card.images.thumb)}
              sizes="100vw"
              src={artUrl(card.id, { kind: 'thumb', width: 1280, version: card.images.thumb })}
              alt=""
            />
          ),
      )}
      {onPrevious && <IconButton icon={left} label={m.previous} className={css.before ?? ''} onClick={onPrevious} />}
      {onNext && <IconButton icon={right} label={m.next} className={css.after ?? ''} onClick={onNext} />}
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
  <div className={css.under}>
    {item.kind === 'video' ? (
      <ButtonLink look="primary" icon={play} isFilled to={{ page: 'player', params: { id: item.id } }}>
        {m.playClip}
      </ButtonLink>
    ) : (
      <>
        <IconButton icon={minus} label={m.zoomOut} disabled={!isZoomed} onClick={() => zoomBy(1 / STEP)} />
        <IconButton icon={plus} label={m.zoomIn} onClick={() => zoomBy(STEP)} />
      </>
    )}
    {item.motion && item.links.media !== undefined && (
      <MotionButton address={`${item.links.media}?version=${item.motion.version}`} motion={item.motion} over={over} />
    )}
  </div>
);

/** The picture in the width of the screen, and over it the original if it moves, or as soon as it is zoomed. */
const Pictures = ({ item, isZoomed, onBroken }: { item: PhotoItem; isZoomed: boolean; onBroken: () => void }) => {
  const version = item.images.thumb;
  const original = originalOf(item);
  const isMoving = item.versions[0]?.container === 'gif' && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  const [isOriginalHere, setOriginalHere] = useState(false);
  return (
    <>
      {version !== undefined && (
        <img
          className={css.picture}
          src={artUrl(item.id, { kind: 'thumb', width: 1280, version })}
          srcSet={srcSet(item.id, version)}
          // A photo whose original no browser shows (HEIC, raw) is fetched larger.
          sizes={isZoomed && original === undefined ? '400vw' : '100vw'}
          alt=""
          draggable={false}
          onError={onBroken}
        />
      )}
      {(isZoomed || isMoving) && original !== undefined && (
        <img
          className={cx(css.picture, !isOriginalHere && css.hidden)}
          src={original}
          alt=""
          draggable={false}
          onLoad={() => setOriginalHere(true)}
        />
      )}
    </>
  );
};
