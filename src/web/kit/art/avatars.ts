/**
 * Drawn pictures of Profiles: a few shapes each, on a disc in the colour of the Profile. Coordinates are those of a
 * square of 64.
 */
import type { AVATARS } from '../../../contract/identity/faces.ts';

export type Avatar = (typeof AVATARS)[number];
/** A light, a shaded or a dark shape. */
type Tone = 'light' | 'shade' | 'dark';
export type AvatarShape = readonly [tone: Tone, path: string];

/** Returns the path of a disc. */
const disc = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
/** Returns two eyes at the same height. */
const eyes = (left: number, right: number, y: number, r = 2.5): AvatarShape => [
  'dark',
  disc(left, y, r) + disc(right, y, r),
];

export const AVATAR_SHAPES: Readonly<Record<Avatar, readonly AvatarShape[]>> = {
  cat: [
    ['light', 'M14 13l10 9h16l10-9v24a18 17 0 0 1-36 0z'],
    ['shade', 'M17 20l5 5-5 5zM47 20l-5 5 5 5z'],
    eyes(24, 40, 35, 3),
    ['dark', 'M29 42h6l-3 4z'],
  ],
  bear: [
    ['light', disc(18, 20, 7) + disc(46, 20, 7) + disc(32, 35, 18)],
    ['shade', disc(18, 20, 3.5) + disc(46, 20, 3.5) + disc(32, 42, 8)],
    eyes(25, 39, 31),
    ['dark', disc(32, 39, 3)],
  ],
  fox: [
    ['light', 'M12 14l14 8h12l14-8-4 24-16 14-16-14z'],
    ['shade', 'M16 38l16 14-7-14zM48 38l-16 14 7-14z'],
    eyes(25, 39, 32),
    ['dark', disc(32, 49, 3)],
  ],
  rabbit: [
    ['light', `M24 30c-7-9-8-22-3-24s8 12 8 22zM40 30c7-9 8-22 3-24s-8 12-8 22z${disc(32, 40, 15)}`],
    ['shade', disc(24, 44, 3) + disc(40, 44, 3)],
    eyes(26, 38, 38),
    ['dark', 'M30 44h4l-2 3z'],
  ],
  owl: [
    ['light', 'M14 24c0-7 3-12 5-14l7 6h12l7-6c2 2 5 7 5 14v13a18 18 0 0 1-36 0z'],
    ['shade', disc(24, 29, 8) + disc(40, 29, 8)],
    eyes(24, 40, 29, 4),
    ['dark', 'M28 37h8l-4 7z'],
  ],
  penguin: [
    ['dark', 'M32 9c12 0 17 13 17 27s-7 19-17 19-17-5-17-19 5-27 17-27z'],
    ['light', `M32 30c8 0 11 5 11 11s-4 12-11 12-11-6-11-12 3-11 11-11z${disc(26, 25, 6)}${disc(38, 25, 6)}`],
    eyes(27, 37, 25),
    ['shade', 'M27 31h10l-5 6z'],
  ],
  whale: [
    [
      'light',
      'M8 37c0-10 9-16 21-16 13 0 19 7 20 13 4 0 6-4 6-9 4 2 6 9 2 15-4 7-11 11-24 11-15 0-25-4-25-14z' +
        disc(27, 15, 3) +
        disc(35, 11, 2.2),
    ],
    ['shade', 'M9 41c8 4 26 4 40 1-4 6-10 8-19 8-12 0-19-3-21-9z'],
    ['dark', disc(19, 34, 2.5)],
  ],
  rocket: [
    ['shade', 'M21 32l-9 9v9l13-6zM43 32l9 9v9l-13-6zM27 46h10l-5 12z'],
    ['light', 'M32 6c9 7 13 16 13 25l-5 14H24l-5-14c0-9 4-18 13-25z'],
    ['dark', disc(32, 27, 5)],
  ],
  planet: [
    ['light', disc(32, 32, 15)],
    ['shade', disc(27, 28, 3.5) + disc(37, 24, 2.5)],
    [
      'dark',
      'M14 36c-6 5-8 9-6 11 4 4 21-2 33-10s18-16 15-20c-2-3-8-1-13 1l3 3c3-1 6-2 6-1 ' +
        '1 2-5 8-15 14s-22 11-24 9c-1-1 1-4 3-6z',
    ],
  ],
  star: [
    ['light', 'M32 7l8 16 17 2-12 12 3 17-16-8-16 8 3-17L7 25l17-2z'],
    eyes(27, 37, 30),
    ['dark', 'M26 36c3 6 9 6 12 0z'],
  ],
  moon: [
    ['light', 'M39 8a25 25 0 1 0 17 35A22 22 0 0 1 39 8z'],
    ['shade', disc(24, 40, 4) + disc(35, 48, 3)],
    ['light', disc(48, 18, 2) + disc(55, 27, 1.6)],
    ['dark', disc(22, 29, 2.5)],
  ],
  robot: [
    [
      'light',
      `M31 10h2v9h-2z${disc(32, 10, 3.2)}M18 18h28a5 5 0 0 1 5 5v21a5 5 0 0 1-5 5H18a5 5 0 0 1-5-5V23a5 5 0 0 1 5-5z`,
    ],
    ['shade', 'M9 28h4v11H9zM51 28h4v11h-4z'],
    eyes(24, 40, 31, 4),
    ['dark', 'M23 40h18v3.5H23z'],
  ],
  ghost: [
    ['light', 'M15 53V28a17 17 0 0 1 34 0v25l-6-5-5 5-6-5-6 5-5-5z'],
    eyes(25, 39, 28, 3),
    ['dark', disc(32, 37, 3.2)],
  ],
  flower: [
    [
      'light',
      [0, 1, 2, 3, 4, 5]
        .map((n) =>
          disc(Math.round(32 + 14 * Math.cos((n * Math.PI) / 3)), Math.round(32 + 14 * Math.sin((n * Math.PI) / 3)), 9),
        )
        .join(''),
    ],
    ['shade', disc(32, 32, 9)],
    eyes(29, 35, 31, 1.7),
    ['dark', 'M28 35c2 3 6 3 8 0z'],
  ],
  mountain: [
    ['light', disc(47, 17, 5)],
    ['shade', 'M5 49l18-30 18 30z'],
    ['light', 'M23 19l8 13-4 4-4-4-4 4-4-4z'],
    ['dark', 'M28 49l14-20 17 20z'],
  ],
  popcorn: [
    ['light', disc(22, 24, 7) + disc(32, 18, 8) + disc(42, 23, 7) + disc(32, 27, 8)],
    ['shade', disc(30, 18, 2) + disc(41, 24, 2) + disc(24, 25, 2)],
    ['light', 'M17 29h30l-5 26H22z'],
    ['shade', 'M24 29h5l1 26h-5zM35 29h5l-1 26h-5z'],
  ],
};
