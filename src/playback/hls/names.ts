/**
 * The names of the files below /hls/{id}: one spelling for each file, and no other name is a file.
 *
 * `master.m3u8`; `v0.m3u8`, `a1.m3u8`, `ss2.m3u8`, `i.m3u8` (video, audio, the subtitle `s2`, keyframes);
 * `v0-init.mp4`, and `v0-init2.mp4` for the second part of a film; `v0-17.m4s`, `a1-17.m4s`, `i-17.m4s`; `ss2-3.vtt`.
 */

/** A stream that has segments of media. */
export interface MediaStream {
  kind: 'video' | 'audio';
  /** The number under which the session lists it. */
  number: number;
}
export type ListedStream = MediaStream | { kind: 'subtitle'; key: string } | { kind: 'keyframes' };

export type HlsFile =
  | { is: 'master' }
  | { is: 'playlist'; stream: ListedStream }
  | { is: 'init'; stream: MediaStream; part: number }
  | { is: 'segment'; stream: ListedStream; number: number };

const NUMBER = '(?:0|[1-9]\\d{0,5})';
const STREAM = `(?:(?<letter>[va])(?<number>${NUMBER})|s(?<key>[sf](?:0|[1-9]\\d{0,3}))|(?<keyframes>i))`;
const PLAYLIST = new RegExp(`^${STREAM}\\.m3u8$`);
const SEGMENT = new RegExp(`^${STREAM}-(?<segment>${NUMBER})\\.(?<ending>m4s|vtt)$`);
const INIT = new RegExp(`^(?<letter>[va])(?<number>${NUMBER})-init(?<part>[2-9]|[1-9]\\d)?\\.mp4$`);

/** Returns which file a name means; undefined for every name that is none. */
export function readHlsName(name: string): HlsFile | undefined {
  if (name === 'master.m3u8') return { is: 'master' };
  const playlist = PLAYLIST.exec(name)?.groups;
  if (playlist) return { is: 'playlist', stream: streamOf(playlist) };
  const init = INIT.exec(name)?.groups;
  if (init)
    return {
      is: 'init',
      stream: { kind: kindOf(init['letter']), number: Number(init['number']) },
      part: Number(init['part'] ?? 1),
    };
  const segment = SEGMENT.exec(name)?.groups;
  if (!segment) return undefined;
  const stream = streamOf(segment);
  return (stream.kind === 'subtitle') === (segment['ending'] === 'vtt')
    ? { is: 'segment', stream, number: Number(segment['segment']) }
    : undefined;
}

/** The beginning of the names of a stream's files. */
export const prefixOf = (stream: ListedStream): string =>
  stream.kind === 'keyframes'
    ? 'i'
    : stream.kind === 'subtitle'
      ? `s${stream.key}`
      : `${stream.kind === 'video' ? 'v' : 'a'}${stream.number}`;
export const playlistName = (stream: ListedStream): string => `${prefixOf(stream)}.m3u8`;
export const initName = (stream: MediaStream, part: number): string =>
  `${prefixOf(stream)}-init${part === 1 ? '' : part}.mp4`;
export const segmentName = (stream: ListedStream, number: number): string =>
  `${prefixOf(stream)}-${number}.${stream.kind === 'subtitle' ? 'vtt' : 'm4s'}`;

const kindOf = (letter: string | undefined): MediaStream['kind'] => (letter === 'v' ? 'video' : 'audio');
function streamOf({ letter, number, key }: { [name: string]: string | undefined }): ListedStream {
  if (key !== undefined) return { kind: 'subtitle', key };
  return letter === undefined ? { kind: 'keyframes' } : { kind: kindOf(letter), number: Number(number) };
}
