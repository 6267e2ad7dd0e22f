/**
 * The face of a Profile: its uploaded picture, a drawn one on its colour, or the letters of its name. The name is next
 * to it, so that screen readers skip it.
 */
import { useState } from 'preact/hooks';
import type { Face } from '../../../contract/identity/profiles.ts';
import { cx } from '../../lib/cx.ts';
import { AVATAR_SHAPES, type Avatar } from './avatars.ts';
import css from './face.module.css';
import { initialsOf } from './letters.ts';

/** Returns the class of an element in the colour of a Profile. */
export const faceColour = (colour: Face['colour']): string => css[colour] ?? '';

export interface ProfileFaceProps {
  id: string;
  name: string;
  face: Face;
  size?: 'small' | 'medium' | 'large';
  /** Whether the picker of a household device shows it, which reads its picture without a session. */
  isInPicker?: boolean;
}

const Drawn = ({ avatar }: { avatar: Avatar }) => (
  <svg className={css.drawn} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
    {AVATAR_SHAPES[avatar].map(([tone, path], at) => (
      <path key={at} className={css[tone]} d={path} />
    ))}
  </svg>
);

export const ProfileFace = ({ id, name, face, size = 'medium', isInPicker = false }: ProfileFaceProps) => {
  const { colour, avatar, picture } = face;
  const [broken, setBroken] = useState<string>();
  const path = isInPicker ? `/api/v1/household/pictures/${id}` : `/api/v1/profiles/${id}/picture`;
  return (
    <span
      className={cx(css.face, css[size], faceColour(colour))}
      aria-hidden="true"
      data-letters={avatar === undefined ? initialsOf(name) : undefined}
    >
      {picture !== undefined && broken !== picture ? (
        <img
          className={css.img}
          src={`${path}?v=${picture}`}
          alt=""
          decoding="async"
          draggable={false}
          onError={() => setBroken(picture)}
        />
      ) : (
        avatar !== undefined && <Drawn avatar={avatar} />
      )}
    </span>
  );
};
