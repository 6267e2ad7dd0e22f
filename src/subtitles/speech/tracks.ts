/** Which audio track of a video is listened to. Pure. */
import type { PlayableFile } from '../../catalog/index.ts';
import { baseLanguage, covers, parseLanguage } from '../../lib/languages.ts';

type Info = NonNullable<PlayableFile['info']>;
type Stream = Info['streams'][number];

/**
 * The stream's number in the file; `best` leaves it to ffmpeg where nothing is known of the file; undefined when it
 * has no audio. The language that was asked for goes first, then what is marked as original and as default, then the
 * most channels. Commentary and descriptions of the picture are taken only when there is nothing else.
 */
export function trackFor(info: Info | undefined, language: string | undefined): number | 'best' | undefined {
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

/** 2: the very language; 1: another form of it; 0: not. */
function speaks({ language, languageTag }: Stream, wanted: string | undefined): number {
  const has = parseLanguage(languageTag ?? language ?? '');
  if (wanted === undefined || has === undefined) return 0;
  return covers(has, wanted) ? 2 : baseLanguage(has) === baseLanguage(parseLanguage(wanted) ?? wanted) ? 1 : 0;
}
