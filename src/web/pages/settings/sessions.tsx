/** Who is signed in where, and the devices that have been; each can be ended. */
import { call } from '../../data/client.ts';
import { readAgain, useAsk, type Reply } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { Badge, EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { ago, day, facts, many } from '../../lib/format.ts';
import { run } from '../../kit/layers/run.ts';
import css from './settings.module.css';

type Session = Reply<'sessions', 'list'>['items'][number];
type Device = Reply<'sessions', 'devices'>['items'][number];
const again = () => readAgain('sessions');
const nameOf = (session: Session): string => session.device ?? (session.kind === 'cookie' ? 'A browser' : 'An app');

async function end(session: Session): Promise<void> {
  const name = nameOf(session);
  const says = session.current
    ? 'This is the session you are using now. You will be signed out here at once.'
    : `${session.profile.name} is signed out there at once, and what plays there stops. Signing in again is possible with the password.`;
  if (await confirm({ title: `End the session on ${name}?`, says, action: 'End session', isDanger: true }))
    await run(() => call.sessions.remove({ id: session.id }), 'Session ended').then(again);
}
async function endAll(count: number): Promise<void> {
  const says = `${many(count, 'session')} of all Profiles end at once, and what plays there stops. Yours here stays. Everyone can sign in again with their password.`;
  if (await confirm({ title: 'End every other session?', says, action: 'End sessions', isDanger: true }))
    await run(() => call.sessions.removeAll({}), 'All other sessions ended').then(again);
}
async function forget(device: Device): Promise<void> {
  const says = `${device.profile} is signed out there${device.sessions > 0 ? `, and ${many(device.sessions, 'session')} on it end at once` : ''}. The device leaves this list; it comes back when someone signs in on it.`;
  if (await confirm({ title: `Forget ${device.name}?`, says, action: 'Forget device', isDanger: true }))
    await run(() => call.sessions.forget({ id: device.id }), 'Device forgotten').then(again);
}

export const Sessions = () => {
  const { data, error, refetch } = useAsk('sessions', 'list', {});
  const { data: devices } = useAsk('sessions', 'devices', {});
  if (!data)
    return error ? (
      <ErrorState title="The sessions could not be listed" error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const others = data.items.filter(({ current }) => !current).length;
  return (
    <>
      <div className={css.bar}>
        <p className={css.lead}>Everyone who is signed in now. Ending a session works within a second.</p>
        {others > 0 && <Button onClick={() => void endAll(others)}>End all others</Button>}
      </div>
      <ul className={css.rows}>
        {data.items.map((session) => (
          <li key={session.id} className={css.row}>
            <div>
              <p className={css.tags}>
                <strong>{session.profile.name}</strong> <span>on {nameOf(session)}</span>{' '}
                {session.current && <Badge tone="accent">This one</Badge>}
                {session.network === 'public' && <Badge tone="warn">Away from home</Badge>}
              </p>
              <p className="muted small">
                {facts(
                  session.kind === 'cookie' ? 'Browser' : 'App',
                  `used ${ago(session.lastUsedAt)}`,
                  `since ${day(session.createdAt)}`,
                  `until ${day(session.expiresAt)}`,
                ).join(' · ')}
              </p>
            </div>
            <Button
              look="quiet"
              onClick={() => void end(session)}
              aria-label={`End the session of ${session.profile.name} on ${nameOf(session)}`}
            >
              End
            </Button>
          </li>
        ))}
      </ul>
      <div className={css.section}>
        <h2>Devices</h2>
      </div>
      {devices && devices.items.length === 0 && (
        <EmptyState title="No device has a name yet">
          A device appears here when someone names it while signing in.
        </EmptyState>
      )}
      <ul className={css.rows}>
        {devices?.items.map((device) => (
          <li key={device.id} className={css.row}>
            <div>
              <strong>{device.name}</strong>
              <p className="muted small">
                {facts(
                  device.profile,
                  `seen ${ago(device.lastSeenAt)}`,
                  `first ${day(device.firstSeenAt)}`,
                  many(device.sessions, 'session'),
                ).join(' · ')}
              </p>
            </div>
            <Button
              look="quiet"
              onClick={() => void forget(device)}
              aria-label={`Forget ${device.name} of ${device.profile}`}
            >
              Forget
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
};
