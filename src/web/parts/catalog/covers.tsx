/** The picture of a list: up to four of its items in a square. */
import { useState } from 'preact/hooks';
import type { Cover } from '../../../contract/lists/playlists.ts';
import { Artwork } from '../../kit/art/artwork.tsx';
import { cx } from '../../lib/cx.ts';
import { wideArt } from './cards.tsx';
import css from './covers.module.css';

export interface CoversProps {
  covers: readonly Cover[];
  title: string;
  /** Picture of a collection, which is shown instead if it can be loaded. */
  picture?: { id: string; version: string } | undefined;
}
export const Covers = ({ covers, title, picture }: CoversProps) => {
  const [broken, setBroken] = useState<string>();
  // The poster of a set may be missing while the metadata service is away.
  if (picture && picture.version !== broken)
    return (
      <span className={css.covers}>
        <span className={css.one}>
          <Artwork
            of="collection"
            kind="poster"
            {...picture}
            title={title}
            sizes="220px"
            isFilling
            onBroken={() => setBroken(picture.version)}
          />
        </span>
      </span>
    );
  // With two or three there would be a gap.
  const shown = covers.length < 4 ? covers.slice(0, 1) : covers;
  return (
    <span className={cx(css.covers, shown.length === 4 && css.four)}>
      {shown.map((cover) => (
        <span key={cover.id} className={css.one}>
          <Artwork
            id={cover.id}
            kind={cover.images.poster === undefined ? wideArt(cover).kind : 'poster'}
            version={cover.images.poster ?? wideArt(cover).version}
            title={cover.title}
            sizes="220px"
            isFilling
          />
        </span>
      ))}
      {shown.length === 0 && (
        <span className={css.one}>
          <Artwork id="" kind="poster" version={undefined} title={title} sizes="220px" isFilling />
        </span>
      )}
    </span>
  );
};
