/** English: albums and artists. */
import { counted } from '../plural.ts';

export const musicEnglish = {
  albumCouldNotBeLoaded: 'This album could not be loaded',
  artistCouldNotBeLoaded: 'This artist could not be loaded',
  artistsCouldNotBeLoaded: 'The artists could not be loaded',
  play: 'Play',
  shuffle: 'Shuffle',
  playTrack: ({ title }: { title: string }) => `Play ${title}`,
  myList: 'My List',
  onMyList: 'On My List',
  tracksCount: ({ count }: { count: number }) => counted(count, 'track', 'tracks'),
  albumsCount: ({ count }: { count: number }) => counted(count, 'album', 'albums'),
  disc: ({ number }: { number: number }) => `Disc ${number}`,
  titledDisc: ({ number, title }: { number: number; title: string }) => `Disc ${number}: ${title}`,
  noTracks: 'This album has no tracks',
  albums: 'Albums',
  appearsOn: 'Appears on',
  artists: 'Artists',
  noArtists: 'No artists yet',
  noArtistsHelp: 'Artists appear here when a music library has been scanned.',
  showMore: 'Show more',
  lyricsOf: ({ title }: { title: string }) => `Lyrics of ${title}`,
  noLyrics: 'The lyrics could not be loaded',
};
