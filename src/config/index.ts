/**
 * The door of the configuration: what every other domain reads, and what an Owner changes.
 *
 * Opened in two steps, because the database's own place is configured: `loadBoot` reads the
 * environment and the YAML file; `createConfig` adds what Owners saved and checks the whole.
 * Either refuses to open on any fault, with every fault named and no value repeated.
 */
export { LOGGING, PROGRAMS, setting, settingGroup } from './setting.ts';
export type { Setting, SettingKey, SettingTypesOf, SettingValue } from './setting.ts';
export { settingSet } from './setting-set.ts';
export type { SettingSet } from './setting-set.ts';
export {
  argument,
  boolean,
  countryCodeOf,
  language,
  listOf,
  oneOf,
  path,
  positiveInteger,
  program,
  secret,
  text,
} from './types/basic.ts';
export { dnsLabel, isLoopbackHost, listenAddress, url } from './types/network.ts';
export { documentText } from './types/basic.ts';
export { duration, time } from './types/time.ts';
export {
  addressSamples,
  booleanSamples,
  choiceSamples,
  keySamples,
  longText,
  pathSamples,
  programSamples,
  providerUrlSamples,
  retentionSamples,
  shortTextSamples,
} from './samples.ts';
export type { LibraryOptions, LibrarySetting } from './types/libraries.ts';
export { wantedEntries } from './types/wanted-subtitles.ts';
export type { WantedSubtitleSetting } from './types/wanted-subtitles.ts';
export type { ListenAddress } from './types/network.ts';
export { isTrustedDomain, isTrustedToken, privateIPv4, trustedHostname } from './types/trusted-https.ts';
export type { TrustedHttps } from './types/trusted-https.ts';
export { poolThreads } from './environment.ts';
export type { Environment } from './environment.ts';
export { ConfigurationRefused } from './faults.ts';
export { loadBoot } from './load.ts';
export type { Boot } from './load.ts';
export { createConfig } from './config.ts';
export type { Config, RecordSetting } from './config.ts';
export type { OwnerTexts } from './pending.ts';
export { openSealer } from './seal.ts';
export type { Sealer } from './seal.ts';
export { configMigrations } from './store.ts';
export { checkCommand } from './check.ts';
export { settingsTable } from './documentation.ts';
