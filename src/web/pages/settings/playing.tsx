/**
 * Shows what plays now: who watches what, on which device, how and why, with a button to stop it. Refreshes while it is
 * open.
 */
import { useEffect, useState } from 'preact/hooks';
import { call } from '../../data/client.ts';
import { readAgain, useAll, type Reply } from '../../data/query.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { Artwork } from '../../kit/art/artwork.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { Badge, EmptyState, ErrorState, Pending, ProgressBar } from '../../kit/states/states.tsx';
import { ago, decimal, episodeCode, facts, position } from '../../lib/format.ts';
import { whyOf } from '../../parts/playback/words.ts';
import css from './settings.module.css';
import { settingsWords as m } from '../../messages/settings.ts';
import { repeat } from '../../lib/pending-work.ts';

type Session = Reply<'playbackSessions', 'list'>['items'][number];
/** Positions are reported every ten seconds; what changes otherwise comes as an event. */
const EVERY_MS = 10_000;

const wayWords = (): Readonly<Record<Session['way'], { name: string; tone: 'good' | 'plain' | 'warn' }>> => ({
  direct: { name: m.directPlay, tone: 'good' },
  remux: { name: m.remux, tone: 'good' },
  'remux-audio': { name: m.audioConverted, tone: 'plain' },
  transcode: { name: m.videoConverted, tone: 'warn' },
});
const titleOf = ({ item }: Session): string =>
  item.show ? facts(item.show.title, episodeCode(item), item.title).join(' · ') : item.title;

async function stop(session: Session): Promise<void> {
  const says = m.seesThatPlaybackWasStopped({ name: session.profile.name });
  if (
    await confirm({
      title: m.stopOn({ titleOf: titleOf(session), device: session.device }),
      says,
      action: m.stopPlayback,
      isDanger: true,
    })
  )
    await runWithToast(() => call.playbackSessions.stop({ id: session.id }), m.playbackWasStopped).then(() =>
      readAgain('playbackSessions'),
    );
}

/** How fast a conversion runs, in words. */
const speedOf = ({ speed }: Session): string | undefined =>
  speed === undefined
    ? undefined
    : speed < 1
      ? m.convertsTooSlow({ speed: decimal(speed, 1) })
      : m.convertsAt({ speed: decimal(speed, 1) });
const workOf = (session: Session): string =>
  facts(
    speedOf(session),
    session.way === 'transcode' &&
      (session.accelerator === undefined ? m.inSoftware : m.on({ accelerator: session.accelerator })),
  ).join(' · ');

const Row = ({ session }: { session: Session }) => {
  const { item, profile, device, way, duration, active, since } = session;
  return (
    <li className={css.row}>
      <div className={css.now}>
        <div className={css.still}>
          <Artwork
            id={item.id}
            kind={item.images.thumb ? 'thumb' : 'backdrop'}
            version={item.images.thumb ?? item.images.backdrop}
            title={item.title}
            sizes="128px"
            isFilling
          />
        </div>
        <div className={css.playing}>
          <p className={css.tags}>
            <strong>
              <Link to={{ page: 'item', params: { id: item.id } }}>{titleOf(session)}</Link>
            </strong>{' '}
            <Badge tone={wayWords()[way].tone}>{wayWords()[way].name}</Badge>
            {!active && <Badge>{m.waiting}</Badge>}
          </p>
          <p className="muted small">
            {facts(profile.name, device, m.startedWithWhen({ when: ago(since) })).join(' · ')}
          </p>
          <ProgressBar
            value={duration > 0 ? Math.min(1, session.position / duration) : 0}
            label={m.of({ position: position(session.position), position2: position(duration) })}
            isThin
          />
          <p className="muted small">
            {facts(m.of({ position: position(session.position), position2: position(duration) }), workOf(session)).join(
              ' · ',
            )}
          </p>
          {whyOf(session).map((reason) => (
            <p key={reason} className="small">
              {reason}
            </p>
          ))}
        </div>
      </div>
      <Button
        look="quiet"
        onClick={() => void stop(session)}
        aria-label={m.stopOnWithTitleOfAndDevice({ titleOf: titleOf(session), device })}
      >
        {m.stop}
      </Button>
    </li>
  );
};

export const NowPlaying = () => {
  const { data, error, refetch } = useAll('playbackSessions', 'list', {}, { every: EVERY_MS });
  // Keeps "since a minute ago" up to date.
  const [, tick] = useState(0);
  useEffect(() => repeat(EVERY_MS, () => tick((n) => n + 1)), []);
  if (!data)
    return error ? (
      <ErrorState title={m.nowPlayingCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  if (data.items.length === 0) return <EmptyState title={m.nothingIsPlaying}>{m.everythingThatIsWatchedOn}</EmptyState>;
  return (
    <ul className={css.rows} aria-label={m.nowPlaying}>
      {data.items.map((session) => (
        <Row key={session.id} session={session} />
      ))}
    </ul>
  );
};
