/**
 * The audio player in the browser. Two tracks that were cut from one tone are played one behind the other, and every
 * sample that reaches the speaker is compared with the tone; the small player stays while pages change.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../until.ts';
import { violations } from './axe.ts';
import { closeBrowser, type Home, untilPage, type View } from './browser.ts';
import { openSettledHome, openSignedIn, settled } from './places.ts';

/** Frames of the whole tone and of its first part, at 44.1 kHz: no whole number of periods or frames of a codec. */
const RATE = 44_100;
const [ALL, CUT] = [RATE * 7, 150_013];
const HZ = 441;
const IDS = ['aaaa000000000001', 'aaaa000000000002'] as const;

let home: Home;
let film: string;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'matinee-tone-'));
  for (const [name, filter] of [
    ['0', `atrim=end_sample=${CUT}`],
    ['1', `atrim=start_sample=${CUT}`],
    ['all', 'anull'],
  ])
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `sine=frequency=${HZ}:sample_rate=${RATE}:duration=${ALL / RATE}`],
      ...['-af', `${filter},asetpts=N/SR/TB`, '-c:a', 'flac', join(folder, `${name}.flac`)],
    ]);
  const settledHome = await openSettledHome();
  ({ home } = settledHome);
  ({ film } = settledHome.ids);
});
after(async () => {
  await closeBrowser();
  await home.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Notes every sound that is given to the audio clock, with its samples. A script of the page. */
const RECORD = `
  scheduled = [];
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (when = 0, offset = 0, ...rest) {
    const { buffer, context } = this;
    if (!(context instanceof OfflineAudioContext))
      scheduled.push({ rate: buffer.sampleRate, when, offset, samples: buffer.getChannelData(0).slice() });
    return start.call(this, when, offset, ...rest);
  };`;

/** Renders what was scheduled, and counts the samples that differ from the tone from its first one on. */
const COUNT_WRONG = `(async () => {
  const [{ rate, when: first }] = scheduled;
  const begin = Math.floor(first * rate);
  const ends = scheduled.map(({ when, offset, samples }) => Math.ceil(when * rate) + samples.length - offset * rate);
  const end = Math.max(...ends);
  const offline = new OfflineAudioContext(1, end, rate);
  for (const { when, offset, samples } of scheduled) {
    const node = offline.createBufferSource();
    node.buffer = offline.createBuffer(1, samples.length, rate);
    node.buffer.copyToChannel(samples, 0);
    node.connect(offline.destination);
    node.start(when, offset);
  }
  const heard = (await offline.startRendering()).getChannelData(0);
  const tone = await offline.decodeAudioData(await (await fetch('/tones/all.flac')).arrayBuffer());
  const wrong = tone.getChannelData(0).filter((sample, at) => sample !== heard[begin + at]).length;
  return { sounds: scheduled.length, frames: end - begin, wrong };
})()`;

/** Puts two tracks into the library of a page: replies of the server for a film, with what a track has in its place. */
async function withTracks(
  { page, context }: View,
  reports: { id: string; position: number; watched?: boolean }[],
): Promise<void> {
  const json = async (path: string) => (await (await context.request.get(path)).json()) as Record<string, unknown>;
  const [item, plan] = [await json(`/api/v1/items/${film}`), await json(`/api/v1/items/${film}/playback`)];
  const facts = (at: number) => ({
    id: IDS[at],
    kind: 'track',
    title: `Part ${at + 1}`,
    artists: ['The Oscillators'],
    duration: at === 0 ? CUT / RATE : (ALL - CUT) / RATE,
    images: {},
    sound: { sampleRate: RATE, channels: 1, codec: 'flac' },
  });
  await page.route('**/tones/*.flac', (route) =>
    route.fulfill({
      path: join(folder, new URL(route.request().url()).pathname.replace('/tones/', '')),
      contentType: 'audio/flac',
    }),
  );
  await page.route('**/api/v1/library?*', async (route) => {
    const { items, ...rest } = await json(
      new URL(route.request().url()).pathname + new URL(route.request().url()).search,
    );
    const [card] = items as object[];
    await route.fulfill({ json: { ...rest, items: IDS.map((_, at) => ({ ...card, ...facts(at) })), total: 2 } });
  });
  for (const [at, id] of IDS.entries()) {
    await page.route(`**/api/v1/items/${id}`, (route) => route.fulfill({ json: { ...item, ...facts(at) } }));
    await page.route(`**/api/v1/items/${id}/playback?*`, (route) =>
      route.fulfill({
        json: {
          ...plan,
          mode: 'direct',
          urls: { media: `/tones/${at}.flac` },
          parts: [],
          chapters: [],
          duration: facts(at).duration,
          session: `listening-${at}`,
          position: 0,
        },
      }),
    );
    await page.route(`**/api/v1/items/${id}/progress`, (route) => {
      reports.push({ id, ...(route.request().postDataJSON() as { position: number }) });
      return route.fulfill({ json: item['userData'] });
    });
  }
  await page.route('**/api/v1/playback-sessions/listening-*', (route) => route.fulfill({ status: 204 }));
}

/** Chooses from the menu of a card. */
async function choose(page: Page, title: string, entry: string): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: title }).first().press('m');
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

test('two tracks are one tone, and the small player stays while pages change', async (t) => {
  const view = await openSignedIn(home, { isWithoutWorker: true });
  t.after(() => view.context.close());
  const { page } = view;
  const reports: { id: string; position: number; watched?: boolean }[] = [];
  await page.addInitScript(RECORD);
  await withTracks(view, reports);
  await page.goto('/library');
  await settled(page);
  await choose(page, 'Part 1', 'Play');
  const player = page.getByRole('region', { name: 'Audio player' });
  await player.getByRole('button', { name: 'Pause' }).click();
  await choose(page, 'Part 2', 'Play next');
  await player.getByRole('button', { name: 'Play', exact: true }).click();

  await player.getByRole('link', { name: /Part 2/ }).waitFor();
  assert.deepEqual(await page.evaluate(COUNT_WRONG), { sounds: 2, frames: ALL, wrong: 0 });
  await until('the report of the first track', () =>
    reports.some(({ id, watched }) => id === IDS[0] && watched === true),
  );

  await page.getByRole('link', { name: 'Search' }).first().click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await player.getByRole('link', { name: /Part 2/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Part 2' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await untilPage(page, "document.querySelector('[role=tabpanel] [aria-current] ')?.textContent.includes('Part 2')");
  await view.close();
});
