/**
 * Flows of the player: subtitles of every kind drawn, two at once, and the way of the sound, on files that play as they
 * are.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { hasPlayed, untilPage } from './browser.ts';
import { flow, house, ids, openWindow, play, seek } from './player-house.ts';
import { HIGH_FROM_S, HIGH_HZ, LOW_HZ } from './played-films.ts';
import { passes } from '../until.ts';

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}
/** How many pixels of a part of the window have a colour. */
async function painted(
  page: Page,
  area: Area,
  isIt: (red: number, green: number, blue: number) => boolean,
): Promise<number> {
  const { data, info } = await sharp(await page.screenshot({ clip: area }))
    .raw()
    .toBuffer({ resolveWithObject: true });
  let count = 0;
  for (let at = 0; at < data.length; at += info.channels)
    if (isIt(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)) count++;
  return count;
}
async function untilPainted(
  what: string,
  look: () => Promise<number>,
  isEnough: (count: number) => boolean,
): Promise<void> {
  await passes(async () => {
    const count = await look();
    assert.ok(isEnough(count), `${what}: ${count} pixels`);
  });
}
const white = (red: number, green: number, blue: number): boolean => Math.min(red, green, blue) > 246;
const red = (r: number, g: number, b: number): boolean => r > 200 && g < 60 && b < 60;
/**
 * Position of the line of the picture subtitles, in a window of 1280 by 800: the film is 1280 by 720 in it, and the
 * line in its last quarter.
 */
const LINE: Area = { x: 180, y: 560, width: 900, height: 110 };

for (const name of ['pictures', 'dvd'] as const) {
  flow(`picture subtitles (${name}) are drawn where and when they belong, in full white`, async () => {
    const view = await play(name, '?subtitle=en');
    const { page } = view;
    await seek(page, 5);
    await page
      .locator('canvas[data-drawn=pictures]')
      .waitFor({ state: 'attached' })
      .catch(async (error: unknown) =>
        assert.fail(`${String(error)}\n${await page.evaluate<string>('document.body.innerText')}`),
      );
    await untilPainted(
      'the line',
      () => painted(page, LINE, white),
      (count) => count > 300,
    );
    await seek(page, 22);
    await untilPainted(
      'the end of the line',
      () => painted(page, LINE, white),
      (count) => count === 0,
    );
    // Later by twenty steps of a tenth of a second: at its old end it is still there.
    for (let n = 0; n < 20; n++) await page.keyboard.press('x');
    await seek(page, 21);
    await untilPainted(
      'the delayed line',
      () => painted(page, LINE, white),
      (count) => count > 300,
    );
    await view.close();
  });
}

flow('styled subtitles are drawn as they were made, and nothing is asked of another server', async () => {
  const outside: string[] = [];
  const view = await openWindow();
  view.context.on('request', (request) => {
    if (!request.url().startsWith(house().url) && !/^(data|blob):/.test(request.url())) outside.push(request.url());
  });
  const { page } = view;
  await page.goto(`/play/${ids['styled']}?subtitle=en`);
  await untilPage(page, "document.querySelector('video')?.readyState >= 3");
  await seek(page, 5);
  await page.locator('canvas[data-drawn=styled]').waitFor({ state: 'attached' });
  // The drawn box: a quarter of the width and height in the upper left, and words below it in a face that is not there.
  await untilPainted(
    'the box',
    () => painted(page, { x: 100, y: 130, width: 200, height: 80 }, red),
    (count) => count === 16_000,
  );
  await untilPainted(
    'the words',
    () => painted(page, { x: 380, y: 430, width: 800, height: 140 }, red),
    (count) => count > 800,
  );
  await seek(page, 22);
  await untilPainted(
    'the end',
    () => painted(page, { x: 100, y: 130, width: 200, height: 80 }, red),
    (count) => count === 0,
  );
  assert.deepEqual(outside, []);
  await view.close();
});

flow(
  'styled subtitles are drawn in the font that is in the file, and in the default one when it cannot be loaded',
  async () => {
    const letters: Area = { x: 190, y: 230, width: 600, height: 100 };
    const drawn = async (isWith: boolean): Promise<number> => {
      const view = await openWindow({ expected: /ERR_FAILED/ });
      const { page } = view;
      if (!isWith) await view.context.route('**/font/**', (route) => route.abort());
      await page.goto(`/play/${ids['fonted']}?subtitle=en`);
      await untilPage(page, "document.querySelector('video')?.readyState >= 3");
      await seek(page, 5);
      await page.locator('canvas[data-drawn=styled]').waitFor({ state: 'attached' });
      let count = 0;
      await untilPainted(
        'the letters',
        async () => (count = await painted(page, letters, red)),
        (now) => now > 1_500,
      );
      if (process.env['SCREENS']) await page.screenshot({ path: `${process.env['SCREENS']}/font-${isWith}.png` });
      await view.close();
      return count;
    };
    const [own, usual] = [await drawn(true), await drawn(false)];
    // Full squares against letters with holes and space between them.
    assert.ok(own > 2 * usual, `${own} pixels in its own face, ${usual} in the default one`);
  },
);

flow('two subtitles at once, one below and one above; a line waits under the pointer and comes again', async () => {
  const view = await play('lines', '?subtitle=en');
  const { page } = view;
  await seek(page, 3.5);
  const below = page.locator('[data-captions=below] [data-cue]');
  await passes(async () => assert.equal(await below.innerText(), 'English line 2'));
  await page.keyboard.press('v');
  const above = page.locator('[data-captions=above] [data-cue]');
  await passes(async () => assert.equal(await above.innerText(), 'Deutsche Zeile 2'));
  const [low, high] = [await below.boundingBox(), await above.boundingBox()];
  assert.ok((high?.y ?? Infinity) < 300 && (low?.y ?? 0) > 400, JSON.stringify({ low, high }));
  // Between two lines nothing is on; while it waits the last one is looked at again.
  await seek(page, 4.8);
  await untilPage(page, "document.querySelector('[data-captions=below] [data-cue]')?.textContent === 'English line 2'");
  await page.evaluate(
    `document.querySelector('video').addEventListener('seeking',
      ({ target }) => (globalThis.again = target.currentTime), { once: true })`,
  );
  await page.keyboard.press('r');
  await untilPage(page, "!document.querySelector('video').paused && globalThis.again < 4.5");
  await page.keyboard.press('c');
  await untilPage(page, "document.querySelector('[data-captions=below]') === null");
  await page.keyboard.press('c');
  await page.getByRole('button', { name: 'Subtitles' }).click();
  await page.getByRole('switch', { name: 'Pause while the pointer is on a line' }).click();
  await page.keyboard.press('Escape');
  await seek(page, 3.2);
  // Slowly, so that the line is still there when the pointer comes.
  await page.evaluate("document.querySelector('video').playbackRate = 0.1; document.querySelector('video').play()");
  await below.waitFor();
  const box = await below.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await untilPage(page, "document.querySelector('video').paused");
  await page.mouse.move(30, 300);
  await untilPage(page, "!document.querySelector('video').paused");
  await view.close();
});

flow('night mode and a delay take the sound through Web Audio, on a file as it is', async () => {
  const view = await openWindow();
  await view.page.addInitScript(`
    globalThis.wires = [];
    for (const name of ['AudioNode']) {
      const connect = globalThis[name].prototype.connect;
      globalThis[name].prototype.connect = function (to, ...rest) { globalThis.wires.push(this.constructor.name + '>' + to.constructor.name); return connect.call(this, to, ...rest); };
    }
    const made = AudioContext.prototype.createDynamicsCompressor;
    AudioContext.prototype.createDynamicsCompressor = function () { globalThis.graph = this; const node = made.call(this); globalThis.compressor = node; return node; };
    const delay = AudioContext.prototype.createDelay;
    AudioContext.prototype.createDelay = function (...rest) { globalThis.delayed = delay.call(this, ...rest); return globalThis.delayed; };
  `);
  const { page } = view;
  await page.goto(`/play/${ids['lines']}`);
  await untilPage(page, "document.querySelector('video')?.readyState >= 3");
  assert.deepEqual(await page.evaluate('globalThis.wires'), [], 'nothing is in the way before somebody wants it');
  await page.keyboard.press('n');
  const wires = [
    'MediaElementAudioSourceNode>DelayNode',
    'DelayNode>GainNode',
    'GainNode>AudioDestinationNode',
    'DelayNode>BiquadFilterNode',
    'BiquadFilterNode>BiquadFilterNode',
    'BiquadFilterNode>DynamicsCompressorNode',
    'DynamicsCompressorNode>GainNode',
    'GainNode>AudioDestinationNode',
  ];
  await passes(async () => assert.deepEqual(await page.evaluate('globalThis.wires'), wires));
  // The compressor says how much it holds back only while sound runs through it.
  await untilPage(page, "globalThis.graph.state === 'running' && globalThis.compressor.reduction < -3");
  await page.keyboard.press('Shift+X');
  await untilPage(page, 'Math.abs(globalThis.delayed.delayTime.value - 0.05) < 0.001');
  await page.keyboard.press('Shift+Z');
  await untilPage(page, 'globalThis.delayed.delayTime.value < 0.001');
  // Nothing is kept of a film that is as it was.
  await untilPage(page, "localStorage.getItem('matinee.delays') === '[]'");
  await page.keyboard.press('n');
  await untilPage(page, 'globalThis.compressor.reduction > -0.5');
  assert.equal(await page.evaluate('globalThis.wires.length'), 8, 'an element is tapped once');
  await view.close();
});

/**
 * The strongest pitch that is heard a moment after a time, in Hz; measured on a copy of what the element plays. The
 * element goes back if the page was too slow to measure at that time.
 */
async function heardAt(page: Page, seconds: number): Promise<number> {
  await page.evaluate(`(() => {
    const video = document.querySelector('video');
    globalThis.ears ??= new AudioContext();
    const analyser = new AnalyserNode(globalThis.ears, { fftSize: 4096, smoothingTimeConstant: 0 });
    const bins = new Float32Array(analyser.frequencyBinCount);
    const hearing = { pitch: undefined };
    globalThis.hearing = hearing;
    let source;
    const listen = () => {
      if (globalThis.hearing !== hearing || hearing.pitch !== undefined) return source?.disconnect();
      requestAnimationFrame(listen);
      if (video.seeking || video.readyState < 3) return;
      const isLate = video.currentTime > ${seconds} + 0.9;
      if (!source || isLate) {
        source?.disconnect();
        source = globalThis.ears.createMediaStreamSource(video.captureStream());
        source.connect(analyser);
      }
      if (isLate) video.currentTime = ${seconds};
      if (isLate || video.currentTime < ${seconds} + 0.4) return;
      analyser.getFloatFrequencyData(bins);
      const most = bins.reduce((best, value, at) => (value > bins[best] ? at : best), 1);
      hearing.pitch = bins[most] < -60 ? 0 : Math.round((most * globalThis.ears.sampleRate) / analyser.fftSize);
    };
    video.currentTime = ${seconds};
    void video.play();
    void globalThis.ears.resume().then(listen);
  })()`);
  await untilPage(page, 'globalThis.hearing.pitch !== undefined');
  return page.evaluate<number>('globalThis.hearing.pitch');
}
async function untilHeard(page: Page, seconds: number, pitch: number): Promise<void> {
  await passes(async () => {
    const heard = await heardAt(page, seconds);
    assert.ok(Math.abs(heard - pitch) < 40, `at ${seconds} s ${heard} Hz is heard instead of ${pitch}`);
  });
}
flow('audio plays earlier: the file becomes a stream whose audio is moved, and back, up to both ends', async () => {
  const view = await openWindow();
  const { page } = view;
  const moved = JSON.stringify([[ids['lines'], { subtitle: 0, audio: -2 }]]);
  await page.addInitScript(
    `if (location.protocol === 'http:') localStorage.setItem('matinee.delays', ${JSON.stringify(moved)})`,
  );
  await page.goto(`/play/${ids['lines']}?start=0`);
  await untilPage(
    page,
    "document.querySelector('video')?.src.startsWith('blob:') && document.querySelector('video').readyState >= 3",
  );
  await untilHeard(page, HIGH_FROM_S - 1.8, HIGH_HZ);
  await untilHeard(page, HIGH_FROM_S - 3, LOW_HZ);
  await untilHeard(page, 0, LOW_HZ);
  // The pictures are where they were, and go on when the audio has ended.
  await page.evaluate(`(() => {
    const video = document.querySelector('video');
    video.addEventListener('ended', () => (globalThis.hasEnded = true), { once: true });
    video.currentTime = 21;
    void video.play();
  })()`);
  await untilPage(page, `globalThis.hasEnded === true && ${hasPlayed(23.5)}`);
  await page.getByRole('button', { name: 'Audio and speed' }).click();
  const timing = page.getByRole('group', { name: 'Audio delay (saved for this title)' });
  await timing.getByText('−2.00 s').waitFor();
  for (let n = 0; n < 40; n++) await timing.getByRole('button', { name: 'Later' }).click();
  await timing.getByText('Original timing').waitFor();
  await page.keyboard.press('Escape');
  await untilHeard(page, HIGH_FROM_S - 1.8, LOW_HZ);
  await untilHeard(page, HIGH_FROM_S + 0.2, HIGH_HZ);
  await page.keyboard.press('Shift+Z');
  await untilPage(page, "JSON.parse(localStorage.getItem('matinee.delays'))[0]?.[1].audio === -0.05");
  await page.getByRole('button', { name: 'Quality and details' }).click();
  await page
    .getByRole('dialog')
    .getByText(/audio can only be moved earlier in a stream/)
    .first()
    .waitFor();
  await view.close();
});
