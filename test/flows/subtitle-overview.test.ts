/**
 * Subtitles of everything, as an Owner keeps them: one, some and all that are wanted are fetched, with what came of
 * each; the server's own fetching shows how far it is and can be ended; filters are in the address; and a clean-up
 * hides exactly what was looked at, and is taken back.
 */
import assert from 'node:assert/strict';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { ask } from '../faults/child.ts';
import { closeAll, type Home, openHome, openView, OWNER, settled, untilPage, type ViewNeeds } from './browser.ts';
import { openSettledHome, runTask, signIn } from './places.ts';
import { passes } from '../until.ts';

let home: Home;
let token: string;
before(async () => {
  ({ home, token } = await openSettledHome());
});
after(closeAll);

async function at(t: TestContext, href: string, needs: ViewNeeds = {}): Promise<Page> {
  const view = await openView(home, needs);
  t.after(() => view.close());
  await signIn(view, home);
  await view.page.goto(href);
  await settled(view.page);
  return view.page;
}

interface Listed {
  total: number;
  ready: number;
  wanted: number;
  pending: number;
  matched: number;
  byLibrary: { library: string; name: string; total: number }[];
  present: { language: string; items: number }[];
  items: {
    id: string;
    title: string;
    file: string;
    missing: string[];
    languages: {
      language: string;
      role: string;
      installed?: { hidden: boolean };
      reason?: string;
      lastSearch?: string;
    }[];
  }[];
}
const inventory = async (query = ''): Promise<Listed> =>
  (await ask<Listed>(home.server, 'GET', `/api/v1/subtitle-library?limit=200${query}`, { token })).body;
const boxes = (page: Page) => page.getByRole('checkbox', { name: /^Select / });
const region = (page: Page, name: string) => page.getByRole('region', { name });

test('one and then some of what is wanted are fetched, by keyboard, with what came of each', async (t) => {
  const page = await at(t, '/subtitles');
  const before = await inventory();
  assert.ok(before.wanted >= 4, 'the demo library lacks some');
  await page
    .getByRole('button', { name: /^Fetch for / })
    .first()
    .click();
  await region(page, 'Fetching subtitles').getByRole('button', { name: 'Done' }).waitFor();
  const results = region(page, 'Fetching subtitles').getByRole('list', { name: 'Results' }).getByRole('listitem');
  await passes(async () => assert.equal(await results.count(), 1));
  await region(page, 'Fetching subtitles').getByRole('button', { name: 'Done' }).click();
  await settled(page);

  // By their names, because the list may still change its order after the first fetch.
  const names = await boxes(page).evaluateAll((all: unknown[]) =>
    (all as { ariaLabel: string | null; labels: { textContent: string }[] }[])
      .slice(0, 2)
      .map(({ ariaLabel, labels }) => ariaLabel ?? labels[0]?.textContent ?? ''),
  );
  for (const name of names) {
    await page.getByRole('checkbox', { name, exact: true }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
  }
  const go = page.getByRole('button', { name: 'Fetch for 2 items' });
  await go.focus();
  await page.keyboard.press('Enter');
  await region(page, 'Fetching subtitles')
    .getByRole('heading', { name: /fetched|without a result/ })
    .waitFor();
  await passes(async () => {
    assert.equal(await results.count(), 2);
    for (const text of await results.allTextContents())
      assert.match(text, /^(Fetched|Not fetched): .+\S/, 'each says what came of it');
  });
  const fetched = await results.filter({ hasText: /^Fetched/ }).count();
  await becomes(({ ready }) => ready >= before.ready + fetched);
});

test('filters are in the address, and a number leads to what it counts', async (t) => {
  const page = await at(t, '/subtitles');
  await page.getByLabel('Status').selectOption('wanted');
  await page.getByLabel('Type').selectOption('movie');
  await page.getByLabel('Sort').selectOption('title');
  await untilPage(page, "location.search === '?status=wanted&kind=movie&sort=title'");
  const { matched } = await inventory('&status=wanted&kind=movie&sort=title');
  await page.reload();
  await settled(page);
  await passes(async () => assert.equal(await page.getByLabel('Status').inputValue(), 'wanted'));
  await page.getByText(matched === 1 ? '1 item' : `${matched} items`, { exact: true }).waitFor();
  // A pause between two words loses nothing, and a filter that is chosen right after typing stays.
  const search = page.getByLabel('Search');
  await search.pressSequentially('lighthouse ');
  await untilPage(page, "location.search.includes('q=lighthouse&') || location.search.endsWith('q=lighthouse')");
  await search.pressSequentially('keeper');
  await page.getByLabel('Sort').selectOption('searched');
  await untilPage(
    page,
    "/q=lighthouse(\\+|%20)keeper/.test(location.search) && location.search.includes('sort=searched')",
  );
  assert.equal(await search.inputValue(), 'lighthouse keeper');
  await search.fill('nothing at all is called this');
  await page.getByText('No item matches these filters').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await untilPage(page, "location.search === ''");

  await region(page, 'Coverage')
    .getByRole('link', { name: /^Ready/ })
    .click();
  await untilPage(page, "location.search === '?status=ready'");
  await region(page, 'Coverage by library and language').getByRole('link').first().click();
  await untilPage(page, '/[?&]library=[0-9a-f]{16}/.test(location.search)');
  await page.goto('/subtitles?library=0000000000000000');
  await page.getByText('The library in this address may have been removed.').waitFor();
  await page.getByRole('button', { name: 'Show all libraries' }).click();
  await boxes(page).first().waitFor();
});

test('providers are tested, and one that has no more downloads says when there are more', async (t) => {
  const page = await at(t, '/subtitles');
  await page.getByRole('button', { name: 'Test providers' }).click();
  await page
    .getByText(/answered$/)
    .first()
    .waitFor();
  const states = await passes(async () => {
    const { body } = await ask<{ providers: { name: string; state: string; remaining?: number }[] }>(
      home.server,
      'GET',
      '/api/v1/subtitle-library',
      { token },
    );
    const configured = body.providers.filter(({ state }) => state !== 'not-configured');
    for (const { name, state } of configured) assert.equal(state, 'connected', name);
    return configured;
  });
  for (const { remaining } of states) {
    if (remaining !== undefined)
      await region(page, 'Providers')
        .getByText(new RegExp(`${remaining} downloads? left`))
        .first()
        .waitFor();
  }
});

test('the server fetches all that is wanted, can be ended, and says what came of it', async (t) => {
  // The providers do not respond for a while, so there is time to end it.
  const all = [home.standIns.subtitles_a, home.standIns.subtitles_c];
  for (const provider of all) provider.fault({ fault: 'hang', on: 'search', times: 20 });
  const page = await at(t, '/subtitles');
  await page.getByRole('button', { name: /^Fetch all \d+ missing$/ }).click();
  await region(page, 'Fetching missing subtitles').getByRole('progressbar').waitFor();
  await region(page, 'Fetching missing subtitles').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('listitem', { name: 'Fetch missing' }).getByText('Cancelled').waitFor();
  for (const provider of all) provider.reset();

  await page.getByRole('button', { name: /^Fetch all \d+ missing$/ }).click();
  const background = page.getByRole('listitem', { name: 'Fetch missing' });
  // The result of the previous run is shown until this one begins.
  await passes(async () => {
    const text = await background.innerText();
    assert.match(text, /Last run .+: /);
    assert.doesNotMatch(text, /Cancelled/);
  });
  await page.getByRole('link', { name: 'Last searches and their results' }).click();
  await untilPage(page, "location.search === '?sort=searched'");
  const listed = await becomes(
    ({ items: [last] }) => last?.languages.some(({ lastSearch }) => lastSearch !== undefined) === true,
    '&sort=searched',
  );
  const vain = listed.items.find(
    ({ missing, languages }) =>
      missing.includes('en') &&
      languages.some(({ reason, lastSearch }) => reason !== undefined && lastSearch !== undefined),
  );
  if (vain)
    await page
      .getByRole('listitem')
      .filter({ hasText: vain.title })
      .getByText(/Last searched/)
      .first()
      .waitFor();
});

test('a clean-up hides exactly what was looked at, and a name without the suffix is back', async (t) => {
  const beside = (ending: string) =>
    join(home.media, 'Films/The Lighthouse Keeper (2019)', `The Lighthouse Keeper (2019).${ending}`);
  const text = '1\n00:00:01,000 --> 00:00:02,000\nHallo\n';
  for (const ending of ['fi.srt', 'fi.sdh.srt', 'fi.forced.srt']) writeFileSync(beside(ending), text);
  await runTask(home, token, 'scan');
  await becomes(({ present }) => present.some(({ language }) => language === 'fi'));
  const page = await at(t, '/subtitles', { expected: /409/ });
  await page.getByRole('link', { name: 'Clean up files' }).click();
  await page.getByRole('heading', { name: 'Clean up subtitle files' }).waitFor();
  await passes(async () =>
    assert.ok(await page.getByRole('button', { name: 'Preview' }).isDisabled(), 'nothing is chosen yet'),
  );
  await page.getByRole('checkbox', { name: /Finnish/ }).check();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('heading', { name: '2 files would be hidden' }).waitFor();
  const planned = page.getByRole('list', { name: 'Files that would be hidden' }).getByRole('listitem');
  await passes(async () => assert.equal(await planned.count(), 2));
  await page.getByText('1 file is left alone').click();
  await page.getByText('fi.forced.srt').waitFor();
  assert.ok(existsSync(beside('fi.srt')), 'looking hides nothing');

  // A file is changed after the plan was shown.
  writeFileSync(beside('fi.sdh.srt'), `${text}\n2\n00:00:03,000 --> 00:00:04,000\nNoch etwas\n`);
  await page.getByRole('button', { name: 'Hide 2 files' }).click();
  await page.getByText('Here is the current plan.').waitFor();
  assert.ok(existsSync(beside('fi.srt')), 'a stale plan hides nothing');
  await page.getByText('Hide them too').click();
  // Another choice is another plan.
  await page.getByRole('heading', { name: /would be hidden/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Hide 3 files' }).click();
  await page.getByRole('heading', { name: '3 files are hidden' }).waitFor();
  for (const ending of ['fi.srt', 'fi.sdh.srt', 'fi.forced.srt'])
    assert.deepEqual([existsSync(beside(ending)), existsSync(beside(`${ending}.hidden`))], [false, true]);

  renameSync(beside('fi.srt.hidden'), beside('fi.srt'));
  await page.getByRole('button', { name: 'Scan now' }).click();
  await runTask(home, token, 'scan');
  await becomes(
    ({ items }) =>
      items[0]?.languages.some(
        ({ language, role, installed }) => language === 'fi' && role === 'normal' && installed?.hidden === false,
      ) === true,
    '&q=lighthouse%20keeper',
  );
});

test('an address that leads nowhere says so, on the very first visit too', async (t) => {
  const view = await openView(home);
  t.after(() => view.close());
  await signIn(view, home);
  const reply = await view.page.goto('/nowhere/at/all');
  assert.equal(reply?.status(), 404);
  await view.page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
});

test('each library has its row, which leads to what it lacks; and what fits is fetched from here', async (t) => {
  const list = async () =>
    (await ask<{ items: { id: string; name: string }[] }>(home.server, 'GET', '/api/v1/libraries', { token })).body
      .items;
  const add = async (name: string, kind: string, path: string) =>
    assert.equal(
      (await ask(home.server, 'POST', '/api/v1/libraries', { token, body: { name, kind, path } })).status,
      201,
    );
  const remove = async (name: string) =>
    assert.equal(
      (
        await ask(home.server, 'DELETE', `/api/v1/libraries/${(await list()).find((one) => one.name === name)?.id}`, {
          token,
        })
      ).status,
      204,
    );
  // The default library holds both folders, and goes once it is not the only one.
  await add('Elsewhere', 'movies', `${home.media}-elsewhere`);
  await remove('Media');
  await add('Films', 'movies', join(home.media, 'Films'));
  await add('Shows', 'shows', join(home.media, 'Shows'));
  await remove('Elsewhere');
  await runTask(home, token, 'scan');
  await becomes(
    ({ byLibrary, pending }) =>
      pending === 0 &&
      byLibrary.map(({ name }) => name).join() === 'Films,Shows' &&
      byLibrary.every(({ total }) => total > 0),
  );
  const page = await at(t, '/subtitles');
  const table = region(page, 'Coverage by library and language');
  await passes(async () =>
    assert.deepEqual(await table.getByRole('rowheader').allTextContents(), ['Films', 'Shows', 'All libraries']),
  );
  const shows = (await inventory()).byLibrary.find(({ name }) => name === 'Shows');
  await table.getByRole('link', { name: /^Shows, English/ }).click();
  await untilPage(page, `location.search.includes('library=${shows?.library}')`);
  await passes(async () =>
    assert.equal(await page.getByLabel('Library', { exact: true }).inputValue(), shows?.library),
  );
  const { matched } = await inventory(`&library=${shows?.library}&status=wanted`);
  await page.getByText(matched === 1 ? '1 item' : `${matched} items`, { exact: true }).waitFor();
  assert.ok(matched > 0);
  await page.getByLabel('Type').selectOption('episode');
  await page.getByRole('button', { name: `Fetch all ${matched} that match` }).click();
  const fetching = region(page, 'Fetching subtitles');
  await fetching.getByRole('button', { name: 'Done' }).waitFor();
  await fetching.getByRole('list', { name: 'Results' }).getByRole('listitem').first().waitFor();
});

test('the first run shows a language that is set from outside, and does not ask', async (t) => {
  const other = await openHome({ env: { SERVICE_REQUIRE_MFA: 'false', SERVICE_SUBTITLE_LANGUAGE: 'de' } });
  t.after(() => other.close());
  assert.equal((await ask(other.server, 'POST', '/api/v1/setup', { body: OWNER })).status, 201);
  const view = await openView(other);
  await signIn(view, other);
  const { page } = view;
  await page.goto('/welcome?step=subtitles');
  await page.getByText('Default subtitle language: German.').waitFor();
  await page.getByText('SERVICE_SUBTITLE_LANGUAGE').waitFor();
  assert.equal(await page.getByRole('combobox').count(), 0);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: /Scanning your libraries|All set/ }).waitFor();
  await view.close();
});

/** Asks again until the inventory, which follows a scan once it is quiet, is as it should be. */
async function becomes(isSo: (now: Listed) => boolean, query = ''): Promise<Listed> {
  return passes(
    async () => {
      const now = await inventory(query);
      assert.ok(isSo(now), `the inventory follows: ${JSON.stringify(now)}`);
      return now;
    },
    { everyMs: 50 },
  );
}
