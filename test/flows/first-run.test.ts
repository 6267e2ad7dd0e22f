/**
 * The main job, as a household does it: set up in the browser, scan, watch a film with a subtitle, fetch the one
 * that is missing, and see it in the player.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { closeBrowser, hasPlayed, openHome, openView, OWNER, replyLast, untilPage } from './browser.ts';
import type { Fixtures } from '../stand-ins/index.ts';
import { passes } from '../until.ts';

after(closeBrowser);

const FILM = 'The Lighthouse Keeper';
interface Media {
  error: { message: string } | null;
}
/** Text drawn over the picture at the moment. */
const cue = (page: Page) => page.locator('[data-cue]');

async function playsPast(page: Page, seconds?: number): Promise<void> {
  await untilPage(page, hasPlayed(seconds));
  assert.equal(await page.locator('video').evaluate((video: Media) => video.error?.message ?? ''), '');
}

/** Sentences that a check of the language takes for Portuguese. */
const PORTUGUESE = [
  'O farol está aceso e o vidro está limpo.',
  'Ninguém respondeu quando eu chamei o porto.',
  'Você ainda está aí, ou já foi embora?',
  'Meu pai pintou o nome dela na parede desta torre.',
  'Nós não queremos que eles se preocupem conosco.',
  'Diga outra vez, porque eu não consigo ver nada no horizonte.',
];

const CHOSEN = 'The.Lighthouse.Keeper.2019.DVDRip';
/** Adds two Brazilian subtitles of the film at SubDL: one of its very release, one of another. */
async function addBrazilian({ fixtures }: { fixtures: Fixtures }): Promise<void> {
  const film = fixtures.items.find(({ title }) => title === FILM) ?? assert.fail('the film of the demo');
  const times = film.subtitles.find(({ language }) => language === 'en')?.lines ?? assert.fail('its English lines');
  const lines = times.map(({ start, end }, at) => ({ start, end, text: PORTUGUESE[at % PORTUGUESE.length] ?? '' }));
  for (const release of ['The.Lighthouse.Keeper.2019.1080p.WEB-DL', CHOSEN])
    film.subtitles.push({ language: 'pt-br', releases: [release], lines, providers: ['subtitles_a'] });
}

/** The key that the person has from SubDL; no provider is set up from outside. */
const WITHOUT_PROVIDERS = Object.fromEntries(
  ['A_API_KEY', 'B_API_KEY', 'B_PERSONAL_USE', 'C_API_KEY', 'C_USERNAME', 'C_PASSWORD'].map((name) => [
    `SERVICE_SUBTITLES_${name}`,
    '',
  ]),
);

const secretOn = (page: Page): Promise<string> =>
  passes(async () => {
    const text = ((await page.locator('p code').first().textContent()) ?? '').replaceAll(' ', '');
    assert.match(text, /^[A-Z2-7]{16,}$/);
    return text;
  });

test('a Brazilian household: wizard, scan, playing, a provider, restarting in place, choosing a subtitle', async () => {
  const home = await openHome({ env: WITHOUT_PROVIDERS, prepare: addBrazilian });
  const view = await openView(home, { realTime: 'plays', locale: 'pt-BR', expected: /503/ });
  const { page } = view;
  const isAt = (name: string, step: string) =>
    Promise.all([page.getByRole('heading', { name }).waitFor(), page.getByText(`Step ${step} of 4`).waitFor()]);
  try {
    await page.goto('/');
    await isAt('Welcome to Matinee', '1');
    await page.getByLabel('Your name').fill(OWNER.name);
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await page.getByRole('button', { name: 'Continue' }).click();

    await isAt('Add a second factor', '1');
    const useApp = () => page.getByRole('button', { name: 'Use an app' }).click();
    await useApp();
    const secret = await secretOn(page);
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await passes(async () => assert.equal(await codes.count(), 10));
    const shown = await codes.allTextContents();
    await page.reload();
    await useApp();
    assert.equal(await secretOn(page), secret, 'a reload shows the secret that may be in the app by now');
    assert.deepEqual(await codes.allTextContents(), shown);
    await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate());
    // The Profile is read again now; nothing may conclude meanwhile that no one is signed in.
    const isNoLongerLast = await replyLast(page, '**/api/v1/me');
    await page.getByRole('button', { name: 'Confirm' }).click();

    await isAt('Where are your media folders?', '2');
    await isNoLongerLast();
    await page.goto('/');
    await isAt('Where are your media folders?', '2');
    await page.getByText(home.media).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await isAt('Which subtitle language?', '3');
    await page.goto('/');
    await isAt('Which subtitle language?', '3');
    assert.equal(await page.getByLabel('Language', { exact: true }).inputValue(), 'pt-br', 'proposed, and accepted');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Step 4 of 4').waitFor();
    await page.getByRole('progressbar', { name: 'Scan' }).waitFor();
    await page.getByRole('heading', { name: 'All set' }).waitFor();
    await page.getByRole('button', { name: 'Go to Home' }).click();
    await page.getByRole('heading', { name: 'Recently added' }).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Recently added' }).waitFor();

    await page.goto('/search?q=lighthouse');
    await page.locator('main a[href^="/item/"]', { hasText: FILM }).first().press('Enter');
    await page.getByRole('heading', { name: FILM, level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Play', exact: true }).first().click();
    await playsPast(page);
    await page.keyboard.press('c');
    await playsPast(page, 3);
    await cue(page).filter({ hasText: /\S/ }).first().waitFor();
    await page.keyboard.press('Escape');

    await setUpProvider(page, home.standIns.environment['SERVICE_SUBTITLES_A_API_KEY'] ?? '');
    await isRefusedUntilRestart(page);
    await restartInPlace(page);
    await chooseBrazilian(page);
    assert.ok(existsSync(join(home.media, `Films/${FILM} (2019)/${FILM} (2019).pt-br.srt`)));
    await page.goto(`/play/${/\/subtitles\/([0-9a-f]{16})/.exec(page.url())?.[1]}?subtitle=pt-br`);
    await playsPast(page);
    await cue(page).filter({ hasText: /\S/ }).first().waitFor();
    await view.close();
  } catch (error) {
    await page.screenshot({ path: join(process.env['TMPDIR'] ?? '/tmp', 'matinee-flow-failed.png') });
    throw error;
  } finally {
    await home.close();
  }
});

/** Finds SubDL by its name and saves its key, which waits for a restart. */
async function setUpProvider(page: Page, key: string): Promise<void> {
  await page.goto('/subtitles');
  await page.getByRole('link', { name: 'Set up SubDL' }).waitFor();
  await page.goto('/settings/configuration?q=subdl');
  const group = page.getByRole('region', { name: 'SubDL' });
  await group.getByLabel('API key').fill(key);
  assert.equal(
    await group.getByRole('link', { name: 'Get one at subdl.com' }).getAttribute('href'),
    'https://subdl.com/panel/api',
  );
  await group.getByRole('button', { name: 'Save' }).click();
  await page.getByText('1 change is saved but not yet in effect').waitFor();
  await page.getByText('SubDL: API key').waitFor();
}

/** Fetches although the key is not in force yet: the reply names the provider and offers the restart. */
async function isRefusedUntilRestart(page: Page): Promise<void> {
  await page.goto('/subtitles');
  await page.getByRole('link', { name: FILM }).click();
  await page.getByRole('button', { name: 'Fetch', exact: true }).click();
  const outcome = page.getByRole('region', { name: 'Fetch a subtitle' });
  await outcome.getByText('SubDL is set up and waits for a restart.').waitFor();
  await outcome.getByRole('button', { name: 'Restart now' }).waitFor();
}

/** Restarts from the page of the subtitles, where the provider waits, by keyboard, and is on that page afterwards. */
async function restartInPlace(page: Page): Promise<void> {
  await page.goto('/subtitles');
  const provider = page.getByRole('listitem').filter({ has: page.getByText('SubDL', { exact: true }) });
  await provider.getByText('Waiting for a restart').waitFor();
  assert.equal(await provider.getByText('Not set up').count(), 0);
  // The player that was left ends its session by itself. Until then a restart would ask first.
  await passes(async () => {
    const reply = await page.context().request.get('/api/v1/playback-sessions');
    assert.deepEqual(((await reply.json()) as { items: unknown[] }).items, []);
  });
  // A fast restart is over before a slow machine looks at it.
  await page.evaluate(`
    window.sameDocument = true;
    window.said = [];
    new MutationObserver(() => {
      for (const text of ['The server is restarting', 'The server has restarted'])
        if (!window.said.includes(text) && document.body.textContent.includes(text)) window.said.push(text);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  `);
  await page.getByRole('button', { name: 'Restart now' }).focus();
  await page.keyboard.press('Enter');
  await untilPage(page, "window.said.join() === 'The server is restarting,The server has restarted'");
  await provider.getByText('Not tested').waitFor();
  assert.equal(await page.getByText('not yet in effect').count(), 0);
  assert.equal(await page.evaluate('window.sameDocument'), true, 'the page was not loaded again');
  await untilPage(page, "document.activeElement?.tagName === 'H1'");
}

/** Chooses the second of what the provider has. */
async function chooseBrazilian(page: Page): Promise<void> {
  await page.getByRole('link', { name: FILM }).click();
  await page
    .getByRole('region', { name: 'Fetch a subtitle' })
    .getByRole('button', { name: 'Choose a subtitle' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Choose a subtitle: Brazilian Portuguese' });
  const rows = dialog.getByRole('listitem').filter({ hasText: 'SubDL' });
  await rows.filter({ hasText: CHOSEN }).waitFor();
  assert.equal(await rows.count(), 2);
  await rows
    .filter({ hasText: CHOSEN })
    .getByRole('button', { name: new RegExp(`^Use.*: ${CHOSEN}, SubDL$`) })
    .click();
  await page.getByText('The Brazilian Portuguese subtitle is installed').waitFor();
  await dialog.waitFor({ state: 'detached' });
}
