/** What plays now: who watches what, where, how and why, with a way to stop it. Current while it is open. */
import { useEffect, useState } from 'preact/hooks';
import { call } from '../../data/client.ts';
import { readAgain, useAsk, type Reply } from '../../data/query.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { Artwork } from '../../kit/art/artwork.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { run } from '../../kit/layers/run.ts';
import { Badge, EmptyState, ErrorState, Pending, Progress } from '../../kit/states/states.tsx';
import { ago, capital, episodeCode, facts, position } from '../../lib/format.ts';
import css from './settings.module.css';

type Session = Reply<'playbackSessions', 'list'>['items'][number];
/** Positions are reported every ten seconds; what changes otherwise comes as an event. */
const EVERY_MS = 10_000;

const WAYS: Readonly<Record<Session['way'], { name: string; tone: 'good' | 'plain' | 'warn' }>> = {
  direct: { name: 'As it is', tone: 'good' },
  remux: { name: 'Another container', tone: 'good' },
  'remux-audio': { name: 'Sound converted', tone: 'plain' },
  transcode: { name: 'Picture converted', tone: 'warn' },
};
const titleOf = ({ item }: Session): string =>
  item.show ? facts(item.show.title, episodeCode(item), item.title).join(' · ') : item.title;

async function stop(session: Session): Promise<void> {
  const says = `${session.profile.name} sees that it was stopped. Watching it again is possible at once; to prevent that, end the session of the device or change the Profile.`;
  if (
    await confirm({
      title: `Stop ${titleOf(session)} on ${session.device}?`,
      says,
      action: 'Stop playing',
      isDanger: true,
    })
  )
    await run(() => call.playbackSessions.stop({ id: session.id }), 'Playing was stopped').then(() =>
      readAgain('playbackSessions'),
    );
}

/** How fast a conversion runs, in words. */
const speedOf = ({ speed }: Session): string | undefined =>
  speed === undefined
    ? undefined
    : `converts at ${speed.toFixed(1)}× real time${speed < 1 ? ', too slow to keep up' : ''}`;
const workOf = (session: Session): string =>
  facts(
    speedOf(session),
    session.way === 'transcode' && (session.accelerator === undefined ? 'in software' : `on ${session.accelerator}`),
  ).join(' · ');

const Row = ({ session }: { session: Session }) => {
  const { item, profile, device, way, reasons, duration, active, since } = session;
  const why = [...new Set(reasons.map(({ detail, code }) => capital(detail || code)))];
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
            <Badge tone={WAYS[way].tone}>{WAYS[way].name}</Badge>
            {!active && <Badge>Waiting</Badge>}
          </p>
          <p className="muted small">{facts(profile.name, device, `since ${ago(since)}`).join(' · ')}</p>
          <Progress
            value={duration > 0 ? Math.min(1, session.position / duration) : 0}
            label={`${position(session.position)} of ${position(duration)}`}
            isThin
          />
          <p className="muted small">
            {facts(`${position(session.position)} of ${position(duration)}`, workOf(session)).join(' · ')}
          </p>
          {why.map((reason) => (
            <p key={reason} className="small">
              {reason}
            </p>
          ))}
        </div>
      </div>
      <Button look="quiet" onClick={() => void stop(session)} aria-label={`Stop ${titleOf(session)} on ${device}`}>
        Stop
      </Button>
    </li>
  );
};

export const NowPlaying = () => {
  const { data, error, refetch } = useAsk('playbackSessions', 'list', {}, { every: EVERY_MS });
  // "since a minute ago" goes on by itself.
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  if (!data)
    return error ? (
      <ErrorState title="What plays now could not be listed" error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  if (data.items.length === 0)
    return (
      <EmptyState title="Nothing plays now">Whatever anybody on this server watches appears here at once.</EmptyState>
    );
  return (
    <ul className={css.rows} aria-label="Now playing">
      {data.items.map((session) => (
        <Row key={session.id} session={session} />
      ))}
    </ul>
  );
};
