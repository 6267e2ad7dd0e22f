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
  playlists: '/playlists',
  playlist: '/playlist/{id}',
  smartPlaylist: '/smart-playlist/{id}',
  smartPlaylistEdit: '/smart-playlist/{id}/edit',
  item: '/item/{id}',
  show: '/show/{id}',
  album: '/album/{id}',
  audiobook: '/audiobook/{id}',
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
/** The parts of the settings page, of which the first is shown at `/settings`. All settings are in `configuration`. */
export const SETTINGS_PARTS = [
  'general',
  'configuration',
  'playing',
  'markers',
  'libraries',
  'profiles',
  'keys',
  'sessions',
  'hardware',
  'tasks',
  'diagnostics',
  'unplaced',
] as const;
