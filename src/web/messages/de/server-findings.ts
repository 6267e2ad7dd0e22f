/** German: the findings of diagnostics. Fragments about the cause (`why`) that have no code stay as they are. */
import { count, counted, perLocale } from '../plural.ts';
import type { FindingTexts } from '../server-findings.ts';
import { sayReason } from '../server-reasons.ts';
import { remoteChecksGerman } from './server-remote-checks.ts';
import { laterFeaturesGerman } from './server-setting-groups.ts';
import { trialReasonsGerman } from './server-trials.ts';

const moments = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
const moment = (iso: string): string => moments().format(new Date(iso));
const room = (bytes: number): string =>
  bytes < 1e9 ? `${count(Math.round(bytes / 1e6))} MB frei` : `${count(Math.round(bytes / 1e9))} GB frei`;

/** Features that need a program, by their English names. */
export const programFeaturesGerman: Readonly<Record<string, string>> = {
  'Subtitle tracks and pictures from videos': 'Untertitelspuren und Bilder aus Videos',
  'Reading unusual media files': 'Lesen ungewöhnlicher Mediendateien',
  'Reading picture subtitles': 'Lesen von Bilduntertiteln',
  Transcription: 'Transkription',
  'Finding intros and credits': 'Erkennen von Intros und Abspann',
};
const feature = (name: string): string => programFeaturesGerman[name] ?? laterFeaturesGerman[name] ?? name;

const FOLDERS = { 'paths.data': 'Datenordner', 'paths.cache': 'Cache-Ordner', 'paths.media': 'Medienordner' } as const;
const WHEN_FULL: Readonly<Record<keyof typeof FOLDERS, string>> = {
  'paths.data': 'Ist er voll, lassen sich Änderungen nicht mehr speichern. Schaffe dort Platz.',
  'paths.cache': 'Ist er voll, werden Bilder und Untertitel jedes Mal neu erzeugt.',
  'paths.media': 'Ist er voll, lassen sich Untertitel nicht mehr neben den Filmen speichern.',
};
const trial = (cause: { reason: string; values: object } | undefined, why: string): string =>
  sayReason(trialReasonsGerman, cause) ?? why;
const CONVERSION = 'Videoumwandlung';
const ADVICE =
  'Reiche das Gerät in einem Container durch (etwa mit --device /dev/dri) und füge seine Gruppe hinzu; sonst nimm ' +
  'den Benutzer des Servers in die Gruppe render auf. Teste danach erneut.';
const DATABASE = 'Datenbank';
const PLAYBACK = 'Wiedergabe';
const SANDBOX = 'Schutz der Medienprogramme';
const SIGN_IN = 'Anmeldung';
const FROM_OUTSIDE = 'Fernzugriff';
const copyOf = (copiedAt: string | undefined): string =>
  copiedAt === undefined ? '' : ` Es gibt eine geprüfte Kopie vom ${moment(copiedAt)}.`;

export const findingTextsGerman: FindingTexts = {
  'library-offline': ({ library }) => ({
    subject: library,
    sentence: 'Diese Bibliothek ist nicht erreichbar oder leer. Ihre Titel bleiben erhalten und kehren mit ihr zurück.',
  }),
  'library-not-scanned': ({ library }) => ({
    subject: library,
    sentence: 'Bibliotheken dieser Art werden noch nicht gescannt.',
  }),
  'files-unplaced': ({ count: files }) => ({
    subject: 'Nicht zugeordnete Dateien',
    sentence: `Nicht erkannt oder nicht lesbar: ${counted(files, 'Datei', 'Dateien')}. Die Liste nennt die Gründe.`,
  }),
  'no-owner-yet': () => ({
    subject: SIGN_IN,
    sentence: 'Es gibt noch keinen Eigentümer. Wer den Server im Heimnetz zuerst öffnet, kann es werden.',
  }),
  'no-profiles': () => ({
    subject: SIGN_IN,
    sentence: 'Es gibt keine Profile, und die Einrichtung ist abgeschlossen. Stelle ein Backup wieder her.',
  }),
  'owners-without-second-factor': ({ count: owners }) => ({
    subject: SIGN_IN,
    sentence: `Ohne zweiten Faktor: ${counted(owners, 'Eigentümer', 'Eigentümer')}.`,
  }),
  'outside-identity-email': () => ({
    subject: SIGN_IN,
    sentence:
      'Der Identitätsanbieter bezeichnet Personen durch ihre E-Mail-Adresse. Adressen wechseln den Besitzer: Wähle einen Wert, der bei einer Person bleibt.',
  }),
  'saml-metadata-unusable': () => ({
    subject: SIGN_IN,
    sentence:
      'Es gibt keine brauchbaren Metadaten des SAML-Identitätsanbieters; niemand kann sich über ihn anmelden. Prüfe die Verbindung neben der Einstellung.',
  }),
  'saml-metadata-stale': () => ({
    subject: SIGN_IN,
    sentence:
      'Die Metadaten des SAML-Identitätsanbieters ließen sich seit drei Tagen nicht lesen. Wechselt er seine Schlüssel, kann sich niemand über ihn anmelden. Prüfe die Verbindung neben der Einstellung.',
  }),
  'directory-token-expiring': ({ days }) => ({
    subject: 'Verzeichnisdienst (SCIM)',
    sentence:
      days === 1
        ? 'Der Token des Verzeichnisdienstes läuft in einem Tag ab.'
        : `Der Token des Verzeichnisdienstes läuft in ${days} Tagen ab.`,
  }),
  'directory-token-expired': () => ({
    subject: 'Verzeichnisdienst (SCIM)',
    sentence: 'Der Token des Verzeichnisdienstes ist abgelaufen. Der Dienst verwaltet hier keine Profile mehr.',
  }),
  'sign-in-guessed': () => ({
    subject: SIGN_IN,
    sentence: 'Jemand probiert Passwörter oder Codes durch; Anmeldeversuche werden gebremst.',
  }),
  'home-port-forwarded': ({ at }) => ({
    subject: FROM_OUTSIDE,
    sentence: remoteChecksGerman['home-port-forwarded']({ at }),
  }),
  'remote-listener-failed': ({ reason, port }) => ({
    subject: FROM_OUTSIDE,
    sentence: sayReason(remoteChecksGerman, { reason, values: { port } }) ?? remoteChecksGerman['listener-failed'](),
  }),
  'certificate-ending': ({ name, until }) => ({
    subject: 'Zertifikat',
    sentence: `Das Zertifikat von ${name} läuft am ${moment(until)} ab und ließ sich bisher nicht erneuern.`,
  }),
  'certificate-ended': ({ name, until }) => ({
    subject: 'Zertifikat',
    sentence: `Das Zertifikat von ${name} ist am ${moment(until)} abgelaufen und wird nicht mehr verwendet.`,
  }),
  'trusted-name-dropped': ({ name }) => ({
    subject: 'Vertrauenswürdiges HTTPS zu Hause',
    sentence:
      `${name} stimmt beim DNS-Anbieter, aber in diesem Netz kommt keine Adresse an: Vermutlich verwirft der Router ` +
      'Namen, die zu privaten Adressen führen. Erlaube den Namen im Router (DNS-Rebind-Schutz).',
  }),
  'activity-log-broken': ({ number, checkedAt }) => ({
    subject: 'Protokoll',
    sentence:
      `Bei der Prüfung am ${moment(checkedAt)} passte Eintrag ${number} nicht: Das Protokoll wurde außerhalb des Servers ` +
      'verändert. Vergleiche es mit einem Backup; „npm start -- audit verify“ sagt mehr.',
  }),
  'program-missing': ({ program, feature: name }) => ({
    subject: feature(name),
    sentence: `${program} ist nicht installiert und wird dafür gebraucht. Installiere es oder stelle ein, wo es liegt.`,
  }),
  'program-installed': ({ program, feature: name }) => ({
    subject: feature(name),
    sentence: `${program} ist installiert.`,
  }),
  'folder-unreachable': ({ folder }) => ({
    subject: FOLDERS[folder],
    sentence: 'Dieser Ordner ist nicht erreichbar.',
  }),
  'folder-full': ({ folder, freeBytes }) => ({
    subject: FOLDERS[folder],
    sentence: `Nur noch ${room(freeBytes)}. ${WHEN_FULL[folder]}`,
  }),
  'folder-has-room': ({ folder, freeBytes }) => ({ subject: FOLDERS[folder], sentence: `${room(freeBytes)}.` }),
  'sandbox-full': () => ({
    subject: SANDBOX,
    sentence: 'Medienprogramme sehen nur die Datei, an der sie arbeiten, und kein Netzwerk.',
  }),
  'sandbox-limits': () => ({
    subject: SANDBOX,
    sentence: 'Medienprogramme laufen mit Grenzen. Mit bubblewrap sähen sie auch keine anderen Dateien.',
  }),
  'sandbox-none': () => ({
    subject: SANDBOX,
    sentence: 'Medienprogramme laufen ohne Grenzen des Systems, weil weder prlimit noch setpriv installiert ist.',
  }),
  'part-unchecked': ({ part, why }) => ({
    subject: part,
    sentence: `Dieser Teil des Servers konnte nicht geprüft werden (${why}). Näheres steht im Protokoll.`,
  }),
  'feature-later': ({ feature: name }) => ({
    subject: feature(name),
    sentence: 'Das ist eingestellt, aber in dieser Version noch nicht vorhanden. Die Einstellung bleibt ohne Wirkung.',
  }),
  'database-unchecked': () => ({
    subject: DATABASE,
    sentence: 'Sie wurde noch nicht geprüft. Das geschieht einmal am Tag.',
  }),
  'database-read-only': () => ({
    subject: DATABASE,
    sentence:
      'Beim Start war der Datenträger der Datenbank voll; daher lässt sich nichts speichern, und niemand kann sich anmelden. ' +
      'Schaffe Platz und starte den Server neu.',
  }),
  'database-damaged': ({ checkedAt, copiedAt }) => ({
    subject: DATABASE,
    sentence: `Die Datenbankdatei ist beschädigt; das hat die Prüfung am ${moment(checkedAt)} ergeben. ${
      copiedAt === undefined
        ? 'Eine geprüfte Kopie gibt es nicht: Beende den Server und stelle ein Backup wieder her.'
        : `Beende den Server und führe „npm start -- restore“ aus, um zur geprüften Kopie vom ${moment(copiedAt)} ` +
          'zurückzukehren. Was danach gespeichert wurde, ist darin nicht enthalten.'
    } Prüfe auch den Datenträger, er könnte ausfallen.`,
  }),
  'database-copy-without-room': () => ({
    subject: DATABASE,
    sentence: 'Sie ist in Ordnung, aber für eine geprüfte Kopie ist zu wenig Platz.',
  }),
  'database-sound': ({ checkedAt, copiedAt }) => ({
    subject: DATABASE,
    sentence: `Am ${moment(checkedAt)} geprüft und in Ordnung.${copyOf(copiedAt)}`,
  }),
  'conversion-accelerated': ({ accelerator }) => ({
    subject: CONVERSION,
    sentence: `Video wird mit ${accelerator} umgewandelt; der Test ist bestanden.`,
  }),
  'no-graphics-device': () => ({
    subject: CONVERSION,
    sentence: 'Der Prozessor wandelt Video um, da keine Grafikhardware gefunden wurde.',
  }),
  'accelerator-unusable': ({ accelerator, why, cause }) => ({
    subject: CONVERSION,
    sentence: `Der Prozessor wandelt Video um, weil ${accelerator} den Test nicht bestanden hat: ${trial(cause, why)}. ${ADVICE}`,
  }),
  'chosen-accelerator-unusable': ({ accelerator, why, cause }) => ({
    subject: CONVERSION,
    sentence:
      `${accelerator} ist eingestellt, hat den Test aber nicht bestanden: ${trial(cause, why)}. ` +
      `Solange wandelt der Prozessor Video um. ${ADVICE}`,
  }),
  'accelerator-failed': ({ accelerator, why, cause, at, isUsedAgain }) => ({
    subject: CONVERSION,
    sentence:
      `${accelerator} ist bei einem Film am ${moment(at)} ausgefallen (${trial(cause, why)}); der Prozessor hat übernommen.` +
      (isUsedAgain ? ' Inzwischen ist der Test wieder bestanden.' : ''),
  }),
  'streams-not-kept': ({ why }) => ({
    subject: PLAYBACK,
    sentence: `Umgewandeltes Video lässt sich nicht auf dem Datenträger aufbewahren (${why}).`,
  }),
  'indexes-not-kept': ({ why }) => ({
    subject: PLAYBACK,
    sentence: `Indizes von Aufnahmen lassen sich nicht auf dem Datenträger aufbewahren (${why}).`,
  }),
  'previews-not-kept': ({ why }) => ({
    subject: PLAYBACK,
    sentence: `Vorschaubilder lassen sich nicht aufbewahren (${why}). Die Wiedergabe läuft ohne neue weiter.`,
  }),
  'transcription-model-different': ({ model, architecture }) => ({
    subject: 'Transkription',
    sentence: `Das Modell ist ${model}, eingestellt ist ${architecture}.`,
  }),
  'transcription-model-unusable': ({ why }) => ({
    subject: 'Transkription',
    sentence: `Das eingestellte Modell ist nicht verwendbar: ${why}.`,
  }),
};
