/** Lists the sessions of all Profiles and the devices that signed in before; an Owner can end each. */
import { call } from '../../data/client.ts';
import { readAgain, useAll, type Reply } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { Badge, EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { ago, day, facts } from '../../lib/format.ts';
import { runWithToast } from '../../kit/layers/run.ts';
import { HouseholdSection } from './household.tsx';
import css from './settings.module.css';
import { settingsWords as m } from '../../messages/settings.ts';

type Session = Reply<'sessions', 'list'>['items'][number];
type Device = Reply<'sessions', 'devices'>['items'][number];
const again = () => readAgain('sessions');
const nameOf = (session: Session): string => session.device ?? (session.kind === 'cookie' ? m.aBrowser : m.anApp);

async function end(session: Session): Promise<void> {
  const name = nameOf(session);
  const says = session.current ? m.thisIsTheSessionYou : m.isSignedOutThereAt({ name: session.profile.name });
  if (await confirm({ title: m.signOut({ name }), says, action: m.signOutLabel, isDanger: true }))
    await runWithToast(() => call.sessions.remove({ id: session.id }), m.signedOut).then(again);
}
async function endAll(count: number): Promise<void> {
  const says = m.ofAllProfilesEndAt({ count: m.sessionsCount({ count }) });
  if (await confirm({ title: m.signOutEverywhereElse, says, action: m.signOutLabel, isDanger: true }))
    await runWithToast(() => call.sessions.removeAll({}), m.signedOutEverywhereElse).then(again);
}
async function forget(device: Device): Promise<void> {
  const says =
    device.sessions > 0
      ? m.forgetWithSessions({ profile: device.profile, sessions: m.sessionsCount({ count: device.sessions }) })
      : m.forgetDeviceHelp({ profile: device.profile });
  if (await confirm({ title: m.forget({ name: device.name }), says, action: m.forgetDevice, isDanger: true }))
    await runWithToast(() => call.sessions.forget({ id: device.id }), m.deviceForgotten).then(again);
}

export const SessionsSection = () => {
  const { data, error, refetch } = useAll('sessions', 'list', {});
  const { data: devices } = useAll('sessions', 'devices', {});
  if (!data)
    return error ? (
      <ErrorState title={m.theSessionsCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const others = data.items.filter(({ current }) => !current).length;
  return (
    <>
      <div className={css.bar}>
        <p className={css.lead}>{m.everyoneWhoIsSignedIn}</p>
        {others > 0 && <Button onClick={() => void endAll(others)}>{m.signOutAllOthers}</Button>}
      </div>
      <ul className={css.rows}>
        {data.items.map((session) => (
          <li key={session.id} className={css.row}>
            <div>
              <p className={css.tags}>
                <strong>{session.profile.name}</strong> <span>{m.onWithDevice({ device: nameOf(session) })}</span>{' '}
                {session.current && <Badge tone="accent">{m.thisDevice}</Badge>}
                {session.network === 'public' && <Badge tone="warn">{m.remote}</Badge>}
              </p>
              <p className="muted small">
                {facts(
                  session.kind === 'cookie' ? m.browser : m.app,
                  m.used({ when: ago(session.lastUsedAt) }),
                  m.signedIn({ date: day(session.createdAt) }),
                  m.expires({ date: day(session.expiresAt) }),
                ).join(' · ')}
              </p>
            </div>
            <Button
              look="quiet"
              onClick={() => void end(session)}
              aria-label={m.signOutOn({ name: session.profile.name, device: nameOf(session) })}
            >
              {m.signOutLabel}
            </Button>
          </li>
        ))}
      </ul>
      <div className={css.section}>
        <h2>{m.devices}</h2>
      </div>
      {devices && devices.items.length === 0 && (
        <EmptyState title={m.noDevicesYet}>{m.aDeviceAppearsHereWhen}</EmptyState>
      )}
      <ul className={css.rows}>
        {devices?.items.map((device) => (
          <li key={device.id} className={css.row}>
            <div>
              <strong>{device.name}</strong>
              <p className="muted small">
                {facts(
                  device.profile,
                  m.lastSeen({ when: ago(device.lastSeenAt) }),
                  m.firstSeen({ date: day(device.firstSeenAt) }),
                  m.sessionsCount({ count: device.sessions }),
                ).join(' · ')}
              </p>
            </div>
            <Button
              look="quiet"
              onClick={() => void forget(device)}
              aria-label={m.forgetOf({ name: device.name, profile: device.profile })}
            >
              {m.forgetLabel}
            </Button>
          </li>
        ))}
      </ul>
      <HouseholdSection />
    </>
  );
};
