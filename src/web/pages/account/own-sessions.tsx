/** Browsers and apps in which this Profile is signed in; each can be signed out. */
import { call } from '../../data/client.ts';
import { readAgain, useAll, type Reply } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { Badge, ErrorState, Pending } from '../../kit/states/states.tsx';
import { ago, day, facts } from '../../lib/format.ts';
import { accountWords as m } from '../../messages/account.ts';
import css from './account.module.css';

type OwnSession = Reply<'ownSessions', 'list'>['items'][number];

const nameOf = (session: OwnSession): string =>
  session.device ?? (session.kind === 'cookie' ? m.unnamedBrowser : m.unnamedApp);

async function end(session: OwnSession): Promise<void> {
  const title = m.signOutOf({ device: nameOf(session) });
  if (await confirm({ title, says: m.signOutOfSays, action: m.signOut, isDanger: true }))
    await runWithToast(() => call.ownSessions.remove({ id: session.id }), m.signedOutThere).then(() =>
      readAgain('ownSessions'),
    );
}

export const OwnSessions = () => {
  const { data, error, refetch } = useAll('ownSessions', 'list', {});
  if (!data)
    return error ? <ErrorState title={m.devicesCouldNotBe} error={error} retry={() => void refetch()} /> : <Pending />;
  return (
    <ul className={css.devices}>
      {data.items.map((session) => (
        <li key={session.id} className={css.device}>
          <div>
            <p className={css.names}>
              <strong>{nameOf(session)}</strong> {session.current && <Badge tone="accent">{m.thisDevice}</Badge>}
              {session.remembered && <Badge>{m.staysSignedIn}</Badge>}
            </p>
            <p className="muted small">
              {facts(
                m.usedWhen({ when: ago(session.lastUsedAt) }),
                m.signedInOn({ date: day(session.createdAt) }),
                session.remembered && m.untilUnlessUsed({ date: day(session.expiresAt) }),
              ).join(' · ')}
            </p>
          </div>
          {!session.current && (
            <Button
              look="quiet"
              onClick={() => void end(session)}
              aria-label={m.signOutOf({ device: nameOf(session) })}
            >
              {m.signOut}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
};
