/** Posters and backdrops of the demo library: pictures with the title set under them, as JPEG. */
import sharp from 'sharp';
import type { Look } from './films.ts';
import { picture } from './motifs.ts';

const POSTER = { w: 800, h: 1200 } as const;
const BACKDROP = { w: 1600, h: 900 } as const;

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
export type Jpeg = Promise<Buffer>;
/** Renders the body of an SVG. */
export const jpegOf = (body: string, { w, h }: { w: number; h: number }): Jpeg =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${body}</svg>`,
    ),
  )
    .jpeg({ quality: 84, chromaSubsampling: '4:4:4' })
    .toBuffer();

/** Lines of about even length, so that a long title fits two or three of them. */
function broken(title: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of title.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export interface TitledPicture {
  title: string;
  year: number;
  look: Look;
  /** Line above the title: `Season 1`. */
  over?: string;
}

export function poster({ title, year, look, over = String(year) }: TitledPicture): Jpeg {
  const { w, h } = POSTER;
  const lines = broken(look.lettering ?? title, 13);
  const size = Math.min(92, 1180 / Math.max(...lines.map((line) => line.length)));
  const bottom = h - 84;
  const words = lines
    .map(
      (line, n) =>
        `<text x="64" y="${bottom - (lines.length - 1 - n) * size * 1.08}" font-family="DejaVu Serif, Georgia, ` +
        `serif" font-weight="bold" font-size="${size.toFixed(0)}" fill="${look.colors[3]}">${escape(line)}</text>`,
    )
    .join('');
  const small =
    `<text x="66" y="${bottom - lines.length * size * 1.08 - 4}" font-family="DejaVu Sans, sans-serif" ` +
    `font-size="30" letter-spacing="7" fill="${look.colors[2]}">${escape(over)}</text>`;
  return jpegOf(
    `${picture({ look, title, ...POSTER, isPoster: true })}${words}${small}<rect x="64" y="${h - 52}" width="72" ` +
      `height="5" fill="${look.colors[2]}"/>`,
    { w, h },
  );
}

export const backdrop = ({ title, look }: TitledPicture): Jpeg =>
  jpegOf(picture({ look, title, ...BACKDROP, isPoster: false }), BACKDROP);
