/** The first page of a comic over HTTP, as stored and in the width of a screen, compared with sharp alone. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { makeComic } from '../../src/lib/books/testing.ts';
import { until } from '../../test/until.ts';
import { quantile, report } from '../report.ts';
import { measured } from '../usage.ts';
import { serverFolders, startServed } from './served.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const COMICS = LETTERS.length;
const PAGES = 40;
const MAX_MS = 150;
const WIDTH = 1280;

/** A scanned page of 1,600 by 2,400 pixels with paper grain: about 1 MB. */
const scannedPage = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 1600,
      height: 2400,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 120, sigma: 12 },
    },
  })
    .jpeg({ quality: 80 })
    .toBuffer();

export async function measureComics(home: string): Promise<void> {
  const folders = serverFolders(join(home, 'comics'));
  const page = await scannedPage();
  for (let n = 0; n < COMICS; n++) {
    const pages = Array.from({ length: PAGES }, (_, i) => ({ name: `${i + 1}.jpg`, bytes: page }));
    mkdirSync(join(folders.media, `Tale ${LETTERS[n]}`), { recursive: true });
    // Names without a series or number: the list shows the comic itself.
    writeFileSync(join(folders.media, `Tale ${LETTERS[n]}`, `Tale ${LETTERS[n]}.cbz`), makeComic(pages));
  }
  const floor = await measured(() => sharp(page).resize({ width: WIDTH }).jpeg({ quality: 82 }).toBuffer());
  const listed = [{ name: 'books', path: folders.media, kind: 'books' }];
  const served = await startServed(folders, { SERVICE_LIBRARIES: JSON.stringify(listed) });
  try {
    await served.post('/api/v1/tasks/scan', {});
    const { items } = await until('all comics', async () => {
      const found = await served.json<{ items: { id: string; kind: string }[] }>(
        `/api/v1/library?view=books&limit=${COMICS}`,
      );
      return found.items.filter(({ kind }) => kind === 'book').length === COMICS ? found : undefined;
    });
    const [first, ...others] = items.map(({ id }) => id);
    const opened = await measured(() => served.get(`/api/v1/books/${first}/reader`));
    const { ms } = await served.get(`/read/${first}/page/0?width=${WIDTH}`);
    report({
      what: `comics: the first page after a start, ${WIDTH} pixels wide`,
      figure: `${ms.toFixed(0)} ms`,
      aim: `${MAX_MS} ms`,
      met: ms <= MAX_MS,
      note: `opening the book ${(opened.seconds * 1000).toFixed(0)} ms, with the start of the process that reads it`,
    });
    for (const [what, query] of [
      ['as it is stored', ''],
      [`${WIDTH} pixels wide`, `?width=${WIDTH}`],
    ] as const) {
      const { value: times, usage } = await measured(async () => {
        const all: number[] = [];
        for (const id of others) all.push((await served.get(`/read/${id}/page/0${query}`)).ms);
        return all;
      });
      const half = quantile(times, 0.5);
      const most = Math.max(...times);
      report({
        what: `comics: first page of ${others.length} comics, ${what}`,
        figure: `p50 ${half.toFixed(0)} ms, longest ${most.toFixed(0)} ms`,
        aim: `${MAX_MS} ms`,
        met: most <= MAX_MS,
        note:
          `sharp alone ${(floor.seconds * 1000).toFixed(0)} ms: ratio ${(half / 1000 / floor.seconds).toFixed(1)}; ` +
          `pages of ${Math.round(page.length / 1024)} KiB; ${usage}`,
      });
    }
  } finally {
    await served.stop();
  }
}
