/** German: the frame, its parts, and values. */
import type { Translation } from '../catalogue.ts';
import type { shellEnglish } from '../en/shell.ts';
import { counted } from '../plural.ts';

export const shellGerman: Translation<typeof shellEnglish> = {
  justNow: 'gerade eben',
  unknownLanguage: 'Unbekannte Sprache',
  special: 'Special',
  seasonCode: ({ season }) => `S${season}`,
  episodeCode: ({ episode }) => `F${episode}`,
  mono: 'Mono',
  stereo: 'Stereo',
  channels: ({ channels }) => counted(channels, 'Kanal', 'Kanäle'),
  mp4Text: 'MP4-Text',

  brokenHere: 'Hier ist etwas schiefgegangen. Seite neu laden und noch einmal versuchen.',
  serverSilent: 'Der Server antwortet nicht. Läuft er, und ist dieses Gerät im selben Netzwerk?',
  refused: 'Der Server hat abgelehnt.',
};
