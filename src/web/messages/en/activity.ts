/** English: the activity log, and notices about security. */
import type { EntrySentences } from '../activity.ts';
import { counted } from '../plural.ts';

const of = (what: string): string => (what === '' ? '' : ` “${what}”`);
const items = (count: number): string => counted(count, 'item', 'items');

const security = {
  'set-up': ({ who }) => `${who} set up the server`,
  'sign-in': ({ who, whom, isRefused }) => (isRefused ? `A sign-in as ${whom} was refused` : `${who} signed in`),
  'outside-sign-in': ({ who, whom, isRefused }) =>
    isRefused
      ? `A sign-in as ${whom} through the identity provider was refused`
      : `${who} signed in through the identity provider`,
  'sign-out': ({ who }) => `${who} signed out`,
  proof: ({ who, whom, isRefused }) =>
    isRefused ? `A proof that it is ${whom} was refused` : `${who} confirmed who they are`,
  'device-added': ({ whom, what }) => `${whom} signed in on a new device${of(what)}`,
  'device-forgotten': ({ who, what }) => `${who} removed the device${of(what)}`,
  'session-ended': ({ who, whom, isOwn }) => (isOwn ? `${who} ended a session` : `${who} ended a session of ${whom}`),
  'sessions-ended': ({ who }) => `${who} ended all other sessions`,
  'session-copied': ({ whom }) => `A session of ${whom} was used in another place than its browser, and was ended`,
  'password-changed': ({ who, whom, isRefused }) =>
    isRefused ? `A change of the password of ${whom} was refused` : `${who} changed their password`,
  'password-set': ({ who, whom, isOwn }) => (isOwn ? `${who} set a password` : `${who} set a password for ${whom}`),
  'password-removed': ({ who, whom, isOwn }) =>
    isOwn ? `${who} removed their password` : `${who} removed the password of ${whom}`,
  'factor-exempted': ({ who, whom }) => `${who} exempted ${whom} from the second factor at home`,
  'factor-required': ({ who, whom }) => `${who} ended the exemption of ${whom} from the second factor`,
  'mfa-enrolled': ({ whom }) => `${whom} added an authenticator app`,
  'mfa-removed': ({ who, whom, isOwn }) =>
    isOwn ? `${who} removed their authenticator app` : `${who} removed the authenticator app of ${whom}`,
  'passkey-added': ({ whom, what }) => `${whom} added the passkey${of(what)}`,
  'passkey-removed': ({ whom, what }) => `A passkey of ${whom} was removed${of(what)}`,
  'passkey-suspect': ({ whom, what }) =>
    `The passkey${of(what)} of ${whom} was refused, because there may be a copy of it`,
  'outside-linked': ({ whom }) => `${whom} was linked to an identity of the identity provider`,
  'outside-unlinked': ({ whom }) => `The link of ${whom} to the identity provider was removed`,
  'outside-logout': ({ whom }) => `The identity provider signed ${whom} out`,
  'quick-connect': ({ who, whom, isRefused, isOwn }) =>
    isRefused
      ? `A wrong code of a device was refused`
      : isOwn
        ? `${who} signed a device in with a code`
        : `${who} signed a device in as ${whom} with a code`,
  'pin-set': ({ who, whom, isOwn }) => (isOwn ? `${who} set a PIN` : `${who} set a PIN for ${whom}`),
  'pin-removed': ({ who, whom, isOwn }) => (isOwn ? `${who} removed their PIN` : `${who} removed the PIN of ${whom}`),
  'household-approved': ({ who, what }) => `${who} approved the household device${of(what)}`,
  'household-changed': ({ who, what }) => `${who} changed the household device${of(what)}`,
  'household-removed': ({ who, what }) => `${who} removed the household device${of(what)}`,
  'household-open': ({ whom, what, isRefused }) =>
    isRefused
      ? `Opening ${whom} on the household device${of(what)} was refused`
      : `${whom} was opened on the household device${of(what)}`,
  'household-copied': ({ what }) => `A copy of the household device${of(what)} was used; the device was removed`,
  'key-created': ({ who, what }) => `${who} created the API key${of(what)}`,
  'key-revoked': ({ who, what }) => `${who} revoked the API key${of(what)}`,
  'profile-created': ({ who, whom, word }) => `${who} created ${whom} (${word})`,
  'profile-changed': ({ who, whom }) => `${who} changed ${whom}`,
  'role-changed': ({ who, whom, word }) => `${who} changed the role of ${whom} (${word})`,
  'profile-removed': ({ who, whom }) => `${who} removed ${whom}`,
  'profile-deactivated': ({ whom }) => `The directory deactivated ${whom}`,
  'profile-reactivated': ({ whom }) => `The directory let ${whom} sign in again`,
  'directory-token-created': ({ who }) => `${who} created a token for the directory`,
  'directory-token-revoked': ({ who }) => `${who} ended the token of the directory`,
  'directory-refused': () => 'A wrong token was refused at the addresses of the directory',
  recovery: ({ whom }) => `The password of ${whom} was replaced at the console of the server`,
  'remote-cut': ({ who }) => `${who} cut off access from outside`,
  'remote-allowed': ({ who }) => `${who} allowed access from outside again`,
  expiring: ({ word }) => `A certificate or token is valid until ${word}; the diagnostics say which`,
} as const satisfies Partial<EntrySentences>;

const sentences: EntrySentences = {
  ...security,
  'item-granted': ({ who, whom, what }) =>
    `${who} allowed ${whom} to see${what === '' ? ' an item' : of(what)} for a while`,
  'time-granted': ({ who, whom }) => `${who} gave ${whom} more time today`,
  'grant-revoked': ({ who, whom }) => `${who} took back a permission of ${whom}`,
  'setting-changed': ({ who, word }) => `${who} changed the setting ${word}`,
  'setting-reset': ({ who, word }) => `${who} reset the setting ${word}`,
  'library-added': ({ who, what, word }) => `${who} added the library${of(what)} (${word})`,
  'library-changed': ({ who, what, word }) => `${who} changed the library${of(what)} (${word})`,
  'library-removed': ({ who, what, word }) => `${who} removed the library${of(what)} (${word})`,
  'metadata-edited': ({ who, what }) => `${who} edited the description${of(what)}`,
  'metadata-picture': ({ who, what }) => `${who} chose a picture${of(what)}`,
  'metadata-matched': ({ who, what }) => `${who} matched an item by hand${of(what)}`,
  'metadata-bulk-edited': ({ who, count }) => `${who} edited ${items(count)} at once`,
  'metadata-undone': ({ who, count }) => `${who} took back an edit of ${items(count)}`,
  'subtitle-applied': ({ who, what, word }) => `${who} installed an edited subtitle${of(what)} (${word})`,
  'subtitle-restored': ({ who, what, word }) => `${who} put the preserved subtitle back${of(what)} (${word})`,
  'subtitles-hidden': ({ who, count }) =>
    `${who} hid ${counted(count, 'subtitle file', 'subtitle files')} by the clean-up`,
  'playback-started': ({ who, what }) => `${who} began to play${what === '' ? ' an item' : of(what)}`,
  'playback-ended': ({ who, what, word }) =>
    `${who} stopped playing${what === '' ? ' an item' : of(what)} after ${word}`,
  'task-failed': ({ word }) => `The task “${word}” failed`,
};

export const activityEnglish = {
  sentences,
  unknownKind: ({ kind }: { kind: string }) => `Entry of another version (${kind})`,
  someone: 'Someone',
  theServer: 'The server',
  theConsole: 'The console of the server',
  theDirectory: 'The directory',
  removedProfile: '(removed profile)',
  unknownName: 'an unknown name',
  owner: 'Owner',
  viewer: 'Viewer',
  refused: 'Refused',
  failed: 'Failed',
  fromOutside: 'From outside',
  atHome: 'Home network',
  viaHousehold: 'Household device',
  viaKey: 'API key',
  viaLink: 'Signed link',
  ways: {
    password: 'Password',
    passkey: 'Passkey',
    'quick-connect': 'Code on a device',
    oidc: 'OpenID Connect',
    saml: 'SAML',
    household: 'Household device',
  },
  // The page
  lead:
    'What people did with the server, who was refused, what was played, and what failed. It has no passwords, paths ' +
    'or full addresses.',
  about: 'About',
  everything: 'Everything',
  security: 'Security',
  administration: 'Administration',
  playback: 'Playback',
  system: 'System',
  outcome: 'Outcome',
  anyOutcome: 'Any',
  done: 'Done',
  profile: 'Profile',
  allProfiles: 'All profiles',
  span: 'Time',
  anyTime: 'Since the beginning',
  lastDay: 'Last 24 hours',
  lastWeek: 'Last 7 days',
  lastMonth: 'Last 30 days',
  exportCsv: 'Export as CSV',
  exportJson: 'Export as JSON',
  couldNotBeRead: 'The activity log could not be read',
  nothing: 'Nothing has happened yet',
  nothingSays: 'What people do with the server appears here.',
  nothingFound: 'No entry fits the filters',
  nothingFoundSays: 'Choose another time, or clear the filters.',
  clearFilters: 'Clear filters',
  entries: ({ count }: { count: number }) => counted(count, 'entry', 'entries'),
  showEarlier: 'Show earlier',
  unchecked: 'The log was not checked since the server started.',
  whole: ({ when, entries }: { when: string; entries: string }) =>
    `Checked ${when}: ${entries}, none changed or removed without the server.`,
  broken: ({ number, when }: { number: string; when: string }) =>
    `Checked ${when}: the log breaks at entry ${number}. It was changed without the server. Stop the server and run ` +
    '“npm start -- audit verify” for details.',
  checkNow: 'Check now',
  checking: 'The log is being checked.',
  // Notices
  notices: 'Security events',
  noticesSay: 'What happened to your ways in. Owners also see those of others, new keys, and what expires.',
  noNotices: 'No new events.',
  noticesCouldNotBe: 'The security events could not be read',
  markSeen: 'Mark all as seen',
  markedSeen: 'Marked as seen',
  notYou: 'Was it not you? Change your password, and sign out devices that you do not know.',
  showSeen: 'Show earlier events',
  hideSeen: 'Hide earlier events',
  isNew: 'New',
};
