/** The ways to the photos before and after, and their pictures, which are loaded in advance. */
import left from 'lucide/dist/esm/icons/chevron-left.mjs';
import right from 'lucide/dist/esm/icons/chevron-right.mjs';
import { artUrl } from '../../../kit/art/artwork.tsx';
import { IconButton } from '../../../kit/forms/button.tsx';
import { photoWords as m } from '../../../messages/photos.ts';
import { photoSrcSet } from './pictures.tsx';
import type { StageProps } from './touch.ts';
import css from './viewer.module.css';

export const PhotoNeighbours = ({ near, onNext, onPrevious }: Pick<StageProps, 'near' | 'onNext' | 'onPrevious'>) => (
  <>
    {near.map(
      (card) =>
        card?.images.thumb !== undefined && (
          <img
            key={card.id}
            className={css.ahead}
            srcSet={photoSrcSet(card.id, card.images.thumb)}
            sizes="100vw"
            src={artUrl(card.id, { kind: 'thumb', width: 1280, version: card.images.thumb })}
            alt=""
          />
        ),
    )}
    {near[1] && onPrevious && (
      <IconButton icon={left} label={m.previous} className={css.before ?? ''} onClick={onPrevious} />
    )}
    {near[0] && onNext && <IconButton icon={right} label={m.next} className={css.after ?? ''} onClick={onNext} />}
  </>
);
