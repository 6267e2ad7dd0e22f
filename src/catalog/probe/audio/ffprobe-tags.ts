/** Tags of formats that only ffprobe reads, such as TTA and TAK, by the same rules as all others. */
import type { IAudioMetadata } from 'music-metadata';
import type { AudioTags } from '../types.ts';
import { audioTagsOf } from './tags.ts';

const MAX_TAGS = 500;

const textsOf = (reply: unknown): [name: string, text: string][] => {
  const { format, streams } = (reply ?? {}) as {
    format?: { tags?: Record<string, unknown> };
    streams?: readonly { tags?: Record<string, unknown> }[];
  };
  return Object.entries({ ...streams?.[0]?.tags, ...format?.tags })
    .flatMap(([name, text]): [string, string][] => (typeof text === 'string' ? [[name.toLowerCase(), text]] : []))
    .slice(0, MAX_TAGS);
};

/** `3`, or `3/12`. */
const numberOf = (text = ''): { no: number | null; of: number | null } => {
  const [, no, of] = /^(\d{1,4})(?:\/(\d{1,4}))?$/.exec(text.trim()) ?? [];
  return { no: no === undefined ? null : Number(no), of: of === undefined ? null : Number(of) };
};

/** Returns the tags in a reply of ffprobe; undefined if it has none that say what the file is. */
export function ffprobeTags(reply: unknown): AudioTags | undefined {
  const texts = textsOf(reply);
  const tag = new Map(texts);
  if (!['title', 'artist', 'album', 'track'].some((name) => tag.has(name))) return undefined;
  const list = (name: string) => (tag.has(name) ? [tag.get(name)] : undefined);
  const common = {
    title: tag.get('title'),
    artist: tag.get('artist'),
    album: tag.get('album'),
    albumartist: tag.get('album_artist'),
    track: numberOf(tag.get('track')),
    disk: numberOf(tag.get('disc')),
    date: tag.get('date'),
    genre: list('genre'),
    composer: list('composer'),
    movementIndex: { no: null, of: null },
  };
  const native = { ffprobe: texts.map(([id, value]) => ({ id, value })) };
  return audioTagsOf({ common, native } as unknown as Pick<IAudioMetadata, 'common' | 'native'>);
}
