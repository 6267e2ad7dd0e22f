/** One small picture of the film, cut out of its sheet. */
import type { Tile } from '../../engine/trickplay.ts';
import css from './marks.module.css';

const WIDTH = 208;

/** The sheet is drawn smaller than it is, so that the picture fits over the bar of a phone, too. */
export const TilePicture = ({ tile: { url, x, y, width, height }, wide = WIDTH }: { tile: Tile; wide?: number }) => {
  const scale = wide / width;
  return (
    <div className={css.tile} data-tile style={{ width: wide, height: Math.round(height * scale) }}>
      <div
        style={{
          width,
          height,
          backgroundImage: `url("${url}")`,
          backgroundPosition: `${-x}px ${-y}px`,
          transform: `scale(${scale})`,
          transformOrigin: '0 0',
        }}
      />
    </div>
  );
};
