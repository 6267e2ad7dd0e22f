/** Portraits of the demo library's people, drawn as silhouettes, for the folders `.actors`. */
import { type Jpeg, jpegOf } from './art.ts';
import { numbersOf } from './motifs.ts';

const PORTRAIT = { w: 400, h: 600 } as const;
/** From behind to the front: the wall, its light, skin in that light, hair, and clothes. */
const PALETTES = [
  ['#1d2b3a', '#3f5f7f', '#d9b48f', '#2a1c14', '#8a3b2e'],
  ['#2f2433', '#6d4b6f', '#8a5a3c', '#17110f', '#d1a54b'],
  ['#1f2f28', '#4f7a63', '#e6c6a8', '#8c5a2b', '#2c3f66'],
  ['#33261c', '#8a6540', '#5f3d2a', '#0f0c0b', '#4d7c7a'],
  ['#20263f', '#5865a0', '#f0d6bd', '#c9a24f', '#5b2d46'],
  ['#2b2b2b', '#6f6a60', '#b98660', '#cfc9c0', '#36563a'],
] as const;

/** Name of a portrait's file, as Kodi writes it. */
export const portraitFile = (name: string): string => `${name.replaceAll(' ', '_')}.jpg`;

/** Draws head and shoulders. The same name has the same picture, and no two neighbours in a cast have one palette. */
export function portrait(name: string, place: number): Jpeg {
  const { w, h } = PORTRAIT;
  const next = numbersOf(name);
  const [wall, light, skin, hair, clothes] = PALETTES[place % PALETTES.length] ?? PALETTES[0];
  const x = w / 2 + (next() - 0.5) * 24;
  const y = h * 0.4;
  const head = 84 + next() * 14;
  const long = next() > 0.5 ? 1.5 + next() * 0.7 : 0;
  const fringe = 0.5 + next() * 0.35;
  const side = next() > 0.5 ? 1 : -1;
  const back =
    long === 0
      ? ''
      : `<rect x="${x - head * 1.08}" y="${y - head * 0.6}" width="${head * 2.16}" height="${head * (1 + long)}" ` +
        `rx="${head}" fill="${hair}"/>`;
  return jpegOf(
    '<defs><radialGradient id="wall" cx="0.4" cy="0.3" r="0.9">' +
      `<stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${wall}"/></radialGradient></defs>` +
      `<rect width="${w}" height="${h}" fill="url(#wall)"/>${back}` +
      `<rect x="${x - head * 0.36}" y="${y}" width="${head * 0.72}" height="${head * 2.3}" rx="${head * 0.34}" ` +
      `fill="${skin}"/><rect x="${x - head * 0.36}" y="${y + head}" width="${head * 0.72}" height="${head * 0.4}" ` +
      'fill="#000" opacity="0.12"/>' +
      `<path d="M${x - 190},${h} C${x - 190},${h * 0.7} ${x - 70},${h * 0.68} ${x},${h * 0.66} ` +
      `C${x + 70},${h * 0.68} ${x + 190},${h * 0.7} ${x + 190},${h} Z" fill="${clothes}"/>` +
      `<ellipse cx="${x}" cy="${y}" rx="${head * 0.86}" ry="${head * 1.16}" fill="${skin}"/>` +
      `<path d="M${x - head * 0.95},${y} C${x - head * 1.1},${y - head * 1.7} ${x + head * 1.1},${y - head * 1.7} ` +
      `${x + head * 0.95},${y} C${x + head * 0.8},${y - head * 0.4} ${x + side * head * 0.5},${y - head * fringe} ` +
      `${x + side * head * 0.2},${y - head * fringe} C${x - head * 0.4},${y - head * fringe} ` +
      `${x - head * 0.8},${y - head * 0.4} ${x - head * 0.95},${y} Z" fill="${hair}"/>`,
    PORTRAIT,
  );
}
