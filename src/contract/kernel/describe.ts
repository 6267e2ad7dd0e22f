/**
 * Descriptions and examples of properties and parameters, for the API document.
 *
 * All examples are about the same household, so that those of one operation fit together: the film Charade, an episode
 * of Sherlock Holmes, and their viewer, the Owner Ada.
 */
import { z } from 'zod';
import { Id } from './common.ts';

/** Returns the description of a property with its unit or form, and an example where the type does not yield one. */
export const about = (description: string, ...examples: readonly [] | readonly [unknown]) => ({
  description,
  ...(examples.length > 0 && { examples: [...examples] }),
});

/** Returns the description of an optional property that the examples leave out, as most replies do. */
export const rarely = (description: string) => ({ description, examples: [] });

/** Ids of the examples, one for each kind of thing. */
export const EXAMPLE_IDS = {
  item: '4f1c0a9be27d6358',
  version: '6a5b4c3d2e1f0987',
  file: 'ba97531eca864202',
  show: '7b3e9d10c6a2f485',
  season: 'c2d84e6f01b7a593',
  episode: 'e93a5c07f12b8d64',
  library: '90ab12cd34ef5678',
  showLibrary: '5e6f708192a3b4c5',
  profile: 'a0c41f7e52d98b36',
  session: 'd57e8f204b6a913c',
  flow: '5c1e9b7042d8f6a3',
  ceremony: 'a93f06c17be2d584',
  passkey: '7e41d90b2c8fa635',
  device: '68f1b3c92de7a045',
  key: 'b8240d9c7e15f36a',
  task: '2f9d6c81a34be705',
  playback: '0e7c95a1d3b8426f',
  history: '93d1f06ab57c2e48',
  watchChange: '71c5e09d3ab8f246',
  draft: 'f4a7168e0c3d92b5',
  candidate: '8d30c6f4a1b9257e',
  extra: '1c7f40d96eb8a352',
  playlist: '5d02b7e8f46a1c93',
  playlistEntry: 'a86e3f10c94d7b25',
  collection: '64e0b9d2a17f3c85',
  folder: '3ad5f27c81e0b946',
  entry: 'c81f0a5d93e7b264',
  album: '3d9e5a71c02f86b4',
  track: '70b2d8e41f96c3a5',
  artist: 'a85c2e7f90b3d614',
  series: 'a81d6e35c04b972f',
  book: '3e90c7b15fa2d846',
  person: '5b7d02e9c4a1f836',
  request: 'd92b5f4a7168e0c3',
} as const;

const SIGNATURE = 'ticket=mat_tkt_Qk3v9ZsXw1uRf7hYbN2cTg5jLp8mDa4eVo6iKxB0yEq';
/** Signed addresses of the examples. */
export const EXAMPLE_LINKS = {
  media: `/media/${EXAMPLE_IDS.item}?session=${EXAMPLE_IDS.playback}&${SIGNATURE}`,
  download: `/download/${EXAMPLE_IDS.item}?${SIGNATURE}`,
  trickplay: `/trickplay/${EXAMPLE_IDS.item}/index.vtt?${SIGNATURE}`,
} as const;

/** Returns the shape of an id, with what it is the id of. */
export const idOf = (kind: keyof typeof EXAMPLE_IDS, description: string) =>
  Id.meta(about(description, EXAMPLE_IDS[kind]));

/** The path parameter of operations on one item. */
export const byItem = z.strictObject({ id: idOf('item', 'Id of the item.') });
