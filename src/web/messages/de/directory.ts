/** German: the directory that manages Profiles over SCIM. */
import type { Translation } from '../catalogue.ts';
import type { directoryEnglish } from '../en/directory.ts';

export const directoryGerman: Translation<typeof directoryEnglish> = {
  lead:
    'Ein Verzeichnisdienst wie Microsoft Entra ID oder Okta kann hier Profile für Zuschauer anlegen, umbenennen, ' +
    'deaktivieren und entfernen (SCIM 2.0). Er sieht nur Profile, die er selbst angelegt hat. Was sie sehen dürfen, ' +
    'wird weiterhin hier entschieden.',
  couldNotBeRead: 'Die Angaben zum Verzeichnisdienst ließen sich nicht lesen',
  baseAddress: 'Basisadresse',
  baseAddressSays:
    'Trage sie beim Verzeichnisdienst ein. Sie gilt nur im Heimnetz; ein Dienst in der Cloud braucht deshalb dort ' +
    'seinen Agenten. Ersetze den ersten Teil, wenn der Agent den Server unter einem anderen Namen oder einer anderen ' +
    'Adresse erreicht.',
  copyAddress: 'Basisadresse kopieren',
  token: 'Token',
  noToken: 'Kein Verzeichnisdienst verbunden',
  noTokenSays:
    'Erstelle einen Token und trage ihn beim Verzeichnisdienst ein. Er wird einmal angezeigt und läuft nach ' +
    'höchstens 90 Tagen ab.',
  createToken: 'Token erstellen',
  replaceToken: 'Token ersetzen',
  replaceSays: 'Der jetzige Token gilt sofort nicht mehr. Trage den neuen beim Verzeichnisdienst ein.',
  endToken: 'Token widerrufen',
  endTokenQuestion: 'Token widerrufen?',
  endTokenSays:
    'Der Verzeichnisdienst kann hier keine Profile mehr ändern. Profile, die er angelegt hat, bleiben, wie sie sind.',
  tokenEnded: 'Token widerrufen.',
  endsOn: ({ date }) => `Läuft ab am ${date}`,
  endedOn: ({ date }) => `Abgelaufen am ${date}`,
  lastUsed: ({ when }) => `Zuletzt benutzt: ${when}`,
  neverUsed: 'Noch nicht benutzt',
  expiredSays: 'Der Token ist abgelaufen: Der Verzeichnisdienst kann hier keine Profile ändern. Erstelle einen neuen.',
  managed: 'Der Token ist durch die Umgebung oder die YAML-Datei festgelegt. Ändere ihn dort.',
  life: 'Läuft ab nach',
  days: ({ count }) => `${count} Tagen`,
  theToken: 'Der Token des Verzeichnisdienstes',
  shownOnce: 'Er wird nur dieses eine Mal angezeigt. Trage ihn jetzt beim Verzeichnisdienst ein.',
  profiles: 'Profile vom Verzeichnisdienst',
  noProfiles: 'Noch keine Profile',
  noProfilesSays: 'Sie erscheinen hier, sobald der Verzeichnisdienst Personen geschickt hat.',
  active: 'Aktiv',
  inactive: 'Deaktiviert',
  removed: 'Entfernt',
  deletedOn: ({ date }) => `wird am ${date} gelöscht, falls der Dienst es nicht wiederherstellt`,
  fromDirectory: 'Vom Verzeichnisdienst',
  nameIsTheirs: 'Den Namen bestimmt der Verzeichnisdienst. Ändere ihn dort.',
  inactiveSays: 'Der Verzeichnisdienst hat dieses Profil deaktiviert: Niemand kann sich damit anmelden.',
  removedSays: ({ date }) =>
    `Der Verzeichnisdienst hat dieses Profil entfernt. Am ${date} wird es mit seinem Verlauf gelöscht, falls der Dienst es nicht wiederherstellt.`,
  linkedByDirectory: 'Dein Verzeichnisdienst hat diese Identität verbunden. Nur er kann das rückgängig machen.',
};
