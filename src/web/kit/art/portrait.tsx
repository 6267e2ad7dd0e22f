/** A round picture of a person. Without one, or if it cannot be loaded, it has the initials. */
import { useState } from 'preact/hooks';
import { cx } from '../../lib/cx.ts';
import { hueOf, initialsOf } from './letters.ts';
import css from './portrait.module.css';

export interface PortraitProps {
  id: string;
  name: string;
  /** The version from `image`; undefined if there is no picture. */
  version: string | undefined;
  isLarge?: boolean;
}
const urlOf = (id: string, version: string, width: number): string =>
  `/api/v1/people/${id}/picture?width=${width}&v=${encodeURIComponent(version)}`;

/** The name is next to it, so that screen readers skip the picture. */
export const Portrait = ({ id, name, version, isLarge = false }: PortraitProps) => {
  const [broken, setBroken] = useState<string>();
  const hue = hueOf(name);
  return (
    <span className={cx(css.portrait, isLarge && css.large)} aria-hidden="true">
      {version === undefined || broken === version ? (
        <span
          className={css.letters}
          data-letters={initialsOf(name)}
          style={{ backgroundColor: `hsla(${hue}, 34%, 46%, .3)` }}
        />
      ) : (
        <img
          className={css.img}
          src={urlOf(id, version, isLarge ? 320 : 160)}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(version)}
        />
      )}
    </span>
  );
};
