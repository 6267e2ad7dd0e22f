/** Examples of albums, tracks and artists, for the API document. */
import { EXAMPLE_IDS } from '../kernel/describe.ts';

const untouched = { position: 0, watched: false, playCount: 0, listed: false };

export const EXAMPLE_ALBUM = {
  id: EXAMPLE_IDS.album,
  kind: 'album',
  title: 'Kind of Blue',
  sortTitle: 'kind of blue',
  year: 1959,
  library: EXAMPLE_IDS.library,
  added: '2026-11-02T10:15:00.000Z',
  artists: ['Miles Davis'],
  tracks: 5,
  available: true,
  images: { poster: '3f9a1c' },
  userData: untouched,
};

export const EXAMPLE_TRACK = {
  id: EXAMPLE_IDS.track,
  kind: 'track',
  title: 'So What',
  sortTitle: 'so what',
  year: 1959,
  library: EXAMPLE_IDS.library,
  added: '2026-11-02T10:15:00.000Z',
  duration: 562.1,
  artists: ['Miles Davis'],
  album: { id: EXAMPLE_IDS.album, title: 'Kind of Blue' },
  disc: 1,
  track: 1,
  available: true,
  images: { poster: '3f9a1c' },
  userData: untouched,
  sound: { codec: 'flac', container: 'flac', sampleRate: 44_100, channels: 2, bitDepth: 16, bitrate: 861_000 },
};

export const EXAMPLE_ALBUM_PAGE = {
  ...EXAMPLE_ALBUM,
  genres: ['Jazz'],
  ids: {},
  credits: [{ id: EXAMPLE_IDS.artist, name: 'Miles Davis' }],
  discs: [{ number: 1, tracks: [EXAMPLE_TRACK] }],
};

export const EXAMPLE_ARTIST = {
  id: EXAMPLE_IDS.artist,
  name: 'Miles Davis',
  sortName: 'miles davis',
  albums: 1,
  appearsOn: 0,
  cover: { id: EXAMPLE_IDS.album, version: '3f9a1c' },
  images: {},
};
