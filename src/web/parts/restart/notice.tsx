/**
 * Shows what is saved and not yet in force, with a button that restarts the server, the restart while it runs, and why
 * one has failed. Nothing is shown when there is none of these.
 */
import { useAsk } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Notice, ProgressBar } from '../../kit/states/states.tsx';
import { listed } from '../../lib/format.ts';
import { createStore, useStore } from '../../lib/store.ts';
import { rich } from '../../messages/rich.ts';
import { restartWords as m } from '../../messages/restart.ts';
import { translatedSetting } from '../settings/translated.ts';
import { restarting, restartNow, type RestartWait } from './restart.ts';
import css from './notice.module.css';

/** The run whose failure was read by the person. */
const dismissed = createStore<string | undefined>(undefined);

const Running = ({ shown: { address, isLate } }: { shown: RestartWait }) => (
  <Notice tone="warn">
    <div role="status">
      <p>
        <strong>{m.restarting}</strong>
      </p>
      <p>
        {address !== undefined
          ? rich(m.movesTo, {
              link: (
                <a className="link" href={address}>
                  {address}
                </a>
              ),
            })
          : isLate
            ? m.notBackYet
            : m.continuesByItself}
      </p>
    </div>
    <div className={css.progress}>
      <ProgressBar value={undefined} label={m.restarting} isThin />
    </div>
  </Notice>
);

const Pending = ({ names }: { names: readonly string[] }) => (
  <Notice tone="warn">
    <p>
      <strong>{m.notYetInForce({ count: names.length })}</strong>
    </p>
    <ul className={css.names}>
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
    <div className={css.act}>
      <Button look="primary" onClick={() => void restartNow()}>
        {m.restartNow}
      </Button>
      <p className="muted small">{m.takesAFewSeconds}</p>
    </div>
  </Notice>
);

const Failed = ({ error, names, onRead }: { error: string; names: readonly string[]; onRead: () => void }) => (
  <Notice tone="danger">
    <p>
      <strong>{m.couldNotUse}</strong>
    </p>
    <p className={css.why}>{error}</p>
    {names.length > 0 && <p>{m.putBack({ names: listed(names) })}</p>}
    <div className={css.act}>
      <Button onClick={onRead}>{m.gotIt}</Button>
    </div>
  </Notice>
);

export const RestartNotice = () => {
  const shown = useStore(restarting);
  const read = useStore(dismissed);
  const configuration = useAsk('configuration', 'list', {});
  const state = useAsk('restart', 'read', {});
  if (shown) return <Running shown={shown} />;
  const rows = configuration.data?.settings.map(translatedSetting) ?? [];
  const nameOf = ({ groupTitle, title }: { groupTitle: string; title: string }): string =>
    m.groupAndTitle({ group: groupTitle, title });
  const pending = rows.filter((row) => row.pending).map(nameOf);
  const failure = state.data?.run === read ? undefined : state.data?.failure;
  return (
    <>
      {failure && (
        <Failed
          error={failure.error}
          names={rows.filter(({ key }) => failure.putBack.includes(key)).map(nameOf)}
          onRead={() => dismissed.set(state.data?.run)}
        />
      )}
      {pending.length > 0 && <Pending names={pending} />}
    </>
  );
};
