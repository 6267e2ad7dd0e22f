/** Streams and subtitle tracks of a file, as item pages show them. */
import type { Item, SubtitleTrack } from '../../../contract/catalog/items.ts';
import { SUBTITLE_FORMATS } from '../../../contract/subtitles/formats.ts';
import { isPictureFile } from '../../../contract/subtitles/picture-files.ts';
import { languageName, parseLanguage } from '../../../lib/languages.ts';
import { roleInTitle } from '../../naming/sidecars.ts';
import type { MediaInfo, Stream } from '../../probe/types.ts';
import type { PlayableFile, Sidecar } from '../../types.ts';
import { belongsTo } from './files.ts';

/** ffmpeg's names of text subtitles. All others are pictures. The names added here exist only inside containers. */
const TEXT_CODECS: ReadonlySet<string> = new Set([
  ...SUBTITLE_FORMATS.flatMap(({ codecs }) => codecs),
  'mov_text',
  'text',
  'subviewer',
  'eia_608',
]);

const languageOf = (stream: Stream): string | undefined => parseLanguage(stream.languageTag ?? stream.language ?? '');

const ROLE_WORD = { normal: '', forced: 'forced', sdh: 'for the hard of hearing' } as const;
const titleOf = (tag: string | undefined, more: readonly (string | undefined)[]): string =>
  [tag === undefined ? 'Unknown language' : languageName(tag), ...more]
    .filter((word) => word !== undefined && word !== '')
    .join(' · ');

/**
 * Returns the role of an embedded track. Many files set no flag and say it in the title of the track only: `English
 * (SDH)`, `Signs & Songs`, `Forced`. Flags come first.
 */
const roleOf = ({ forced, hearingImpaired, title = '' }: Stream): SubtitleTrack['role'] =>
  forced ? 'forced' : hearingImpaired ? 'sdh' : (roleInTitle(title) ?? 'normal');

/**
 * Returns every subtitle that can be shown. Sidecars come first, because a person put them there. Their keys count
 * unreadable ones, so that no key changes its meaning when a file turns out to be unreadable.
 */
export function tracksOf(file: PlayableFile | undefined, sidecars: readonly Sidecar[]): SubtitleTrack[] {
  const own = sidecars.filter((one) => file !== undefined && !one.isHidden && belongsTo(one, file));
  const external = own.flatMap((one, i): SubtitleTrack[] =>
    one.isUnreadable
      ? []
      : [
          {
            key: `f${i}`,
            ...(one.language !== undefined && { language: one.language }),
            title: titleOf(one.language, [ROLE_WORD[one.role], one.title]),
            role: one.role,
            format: one.format,
            source: 'sidecar',
            default: one.isDefault,
            picture: isPictureFile(one.format),
          },
        ],
  );
  const embedded = (file?.info?.streams ?? [])
    .filter(({ type }) => type === 'subtitle')
    .map((stream): SubtitleTrack => {
      const tag = languageOf(stream);
      const role = roleOf(stream);
      return {
        key: `s${stream.index}`,
        ...(tag !== undefined && { language: tag }),
        title: titleOf(tag, [ROLE_WORD[role], stream.title]),
        role,
        format: stream.codec,
        source: 'embedded',
        default: stream.default,
        picture: !TEXT_CODECS.has(stream.codec),
      };
    });
  return [...external, ...embedded];
}

/** Members that are copied if the header states them. */
const FACTS = [
  'profile',
  'level',
  'width',
  'height',
  'frameRate',
  'bitDepth',
  'hdr',
  'channels',
  'layout',
  'sampleRate',
  'bitrate',
  'title',
] as const satisfies readonly (keyof Stream)[];

function streamOf(stream: Stream): Item['streams'][number] {
  const tag = languageOf(stream);
  return {
    index: stream.index,
    type: stream.type,
    codec: stream.codec,
    ...(Object.fromEntries(FACTS.map((name) => [name, stream[name]]).filter(([, v]) => v !== undefined)) as object),
    ...(tag !== undefined && { language: tag }),
    default: stream.default,
    forced: stream.forced,
    hearingImpaired: stream.hearingImpaired,
    commentary: stream.commentary,
  };
}
/** Returns the streams that are played; covers are not. */
export const shownStreams = (info: MediaInfo | undefined): Item['streams'] =>
  (info?.streams ?? []).filter(({ cover }) => !cover).map(streamOf);
