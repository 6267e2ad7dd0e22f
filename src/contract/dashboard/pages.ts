/**
 * The dashboard's addresses. The server answers each with the same document, the dashboard shows the page;
 * both read this table, so an address that one knows and the other does not cannot be.
 */
export const PAGES = {
  home: '/',
  signIn: '/sign-in',
  welcome: '/welcome',
  library: '/library',
  search: '/search',
  list: '/list',
  history: '/history',
  requests: '/requests',
  playlists: '/playlists',
  playlist: '/playlist/{id}',
  collections: '/collections',
  collection: '/collection/{id}',
  smartPlaylist: '/smart-playlist/{id}',
  smartPlaylistEdit: '/smart-playlist/{id}/edit',
  item: '/item/{id}',
  show: '/show/{id}',
  album: '/album/{id}',
  audiobook: '/audiobook/{id}',
  audiobookSeries: '/audiobook-series/{id}',
  artists: '/artists',
  artist: '/artist/{id}',
  person: '/person/{id}',
  book: '/book/{id}',
  series: '/series/{id}',
  reader: '/reader/{id}',
  player: '/play/{id}',
  listening: '/listening',
  subtitles: '/subtitles',
  subtitleCleanup: '/subtitles/cleanup',
  subtitleTiming: '/subtitles/timing',
  subtitleItem: '/subtitles/{id}',
  subtitleEdit: '/subtitles/{id}/edit',
  settings: '/settings',
  settingsPart: '/settings/{part}',
  account: '/account',
  about: '/about',
} as const;
export type Page = keyof typeof PAGES;

const patterns = Object.entries(PAGES).map(([page, address]) => ({
  page: page as Page,
  names: [...address.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? ''),
  shape: new RegExp(`^${address.replace(/\{\w+\}/g, '([a-z0-9-]{1,64})')}/?$`),
}));

/** Returns the page at a path, with its parameters; undefined if no page has this path. */
export function pageAt(path: string): { page: Page; params: Record<string, string> } | undefined {
  for (const { page, names, shape } of patterns) {
    const found = shape.exec(path);
    if (found) return { page, params: Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? ''])) };
  }
  return undefined;
}

/** The parts of the settings page, of which the first is shown at `/settings`. All settings are in `configuration`. */
export const SETTINGS_PARTS = [
  'general',
  'configuration',
  'playing',
  'markers',
  'libraries',
  'profiles',
  'directory',
  'keys',
  'sessions',
  'remote',
  'trusted-https',
  'hardware',
  'tasks',
  'diagnostics',
  'activity',
  'unplaced',
] as const;
