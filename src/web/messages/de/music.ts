/** German: albums, artists and audiobooks. */
import { counted } from '../plural.ts';
import type { Translation } from '../catalogue.ts';
import type { musicEnglish } from '../en/music.ts';

export const musicGerman: Translation<typeof musicEnglish> = {
  albumCouldNotBeLoaded: 'Das Album konnte nicht geladen werden',
  artistCouldNotBeLoaded: 'Der Interpret konnte nicht geladen werden',
  artistsCouldNotBeLoaded: 'Die Interpreten konnten nicht geladen werden',
  play: 'Abspielen',
  markAsFinished: 'Als gehört markieren',
  markAsNotFinished: 'Als nicht gehört markieren',
  resume: 'Fortsetzen',
  audiobookCouldNotBeLoaded: 'Das Hörbuch konnte nicht geladen werden',
  chapters: 'Kapitel',
  goBackTo: 'Zurück zu einer früheren Stelle',
  readBy: ({ names }) => `Gelesen von ${names}`,
  seriesPart: ({ name, part }) => `${name}, Band ${part}`,
  filesCount: ({ count }) => counted(count, 'Datei', 'Dateien'),
  shuffle: 'Zufällig',
  playTrack: ({ title }) => `${title} abspielen`,
  myList: 'Merkliste',
  onMyList: 'Auf meiner Liste',
  tracksCount: ({ count }) => counted(count, 'Titel', 'Titel'),
  albumsCount: ({ count }) => counted(count, 'Album', 'Alben'),
  appearsOnAlbums: ({ count }) => `Erscheint auf ${counted(count, 'Album', 'Alben')}`,
  more: 'Mehr',
  disc: ({ number }) => `CD ${number}`,
  titledDisc: ({ number, title }) => `CD ${number}: ${title}`,
  noTracks: 'Dieses Album hat keine Titel',
  albums: 'Alben',
  appearsOn: 'Auch zu hören auf',
  artists: 'Interpreten',
  noArtists: 'Noch keine Interpreten',
  noArtistsHelp: 'Interpreten erscheinen hier, sobald eine Musikbibliothek eingelesen ist.',
  showMore: 'Mehr anzeigen',
  lyricsOf: ({ title }) => `Liedtext von ${title}`,
  noLyrics: 'Der Liedtext konnte nicht geladen werden',
};
