/**
 * All settings of the server, in the order of the domains. They are read from where they are declared and load no
 * domain: the configuration and its commands need nothing else.
 */
import { activitySettings } from './activity/settings.ts';
import { catalogSettings } from './catalog/settings.ts';
import { settingSet } from './config/index.ts';
import { laterSettings } from './config/later.ts';
import { serverSettings } from './config/settings.ts';
import { dialogueSettings } from './dialogue/settings.ts';
import { identitySettings } from './identity/settings.ts';
import { metadataSettings } from './metadata/settings.ts';
import { opsSettings } from './ops/settings.ts';
import { playbackSettings } from './playback/settings.ts';
import { certificateSettings } from './remote/certificates/settings.ts';
import { remoteSettings } from './remote/settings.ts';
import { subtitleSettings } from './subtitles/settings.ts';
import { supporterSettings } from './supporter/settings.ts';

export const SETTINGS = settingSet([
  ...activitySettings,
  ...serverSettings,
  ...laterSettings,
  ...identitySettings,
  ...catalogSettings,
  ...metadataSettings,
  ...subtitleSettings,
  ...playbackSettings,
  ...dialogueSettings,
  ...supporterSettings,
  ...remoteSettings,
  ...certificateSettings,
  ...opsSettings,
]);
