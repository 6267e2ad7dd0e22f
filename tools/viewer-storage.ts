/**
 * Storage of Viewers, with number, size and cost of reading it: the table in docs/security.md. Numbers are the
 * constants that the code enforces, and times are those that bench/viewer-storage.ts last measured. A test finds tables
 * that are missing here.
 */
import measured from '../bench/viewer-storage.json' with { type: 'json' };
import { ONE_BY_ONE } from '../src/activity/repeats.ts';
import { MAX_HISTORY, MAX_READ_HISTORY } from '../src/catalog/store/watching.ts';
import { MAX_NOTICES } from '../src/contract/activity/activity.ts';
import { MAX_LAST_PLACES } from '../src/contract/catalog/listened-books.ts';
import { MAX_RULE_BYTES } from '../src/contract/catalog/rule-fields.ts';
import { MAX_HOME_ROWS } from '../src/contract/identity/home.ts';
import { MAX_PASSKEYS } from '../src/contract/identity/passkeys.ts';
import { PAGE_LIMIT } from '../src/contract/kernel/common.ts';
import { MAX_UPLOAD_BYTES } from '../src/contract/kernel/pictures.ts';
import {
  MAX_DELETED_PLAYLISTS,
  MAX_ENTRIES_OF_PROFILE,
  MAX_PLAYLIST_ENTRIES,
  MAX_PLAYLISTS,
  MAX_SHARED_PLAYLISTS,
} from '../src/contract/lists/playlists.ts';
import { MAX_RULE_BYTES_OF_PROFILE } from '../src/contract/lists/smart-playlists.ts';
import { MAX_LISTED_REQUESTS, MAX_OPEN_REQUESTS, MAX_REQUEST_WORDS } from '../src/contract/requests/limits.ts';
import { MAX_DEVICES } from '../src/identity/accounts/devices.ts';
import { MAX_SESSIONS } from '../src/identity/accounts/sessions.ts';
import { MAX_STARTED, MAX_UNSTARTED } from '../src/playback/session/sessions.ts';

/** Maximum bytes of a reply that lists what Viewers stored. test/viewer-storage.test.ts reads all of them. */
export const MAX_LIST_BYTES = 1024 * 1024;

interface ViewerStorage {
  /** Its name for people. */
  what: string;
  tables: readonly string[];
  /** How many, of one Profile. */
  number: string;
  /** How large each is. */
  size: string;
  /** How it is read, and what that costs. */
  read: string;
}

/** Result of bench/viewer-storage.ts. */
export interface MeasuredReads {
  /** Day of the measurement. */
  date: string;
  machine: string;
  /** Number of items that the Viewer may see. */
  items: number;
  reads: {
    /** The row of the table. */
    what: string;
    path: string;
    bytes: number;
    /** Time of the first request after the start, in ms. */
    firstMs: number;
    /** Time of later ones, in ms. */
    ms: number;
    /** Processor time of later ones, in ms. */
    cpuMs: number;
  }[];
}

const count = (value: number): string => value.toLocaleString('en');
const kib = (bytes: number): string => `${count(bytes / 1024)} KiB`;
const PAGE = `pages of ${PAGE_LIMIT.most}`;

export const STORED_BY_VIEWERS: readonly ViewerStorage[] = [
  {
    what: 'Playlists',
    tables: ['lists_playlist', 'lists_entry'],
    number:
      `${count(MAX_PLAYLISTS)}, of which ${MAX_SHARED_PLAYLISTS} shared; ${count(MAX_PLAYLIST_ENTRIES)} entries each, ` +
      `${count(MAX_ENTRIES_OF_PROFILE)} together with removed ones and those of ${MAX_DELETED_PLAYLISTS} deleted playlists`,
    size: 'name of 200 characters; entry of ids and times',
    read: `${PAGE}; a list reads the entries of the page, and the shared playlists of others up to the first visible entry`,
  },
  {
    what: 'Smart playlists',
    tables: ['lists_smart'],
    number: `${count(MAX_PLAYLISTS)}, and ${MAX_DELETED_PLAYLISTS} deleted ones`,
    size: `rules of ${kib(MAX_RULE_BYTES)}, ${kib(MAX_RULE_BYTES_OF_PROFILE)} together without deleted ones`,
    read:
      `${PAGE} without rules, ended after 2 s of evaluation; one evaluation at a time for each Profile, in slices of ` +
      'some milliseconds and up to a second in all with 100,000 items, followed by a pause of the same length',
  },
  {
    what: 'Position, rating, My List of an item',
    tables: ['catalog_watch'],
    number: 'one for each item that the Profile may see',
    size: 'numbers and times, about 150 bytes',
    read: 'in memory for 32 Profiles; lists in pages of the library',
  },
  {
    what: 'Watch history',
    tables: ['catalog_history'],
    number: `${count(MAX_HISTORY)} entries, the oldest go first; or the time of the settings, if that is shorter`,
    size: 'ids and times, about 120 bytes',
    read: `${PAGE}, read from the latest ${count(MAX_READ_HISTORY)}`,
  },
  {
    what: 'Last places and preferences of an audiobook',
    tables: ['catalog_places', 'catalog_listening'],
    number: `${MAX_LAST_PLACES} places for each audiobook, the oldest go first; one set of preferences`,
    size: 'ids, times and the name of a device of 64 characters',
    read: `one reply of ${MAX_LAST_PLACES}`,
  },
  {
    what: 'Playback sessions',
    tables: ['playback_session'],
    number: `${MAX_UNSTARTED} planned and ${MAX_STARTED} played, the oldest go first; forgotten after 12 hours`,
    size: 'recipe of a few KiB, made by the server',
    read: `Owners: ${PAGE}`,
  },
  {
    what: 'Requests',
    tables: ['requests_request'],
    number: `${MAX_OPEN_REQUESTS} open; 10 in ten minutes, 60 a day; kept for 30 days`,
    size: `${MAX_REQUEST_WORDS} characters`,
    read: `one reply of ${MAX_LISTED_REQUESTS}`,
  },
  {
    what: 'Preferences and face',
    tables: ['identity_picture'],
    number: `one of each; ${MAX_HOME_ROWS} rows of the home page, 8 languages of sound and of subtitles`,
    size: `picture of 352 × 352 pixels, encoded again from an upload of ${kib(MAX_UPLOAD_BYTES)}`,
    read: 'one reply each',
  },
  {
    what: 'Sessions and devices',
    tables: ['identity_session', 'identity_device'],
    number: `${MAX_SESSIONS} sessions, ${MAX_DEVICES} devices; the oldest go first`,
    size: 'ids, times and a name of 64 characters',
    read: PAGE,
  },
  {
    what: 'Passkeys',
    tables: ['identity_passkey'],
    number: String(MAX_PASSKEYS),
    size: 'about 1 KiB',
    read: `one reply of ${MAX_PASSKEYS}`,
  },
  {
    what: 'Links to an identity provider',
    tables: ['identity_link'],
    number: 'one for each protocol',
    size: 'subject of 255 and label of 128 characters',
    read: 'with the Profile',
  },
  {
    what: 'Time that was played',
    tables: ['identity_watched'],
    number: 'one number a day, kept while it counts',
    size: 'a number',
    read: 'with the Profile',
  },
  {
    what: 'Activity log and notices',
    tables: ['activity_entry', 'activity_notice'],
    number:
      'what the Profile does, for the time of the settings; refusals that repeat are merged, and after ' +
      `${ONE_BY_ONE.record} actions of a kind in an hour (${ONE_BY_ONE.playback} of playback) there is one entry a minute`,
    size: 'ids and words of the server, no text of a Viewer',
    read: `Owners: ${PAGE}; notices: the latest ${MAX_NOTICES}`,
  },
];

/** Tables with the id of a Profile in which no request of a Viewer stores anything, and who does. */
export const NOT_STORED_BY_VIEWERS: Readonly<Record<string, string>> = {
  identity_removed: 'the list of removed Profiles, of which the last 1,000 are kept',
  identity_key: 'API keys of Owners',
  identity_household_profile: 'Viewers of the pickers, whom Owners choose',
  identity_directory_user: 'Profiles that a directory manages',
};

const [OPENS, CLOSES] = ['<!-- viewer storage: generated -->', '<!-- end of viewer storage -->'];

/** Returns what was measured of a row of the table. */
const costOf = (row: string, { reads }: MeasuredReads): string =>
  reads
    .filter(({ what }) => what === row)
    .map(
      ({ path, bytes, firstMs, ms, cpuMs }) =>
        `\`GET ${path}\`: first ${count(firstMs)} ms, then ${count(ms)} ms (processor ${count(cpuMs)} ms), ` +
        `${count(Math.ceil(bytes / 1024))} KiB`,
    )
    .join('<br>');

/** Returns a guide with the table between its marks replaced. */
export function withViewerStorage(guide: string, figures: MeasuredReads = measured): string {
  const [from, to] = [guide.indexOf(OPENS), guide.indexOf(CLOSES)];
  if (from < 0 || to < from) throw new Error(`the guide has no place for the table: ${OPENS} … ${CLOSES}`);
  const unknown = figures.reads.find(({ what }) => !STORED_BY_VIEWERS.some((row) => row.what === what));
  if (unknown) throw new Error(`bench/viewer-storage.json has a row that the table has not: ${unknown.what}`);
  const rows = STORED_BY_VIEWERS.map(
    ({ what, number, size, read }) => `| ${what} | ${number} | ${size} | ${read} | ${costOf(what, figures)} |`,
  );
  return (
    `${guide.slice(0, from + OPENS.length)}\n\n` +
    `| What | Number | Size | Reading it | Measured |\n|---|---|---|---|---|\n` +
    `${rows.join('\n')}\n\n` +
    `Measured on ${figures.date} by \`bench/viewer-storage.ts\`, with each of these filled to its bound for one ` +
    `Profile and ${count(figures.items)} items: ${figures.machine}. An empty cell was not measured.\n\n` +
    guide.slice(to)
  );
}
