/** German: the groups of settings, the features that settings wait for, and words about the converter. */
import { SUBTITLE_PROVIDERS } from '../../../contract/subtitles/providers.ts';

const { subtitles_a: A, subtitles_b: B, subtitles_c: C } = SUBTITLE_PROVIDERS;

export const settingGroupsGerman: Readonly<Record<string, string>> = {
  server: 'Server',
  tls: 'HTTPS',
  paths: 'Ordner',
  libraries: 'Bibliotheken',
  binaries: 'Programme',
  logging: 'Protokoll',
  database: 'Datenbank',
  supporter: 'Unterstützer',
  dlna: 'DLNA',
  remote: 'Fernzugriff',
  'integrations.metadata': 'Metadatenanbieter',
  'integrations.media_compat': 'Apps anderer Server',
  'integrations.home_automation': 'Hausautomation',
  'integrations.mcp': 'Agenten',
  'integrations.webhook': 'Webhook',
  security: 'Sicherheit',
  auth: 'Anmeldung',
  'integrations.oidc': 'Einmalanmeldung mit OpenID Connect',
  'integrations.saml': 'Einmalanmeldung mit SAML',
  'integrations.scim': 'Bereitstellung mit SCIM',
  scanning: 'Scannen',
  metadata: 'Metadaten',
  search: 'Suche',
  subtitles: 'Untertitel',
  'integrations.subtitles': 'Untertitelanbieter',
  'integrations.subtitles_a': A.title,
  'integrations.subtitles_b': B.title,
  'integrations.subtitles_c': C.title,
  playback: 'Wiedergabe',
  transcoding: 'Videoumwandlung',
  backup: 'Backup',
};

/** Features that settings wait for, by their English names. */
export const laterFeaturesGerman: Readonly<Record<string, string>> = {
  DLNA: 'DLNA',
  'Apps of other servers': 'Apps anderer Server',
  'Home automation': 'Hausautomation',
  'Agent connections': 'Verbindungen von Agenten',
  Webhooks: 'Webhooks',
  'Passkeys and sign-in through others': 'Passkeys und Anmeldung über andere Dienste',
  'Sign-in with OpenID Connect': 'Anmeldung mit OpenID Connect',
  'Encrypted backups': 'Verschlüsselte Backups',
};

export const converterGerman = (accelerator: string | undefined): string =>
  accelerator === undefined
    ? 'Der Prozessor wandelt Video um.'
    : `${accelerator} wandelt Video um und hat den Test bestanden.`;
export const absentAcceleratorGerman = 'Auf diesem Rechner nicht gefunden.';
