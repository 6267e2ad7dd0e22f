/**
 * The photos of the demo: two trips and a winter, painted here, with what a camera writes about a picture.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

interface DemoPhoto {
  file: string;
  /** Local time and its offset. */
  time: string;
  offset?: string;
  /** Colours of the sky, from the top down, and of the land. */
  sky: readonly [string, string];
  land: string;
  sun: readonly [x: number, y: number];
  isUpright?: boolean;
  place?: readonly [latitude: string, longitude: string];
}

const LISBON = ['38/1 42/1 40/1', '9/1 8/1 22/1'] as const;

const PHOTOS: readonly DemoPhoto[] = [
  {
    file: '2025/Lisbon/IMG_0101.jpg',
    time: '2025:05:02 08:12:00',
    offset: '+01:00',
    sky: ['#7fb7e6', '#fbe3c0'],
    land: '#44617a',
    sun: [0.2, 0.55],
    place: LISBON,
  },
  {
    file: '2025/Lisbon/IMG_0102.jpg',
    time: '2025:05:02 13:40:00',
    offset: '+01:00',
    sky: ['#3f8fd6', '#cfe6f7'],
    land: '#c98d4e',
    sun: [0.7, 0.2],
    place: LISBON,
  },
  {
    file: '2025/Lisbon/IMG_0103.jpg',
    time: '2025:05:02 20:31:00',
    offset: '+01:00',
    sky: ['#2b2d5b', '#f0825a'],
    land: '#1d1b2e',
    sun: [0.5, 0.72],
    isUpright: true,
    place: LISBON,
  },
  {
    file: '2025/Lisbon/IMG_0117.jpg',
    time: '2025:05:03 10:05:00',
    offset: '+01:00',
    sky: ['#5aa5e0', '#e8f3fb'],
    land: '#5d7f57',
    sun: [0.35, 0.25],
    place: LISBON,
  },
  {
    file: '2025/Mountains/IMG_0340.jpg',
    time: '2025:08:16 06:20:00',
    offset: '+02:00',
    sky: ['#34406f', '#f7b98b'],
    land: '#27324a',
    sun: [0.6, 0.62],
  },
  {
    file: '2025/Mountains/IMG_0341.jpg',
    time: '2025:08:16 11:48:00',
    offset: '+02:00',
    sky: ['#2e7fc1', '#d8ecf8'],
    land: '#6c8a6a',
    sun: [0.15, 0.15],
    isUpright: true,
  },
  {
    file: '2025/Mountains/IMG_0355.jpg',
    time: '2025:08:17 19:55:00',
    offset: '+02:00',
    sky: ['#453a6b', '#f19a76'],
    land: '#2a2440',
    sun: [0.8, 0.66],
  },
  {
    file: '2024/Winter/IMG_20241224_161203.jpg',
    time: '',
    sky: ['#8fa3bd', '#e9eef4'],
    land: '#f4f6f9',
    sun: [0.5, 0.3],
  },
  {
    file: '2024/Winter/IMG_0020.jpg',
    time: '2024:12:26 09:30:00',
    sky: ['#9db8d4', '#fdf3e7'],
    land: '#dfe7ef',
    sun: [0.25, 0.5],
  },
];

/** A sky with a sun, two ridges and the light on them. */
function painting({ sky: [high, low], land, sun: [x, y], isUpright = false }: DemoPhoto): string {
  const [width, height] = isUpright ? [1200, 1600] : [1600, 1200];
  const ridge = (level: number, step: number): string => {
    const points = Array.from({ length: 9 }, (_, at) => {
      const rise = Math.sin(at * step) * 0.07 + Math.cos(at * 1.7 * step) * 0.05;
      return `${(at / 8) * width},${(level - rise) * height}`;
    });
    return `M0,${height} L${points.join(' L')} L${width},${height} Z`;
  };
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${high}"/>` +
    `<stop offset="1" stop-color="${low}"/></linearGradient></defs>` +
    `<rect width="${width}" height="${height}" fill="url(#s)"/>` +
    `<circle cx="${x * width}" cy="${y * height}" r="${width * 0.06}" fill="#fff6dd" opacity="0.9"/>` +
    `<path d="${ridge(0.72, 1.3)}" fill="${land}" opacity="0.6"/><path d="${ridge(0.85, 0.9)}" fill="${land}"/></svg>`
  );
}

/** Makes the photos below a folder. */
export async function makePhotos(root: string): Promise<void> {
  for (const photo of PHOTOS) {
    const { file, time, offset, place } = photo;
    const bytes = await sharp(Buffer.from(painting(photo)))
      .withExif({
        IFD0: { Make: 'Matinee', Model: 'Matinee One' },
        ...(time !== '' && {
          IFD2: {
            DateTimeOriginal: time,
            ...(offset !== undefined && { OffsetTimeOriginal: offset }),
            FNumber: '28/10',
            ExposureTime: '1/250',
            ISOSpeedRatings: '100',
            FocalLength: '28/1',
          },
        }),
        ...(place && {
          IFD3: { GPSLatitudeRef: 'N', GPSLatitude: place[0], GPSLongitudeRef: 'W', GPSLongitude: place[1] },
        }),
      } as never)
      .jpeg({ quality: 80 })
      .toBuffer();
    const path = join(root, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
}
