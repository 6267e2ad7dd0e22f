/** German: the tasks of the server, by their names. `test/german.test.ts` fails if one is missing. */
import type { TaskText } from '../server.ts';

export const taskTextsGerman: Readonly<Record<string, TaskText>> = {
  scan: { title: 'Alle Bibliotheken scannen', summary: 'Liest jede Datei der Bibliotheken neu ein' },
  'scan-changes': { title: 'Nach Änderungen scannen', summary: 'Sucht in den Bibliotheken nach Änderungen' },
  purge: {
    title: 'Aufräumen',
    summary: 'Vergisst Dateien, die seit dreißig Tagen fehlen, und abgelaufene Einträge im Verlauf',
  },
  'prove-remote-access': {
    title: 'Fernzugriff prüfen',
    summary: 'Lässt eine dritte Stelle die öffentliche Adresse aufrufen',
  },
  'clear-cache': {
    title: 'Bild-Cache leeren',
    summary: 'Löscht verkleinerte Bilder; sie werden bei Bedarf neu erzeugt',
  },
  'fetch-wanted': { title: 'Fehlende Untertitel abrufen', summary: 'Ruft die fehlenden Untertitel ab' },
  'subtitle-upkeep': {
    title: 'Untertitelpflege',
    summary: 'Ruft einige der fehlenden Untertitel ab und sucht nach besseren',
  },
  audit: {
    title: 'Untertitel-Timing prüfen',
    summary: 'Hört jedes Video einmal ab und prüft, ob seine Untertitel zeitlich und sprachlich passen',
  },
  'marker-analysis': {
    title: 'Intros und Abspann finden',
    summary: 'Findet Intros und Abspann neuer Videos',
  },
  'recording-indexes': {
    title: 'Aufnahmen indizieren',
    summary: 'Liest neue Aufnahmen ein, damit sie ohne Umwandlung laufen',
  },
  'preview-pictures': { title: 'Vorschaubilder erstellen', summary: 'Erstellt die Vorschaubilder neuer Videos' },
  loudness: {
    title: 'Lautheit messen',
    summary: 'Misst die Lautheit von Musik, deren Tags sie nicht angeben',
  },
  'refresh-metadata': {
    title: 'Metadaten aktualisieren',
    summary: 'Sucht neue Filme und Serien beim Metadatenanbieter und liest neu, was fällig ist',
  },
  'dialogue-index': {
    title: 'Dialoge indizieren',
    summary: 'Liest neue Untertitel und Liedtexte, damit die Suche Gesagtes und Gesungenes findet',
  },
  'check-activity': {
    title: 'Protokoll prüfen',
    summary: 'Prüft, ob kein Eintrag des Protokolls verändert oder entfernt wurde',
  },
  'check-database': {
    title: 'Datenbank prüfen',
    summary: 'Prüft die ganze Datenbank und bewahrt eine geprüfte Kopie auf',
  },
};
