/**
 * The player on films that no browser plays as they are: converted only as needed, and every picture that is on show
 * carries the number of the time that was asked for.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { chance } from '../chance.ts';
import { ask } from '../faults/child.ts';
import { closeAll, hasPlayed, type Home, type openView, settled, untilPage, type View } from './browser.ts';
import { makeNumbered, NUMBERED, numberAt } from './numbered-films.ts';
import { openSettledHome, openSignedIn } from './places.ts';
import { passes } from '../until.ts';

let home: Home;
let token = '';
let first = '';
let second = '';
before(async () => {
  ({ home, token } = await openSettledHome({ prepare: ({ media }) => makeNumbered(media) }));
  const { body } = await ask<{ items: { id: string }[] }>(
    home.server,
    'GET',
    `/api/v1/library?q=${encodeURIComponent(NUMBERED.show)}`,
    { token },
  );
  const show = await ask<{ seasons: { episodes: { id: string }[] }[] }>(
    home.server,
    'GET',
    `/api/v1/shows/${body.items[0]?.id}`,
    { token },
  );
  [first = '', second = ''] = (show.body.seasons[0]?.episodes ?? []).map(({ id }) => id);
  for (const marker of [
    { kind: 'intro', start: 4, end: 12 },
    { kind: 'credits', start: 36, end: 40 },
  ])
    assert.equal(
      (await ask(home.server, 'PUT', `/api/v1/items/${first}/markers`, { token, body: marker })).status,
      200,
    );
});
after(closeAll);

const time = "(document.querySelector('video')?.currentTime ?? -1)";
async function play(query = '?start=0', needs: Parameters<typeof openView>[1] = {}): Promise<View> {
  const view = await openSignedIn(home, { realTime: 'plays', ...needs });
  await view.page.goto(`/play/${first}${query}`);
  await untilPage(view.page, "document.querySelector('video')?.readyState >= 3");
  return view;
}
const pause = (page: Page) => page.evaluate("document.querySelector('video').pause()");
/** The strongest pitch that is heard, in Hz, from a copy of what the element plays. */
const HEARD = `(async () => {
  globalThis.ears ??= (() => {
    const context = new AudioContext();
    const analyser = new AnalyserNode(context, { fftSize: 4096 });
    return { context, analyser };
  })();
  const { context, analyser } = globalThis.ears;
  const stream = document.querySelector('video').captureStream();
  if (stream.getAudioTracks().length === 0) return 0;
  globalThis.ears.source?.disconnect();
  globalThis.ears.source = context.createMediaStreamSource(stream);
  globalThis.ears.source.connect(analyser);
  await context.resume();
  // As long as a spectrum takes: the copy begins with silence.
  for (let frame = 0; frame < 15; frame++) await new Promise(requestAnimationFrame);
  const bins = new Float32Array(analyser.frequencyBinCount);
  analyser.getFloatFrequencyData(bins);
  const most = bins.reduce((best, value, at) => (value > bins[best] ? at : best), 1);
  return bins[most] < -60 ? 0 : (most * context.sampleRate) / analyser.fftSize;
})()`;
async function untilHeard(page: Page, pitch: number): Promise<void> {
  await passes(async () => {
    const heard = await page.evaluate<number>(HEARD);
    assert.ok(Math.abs(heard - pitch) < 40, `${heard} Hz is heard instead of ${pitch}`);
  });
}
/** The number of a segment, which holds four seconds. */
const numberOf = (url: string): number => Number(/-(\d+)\.m4s/.exec(url)?.[1] ?? 0);
const choose = async (page: Page, menu: string, option: RegExp) => {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('dialog', { name: menu }).getByRole('radio', { name: option }).first().click({ force: true });
  await page.keyboard.press('Escape');
};

test('Matroska is converted only as needed; everything changes in place, and jumps show their picture', async () => {
  const view = await play('?start=0&subtitle=en');
  const { page } = view;
  const plan = await ask<{ mode: string; video: { action: string }; audio: { action: string }[] }>(
    home.server,
    'GET',
    `/api/v1/items/${first}/playback?videoCodecs=vp9&audioCodecs=aac,opus&containers=mp4,webm,matroska`,
    { token },
  );
  assert.deepEqual(
    [plan.body.mode, plan.body.video.action, plan.body.audio.map(({ action }) => action)],
    ['remux', 'copy', ['convert', 'convert']],
  );

  // 20 jumps, drawn from a fixed seed.
  const random = chance(7);
  for (let n = 0; n < 20; n++) {
    const wanted = Math.floor(random() * (NUMBERED.rate * NUMBERED.seconds - 12));
    assert.equal(await numberAt(page, wanted), wanted, `jump ${n} to picture ${wanted}`);
  }

  await page.evaluate("document.querySelector('video').play()");
  await untilHeard(page, NUMBERED.low);
  await choose(page, 'Audio and speed', /German/);
  await untilHeard(page, NUMBERED.high);
  await pause(page);
  assert.equal(await numberAt(page, 500), 500, 'the picture is where it was, with the other sound');

  const line = page.locator('[data-captions=below] [data-cue]');
  await passes(async () => assert.equal(await line.innerText(), 'English line 11'));
  await choose(page, 'Subtitles', /German/);
  await untilPage(
    page,
    "document.querySelector('[data-captions=below] [data-cue]')?.textContent === 'Deutsche Zeile 11'",
  );

  // Another quality: the picture is converted from here on, at the same place.
  await choose(page, 'Quality and details', /240p/);
  await untilPage(page, "document.querySelector('video').videoHeight === 240");
  await untilPage(page, `Math.abs(${time} - ${500.5 / NUMBERED.rate}) < 0.1`);
  for (const wanted of [500, 60, 777])
    assert.equal(await numberAt(page, wanted), wanted, `picture ${wanted} in another quality`);
  await page.getByRole('button', { name: 'Quality and details', exact: true }).click();
  await page.getByRole('dialog').getByText('Picture and sound are converted').first().waitFor();
  await page.keyboard.press('Escape');
  await choose(page, 'Quality and details', /Automatic/);
  await untilPage(page, "document.querySelector('video').videoHeight === 360");

  await numberAt(page, 120);
  await page.getByRole('button', { name: 'Skip intro' }).click();
  await untilPage(page, `Math.abs(${time} - 12) < 0.3`);
  await numberAt(page, 890);
  await page.evaluate("globalThis.former = document.querySelector('video')");
  await page.getByRole('region', { name: 'Next episode' }).getByRole('button', { name: 'Play' }).click();
  await page.waitForURL(`**/play/${second}`);
  await untilPage(page, `document.querySelector('video') !== globalThis.former && ${hasPlayed()}`);
  assert.equal(await numberAt(page, 333), 333, 'the next episode');
  await view.close();
});

test('the page of an item has loaded what pressing play needs', async () => {
  const view = await openSignedIn(home, { realTime: 'plays' });
  await view.page.goto(`/item/${first}`);
  await untilPage(
    view.page,
    "performance.getEntriesByType('resource').some(({ name }) => /\\/hls-[^/]+\\.js$/.test(name))",
  );
  await view.close();
});

test('a network that is gone is waited for, and playback continues from the same position', async () => {
  const view = await openSignedIn(home, {
    realTime: 'plays',
    expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/,
  });
  const { page, context } = view;
  // Late segments wait until the film plays, and are refused then. A short film would be here completely otherwise.
  let refused = 0;
  const plays = Promise.withResolvers<void>();
  const isLate = (url: string): boolean => numberOf(url) >= 2;
  const cut = (most: number) =>
    context.route('**/hls/**', async (route) => {
      if (!isLate(route.request().url()) || refused >= most) return route.continue();
      await plays.promise;
      refused += 1;
      return route.abort();
    });
  await cut(Infinity);
  await page.goto(`/play/${first}?start=0`);
  await untilPage(page, hasPlayed());
  // Paused meanwhile, so that a slow machine does not play the buffer to its end.
  await page.evaluate("document.querySelector('video').pause(); document.querySelector('video').currentTime = 0");
  // A refusal during the jump would be shown.
  await untilPage(page, "!document.querySelector('video').seeking");
  plays.resolve();
  // hls.js tries it once more before it gives up.
  await passes(() => assert.ok(refused >= 2));
  // The rest of the buffer plays on without a message.
  await page.evaluate(`(() => {
    const video = document.querySelector('video');
    globalThis.alerted = [];
    video.addEventListener('timeupdate', () => {
      if (video.readyState >= 3) globalThis.alerted.push(document.querySelector('[role=alert]') !== null);
    });
    video.play();
  })()`);
  await untilPage(page, 'globalThis.alerted.length >= 4');
  assert.ok(!(await page.evaluate<boolean[]>('globalThis.alerted')).includes(true));
  await page.evaluate("document.querySelector('video').currentTime = 30");
  await page.getByRole('alert').getByText('The connection to the server was lost').waitFor();
  await context.setOffline(true);
  await context.unroute('**/hls/**');
  await page.getByRole('alert').getByText('Playback resumes when it is back').waitFor();
  // While it is tried again and again, the message stays calm, and nothing more happens.
  let failed = 0;
  page.on('requestfailed', (request) => void (/\/hls\//.test(request.url()) && failed++));
  await page.evaluate(`(() => {
    globalThis.changes = [];
    const said = () => document.querySelector('[role=alert]')?.innerText;
    const before = said();
    new MutationObserver(() => said() !== before && globalThis.changes.push(said())).observe(
      document.body, { childList: true, subtree: true, characterData: true });
    const video = document.querySelector('video');
    for (const name of ['seeking', 'emptied', 'playing'])
      video.addEventListener(name, () => globalThis.changes.push(name));
    globalThis.before = before;
  })()`);
  assert.match(
    await page.evaluate<string>('globalThis.before'),
    /Playback is interrupted[^]*Playback resumes when it is back/,
  );
  const there = page.url();
  await passes(() => assert.ok(failed >= 4, `${failed} requests failed`));
  assert.deepEqual(await page.evaluate('globalThis.changes'), []);
  assert.ok(Math.abs((await page.evaluate<number>(time)) - 30) < 0.5 && page.url() === there);
  await context.setOffline(false);
  await untilPage(page, `document.querySelector('[role=alert]') === null && ${hasPlayed(30.1)}`);
  await pause(page);
  assert.equal(await numberAt(page, 740), 740);

  // A server that does not answer for some tries, without the browser noticing: it is asked again automatically.
  refused = 0;
  await cut(7);
  await page.goto(`/play/${first}?start=20`);
  await untilPage(page, hasPlayed(20.1));
  assert.equal(refused, 7);
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await view.close();
});

for (const [what, kept] of [
  ['far behind', 2],
  ['up to the picture', 9],
] as const)
  test(`what the browser did not keep is loaded again, with a buffer that is ${what}`, async () => {
    const view = await openSignedIn(home, { realTime: 'plays' });
    const { page, context } = view;
    // A buffer that says that it took picture and sound of a segment, and has nothing of them.
    await page.addInitScript(`
      const append = SourceBuffer.prototype.appendBuffer;
      globalThis.toLose = 0;
      SourceBuffer.prototype.appendBuffer = function (bytes) {
        if (globalThis.toLose === 0) return append.call(this, bytes);
        globalThis.toLose -= 1;
        this.remove(0, 0.001);
      };
    `);
    // Otherwise the whole of a short film would be here before the jump.
    const jumped = Promise.withResolvers<void>();
    await context.route('**/hls/**', async (route) => {
      if (numberOf(route.request().url()) >= kept) await jumped.promise;
      await route.fallback();
    });
    await page.goto(`/play/${first}?start=0`);
    await untilPage(
      page,
      '(({ buffered }) => buffered.length === 1 && ' +
        `buffered.end(0) > ${kept * 4 - 0.5})(document.querySelector('video') ?? { buffered: [] })`,
    );
    await page.evaluate("globalThis.toLose = 2; document.querySelector('video').currentTime = 36");
    jumped.resolve();
    await untilPage(page, hasPlayed(36.1));
    assert.deepEqual([await page.evaluate('globalThis.toLose'), new URL(page.url()).pathname], [0, `/play/${first}`]);
    await context.unroute('**/hls/**');
    await view.close();
  });

test('the session of a plan that comes after its page was left is ended', async () => {
  const view = await openSignedIn(home, { realTime: 'plays' });
  const { page } = view;
  await page.goto(`/item/${first}`);
  // The page of the item asks for a plan, too.
  await settled(page);
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  await page.route(/\/playback\?/, async (route) => {
    const reply = await route.fetch();
    asked.resolve();
    await left.promise;
    await route.fulfill({ response: reply });
  });
  await page.evaluate(`(() => {
    history.pushState(null, '', '/play/${first}');
    dispatchEvent(new PopStateEvent('popstate'));
  })()`);
  await asked.promise;
  await page.evaluate('history.back()');
  await page.getByRole('heading', { level: 1, name: 'Night One' }).waitFor();
  const ended = page.waitForRequest((one) => one.method() === 'DELETE' && one.url().includes('/playback-sessions/'));
  left.resolve();
  await ended;
  await view.close();
});

test('what an Owner stops is over in the player, in words', async () => {
  const view = await play();
  const { page } = view;
  await untilPage(page, hasPlayed());
  const owner = await openSignedIn(home, { realTime: 'plays' });
  await owner.page.goto('/settings/playing');
  const row = owner.page.getByRole('listitem').filter({ hasText: NUMBERED.first });
  await passes(async () => assert.match(await row.first().innerText(), /Ada[^]*0:\d\d of 0:40/));
  await row.first().getByRole('button', { name: /^Stop/ }).click();
  await owner.page.getByRole('button', { name: 'Stop playback' }).click();
  await page.getByRole('alert').getByText('Playback was stopped', { exact: true }).waitFor();
  await untilPage(page, "document.querySelector('video').paused");
  await owner.close();
  await view.close();
});
