/**
 * The table of pages: the file that shows each page, and the frame around it. A page's file exports `Page`. It is
 * loaded when the page is first opened, or when a link to it is hovered over or focused.
 */
import type { ComponentType } from 'preact';
import type { Page } from '../../contract/dashboard/pages.ts';
import { settled } from '../messages/catalogue.ts';
import { provideClipPlayer } from '../parts/playback/clip-player.ts';
import { pendingUntil } from '../lib/pending-work.ts';

provideClipPlayer(() => pendingUntil('import', import('../player/clip/clip.tsx')).then((file) => file.PlayedClip));

/**
 * `shell`: with navigation. `bare`: without, for pages before sign-in. `full`: without, for pages that fill the screen.
 */
export type PageFrame = 'shell' | 'bare' | 'full';
type Shows = ComponentType<{ params: never }>;
interface Entry {
  frame: PageFrame;
  load: () => Promise<{ Page: unknown }>;
}

const entries: Record<Page | 'missing', Entry> = {
  home: { frame: 'shell', load: () => import('../pages/home/page.tsx') },
  signIn: { frame: 'bare', load: () => import('../pages/sign-in/page.tsx') },
  welcome: { frame: 'bare', load: () => import('../pages/welcome/page.tsx') },
  library: { frame: 'shell', load: () => import('../pages/library/page.tsx') },
  search: { frame: 'shell', load: () => import('../pages/search/page.tsx') },
  list: { frame: 'shell', load: () => import('../pages/library/list-page.tsx') },
  requests: { frame: 'shell', load: () => import('../pages/requests/page.tsx') },
  history: { frame: 'shell', load: () => import('../pages/library/history-page.tsx') },
  playlists: { frame: 'shell', load: () => import('../pages/playlists/page.tsx') },
  playlist: { frame: 'shell', load: () => import('../pages/playlist/page.tsx') },
  collections: { frame: 'shell', load: () => import('../pages/collections/page.tsx') },
  collection: { frame: 'shell', load: () => import('../pages/collection/page.tsx') },
  smartPlaylist: { frame: 'shell', load: () => import('../pages/smart-playlist/page.tsx') },
  smartPlaylistEdit: { frame: 'shell', load: () => import('../pages/smart-editor/page.tsx') },
  item: { frame: 'shell', load: () => import('../pages/item/page.tsx') },
  show: { frame: 'shell', load: () => import('../pages/show/page.tsx') },
  album: { frame: 'shell', load: () => import('../pages/album/page.tsx') },
  audiobook: { frame: 'shell', load: () => import('../pages/audiobook/page.tsx') },
  audiobookSeries: { frame: 'shell', load: () => import('../pages/audiobook-series/page.tsx') },
  artists: { frame: 'shell', load: () => import('../pages/artists/page.tsx') },
  artist: { frame: 'shell', load: () => import('../pages/artist/page.tsx') },
  person: { frame: 'shell', load: () => import('../pages/person/page.tsx') },
  book: { frame: 'shell', load: () => import('../pages/book/page.tsx') },
  series: { frame: 'shell', load: () => import('../pages/series/page.tsx') },
  reader: { frame: 'full', load: () => import('../pages/reader/page.tsx') },
  player: { frame: 'full', load: () => import('../player/page.tsx') },
  listening: { frame: 'full', load: () => import('../player/listen/page.tsx') },
  subtitles: { frame: 'shell', load: () => import('../pages/subtitles/page.tsx') },
  subtitleCleanup: { frame: 'shell', load: () => import('../pages/subtitles/cleanup/page.tsx') },
  subtitleTiming: { frame: 'shell', load: () => import('../pages/subtitles/timing/page.tsx') },
  subtitleItem: { frame: 'shell', load: () => import('../pages/subtitles/item/page.tsx') },
  subtitleEdit: { frame: 'full', load: () => import('../workbench/page.tsx') },
  settings: { frame: 'shell', load: () => import('../pages/settings/page.tsx') },
  settingsPart: { frame: 'shell', load: () => import('../pages/settings/page.tsx') },
  account: { frame: 'shell', load: () => import('../pages/account/page.tsx') },
  about: { frame: 'shell', load: () => import('../pages/account/about.tsx') },
  missing: { frame: 'shell', load: () => import('../pages/missing/page.tsx') },
};
const loaded = new Map<Page | 'missing', Shows>();

export const frameOf = (page: Page | 'missing'): PageFrame => entries[page].frame;
/** Returns the page's component if its code is loaded. */
export const ready = (page: Page | 'missing'): Shows | undefined => loaded.get(page);
/**
 * Loads a page's code and its words. Fails when the server cannot be reached or has been upgraded since this tab was
 * opened.
 */
export const load = (page: Page | 'missing'): Promise<Shows> => pendingUntil('import', loadWithWords(page));

async function loadWithWords(page: Page | 'missing'): Promise<Shows> {
  const { Page: shows } = await entries[page].load();
  await settled();
  loaded.set(page, shows as Shows);
  return shows as Shows;
}
/** Starts to load a page's code. Errors are ignored: opening the page reports them. */
export const preload = (page: Page): void => {
  if (!loaded.has(page)) load(page).catch(() => undefined);
};
