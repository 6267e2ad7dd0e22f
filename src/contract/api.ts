/** Every group of the versioned API and of the byte routes: what the client can call. */
import { activity, security } from './activity/activity.ts';
import { catalog } from './catalog/browsing.ts';
import { libraries } from './catalog/libraries.ts';
import { onlineMetadata } from './metadata/metadata.ts';
import { photos } from './catalog/photos.ts';
import { audiobooks } from './catalog/listened-books.ts';
import { music } from './catalog/music.ts';
import { people } from './catalog/people.ts';
import { ratings } from './catalog/ratings.ts';
import { metadata } from './catalog/metadata.ts';
import { watching } from './catalog/watching.ts';
import { dialogue } from './dialogue/search.ts';
import { configuration } from './config/configuration.ts';
import { appearance } from './identity/appearance.ts';
import { household } from './identity/household.ts';
import { me, session, setup } from './identity/accounts.ts';
import { oidc, outside, saml } from './identity/outside.ts';
import { markerAnalysis, markers, markerSuggestions } from './playback/markers.ts';
import { media } from './playback/media.ts';
import { diagnostics, events, tasks } from './ops/operations.ts';
import { hardware } from './playback/hardware.ts';
import { hls } from './playback/hls.ts';
import { playback } from './playback/plan.ts';
import { trickplay } from './playback/trickplay.ts';
import { playbackSessions } from './playback/sessions.ts';
import { collections } from './lists/collections.ts';
import { playlists } from './lists/playlists.ts';
import { smartPlaylists } from './lists/smart-playlists.ts';
import { bookBytes, reader } from './reading/reader.ts';
import { apiKeys } from './identity/api-keys.ts';
import { profiles } from './identity/profiles.ts';
import { passkeys } from './identity/passkeys.ts';
import { viewing } from './identity/viewing.ts';
import { waysIn } from './identity/ways-in.ts';
import { quickConnect } from './identity/quick-connect.ts';
import { ownSessions, sessions } from './identity/sessions.ts';
import { remoteAccess } from './remote/remote-access.ts';
import { trustedHttpsEndpoints } from './remote/trusted-https.ts';
import { requests } from './requests/requests.ts';
import { supporter } from './supporter/supporter.ts';
import { restart } from './ops/restart.ts';
import { directory } from './scim/directory.ts';
import { service } from './ops/service.ts';
import { subtitleAudit } from './subtitles/audit.ts';
import { subtitles } from './subtitles/library.ts';
import { wantedSubtitles } from './subtitles/wanted.ts';
import { workbench } from './subtitles/workbench.ts';

export const api = {
  service,
  setup,
  session,
  me,
  outside,
  oidc,
  saml,
  profiles,
  passkeys,
  quickConnect,
  apiKeys,
  sessions,
  ownSessions,
  household,
  directory,
  viewing,
  waysIn,
  appearance,
  requests,
  supporter,
  catalog,
  libraries,
  photos,
  music,
  people,
  watching,
  audiobooks,
  ratings,
  metadata,
  onlineMetadata,
  collections,
  playlists,
  smartPlaylists,
  media,
  hls,
  bookBytes,
  reader,
  dialogue,
  playback,
  playbackSessions,
  trickplay,
  markers,
  markerAnalysis,
  markerSuggestions,
  hardware,
  subtitles,
  wantedSubtitles,
  subtitleAudit,
  workbench,
  configuration,
  tasks,
  events,
  diagnostics,
  restart,
  remoteAccess,
  trustedHttps: trustedHttpsEndpoints,
  activity,
  security,
};
export type Api = typeof api;
