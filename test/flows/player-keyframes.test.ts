/**
 * Films with open GOPs in a browser that begins only at IDR frames, in each container. Each is played, shows the picture
 * of every place that is jumped to, and ends.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { ask } from '../faults/child.ts';
import { closeBrowser, type Home, untilPage } from './browser.ts';
import { NUMBERED, numberAt, numberedPictures } from './numbered-films.ts';
import { openSettledHome, openSignedIn } from './places.ts';

const run = promisify(execFile);
const SECONDS = 16;
/** The only IDR frame is the first one. A recovery point comes each two seconds, with pictures that lead it. */
const OPEN = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 3 -g 48 -x264-params open-gop=1:scenecut=0:b-adapt=0';

const FILMS: Readonly<Record<string, string>> = {
  'Open Matroska': 'mkv',
  'Open Movie': 'mp4',
  'Open Transport': 'ts',
};
async function makeFilms(media: string): Promise<void> {
  const fileOf = (title: string, ending: string) => join(media, `Films/${title} (2020)/${title} (2020).${ending}`);
  const files = Object.entries(FILMS).map(([title, ending]) => fileOf(title, ending));
  const [first = '', ...others] = files;
  for (const file of files) await mkdir(dirname(file), { recursive: true });
  await run('ffmpeg', [
    ...['-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i', numberedPictures(SECONDS)],
    ...['-f', 'lavfi', '-i', `sine=f=${NUMBERED.low}:r=48000:d=${SECONDS}`],
    // AC-3 has no delay of its encoder, so that the first picture is at 0.
    ...['-map', '0', '-map', '1', ...OPEN.split(' '), '-c:a', 'ac3', first],
  ]);
  for (const file of others)
    await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', '-i', first, '-map', '0', '-c', 'copy', file]);
}

let home: Home;
const ids = new Map<string, string>();
before(async () => {
  const opened = await openSettledHome({ prepare: ({ media }) => makeFilms(media) });
  ({ home } = opened);
  for (const title of Object.keys(FILMS)) {
    const { body } = await ask<{ items: { id: string; title: string }[] }>(
      home.server,
      'GET',
      `/api/v1/library?q=${encodeURIComponent(title)}&view=movies`,
      { token: opened.token },
    );
    ids.set(title, body.items.find((one) => one.title === title)?.id ?? assert.fail(title));
  }
});
after(async () => {
  await closeBrowser();
  await home.close();
});

for (const title of Object.keys(FILMS))
  test(`${title} (${FILMS[title]}) plays, shows the picture of each jump, and ends`, async (t) => {
    const view = await openSignedIn(home);
    t.after(() => view.close());
    const { page } = view;
    await page.goto(`/play/${ids.get(title)}?start=0`);
    await untilPage(page, "document.querySelector('video')?.readyState >= 3");
    // Forwards, backwards, next to a keyframe, and the last picture but a few.
    for (const wanted of [300, 50, 48, 370]) assert.equal(await numberAt(page, wanted), wanted, `picture ${wanted}`);
    await page.evaluate(`(() => {
      const video = document.querySelector('video');
      video.addEventListener('ended', () => { globalThis.hasEnded = video.duration; });
      video.play();
    })()`);
    await untilPage(page, 'globalThis.hasEnded !== undefined');
    const duration = await page.evaluate<number>('globalThis.hasEnded');
    assert.ok(Math.abs(duration - SECONDS) < 0.2, `the film lasts ${duration} s`);
  });
