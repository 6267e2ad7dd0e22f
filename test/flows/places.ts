/** Every page of the dashboard as an address of a house that is set up, and how to be there signed in. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PAGES, SETTINGS_PARTS } from '../../src/contract/dashboard/pages.ts';
import { ask } from '../faults/child.ts';
import { type Home, loaded, OWNER, untilPage, type View } from './browser.ts';
import { until } from '../until.ts';

export interface Ids {
  film: string;
  show: string;
  episode: string;
}

/** Makes the Owner over HTTP, waits for the first scan, and chooses a language. Needs `security.require_mfa` off. */
export async function settleHome(home: Home): Promise<{ token: string; ids: Ids }> {
  const made = await ask<{ token: string }>(home.server, 'POST', '/api/v1/setup', { body: OWNER });
  assert.equal(made.status, 201);
  const { token } = made.body;
  assert.equal(
    (await ask(home.server, 'PUT', '/api/v1/configuration/subtitles.language', { token, body: { value: 'en' } }))
      .status,
    202,
  );
  await ask(home.server, 'POST', '/api/v1/tasks/scan', { token, body: {} });
  await until(
    'the end of the scan',
    async () => {
      const { body } = await ask<{ items: { state: string }[] }>(home.server, 'GET', '/api/v1/tasks', { token });
      return body.items.every(({ state }) => state !== 'queued' && state !== 'running');
    },
    { everyMs: 50 },
  );
  const find = async (q: string) =>
    (
      await ask<{ items: { id: string }[] }>(home.server, 'GET', `/api/v1/library?q=${encodeURIComponent(q)}`, {
        token,
      })
    ).body.items[0]?.id ?? '';
  const show = await find('harbour lights');
  const seasons = await ask<{ seasons: { episodes: { id: string }[] }[] }>(
    home.server,
    'GET',
    `/api/v1/shows/${show}`,
    { token },
  );
  return {
    token,
    ids: { film: await find('lighthouse keeper'), show, episode: seasons.body.seasons.at(-1)?.episodes[0]?.id ?? '' },
  };
}

/** Signs this window in by its cookie. */
export async function signIn(
  { context }: Pick<View, 'context'>,
  home: Pick<Home, 'url'>,
  who: { name: string; password: string } = OWNER,
): Promise<void> {
  const reply = await context.request.post('/api/v1/session', {
    data: { ...who, transport: 'cookie' },
    headers: { origin: home.url },
  });
  assert.equal(reply.status(), 201, await reply.text());
}

export interface Place {
  name: string;
  href: string;
  isSignedOut?: true;
}

type PageName = keyof typeof PAGES;
/** Pages whose address has parameters. */
type Varied = { [P in PageName]: (typeof PAGES)[P] extends `${string}{${string}` ? P : never }[PageName];

/** Returns an address of every page: those below, and of any other page its own. */
export function places({ film, show, episode }: Ids): Place[] {
  const given: Record<Varied, Place[]> & Partial<Record<PageName, Place[]>> = {
    signIn: [{ name: 'sign-in', href: '/sign-in', isSignedOut: true }],
    welcome: [
      { name: 'welcome-libraries', href: '/welcome?step=libraries' },
      { name: 'welcome-subtitles', href: '/welcome?step=subtitles' },
      { name: 'welcome-scan', href: '/welcome?step=scan' },
    ],
    search: [{ name: 'search', href: '/search?q=harbor' }],
    item: [
      { name: 'film', href: `/item/${film}` },
      { name: 'episode', href: `/item/${episode}` },
      { name: 'missing', href: '/item/0000000000000000' },
    ],
    show: [{ name: 'show', href: `/show/${show}` }],
    player: [{ name: 'player', href: `/play/${film}` }],
    subtitleCleanup: [{ name: 'subtitles-cleanup', href: '/subtitles/cleanup' }],
    subtitleItem: [{ name: 'subtitles-film', href: `/subtitles/${film}` }],
    subtitleEdit: [
      { name: 'workbench', href: `/subtitles/${film}/edit?language=de` },
      { name: 'workbench-empty', href: `/subtitles/${film}/edit?language=fr` },
    ],
    settingsPart: SETTINGS_PARTS.map((part) => ({ name: `settings-${part}`, href: `/settings/${part}` })),
  };
  return Object.entries(PAGES).flatMap(
    ([page, href]) => (given as Partial<Record<string, Place[]>>)[page] ?? [{ name: page, href }],
  );
}

/** Waits until a page shows what it is for: its heading, and no request on its way. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await loaded(page);
  await calm(page);
}

/** Turns the light of the system on or off, and waits until the page has followed. */
export async function inTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await untilPage(page, `document.documentElement.dataset.theme === '${theme}'`);
  await calm(page);
}

/**
 * Waits until every picture is there, nothing is busy and nothing moves. What moves is brought to its end at once:
 * colours on their way to others are not to be judged, and drawing each step of a thousand elements takes a second.
 */
export async function calm(page: Page): Promise<void> {
  await untilPage(
    page,
    `(() => {
      const moving = document.getAnimations().filter((one) => one.playState === 'running' && one.effect.getComputedTiming().iterations !== Infinity);
      for (const one of moving) one.finish();
      return moving.length === 0 && document.querySelector('[aria-busy=true]') === null && [...document.images].every((image) => image.complete || image.loading === 'lazy');
    })()`,
  );
}
