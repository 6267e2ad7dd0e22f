/** German: the activity log, and notices about security. */
import type { EntryKindNames, EntrySentences } from '../activity.ts';
import type { Translation } from '../catalogue.ts';
import type { activityEnglish } from '../en/activity.ts';
import { counted } from '../plural.ts';

const of = (what: string): string => (what === '' ? '' : ` „${what}“`);
const items = (count: number): string => counted(count, 'Titel', 'Titeln');

const security = {
  'set-up': ({ who }) => `${who} hat den Server eingerichtet`,
  'sign-in': ({ who, whom, isRefused }) =>
    isRefused ? `Eine Anmeldung als ${whom} wurde abgelehnt` : `${who} hat sich angemeldet`,
  'outside-sign-in': ({ who, whom, isRefused }) =>
    isRefused
      ? `Eine Anmeldung als ${whom} über den Identitätsanbieter wurde abgelehnt`
      : `${who} hat sich über den Identitätsanbieter angemeldet`,
  'sign-out': ({ who }) => `${who} hat sich abgemeldet`,
  proof: ({ who, whom, isRefused }) =>
    isRefused ? `Die Identitätsbestätigung von ${whom} wurde abgelehnt` : `${who} hat die eigene Identität bestätigt`,
  'device-added': ({ whom, what }) => `${whom} hat sich an einem neuen Gerät angemeldet${of(what)}`,
  'device-forgotten': ({ who, what }) => `${who} hat das Gerät${of(what)} entfernt`,
  'session-ended': ({ who, whom, isOwn }) =>
    isOwn ? `${who} hat eine Sitzung beendet` : `${who} hat eine Sitzung von ${whom} beendet`,
  'sessions-ended': ({ who }) => `${who} hat alle anderen Sitzungen beendet`,
  'session-copied': ({ whom }) => `Eine Sitzung von ${whom} wurde außerhalb ihres Browsers benutzt und deshalb beendet`,
  'password-changed': ({ who, whom, isRefused }) =>
    isRefused ? `Eine Änderung des Passworts von ${whom} wurde abgelehnt` : `${who} hat das eigene Passwort geändert`,
  'password-set': ({ who, whom, isOwn }) =>
    isOwn ? `${who} hat ein Passwort gesetzt` : `${who} hat ein Passwort für ${whom} gesetzt`,
  'password-removed': ({ who, whom, isOwn }) =>
    isOwn ? `${who} hat das eigene Passwort entfernt` : `${who} hat das Passwort von ${whom} entfernt`,
  'factor-exempted': ({ who, whom }) => `${who} hat ${whom} zu Hause vom zweiten Faktor befreit`,
  'factor-required': ({ who, whom }) => `${who} hat die Befreiung vom zweiten Faktor beendet: ${whom}`,
  'mfa-enrolled': ({ whom }) => `${whom} hat eine Authenticator-App eingerichtet`,
  'mfa-removed': ({ who, whom, isOwn }) =>
    isOwn
      ? `${who} hat die eigene Authenticator-App entfernt`
      : `${who} hat die Authenticator-App von ${whom} entfernt`,
  'passkey-added': ({ whom, what }) => `${whom} hat den Passkey${of(what)} hinzugefügt`,
  'passkey-renamed': ({ whom, what }) => `${whom} hat einen Passkey umbenannt${of(what)}`,
  'passkey-removed': ({ whom, what }) => `Ein Passkey von ${whom} wurde entfernt${of(what)}`,
  'passkey-suspect': ({ whom, what }) =>
    `Der Passkey${of(what)} von ${whom} wurde abgelehnt, weil es eine Kopie davon geben könnte`,
  'outside-linked': ({ whom }) => `${whom} wurde mit dem Identitätsanbieter verknüpft`,
  'outside-unlinked': ({ whom }) => `Die Verknüpfung von ${whom} mit dem Identitätsanbieter wurde entfernt`,
  'outside-logout': ({ whom }) => `Der Identitätsanbieter hat ${whom} abgemeldet`,
  'quick-connect': ({ who, whom, isRefused, isOwn }) =>
    isRefused
      ? 'Ein falscher Code eines Geräts wurde abgelehnt'
      : isOwn
        ? `${who} hat ein Gerät mit einem Code angemeldet`
        : `${who} hat ein Gerät mit einem Code als ${whom} angemeldet`,
  'pin-set': ({ who, whom, isOwn }) =>
    isOwn ? `${who} hat eine PIN gesetzt` : `${who} hat eine PIN für ${whom} gesetzt`,
  'pin-removed': ({ who, whom, isOwn }) =>
    isOwn ? `${who} hat die eigene PIN entfernt` : `${who} hat die PIN von ${whom} entfernt`,
  'household-approved': ({ who, what }) => `${who} hat das Haushaltsgerät${of(what)} freigegeben`,
  'household-changed': ({ who, what }) => `${who} hat das Haushaltsgerät${of(what)} geändert`,
  'household-removed': ({ who, what }) => `${who} hat das Haushaltsgerät${of(what)} entfernt`,
  'household-open': ({ whom, what, isRefused }) =>
    isRefused
      ? `Auf dem Haushaltsgerät${of(what)} durfte ${whom} nicht geöffnet werden`
      : `Auf dem Haushaltsgerät${of(what)} wurde ${whom} geöffnet`,
  'household-copied': ({ what }) => `Eine Kopie des Haushaltsgeräts${of(what)} wurde benutzt; das Gerät wurde entfernt`,
  'key-created': ({ who, what }) => `${who} hat den API-Schlüssel${of(what)} erstellt`,
  'key-revoked': ({ who, what }) => `${who} hat den API-Schlüssel${of(what)} widerrufen`,
  'profile-created': ({ who, whom, word }) => `${who} hat ${whom} angelegt (${word})`,
  'profile-changed': ({ who, whom }) => `${who} hat ${whom} geändert`,
  'role-changed': ({ who, whom, word }) => `${who} hat die Rolle von ${whom} geändert (${word})`,
  'profile-removed': ({ who, whom }) => `${who} hat ${whom} entfernt`,
  'profile-deactivated': ({ whom }) => `Der Verzeichnisdienst hat ${whom} deaktiviert`,
  'profile-reactivated': ({ whom }) => `Der Verzeichnisdienst hat ${whom} wieder aktiviert`,
  'directory-token-created': ({ who }) => `${who} hat einen Token für den Verzeichnisdienst erstellt`,
  'directory-token-revoked': ({ who }) => `${who} hat den Token des Verzeichnisdienstes widerrufen`,
  'directory-refused': () => 'Eine Anfrage des Verzeichnisdienstes mit einem falschen Token wurde abgelehnt',
  recovery: ({ whom }) => `Das Passwort von ${whom} wurde an der Konsole des Servers zurückgesetzt`,
  'remote-cut': ({ who }) => `${who} hat den Fernzugriff gesperrt`,
  'remote-allowed': ({ who }) => `${who} hat den Fernzugriff wieder erlaubt`,
  'remote-proof': ({ who }) => `${who} hat den Fernzugriff von Dritten prüfen lassen`,
  expiring: ({ word }) => `Ein Zertifikat oder Token gilt bis ${word}; welches, steht in der Diagnose`,
} as const satisfies Partial<EntrySentences>;

const sentences: EntrySentences = {
  ...security,
  'item-granted': ({ who, whom, what }) =>
    `${who} hat${what === '' ? ' einen Titel' : of(what)} eine Zeit lang erlaubt: ${whom}`,
  'time-granted': ({ who, whom }) => `${who} hat für heute mehr Zeit gegeben: ${whom}`,
  'grant-revoked': ({ who, whom }) => `${who} hat eine Erlaubnis von ${whom} zurückgenommen`,
  'setting-changed': ({ who, word }) => `${who} hat die Einstellung ${word} geändert`,
  'setting-reset': ({ who, word }) => `${who} hat die Einstellung ${word} zurückgesetzt`,
  'library-added': ({ who, what, word }) => `${who} hat die Bibliothek${of(what)} hinzugefügt (${word})`,
  'library-changed': ({ who, what, word }) => `${who} hat die Bibliothek${of(what)} geändert (${word})`,
  'library-removed': ({ who, what, word }) => `${who} hat die Bibliothek${of(what)} entfernt (${word})`,
  'metadata-edited': ({ who, what }) => `${who} hat die Beschreibung bearbeitet${of(what)}`,
  'metadata-picture': ({ who, what }) => `${who} hat ein Bild gewählt${of(what)}`,
  'metadata-matched': ({ who, what }) => `${who} hat einen Titel von Hand zugeordnet${of(what)}`,
  'metadata-bulk-edited': ({ who, count }) => `${who} hat eine Änderung an ${items(count)} vorgenommen`,
  'metadata-undone': ({ who, count }) => `${who} hat eine Änderung an ${items(count)} rückgängig gemacht`,
  'subtitle-applied': ({ who, what, word }) => `${who} hat bearbeitete Untertitel eingesetzt${of(what)} (${word})`,
  'subtitle-restored': ({ who, what, word }) =>
    `${who} hat die gesicherten Untertitel wiederhergestellt${of(what)} (${word})`,
  'subtitles-hidden': ({ who, count }) =>
    `${who} hat beim Aufräumen ${counted(count, 'Untertiteldatei', 'Untertiteldateien')} ausgeblendet`,
  'supporter-activated': ({ who }) => `${who} hat einen Unterstützerschlüssel eingegeben`,
  'playback-started': ({ who, what }) =>
    `${who} hat begonnen, ${what === '' ? 'einen Titel' : of(what).trim()} abzuspielen`,
  'playback-ended': ({ who, what, word }) =>
    `${who} hat ${what === '' ? 'einen Titel' : of(what).trim()} nach ${word} beendet`,
  'task-failed': ({ word }) => `Die Aufgabe „${word}“ ist fehlgeschlagen`,
};

const kindNames: EntryKindNames = {
  security: {
    'set-up': 'Einrichtung des Servers',
    'sign-in': 'Anmeldung',
    'outside-sign-in': 'Anmeldung über den Identitätsanbieter',
    'sign-out': 'Abmeldung',
    proof: 'Bestätigung der Identität',
    'device-added': 'Neues Gerät',
    'device-forgotten': 'Gerät entfernt',
    'session-ended': 'Sitzung beendet',
    'sessions-ended': 'Alle anderen Sitzungen beendet',
    'session-copied': 'Kopierte Sitzung',
    'password-changed': 'Passwort geändert',
    'password-set': 'Passwort gesetzt',
    'password-removed': 'Passwort entfernt',
    'factor-exempted': 'Vom zweiten Faktor befreit',
    'factor-required': 'Zweiter Faktor wieder nötig',
    'mfa-enrolled': 'Authenticator-App eingerichtet',
    'mfa-removed': 'Authenticator-App entfernt',
    'passkey-added': 'Passkey hinzugefügt',
    'passkey-renamed': 'Passkey umbenannt',
    'passkey-removed': 'Passkey entfernt',
    'passkey-suspect': 'Verdächtiger Passkey',
    'outside-linked': 'Identität verknüpft',
    'outside-unlinked': 'Verknüpfung entfernt',
    'outside-logout': 'Abmeldung durch den Identitätsanbieter',
    'quick-connect': 'Anmeldung mit einem Code',
    'pin-set': 'PIN gesetzt',
    'pin-removed': 'PIN entfernt',
    'household-approved': 'Haushaltsgerät freigegeben',
    'household-changed': 'Haushaltsgerät geändert',
    'household-removed': 'Haushaltsgerät entfernt',
    'household-open': 'Profil auf einem Haushaltsgerät geöffnet',
    'household-copied': 'Kopiertes Haushaltsgerät',
    'key-created': 'API-Schlüssel erstellt',
    'key-revoked': 'API-Schlüssel widerrufen',
    'profile-created': 'Profil angelegt',
    'profile-changed': 'Profil geändert',
    'role-changed': 'Rolle geändert',
    'profile-removed': 'Profil entfernt',
    'profile-deactivated': 'Profil vom Verzeichnisdienst deaktiviert',
    'profile-reactivated': 'Profil vom Verzeichnisdienst wieder aktiviert',
    'directory-token-created': 'Token des Verzeichnisdienstes erstellt',
    'directory-token-revoked': 'Token des Verzeichnisdienstes widerrufen',
    'directory-refused': 'Token des Verzeichnisdienstes abgelehnt',
    recovery: 'Passwort an der Konsole zurückgesetzt',
    'remote-cut': 'Fernzugriff gesperrt',
    'remote-allowed': 'Fernzugriff erlaubt',
    'remote-proof': 'Fernzugriff geprüft',
    expiring: 'Zertifikat oder Token läuft ab',
  },
  administration: {
    'item-granted': 'Titel eine Zeit lang erlaubt',
    'time-granted': 'Mehr Zeit gegeben',
    'grant-revoked': 'Erlaubnis zurückgenommen',
    'setting-changed': 'Einstellung geändert',
    'setting-reset': 'Einstellung zurückgesetzt',
    'library-added': 'Bibliothek hinzugefügt',
    'library-changed': 'Bibliothek geändert',
    'library-removed': 'Bibliothek entfernt',
    'metadata-edited': 'Beschreibung bearbeitet',
    'metadata-picture': 'Bild gewählt',
    'metadata-matched': 'Titel von Hand zugeordnet',
    'metadata-bulk-edited': 'Mehrere Titel bearbeitet',
    'metadata-undone': 'Änderung rückgängig gemacht',
    'subtitle-applied': 'Bearbeitete Untertitel eingesetzt',
    'subtitle-restored': 'Gesicherte Untertitel wiederhergestellt',
    'subtitles-hidden': 'Untertitel ausgeblendet',
    'supporter-activated': 'Unterstützer erkannt',
  },
  playback: {
    'playback-started': 'Wiedergabe begonnen',
    'playback-ended': 'Wiedergabe beendet',
  },
  system: {
    'task-failed': 'Aufgabe fehlgeschlagen',
  },
};

export const activityGerman: Translation<typeof activityEnglish> = {
  sentences,
  kindNames,
  unknownKind: ({ kind }) => `Eintrag einer anderen Version (${kind})`,
  someone: 'Jemand',
  theServer: 'Der Server',
  theConsole: 'Die Konsole des Servers',
  theDirectory: 'Der Verzeichnisdienst',
  removedProfile: '(entferntes Profil)',
  unknownName: '(unbekannter Name)',
  owner: 'Eigentümer',
  viewer: 'Zuschauer',
  refused: 'Abgelehnt',
  failed: 'Fehlgeschlagen',
  fromOutside: 'Von außen',
  atHome: 'Heimnetz',
  viaHousehold: 'Haushaltsgerät',
  viaKey: 'API-Schlüssel',
  viaLink: 'Signierter Link',
  ways: {
    password: 'Passwort',
    passkey: 'Passkey',
    'quick-connect': 'Code auf einem Gerät',
    oidc: 'OpenID Connect',
    saml: 'SAML',
    household: 'Haushaltsgerät',
  },
  lead:
    'Was am Server getan wurde, wer abgewiesen wurde, was gespielt wurde und was fehlgeschlagen ist. Passwörter, Pfade ' +
    'und volle Adressen stehen nicht darin.',
  about: 'Bereich',
  everything: 'Alles',
  security: 'Sicherheit',
  administration: 'Verwaltung',
  playback: 'Wiedergabe',
  system: 'System',
  kind: 'Art des Eintrags',
  allKinds: 'Alle Arten',
  outcome: 'Ergebnis',
  anyOutcome: 'Jedes',
  done: 'Erledigt',
  profile: 'Profil',
  allProfiles: 'Alle Profile',
  span: 'Zeitraum',
  anyTime: 'Von Anfang an',
  lastDay: '24 Stunden',
  lastWeek: '7 Tage',
  lastMonth: '30 Tage',
  log: 'Protokoll',
  exportCsv: 'Als CSV exportieren',
  exportJson: 'Als JSON exportieren',
  couldNotBeRead: 'Das Protokoll ließ sich nicht lesen',
  nothing: 'Noch ist nichts geschehen',
  nothingSays: 'Was am Server getan wird, erscheint hier.',
  nothingFound: 'Kein Eintrag passt zu den Filtern',
  nothingFoundSays: 'Wähle einen anderen Zeitraum, oder setze die Filter zurück.',
  clearFilters: 'Filter zurücksetzen',
  entries: ({ count }) => counted(count, 'Eintrag', 'Einträge'),
  showEarlier: 'Frühere anzeigen',
  unchecked: 'Das Protokoll wurde noch nicht geprüft.',
  whole: ({ when, entries }) =>
    `Geprüft ${when}: ${entries}, keiner davon außerhalb des Servers geändert oder entfernt.`,
  broken: ({ number, when }) =>
    `Geprüft ${when}: Das Protokoll ist bei Eintrag ${number} unterbrochen. Es wurde außerhalb des Servers geändert. Halte den Server ` +
    'an und führe „npm start -- audit verify“ aus, um mehr zu erfahren.',
  checkNow: 'Jetzt prüfen',
  checking: 'Das Protokoll wird geprüft.',
  notices: 'Sicherheitsereignisse',
  noticesSay:
    'Änderungen an deinen Zugängen. Eigentümer sehen auch die der anderen Profile, neue Schlüssel und was bald abläuft.',
  noNotices: 'Keine neuen Ereignisse.',
  noticesCouldNotBe: 'Die Sicherheitsereignisse ließen sich nicht lesen',
  markSeen: 'Alle als gesehen markieren',
  markedSeen: 'Als gesehen markiert',
  notYou: 'Warst du das nicht? Ändere dein Passwort und melde Geräte ab, die du nicht kennst.',
  showSeen: 'Frühere Ereignisse anzeigen',
  hideSeen: 'Frühere Ereignisse ausblenden',
  isNew: 'Neu',
};
