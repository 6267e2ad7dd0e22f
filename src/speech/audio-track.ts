/** Chooses the audio track of a video to analyse. Pure. */
import type { PlayableFile } from '../catalog/index.ts';
import { baseLanguage, covers, parseLanguage } from '../lib/languages.ts';

type Info = NonNullable<PlayableFile['info']>;
type Stream = Info['streams'][number];

/**
 * Returns the stream's number in the file, `best` to let ffmpeg choose when nothing is known of the file, or undefined
 * when it has no audio. Prefers the requested language, then tracks marked as original and as default, then the most
 * channels. Commentary and audio description are chosen only when there is no other track.
 */
export function audioTrackFor(info: Info | undefined, language: string | undefined): number | 'best' | undefined {
  if (!info) return 'best';
  const audio = info.streams.filter(({ type }) => type === 'audio');
  const points = (stream: Stream): number =>
    (isAside(stream) ? 0 : 10_000) +
    speaks(stream, language) * 1000 +
    (stream.original ? 200 : 0) +
    (stream.default ? 100 : 0) +
    Math.min(50, stream.channels ?? 0);
  return audio.toSorted((a, b) => points(b) - points(a) || a.index - b.index)[0]?.index;
}

const isAside = ({ commentary, title = '' }: Stream): boolean => commentary || /comment|descri/i.test(title);

/** Returns 2 for the language itself, 1 for another form of it, 0 for others. */
function speaks({ language, languageTag }: Stream, wanted: string | undefined): number {
  const has = parseLanguage(languageTag ?? language ?? '');
  if (wanted === undefined || has === undefined) return 0;
  return covers(has, wanted) ? 2 : baseLanguage(has) === baseLanguage(parseLanguage(wanted) ?? wanted) ? 1 : 0;
}
