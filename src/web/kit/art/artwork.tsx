/**
 * Artwork of an item in the width that fits its place. If there is none, or it cannot be loaded, a tile with
 * the title has the same shape, so that the layout does not move.
 */
import { useState } from 'preact/hooks';
import { REQUESTED_ART_WIDTHS } from '../../lib/art-widths.ts';
import { cx } from '../../lib/cx.ts';
import { hueOf, initialsOf } from './letters.ts';
import css from './artwork.module.css';

export type ArtKind = 'poster' | 'backdrop' | 'thumb' | 'logo';
export interface ArtworkProps {
  id: string;
  kind: ArtKind;
  /** The version from `images`; undefined when there is no such picture. */
  version: string | undefined;
  /** Text of the tile if there is no artwork. */
  title: string;
  /** How wide it is shown, as in the `sizes` of an img: "160px". */
  sizes: string;
  /** Alternative text. Empty by default, because the title is usually next to the artwork. */
  alt?: string;
  /** True for what is on show at once. */
  isEager?: boolean;
  /** Fills its parent instead of keeping the shape of its kind. */
  isFilling?: boolean;
  /** Whether it is a square instead of the shape of its kind. */
  isSquare?: boolean;
  /** Owner of the picture; an item by default. */
  of?: ArtOwner;
  /** Called if the picture cannot be loaded. */
  onBroken?: () => void;
}
export type ArtOwner = 'item' | 'artist' | 'collection';
const ADDRESSES: Readonly<Record<ArtOwner, (id: string, kind: ArtKind) => string>> = {
  item: (id, kind) => `art/${id}?kind=${kind}&`,
  artist: (id, kind) => `artists/${id}/picture?kind=${kind}&`,
  collection: (id) => `collections/${id}/picture?`,
};
export const artUrl = (
  id: string,
  { kind, width, version, of = 'item' }: { kind: ArtKind; width: number; version: string; of?: ArtOwner },
): string => `/api/v1/${ADDRESSES[of](id, kind)}width=${width}&v=${encodeURIComponent(version)}`;

export const Artwork = ({
  id,
  kind,
  version,
  title,
  sizes,
  alt = '',
  isEager = false,
  isFilling = false,
  isSquare = false,
  of = 'item',
  onBroken,
}: ArtworkProps) => {
  const [broken, setBroken] = useState<string>();
  const [isHere, setHere] = useState(false);
  const address = version === undefined ? undefined : `${id}/${version}`;
  const shape = cx(css.box, isFilling ? css.fill : isSquare ? css.square : css[kind]);
  if (version === undefined || broken === address) {
    const turn = hueOf(title);
    return (
      <span
        className={shape}
        role={alt ? 'img' : undefined}
        aria-label={alt || undefined}
        aria-hidden={alt ? undefined : true}
      >
        <span
          className={css.tile}
          style={{
            backgroundImage:
              `linear-gradient(160deg, hsla(${turn}, 32%, 52%, .34), ` + `hsla(${(turn + 50) % 360}, 34%, 34%, .18))`,
          }}
        >
          {kind === 'poster' && !isFilling ? (
            <span className={css.name}>{title}</span>
          ) : (
            <span className={css.letters} data-letters={initialsOf(title)} />
          )}
        </span>
      </span>
    );
  }
  return (
    <span className={shape}>
      <img
        className={cx(css.img, isHere && css.here)}
        src={artUrl(id, { kind, width: 320, version, of })}
        srcSet={REQUESTED_ART_WIDTHS.map((width) => `${artUrl(id, { kind, width, version, of })} ${width}w`).join(', ')}
        sizes={sizes}
        alt={alt}
        loading={isEager ? 'eager' : 'lazy'}
        decoding="async"
        draggable={false}
        onLoad={() => setHere(true)}
        onError={() => {
          setBroken(address);
          onBroken?.();
        }}
      />
    </span>
  );
};
