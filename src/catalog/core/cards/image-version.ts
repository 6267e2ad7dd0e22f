/** Versions of pictures, which are a part of their addresses. */
import type { ImagePlace } from '../../store/records.ts';

/** Returns the version of a picture, made of its time and size. */
export const imageVersion = ({ s, m }: Pick<ImagePlace, 's' | 'm'>): string =>
  `${Math.round(m).toString(36)}${s.toString(36)}`;
