/**
 * Video conversion in the settings: what converts and why, testing again with progress and outcome, and a machine
 * without hardware.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { type AcceleratedFfmpeg, endHung, installFfmpeg } from '../stand-ins/ffmpeg.ts';
import { until, WAIT_LIMIT_MS } from '../until.ts';
import { type World, startWorld } from '../world.ts';
import { violations } from './axe.ts';
import { appears, calm, closeBrowser, hasPlayed, openView, OWNER, settled, untilPage, type View } from './browser.ts';
import { inTheme, signIn } from './places.ts';

const DASHBOARD = fileURLToPath(new URL('../../dist/web', import.meta.url));

let base: string;
let standIn: AcceleratedFfmpeg;
let house: World;
let view: View;
let url: string;
let page: Page;
let owner: string;
const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;

before(async () => {
  base = mkdtempSync(join(tmpdir(), 'hardware-'));
  standIn = await installFfmpeg(join(base, 'stand-in'));
  house = await startWorld(together, {
    dashboard: DASHBOARD,
    env: { SERVICE_REQUIRE_MFA: 'false', SERVICE_FFMPEG: standIn.program },
    fill: async (media) => {
      await mkdir(join(media, 'Films', 'Film (2020)'), { recursive: true });
      await promisify(execFile)('ffmpeg', [
        '-nostdin',
        '-v',
        'error',
        '-f',
        'lavfi',
        '-i',
        'testsrc2=s=160x90:r=10:d=20',
        '-c:v',
        'mpeg4',
        '-g',
        '10',
        '-q:v',
        '2',
        join(media, 'Films', 'Film (2020)', 'Film (2020).mkv'),
      ]);
    },
    hardware: {
      place: { platform: 'linux', devices: standIn.devices },
      sizes: { trial: { width: 320, height: 180 }, speed: { width: 480, height: 270, frames: 48 } },
      trialMs: WAIT_LIMIT_MS,
    },
  });
  owner = String((await house.call(undefined, 'POST', '/api/v1/setup', OWNER)).body['token']);
  await house.start();
  await house.call({ token: owner }, 'PUT', '/api/v1/configuration/libraries', {
    value: JSON.stringify([{ name: 'Films', path: join(house.media, 'Films'), kind: 'movies' }]),
  });
  url = `http://localhost:${((await house.http.listen({ host: '127.0.0.1', port: 0 })) as AddressInfo).port}`;
  // A test that is not passed is a 503, and one that is refused a 409.
  view = await openView({ url }, { expected: /503|409/ });
  ({ page } = view);
  await signIn(view, { url });
  await page.goto('/settings/hardware');
  await settled(page);
});
after(async () => {
  await view?.close();
  await closeBrowser();
  for (const close of closing.splice(0).toReversed()) await close();
  rmSync(base, { recursive: true, force: true });
});

const now = () => page.getByRole('region', { name: 'Active video converter' });
const vaapi = () =>
  page.getByRole('list', { name: 'Accelerators of this machine' }).getByRole('listitem').filter({ hasText: 'VA-API' });
const widest = () =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
/** On a phone, a desk and a television, in the dark and the light: axe finds nothing, and nothing sticks out. */
async function fits(): Promise<void> {
  for (const width of [360, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    for (const theme of ['dark', 'light'] as const) {
      await inTheme(page, theme);
      assert.deepEqual(await violations(page), [], `${theme}, ${width} wide`);
    }
    assert.ok((await widest()) <= 0, `at ${width} it scrolls sideways`);
  }
}

test('before the first test it says so, and the keyboard starts one that shows how far it is', async () => {
  assert.match(await page.getByRole('heading', { level: 1 }).innerText(), /Video conversion$/);
  await now().getByText('no accelerator has been tested yet').waitFor();
  await standIn.behave({ vaapi: { mode: 'hangs' } });
  await page.getByRole('button', { name: 'Test VA-API' }).focus();
  await page.keyboard.press('Enter');
  // The page asks how far it is.
  await appears(page.getByRole('progressbar', { name: /^Testing VA-API \(Intel, AMD\), \d of \d$/ }));
  await page.locator('button[aria-busy=true]', { hasText: 'Test again' }).waitFor();
  // A second test cannot be started.
  await page.getByRole('button', { name: 'Test VA-API' }).waitFor({ state: 'detached' });
  await endHung();
  await appears(now().getByText('Vaapi did not pass its test. The reasons are below.'));
  await vaapi()
    .getByText(/crashed/)
    .waitFor();
  await vaapi().getByText('Does not work').waitFor();
});

test('one that passes is in use, with what it encodes and decodes', async () => {
  await standIn.behave({ vaapi: { mode: 'ok' } });
  await page.getByRole('button', { name: 'Test VA-API' }).click();
  await now()
    .getByText('VA-API (Intel, AMD) passed its test. Video is converted by vaapi, which passed its test.')
    .waitFor();
  for (const words of [
    'In use',
    'Encodes H.264, HEVC.',
    'Decodes H.264, HEVC, AV1, VP9; the processor decodes the rest.',
    'Converts the colours of HDR films.',
    '/dev/dri/renderD128',
  ])
    await vaapi().getByText(words).waitFor();
  await page.getByText('Not on this machine').click();
  await page
    .getByRole('list', { name: 'Accelerators that were not found' })
    .getByText('Only available on macOS.')
    .waitFor();
  await calm(page);
  await fits();
});

test('the settings are there, and a change says at once what converts now', async () => {
  const choice = page
    .getByRole('region', { name: 'Video conversion settings' })
    .getByRole('combobox')
    .filter({ has: page.locator('option[value=vaapi]') });
  await choice.selectOption('none');
  await now().getByText('because the settings say so').waitFor();
  await choice.selectOption('auto');
  await now().getByText('Video is converted by vaapi, which passed its test.').first().waitFor();
});

test('a failure during a film is told in the player, in diagnostics, which lead here, and here', async () => {
  await standIn.behave({ vaapi: { mode: 'dies', frames: 30 } });
  const film = await until(
    'the film',
    async () =>
      ((await house.call({ token: owner }, 'GET', '/api/v1/library')).body['items'] as { id: string }[])[0]?.id,
  );
  const player = await openView({ url }, { realTime: 'plays' });
  await signIn(player, { url });
  await player.page.goto(`/play/${film}`);
  await untilPage(player.page, hasPlayed(4));
  await player.page.getByRole('button', { name: 'Quality and details' }).click();
  await player.page
    .getByText(
      'The graphics hardware failed on this film (vaapi: it stopped with an error), so the processor converts it.',
    )
    .waitFor();
  await player.close();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/settings/diagnostics');
  await settled(page);
  await page.getByText('vaapi failed while a film was played (it stopped with an error)').waitFor();
  await page.getByRole('link', { name: 'Video conversion' }).last().click();
  await page.waitForURL('**/settings/hardware');
  await vaapi().getByText('it stopped with an error. The processor took over.').waitFor();
});

test('a machine without hardware says what to do', async () => {
  for (const name of ['dri', 'nvidia0', 'mpp_service', 'video10'])
    rmSync(join(standIn.devices, name), { recursive: true });
  await page.getByRole('button', { name: 'Test again' }).click();
  await page.getByRole('heading', { name: 'No accelerator was found' }).waitFor();
  await page.getByText('--device /dev/dri').waitFor();
  await now().getByText('No accelerator that the settings allow passed its test.').waitFor();
  await now().getByText('Video is converted by the processor, as no graphics device was found.').waitFor();
  await calm(page);
  await fits();
});
