/** Every page of the dashboard as an address of a house that is set up, and how to be there signed in. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { PAGES, SETTINGS_PARTS } from '../../src/contract/dashboard/pages.ts';
import { ask } from '../faults/child.ts';
import { makePrepared } from '../prepared.ts';
import { calm, type Home, type HomeNeeds, openHome, openView, OWNER, untilPage, type View } from './browser.ts';
import type { KindIds } from './shelves.ts';
import { until } from '../until.ts';

export interface Ids {
  film: string;
  show: string;
  episode: string;
  playlist: string;
  smart: string;
  collection: string;
}

export interface SettledHome {
  home: Home;
  /** The Owner's. */
  token: string;
  ids: Ids;
}

/** How long the hardware test is waited for, which begins half a minute after a start. */
const TEST_LIMIT_MS = 90_000;

/**
 * Opens a home with an Owner, a language and every film scanned. One is made in a run, in which the hardware test ends
 * too, because that takes a server half a minute of both cores; others are copies of it.
 */
export async function openSettledHome({ env = {}, ...needs }: HomeNeeds = {}): Promise<SettledHome> {
  const withoutMfa = { SERVICE_REQUIRE_MFA: 'false' };
  const prepared = await makePrepared(['settled home'], async (folder) => {
    const first = await openHome({ env: withoutMfa });
    try {
      const { token } = await settleHome(first);
      const isTested = async () =>
        (await ask<{ state: string }>(first.server, 'GET', '/api/v1/hardware', { token })).body.state === 'tested';
      // A busy machine may need longer, and then each server tests for itself.
      for (const end = performance.now() + TEST_LIMIT_MS; !(await isTested()) && performance.now() < end;)
        await setTimeout(500);
      await first.server.stop();
      for (const part of ['data', 'cache'] as const) cpSync(first[part], join(folder, part), { recursive: true });
    } finally {
      await first.close();
    }
  });
  const home = await openHome({ env: { ...withoutMfa, ...env }, ...needs, from: prepared });
  const { status, body } = await ask<{ token: string }>(home.server, 'POST', '/api/v1/session', { body: OWNER });
  assert.equal(status, 201);
  const { token } = body;
  if (needs.prepare) await runTask(home, token, 'scan');
  return { home, token, ids: await idsOf(home, token) };
}

/** Makes the Owner over HTTP, chooses a language and waits for the first scan. Needs `security.require_mfa` off. */
export async function settleHome(home: Home): Promise<{ token: string; ids: Ids }> {
  const made = await ask<{ token: string }>(home.server, 'POST', '/api/v1/setup', { body: OWNER });
  assert.equal(made.status, 201);
  const { token } = made.body;
  assert.equal(
    (await ask(home.server, 'PUT', '/api/v1/configuration/subtitles.language', { token, body: { value: 'en' } }))
      .status,
    202,
  );
  await runTask(home, token, 'scan');
  return { token, ids: await idsOf(home, token) };
}

/** Starts a task, and waits until nothing is done any more. */
export async function runTask(home: Home, token: string, task: string): Promise<void> {
  assert.equal((await ask(home.server, 'POST', `/api/v1/tasks/${task}`, { token, body: {} })).status, 202, task);
  await untilIdle(home, token);
}

/** Waits until no task is running or queued. */
export async function untilIdle(home: Home, token: string): Promise<void> {
  await until(
    'the end of all tasks',
    async () => {
      const { body } = await ask<{ items: { state: string }[] }>(home.server, 'GET', '/api/v1/tasks', { token });
      return body.items.every(({ state }) => state !== 'queued' && state !== 'running');
    },
    { everyMs: 50 },
  );
}

async function idsOf(home: Home, token: string): Promise<Ids> {
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
  const film = await find('lighthouse keeper');
  return {
    film,
    show,
    episode: seasons.body.seasons.at(-1)?.episodes[0]?.id ?? '',
    playlist: await listOf(home, token, 'playlists', { name: 'Rainy Sundays', shared: true, ids: [film, show, film] }),
    smart: await listOf(home, token, 'smart-playlists', { name: 'Long Evenings', rules: NOT_WATCHED }),
    collection: await listOf(home, token, 'collections', { name: 'By the Sea', ids: [film, show] }),
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

/**
 * A window that is signed in. Closing it signs it out, which ends what it plays: a Profile plays only so much at a
 * time, and the browser need not send the last words of a page that is closed.
 */
export async function openSignedIn(home: Home, needs: Parameters<typeof openView>[1] = {}): Promise<View> {
  const view = await openView(home, needs);
  await signIn(view, home);
  const close = async (): Promise<void> => {
    await view.page.goto('about:blank');
    // A connection that the server has just closed for its age is tried again; then the first may have signed it out.
    const reply = await view.context.request.delete('/api/v1/session', {
      headers: { origin: home.url },
      maxRetries: 3,
    });
    assert.ok([204, 401].includes(reply.status()), `signing out: ${reply.status()}`);
    await view.close();
  };
  return { ...view, close };
}

/** Rules with a nested group and a value of each form. */
const NOT_WATCHED = {
  match: 'all',
  rules: [
    { field: 'watched', is: 'is', value: false },
    {
      match: 'any',
      rules: [
        { field: 'kind', is: 'in', value: ['movie', 'episode'] },
        { field: 'added', is: 'within', value: '30d' },
        { field: 'year', is: 'between', value: [1900, 2100] },
      ],
    },
  ],
};

/** Returns the first playlist of the house; makes it if there is none. */
async function listOf(home: Home, token: string, group: string, body: object): Promise<string> {
  const path = `/api/v1/${group}`;
  const [known] = (await ask<{ items: { id: string }[] }>(home.server, 'GET', path, { token })).body.items;
  if (known) return known.id;
  const made = await ask<{ id: string }>(home.server, 'POST', path, { token, body });
  assert.equal(made.status, 201);
  return made.body.id;
}

export interface Place {
  name: string;
  page: PageName;
  href: string;
  isSignedOut?: true;
}

type PageName = keyof typeof PAGES;
/** Pages whose address has parameters. */
type Varied = { [P in PageName]: (typeof PAGES)[P] extends `${string}{${string}` ? P : never }[PageName];

type Visit = Omit<Place, 'page'>;

/** The page of an item, and of one that is not there. */
const withMissing = (page: string, id: string): Visit[] => [
  { name: page, href: `/${page}/${id}` },
  { name: `${page}-missing`, href: `/${page}/0000000000000000` },
];

/** Returns an address of every page: those below, and of any other page its own. */
export function places({ film, show, episode, playlist, smart, collection, ...kinds }: Ids & KindIds): Place[] {
  const given: Record<Varied, Visit[]> & Partial<Record<PageName, Visit[]>> = {
    signIn: [{ name: 'sign-in', href: '/sign-in', isSignedOut: true }],
    welcome: [
      { name: 'welcome-libraries', href: '/welcome?step=libraries' },
      { name: 'welcome-subtitles', href: '/welcome?step=subtitles' },
      { name: 'welcome-scan', href: '/welcome?step=scan' },
    ],
    library: [
      { name: 'library', href: '/library' },
      { name: 'photo', href: `/library?view=photos&photo=${kinds.photo}` },
    ],
    search: [{ name: 'search', href: '/search?q=harbor' }],
    item: [
      { name: 'film', href: `/item/${film}` },
      { name: 'episode', href: `/item/${episode}` },
      { name: 'missing', href: '/item/0000000000000000' },
    ],
    show: [{ name: 'show', href: `/show/${show}` }],
    album: withMissing('album', kinds.album),
    audiobook: withMissing('audiobook', kinds.audiobook),
    audiobookSeries: withMissing('audiobook-series', kinds.audiobookSeries),
    person: withMissing('person', kinds.person),
    artist: withMissing('artist', kinds.artist),
    playlist: [{ name: 'playlist', href: `/playlist/${playlist}` }],
    collection: [{ name: 'collection', href: `/collection/${collection}` }],
    smartPlaylist: [{ name: 'smart-playlist', href: `/smart-playlist/${smart}` }],
    smartPlaylistEdit: [
      { name: 'smart-editor', href: `/smart-playlist/${smart}/edit` },
      { name: 'smart-editor-new', href: '/smart-playlist/new/edit' },
    ],
    book: [...withMissing('book', kinds.book), { name: 'comic', href: `/book/${kinds.comic}` }],
    series: withMissing('series', kinds.series),
    reader: [
      ...withMissing('reader', kinds.book),
      { name: 'reader-comic', href: `/reader/${kinds.comic}` },
      { name: 'reader-pdf', href: `/reader/${kinds.pdf}` },
    ],
    player: [{ name: 'player', href: `/play/${film}` }],
    subtitleCleanup: [{ name: 'subtitles-cleanup', href: '/subtitles/cleanup' }],
    subtitleItem: [{ name: 'subtitles-film', href: `/subtitles/${film}` }],
    subtitleEdit: [
      { name: 'workbench', href: `/subtitles/${film}/edit?language=de` },
      { name: 'workbench-empty', href: `/subtitles/${film}/edit?language=fr` },
    ],
    settingsPart: SETTINGS_PARTS.map((part) => ({ name: `settings-${part}`, href: `/settings/${part}` })),
  };
  return (Object.keys(PAGES) as PageName[]).flatMap((page) =>
    (given[page] ?? [{ name: page, href: PAGES[page] }]).map((visit) => ({ ...visit, page })),
  );
}

/** Turns the light of the system on or off, and waits until the page has followed. */
export async function inTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await untilPage(page, `document.documentElement.dataset.theme === '${theme}'`);
  await calm(page);
}
