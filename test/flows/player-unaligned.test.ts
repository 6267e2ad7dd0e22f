/**
 * Transport streams whose packets begin in the middle of pictures, in Chromium: they are copied, show the picture of
 * each place that is jumped to, and end.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { writeUnaligned } from '../../src/playback/remux/testing/unaligned.ts';
import { chance } from '../chance.ts';
import { ask } from '../faults/child.ts';
import { until } from '../until.ts';
import { closeAll, type Home, untilPage } from './browser.ts';
import { NUMBERED, numberAt, numberedPictures, playsToTheEnd } from './numbered-films.ts';
import { openSettledHome, openSignedIn } from './places.ts';

const run = promisify(execFile);
const SECONDS = 16;
const random = chance(11);
/** Bytes of a packet: smaller than a picture, or of several pictures that have one time together. */
const FILMS: Readonly<Record<string, { ending: 'ts' | 'm2ts'; size: () => number }>> = {
  'Fixed Transport': { ending: 'ts', size: () => 2048 },
  'Random Disc': { ending: 'm2ts', size: () => 1 + Math.floor(random() * 60_000) },
};

async function makeFilms(media: string): Promise<void> {
  const source = join(media, 'source.mpegts');
  await run('ffmpeg', [
    ...['-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i', numberedPictures(SECONDS)],
    ...['-f', 'lavfi', '-i', `sine=f=${NUMBERED.low}:r=48000:d=${SECONDS}`],
    ...'-c:v libx264 -preset veryfast -crf 30 -pix_fmt yuv420p -bf 3 -g 48 -c:a ac3'.split(' '),
    ...['-f', 'mpegts', '-pes_payload_size', '0', source],
  ]);
  for (const [title, { ending, size }] of Object.entries(FILMS)) {
    const file = join(media, `Films/${title} (2020)/${title} (2020).${ending}`);
    await mkdir(dirname(file), { recursive: true });
    writeUnaligned(source, file, { size, isDisc: ending === 'm2ts' });
  }
  await rm(source);
}

interface Plan {
  session: string;
  mode: string;
  video: { action: string };
  reasons: { code: string }[];
}
let home: Home;
const ids = new Map<string, string>();
before(async () => {
  const opened = await openSettledHome({ prepare: ({ media }) => makeFilms(media) });
  ({ home } = opened);
  const { token } = opened;
  for (const title of Object.keys(FILMS)) {
    const { body } = await ask<{ items: { id: string; title: string }[] }>(
      home.server,
      'GET',
      `/api/v1/library?q=${encodeURIComponent(title)}&view=movies`,
      { token },
    );
    const id = body.items.find((one) => one.title === title)?.id ?? assert.fail(title);
    ids.set(title, id);
    // A transport stream has no index: it is read through in the background.
    await until(`the index of ${title}`, async () => {
      const query = 'videoCodecs=h264&audioCodecs=aac&containers=mp4';
      const plan = await ask<Plan>(home.server, 'GET', `/api/v1/items/${id}/playback?${query}`, { token });
      await ask(home.server, 'DELETE', `/api/v1/playback-sessions/${plan.body.session}`, { token });
      return plan.body.reasons.every(({ code }) => code !== 'no-index');
    });
  }
});
after(closeAll);

for (const title of Object.keys(FILMS))
  test(`${title} is copied, shows the picture of each jump, and ends`, async (t) => {
    const view = await openSignedIn(home, { realTime: 'plays' });
    t.after(() => view.close());
    const { page } = view;
    const plans: Plan[] = [];
    page.on('response', async (reply) => {
      if (/\/playback\?/.test(reply.url())) plans.push((await reply.json()) as Plan);
    });
    await page.goto(`/play/${ids.get(title)}?start=0`);
    await untilPage(page, "document.querySelector('video')?.readyState >= 3");
    // Forwards, backwards, next to keyframes, and the last picture but a few.
    for (const wanted of [300, 50, 96, 47, 239, 370])
      assert.equal(await numberAt(page, wanted), wanted, `picture ${wanted}`);
    await playsToTheEnd(page, SECONDS);
    assert.deepEqual(
      plans.map(({ mode, video }) => `${mode} ${video.action}`),
      ['remux copy'],
    );
  });
