/** The domains of the server, lower ones before those that use them. A new domain is one line here. */
import { activityDomain } from './activity/domain.ts';
import { catalogDomain } from './catalog/domain.ts';
import { configDomain } from './config/domain.ts';
import { dialogueDomain } from './dialogue/domain.ts';
import type { Domain } from './domain.ts';
import { identityDomain } from './identity/domain.ts';
import { listsDomain } from './lists/domain.ts';
import { metadataDomain } from './metadata/domain.ts';
import { opsDomain } from './ops/domain.ts';
import { playbackDomain } from './playback/domain.ts';
import { readingDomain } from './reading/domain.ts';
import { remoteDomain } from './remote/domain.ts';
import { requestsDomain } from './requests/domain.ts';
import { scimDomain } from './scim/domain.ts';
import { speechDomain } from './speech/domain.ts';
import { subtitlesDomain } from './subtitles/domain.ts';
import { supporterDomain } from './supporter/domain.ts';
import { webFilesDomain } from './web-files/domain.ts';

export const DOMAINS: readonly Domain[] = [
  activityDomain,
  configDomain,
  identityDomain,
  scimDomain,
  catalogDomain,
  listsDomain,
  requestsDomain,
  metadataDomain,
  speechDomain,
  subtitlesDomain,
  playbackDomain,
  readingDomain,
  dialogueDomain,
  webFilesDomain,
  supporterDomain,
  remoteDomain,
  opsDomain,
];
