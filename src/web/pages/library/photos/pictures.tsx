/** The picture of a photo in the width of the screen, and the original over it. */
import { useState } from 'preact/hooks';
import { artUrl } from '../../../kit/art/artwork.tsx';
import { cx } from '../../../lib/cx.ts';
import type { PhotoItem } from './viewer-bar.tsx';
import css from './viewer.module.css';

/** Widths in which photos are made, apart from the small ones of the list. */
const WIDTHS = [720, 1280, 1920, 3840] as const;
/** Formats that every browser shows, so that a zoomed picture can be the original. */
const SHOWN = new Set(['jpeg', 'png', 'webp', 'gif', 'avif']);
/** Bytes. A larger original takes longer to load than a look at it takes. */
const MAX_ORIGINAL = 40 * 1000 * 1000;

export const photoSrcSet = (id: string, version: string): string =>
  WIDTHS.map((width) => `${artUrl(id, { kind: 'thumb', width, version })} ${width}w`).join(', ');

/** The address of the original, if a browser shows it and this Profile may have it. */
function originalOf({ links, versions, kind }: PhotoItem): string | undefined {
  const [first] = versions;
  if (kind !== 'photo' || links.media === undefined || !first || first.size > MAX_ORIGINAL) return undefined;
  return SHOWN.has(first.container ?? '') ? `${links.media}?version=${first.id}` : undefined;
}

/** The picture in the width of the screen, and over it the original if it moves, or as soon as it is zoomed. */
export const StagePictures = ({
  item,
  isZoomed,
  onBroken,
}: {
  item: PhotoItem;
  isZoomed: boolean;
  onBroken: () => void;
}) => {
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
          srcSet={photoSrcSet(item.id, version)}
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
