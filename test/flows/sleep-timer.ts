/** The sleep timer of the audio player, with tracks that last long enough for slow pages. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { ask } from '../faults/child.ts';
import { passes, until } from '../until.ts';
import { type SettledHome, openSignedIn, runTask } from './places.ts';

type Listeners = Pick<SettledHome, 'home' | 'token'>;
const HZ = 441;
/** Seconds of a track: a slow page has this long to set the timer. */
const LONG_S = 300;

/** Makes an album of two tracks that last long enough to choose something meanwhile, and returns its id. */
async function addLongAlbum({ home, token }: Listeners): Promise<string> {
  const folder = join(dirname(home.media), 'music', 'Night Watch', 'Long');
  mkdirSync(folder, { recursive: true });
  for (const n of [1, 2])
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-f', 'lavfi', '-i', `sine=frequency=${HZ}:sample_rate=8000:duration=${LONG_S}`],
      ...['album=Long', 'artist=Night Watch', `title=Long ${n}`, `track=${n}`].flatMap((tag) => ['-metadata', tag]),
      ...['-c:a', 'flac', join(folder, `${n}.flac`)],
    ]);
  await runTask(home, token, 'scan');
  const { body } = await ask<{ items: { id: string; title: string }[] }>(home.server, 'GET', '/api/v1/albums', {
    token,
  });
  return body.items.find(({ title }) => title === 'Long')?.id ?? '';
}

/** The timer stops the sound at the end of a track, with the next one ready at its start. */
export async function sleepTimerStops(t: TestContext, listeners: Listeners): Promise<void> {
  const long = await addLongAlbum(listeners);
  const view = await openSignedIn(listeners.home, {
    realTime: 'plays',
    isWithoutWorker: true,
    expected: /ERR_FAILED|imported module/,
  });
  t.after(view.close);
  const { page } = view;
  await page.goto(`/album/${long}`);
  await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).click();
  await page
    .getByRole('region', { name: 'Audio player' })
    .getByRole('link', { name: /Long 1/ })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Long 1' }).waitFor();
  await page.getByRole('button', { name: 'Sleep timer' }).click();
  await page.getByRole('menuitemradio', { name: 'End of the track' }).click();
  await page.getByRole('button', { name: 'Stops at the end of the track' }).waitFor();
  const place = page.getByRole('slider', { name: 'Position' });
  await place.fill(String(LONG_S - 2));
  await page.getByRole('heading', { level: 1, name: 'Long 2' }).waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Sleep timer' }).waitFor();
  await passes(async () => assert.equal(Number(await place.inputValue()), 0));
  await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).click();
  await passes(async () => assert.ok(Number(await place.inputValue()) > 0));
  await soundOutlivesMissingPage(page);
}

/** A page whose code is missing, as after an upgrade, is reloaded only when nothing plays. */
async function soundOutlivesMissingPage(page: Page): Promise<void> {
  await page.goBack();
  const code = '**/assets/history-page-*.js';
  await page.route(code, (route) => route.abort());
  let asked = 0;
  page.on('request', (request) => void (request.url().endsWith('/api/v1/session/ways') && asked++));
  await page.evaluate('globalThis.isSameDocument = true');
  await page.getByRole('link', { name: 'Watch history' }).click();
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  await until('the server is asked again', () => asked > 2);
  const player = page.getByRole('region', { name: 'Audio player' });
  await player.getByRole('button', { name: 'Pause' }).waitFor();
  assert.equal(await page.evaluate('globalThis.isSameDocument'), true);
  await page.unroute(code);
  await player.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('heading', { level: 1, name: 'Watch history' }).waitFor();
  assert.equal(await page.evaluate('globalThis.isSameDocument'), undefined);
}
