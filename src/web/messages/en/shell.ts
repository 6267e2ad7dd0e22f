/** English: the frame, its parts, and values. */
import { counted } from '../plural.ts';

export const shellEnglish = {
  justNow: 'just now',
  unknownLanguage: 'Unknown language',
  special: 'Special',
  seasonCode: ({ season }: { season: number }) => `S${season}`,
  episodeCode: ({ episode }: { episode: string }) => `E${episode}`,
  mono: 'mono',
  stereo: 'stereo',
  channels: ({ channels }: { channels: number }) => counted(channels, 'channel', 'channels'),
  mp4Text: 'MP4 text',

  brokenHere: 'Something went wrong here. Reload the page and try again.',
  serverSilent: 'The server does not answer. Check that it is running and that this device is on the same network.',
  refused: 'The server refused.',
};
