/**
 * Films with open GOPs in Chromium, which plays them through and fails at every jump to a recovery point. In each
 * container they are planned as a conversion, show the picture of each place that is jumped to, and end. What the plan
 * does not keep from the browser, a file as it is or a claim too many, is converted when the browser has failed at it.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { ask } from '../faults/child.ts';
import { closeAll, type Home, untilPage, type View } from './browser.ts';
import { NUMBERED, numberAt, numberedPictures, playsToTheEnd } from './numbered-films.ts';
import { openSettledHome, openSignedIn } from './places.ts';
import { until } from '../until.ts';

const run = promisify(execFile);
/** As short as one segment: the only IDR frame begins it. */
const SECONDS = 16;
/** The only IDR frame is the first one. A recovery point comes each two seconds, with pictures that lead it. */
const OPEN = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 3 -g 48 -x264-params open-gop=1:scenecut=0:b-adapt=0';
/** AC-3 is played by no browser, and has no delay of its encoder, so that the first picture is at 0. */
const FILMS: Readonly<Record<string, readonly [ending: string, sound: string]>> = {
  'Open Matroska': ['mkv', 'ac3'],
  'Open Movie': ['mp4', 'ac3'],
  'Open Transport': ['ts', 'ac3'],
  'Open Direct': ['mp4', 'aac'],
};
/** Forwards, backwards, next to a keyframe, and the last picture but a few. */
const JUMPS = [300, 50, 48, 370];

async function makeFilms(media: string): Promise<void> {
  let pictures: string[] = ['-f', 'lavfi', '-i', numberedPictures(SECONDS)];
  let coding = OPEN.split(' ');
  for (const [title, [ending, sound]] of Object.entries(FILMS)) {
    const file = join(media, `Films/${title} (2020)/${title} (2020).${ending}`);
    await mkdir(dirname(file), { recursive: true });
    await run('ffmpeg', [
      ...['-nostdin', '-v', 'error', '-y', ...pictures],
      ...['-f', 'lavfi', '-i', `sine=f=${NUMBERED.low}:r=48000:d=${SECONDS}`],
      ...['-map', '0:v', '-map', '1', ...coding, '-c:a', sound, file],
    ]);
    // Pictures are encoded once.
    [pictures, coding] = [
      ['-i', file],
      ['-c:v', 'copy'],
    ];
  }
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
    const id = body.items.find((one) => one.title === title)?.id ?? assert.fail(title);
    ids.set(title, id);
    // A transport stream has no index: it is read through in the background.
    await until(`the index of ${title}`, async () => {
      const query = 'videoCodecs=h264&audioCodecs=aac&containers=mp4';
      const asked = { token: opened.token };
      const plan = await ask<Plan>(home.server, 'GET', `/api/v1/items/${id}/playback?${query}`, asked);
      await ask(home.server, 'DELETE', `/api/v1/playback-sessions/${plan.body.session}`, asked);
      return plan.body.reasons.every(({ code }) => code !== 'no-index');
    });
  }
});
after(closeAll);

interface Plan {
  session: string;
  mode: string;
  video: { action: string };
  reasons: { code: string }[];
}
/** Opens a film, and collects the plans that the player gets for it. */
async function openFilm(view: View, title: string): Promise<Plan[]> {
  const plans: Plan[] = [];
  view.page.on('response', async (reply) => {
    if (/\/playback\?/.test(reply.url())) plans.push((await reply.json()) as Plan);
  });
  await view.page.goto(`/play/${ids.get(title)}?start=0`);
  await untilPage(view.page, "document.querySelector('video')?.readyState >= 3");
  return plans;
}
const waysOf = (plans: readonly Plan[]): string[] => plans.map(({ mode, video }) => `${mode} ${video.action}`);

async function jumps(page: Page): Promise<void> {
  for (const wanted of JUMPS) assert.equal(await numberAt(page, wanted), wanted, `picture ${wanted}`);
}

for (const title of ['Open Matroska', 'Open Movie', 'Open Transport'])
  test(`${title} is converted, shows the picture of each jump, and ends`, async (t) => {
    const view = await openSignedIn(home, { realTime: 'plays' });
    t.after(() => view.close());
    const plans = await openFilm(view, title);
    await jumps(view.page);
    await playsToTheEnd(view.page, SECONDS);
    assert.deepEqual(waysOf(plans), ['transcode convert']);
    assert.ok(plans[0]?.reasons.some(({ code }) => code === 'open-gop'));
  });

test('a file that plays as it is becomes a stream when the browser fails at a jump', async (t) => {
  const view = await openSignedIn(home, { realTime: 'plays' });
  t.after(() => view.close());
  const plans = await openFilm(view, 'Open Direct');
  await jumps(view.page);
  await playsToTheEnd(view.page, SECONDS);
  assert.deepEqual(waysOf(plans), ['direct copy', 'transcode convert']);
});

test('a browser that cannot decode a stream whose whole is in its buffer gets another one', async (t) => {
  // hls.js names the failed buffer in the console.
  const view = await openSignedIn(home, { realTime: 'plays', expected: /SourceBuffer error/ });
  t.after(() => view.close());
  const { page } = view;
  await page.route(/\/playback\?/, (route) =>
    route.continue({ url: route.request().url().replace('=h264%2C', '=h264%2Ch264-opengop%2C') }),
  );
  const plans = await openFilm(view, 'Open Matroska');
  await page.evaluate("document.querySelector('video').pause()");
  await untilPage(
    page,
    `(({ buffered }) => buffered.length === 1 && buffered.end(0) > ${SECONDS - 0.3})(document.querySelector('video'))`,
  );
  await jumps(page);
  await playsToTheEnd(page, SECONDS);
  assert.deepEqual(waysOf(plans), ['remux copy', 'transcode convert']);
});
