/** The files that play this item, with their streams, and its subtitles. */
import type { ComponentChildren } from 'preact';
import play from 'lucide/dist/esm/icons/play.mjs';
import type { DetailedItem } from '../../parts/details/types.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { useIsOwner } from '../../data/session.ts';
import { ButtonLink } from '../../kit/forms/button.tsx';
import { Badge } from '../../kit/states/states.tsx';
import { bitrate, channels, codec, formatDuration, facts, languageLabel, resolution, size } from '../../lib/format.ts';
import css from './item.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

type Version = DetailedItem['versions'][number];
type Stream = Version['streams'][number];

const streamHeads = () => ({ video: m.video, audio: m.audio, subtitle: m.subtitles }) as const;
const shape = (stream: Stream): string[] =>
  stream.type === 'video'
    ? facts(
        codec(stream.codec),
        stream.profile,
        stream.width !== undefined && `${stream.width} × ${stream.height}`,
        stream.frameRate !== undefined && m.fps({ rate: Number(stream.frameRate.toFixed(3)) }),
        stream.bitDepth !== undefined && stream.bitDepth > 8 && m.bit({ bits: stream.bitDepth }),
        stream.hdr,
        stream.bitrate !== undefined && bitrate(stream.bitrate),
      )
    : facts(
        stream.type === 'audio' ? languageLabel(stream.language) : undefined,
        codec(stream.codec),
        stream.type === 'audio' && channels(stream.channels),
        stream.bitrate !== undefined && bitrate(stream.bitrate),
        stream.title,
      );

const Line = ({ parts, tags }: { parts: readonly string[]; tags: readonly (string | false)[] }) => (
  <li className={css.stream}>
    <span>{parts.join(' · ')}</span>
    {tags.map((tag) => tag && <Badge key={tag}>{tag}</Badge>)}
  </li>
);
const Block = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div className={css.block}>
    <h3>{title}</h3>
    <ul>{children}</ul>
  </div>
);

const One = ({
  item,
  version,
  isOnly,
  isOpen,
}: {
  item: DetailedItem;
  version: Version;
  isOnly: boolean;
  isOpen: boolean;
}) => {
  const of = (type: 'video' | 'audio') => version.streams.filter((stream) => stream.type === type);
  const line = facts(
    version.container && codec(version.container),
    size(version.size),
    version.duration !== undefined && formatDuration(version.duration),
    version.parts > 1 && m.partsCount({ count: version.parts }),
  );
  return (
    <details className={css.version} open={isOpen}>
      <summary>
        <strong>{isOnly && !version.label ? m.file : resolution(version.label)}</strong>
        <span className="muted small">{line.join(' · ')}</span>
        {!version.available && <Badge tone="warn">{m.unavailable}</Badge>}
      </summary>
      <div className={css.inside}>
        {!isOnly && version.available && item.links.media !== undefined && (
          <p className={css.choose}>
            <ButtonLink
              icon={play}
              to={{ page: 'player', params: { id: item.id }, query: { version: version.id } }}
              aria-label={m.playThisVersion({ version: resolution(version.label) })}
            >
              {m.playThisVersionLabel}
            </ButtonLink>
          </p>
        )}
        {version.problem !== undefined && <p className={css.problem}>{version.problem}</p>}
        {version.file !== undefined && (
          <p className={css.file}>
            <span className="unseen">{m.fileLabel} </span>
            <code>{version.file}</code>
          </p>
        )}
        {(['video', 'audio'] as const).map((type) => {
          const streams = of(type);
          return (
            streams.length > 0 && (
              <Block key={type} title={streamHeads()[type]}>
                {streams.map((stream) => (
                  <Line
                    key={stream.index}
                    parts={shape(stream)}
                    tags={[
                      type === 'audio' && streams.length > 1 && stream.default && m.defaultWord,
                      stream.commentary && m.commentary,
                    ]}
                  />
                ))}
              </Block>
            )
          );
        })}
      </div>
    </details>
  );
};

const roleTags = (): Record<string, string | false> => ({ normal: false, forced: m.forced, sdh: 'SDH' });

export const Versions = ({ item }: { item: DetailedItem }) => {
  const isOwner = useIsOwner();
  return (
    <>
      <section className={css.part} aria-labelledby="subtitles">
        <h2 id="subtitles">{m.subtitles}</h2>
        {item.subtitles.length === 0 ? (
          <p className="muted">{m.noSubtitlesYet}</p>
        ) : (
          <ul className={css.tracks}>
            {item.subtitles.map((track) => (
              <Line
                key={track.key}
                parts={facts(
                  languageLabel(track.language),
                  codec(track.format),
                  track.source === 'sidecar' ? m.external : m.embedded,
                )}
                tags={[roleTags()[track.role] ?? false, track.default && m.defaultWord, track.picture && m.image]}
              />
            ))}
          </ul>
        )}
        {isOwner && (item.kind === 'movie' || item.kind === 'episode') && (
          <p className={css.manage}>
            <Link to={{ page: 'subtitleItem', params: { id: item.id } }}>{m.manageSubtitles}</Link>
          </p>
        )}
      </section>
      {item.versions.length > 0 && (
        <section className={css.part} aria-labelledby="versions">
          <h2 id="versions">{item.versions.length === 1 ? m.file : m.versions}</h2>
          {item.versions.map((version, at) => (
            <One key={version.id} item={item} version={version} isOnly={item.versions.length === 1} isOpen={at === 0} />
          ))}
        </section>
      )}
    </>
  );
};
