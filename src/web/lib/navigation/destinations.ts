/**
 * The pages that navigation leads to, declared once: the sidebar, the phone's bar and its menu, page titles
 * and the parts of the settings are derived from these tables. Labels are functions, because words are loaded later
 * than this module.
 */
import bookmark from 'lucide/dist/esm/icons/bookmark.mjs';
import captions from 'lucide/dist/esm/icons/captions.mjs';
import layers from 'lucide/dist/esm/icons/layers.mjs';
import listVideo from 'lucide/dist/esm/icons/list-video.mjs';
import film from 'lucide/dist/esm/icons/film.mjs';
import hand from 'lucide/dist/esm/icons/hand.mjs';
import house from 'lucide/dist/esm/icons/house.mjs';
import search from 'lucide/dist/esm/icons/search.mjs';
import settings from 'lucide/dist/esm/icons/settings.mjs';
import user from 'lucide/dist/esm/icons/circle-user-round.mjs';
import clock from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs';
import type { IconNode } from 'lucide';
import type { Page, SETTINGS_PARTS } from '../../../contract/dashboard/pages.ts';
import { shellWords } from '../../messages/shell.ts';

/** Pages whose address has no parameters. */
export type PlainPage = Exclude<
  Page,
  | 'item'
  | 'show'
  | 'book'
  | 'series'
  | 'reader'
  | 'playlist'
  | 'collection'
  | 'smartPlaylist'
  | 'smartPlaylistEdit'
  | 'player'
  | 'subtitleItem'
  | 'subtitleEdit'
  | 'settingsPart'
  | 'album'
  | 'audiobook'
  | 'audiobookSeries'
  | 'artist'
  | 'person'
>;

export interface Destination {
  page: PlainPage;
  label: () => string;
  icon: IconNode;
  /** `libraries` is followed by the libraries themselves; `owner` is for Owners only. `requests` is among either. */
  section: 'main' | 'requests' | 'libraries' | 'owner' | 'account';
  /** Whether the phone's bar has room for it. The others are in the menu of the bar. */
  isInBar: boolean;
  /** Other pages on which this one is marked as current. */
  covers?: readonly Page[];
}

export const DESTINATIONS = {
  home: { page: 'home', label: () => shellWords.home, icon: house, section: 'main', isInBar: true },
  library: {
    page: 'library',
    label: () => shellWords.library,
    icon: film,
    section: 'libraries',
    isInBar: true,
  },
  search: { page: 'search', label: () => shellWords.search, icon: search, section: 'main', isInBar: true },
  list: { page: 'list', label: () => shellWords.myList, icon: bookmark, section: 'main', isInBar: true },
  playlists: {
    page: 'playlists',
    label: () => shellWords.playlists,
    icon: listVideo,
    section: 'main',
    isInBar: false,
    covers: ['playlist', 'smartPlaylist', 'smartPlaylistEdit'],
  },
  collections: {
    page: 'collections',
    label: () => shellWords.collections,
    icon: layers,
    section: 'main',
    isInBar: false,
    covers: ['collection'],
  },
  history: { page: 'history', label: () => shellWords.history, icon: clock, section: 'main', isInBar: false },
  requests: {
    page: 'requests',
    label: () => shellWords.requests,
    icon: hand,
    section: 'requests',
    isInBar: false,
  },
  subtitles: {
    page: 'subtitles',
    label: () => shellWords.subtitles,
    icon: captions,
    section: 'owner',
    isInBar: false,
    covers: ['subtitleItem', 'subtitleCleanup', 'subtitleTiming'],
  },
  settings: {
    page: 'settings',
    label: () => shellWords.settings,
    icon: settings,
    section: 'owner',
    isInBar: false,
    covers: ['settingsPart'],
  },
  account: {
    page: 'account',
    label: () => shellWords.account,
    icon: user,
    section: 'account',
    isInBar: false,
    covers: ['about'],
  },
} as const satisfies Readonly<Record<string, Destination>>;

const all: readonly Destination[] = Object.values(DESTINATIONS);

/** Returns the destinations of some sections, in the order in which they are shown. */
export const destinationsIn = (...sections: readonly Destination['section'][]): Destination[] =>
  all.filter(({ section }) => sections.includes(section));

/** Returns whether a destination is marked as current on a page. */
export const isCurrent = ({ page, covers = [] }: Destination, on: Page | undefined): boolean =>
  on !== undefined && (page === on || covers.includes(on));

export type SettingsPart = (typeof SETTINGS_PARTS)[number];
/** Labels of the parts of the settings, in the order in which they are shown. */
export const SETTINGS_LABELS: Readonly<Record<SettingsPart, () => string>> = {
  general: () => shellWords.general,
  libraries: () => shellWords.libraries,
  profiles: () => shellWords.profiles,
  playing: () => shellWords.nowPlaying,
  sessions: () => shellWords.sessionsAndDevices,
  remote: () => shellWords.accessFromOutside,
  'trusted-https': () => shellWords.httpsAtHome,
  hardware: () => shellWords.videoConversion,
  markers: () => shellWords.introsAndCredits,
  unplaced: () => shellWords.unmatchedFiles,
  tasks: () => shellWords.tasks,
  diagnostics: () => shellWords.diagnostics,
  activity: () => shellWords.activity,
  directory: () => shellWords.directory,
  keys: () => shellWords.apiKeys,
  configuration: () => shellWords.advanced,
};
export const isSettingsPart = (name: string | undefined): name is SettingsPart =>
  name !== undefined && Object.hasOwn(SETTINGS_LABELS, name);
