/**
 * Films play to their end in every way that they are delivered: as they are, copied, with converted sound, converted.
 * Their last keyframe is their last picture, streams end at different times, and one of them has no packet at all.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { ask } from '../faults/child.ts';
import { closeAll, type Home, untilPage } from './browser.ts';
import { openSettledHome, openSignedIn } from './places.ts';

const run = promisify(execFile);
const RATE = 24;
/** The second last segment begins at a keyframe at 8 s, and a last one would begin at 12 s with one picture. */
const PICTURES = 12 * RATE + 1;
const TAIL = PICTURES / RATE;
const H264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 96 -bf 0 -x264-params scenecut=0';
const picture = (seconds: number) => `-f lavfi -i testsrc2=s=320x180:r=${RATE}:d=${seconds}`;
const sound = (seconds: number) => `-f lavfi -i sine=r=48000:d=${seconds}`;
const BOTH = `${picture(TAIL)} ${sound(TAIL)} ${H264}`;

interface Film {
  ending: string;
  /** Arguments of ffmpeg. */
  made: string;
  way: string;
  /** Treatment of each track of sound that is listed. */
  audio: readonly string[];
  seconds: number;
}
const FILMS: Readonly<Record<string, Film>> = {
  'Tail Direct': { ending: 'mp4', made: `${BOTH} -c:a aac`, way: 'direct copy', audio: ['copy'], seconds: TAIL },
  'Tail Copied': { ending: 'mkv', made: `${BOTH} -c:a aac`, way: 'remux copy', audio: ['copy'], seconds: TAIL },
  'Tail Sound': { ending: 'mkv', made: `${BOTH} -c:a ac3`, way: 'remux copy', audio: ['convert'], seconds: TAIL },
  'Tail Converted': {
    ending: 'avi',
    made: `${picture(TAIL)} ${sound(TAIL)} -c:v mpeg4 -g 96 -c:a ac3`,
    way: 'transcode convert',
    audio: ['convert'],
    seconds: TAIL,
  },
  'Tail Alone': {
    ending: 'mkv',
    made: `${picture(TAIL)} ${sound(11.9)} ${H264} -c:a aac`,
    way: 'remux copy',
    audio: ['copy'],
    seconds: TAIL,
  },
  'Silent Track': {
    ending: 'mkv',
    made: `${BOTH} -map 0 -map 1 -map 1 -c:a aac -bsf:a:0 noise=drop=1`,
    way: 'remux copy',
    audio: ['copy'],
    seconds: TAIL,
  },
  'Short Sound': {
    ending: 'mkv',
    made: `${picture(13)} ${sound(6)} ${H264} -c:a aac`,
    way: 'remux copy',
    audio: ['convert'],
    seconds: 13,
  },
  'Short Picture': {
    ending: 'mkv',
    made: `${picture(6)} ${sound(13)} ${H264} -c:a aac`,
    way: 'remux copy',
    audio: ['copy'],
    seconds: 13,
  },
};
const pathOf = (media: string, title: string, { ending }: Film): string =>
  join(media, `Films/${title} (2020)/${title} (2020).${ending}`);

let home: Home;
const ids = new Map<string, string>();
before(async () => {
  const opened = await openSettledHome({
    prepare: async ({ media }) => {
      for (const [title, film] of Object.entries(FILMS)) {
        const path = pathOf(media, title, film);
        await mkdir(dirname(path), { recursive: true });
        await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...film.made.split(/\s+/), path]);
      }
    },
  });
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
after(closeAll);

interface Plan {
  mode: string;
  video: { action: string };
  audio: { action: string }[];
}

for (const [title, { way, audio, seconds }] of Object.entries(FILMS))
  test(`${title} ends`, async (t) => {
    const view = await openSignedIn(home);
    t.after(() => view.close());
    const { page } = view;
    const plans: Plan[] = [];
    page.on('response', async (reply) => {
      if (/\/playback\?/.test(reply.url())) plans.push((await reply.json()) as Plan);
    });
    // Chromium plays Matroska files of these codecs, which are copied for others.
    if (way !== 'direct copy')
      await page.route(/\/playback\?/, (route) =>
        route.continue({
          url: route
            .request()
            .url()
            .replace(/containers=[^&]*/, 'containers=mp3'),
        }),
      );
    await page.goto(`/play/${ids.get(title)}?start=4`);
    await untilPage(page, "document.querySelector('video')?.readyState >= 3");
    await page.evaluate(`(() => {
      const video = document.querySelector('video');
      video.addEventListener('ended', () => { globalThis.endedAt = video.currentTime; });
      video.play();
    })()`);
    await untilPage(page, 'globalThis.endedAt !== undefined');
    const endedAt = await page.evaluate<number>('globalThis.endedAt');
    assert.ok(Math.abs(endedAt - seconds) < 0.2, `it ends at ${endedAt} s and not at ${seconds} s`);
    assert.deepEqual(
      plans.map((plan) => [`${plan.mode} ${plan.video.action}`, plan.audio.map(({ action }) => action)]),
      [[way, audio]],
    );
  });
