/** German: options of a library. */
import type { libraryOptionsEnglish } from '../en/library-options.ts';

export const libraryOptionsGerman: typeof libraryOptionsEnglish = {
  options: 'Optionen',
  internet: 'Beschreibungen und Bilder aus dem Internet holen',
  internetHint: 'Nur wenn ein Metadatenanbieter eingerichtet ist. Sonst werden nur Dateien und Ordner gelesen.',
  language: 'Sprache der Beschreibungen',
  country: 'Land der Altersfreigaben',
  asForTheServer: 'Wie auf dem ganzen Server',
  nfo: 'NFO-Dateien lesen',
  nfoHint:
    'Titel, Beschreibungen, Freigaben und Biografien, die ein anderes Programm neben den Dateien gespeichert hat.',
  ignored: 'Namen, die nicht gescannt werden',
  ignoredHint:
    'Ordner und Dateien, ein Name pro Zeile. * steht für beliebige Zeichen: *-proxy.mp4. Der Wiedergabeverlauf bleibt erhalten.',
};
