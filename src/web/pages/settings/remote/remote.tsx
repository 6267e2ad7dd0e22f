/**
 * Remote access: its state in a sentence, the switch that cuts it, the steps of set-up, what was checked, and the
 * certificate.
 */
import { useState } from 'preact/hooks';
import type { RemoteAccess } from '../../../../contract/remote/remote-access.ts';
import { call } from '../../../data/client.ts';
import { readAgain, useAsk } from '../../../data/query.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { runWithToast } from '../../../kit/layers/run.ts';
import { Badge, ErrorState, Pending } from '../../../kit/states/states.tsx';
import { listed } from '../../../lib/format.ts';
import { remoteWords as m } from '../../../messages/remote.ts';
import { remoteCheckText } from '../../../messages/server-remote-checks.ts';
import { translatedSetting } from '../../../parts/settings/translated.ts';
import { CheckList } from './check-list.tsx';
import { RemoteSetUp } from './set-up.tsx';
import { savedSetUp, type SavedSetUp } from './steps.ts';
import { certificateFacts, checkName, stateSentence, stateWord } from './words.ts';
import css from '../settings.module.css';
import own from './remote.module.css';

/** While something is on its way, and once a device outside has arrived. */
const WAITING_EVERY_MS = 3000;
const EVERY_MS = 30_000;

/** Runs a change of the switch. Sessions from outside end with it. */
function useSwitch() {
  const [isBusy, setBusy] = useState(false);
  const change = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true);
    await runWithToast(work, done);
    readAgain('remoteAccess');
    readAgain('sessions');
    setBusy(false);
  };
  return { isBusy, change };
}

const State = ({ status, saved }: { status: RemoteAccess; saved: SavedSetUp }) => {
  const { isBusy, change } = useSwitch();
  const { word, tone } = stateWord(status);
  const isCut = status.killedAt !== undefined;
  return (
    <section className={css.card} aria-labelledby="remote-state">
      <div className={css.cardHead}>
        <h2 id="remote-state">{m.state}</h2>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <p role="status">{stateSentence(status, saved)}</p>
      {status.url !== undefined && (
        <p className={own.address}>
          <a className="link" href={status.url} target="_blank" rel="noreferrer">
            {status.url}
          </a>
        </p>
      )}
      {isCut && (
        <div className={css.actions}>
          <Button
            look="primary"
            isBusy={isBusy}
            onClick={() => void change(() => call.remoteAccess.allow({}), m.isAllowed)}
          >
            {m.allowAgain}
          </Button>
        </div>
      )}
      {!isCut && status.mode === 'https' && (
        <>
          <div className={css.actions}>
            <Button
              look="danger"
              isBusy={isBusy}
              onClick={() => void change(() => call.remoteAccess.kill({}), m.isCut)}
            >
              {m.cutAccess}
            </Button>
          </div>
          <p className="muted small">{m.cutAccessSays}</p>
        </>
      )}
    </section>
  );
};

const Certificate = ({ certificate }: { certificate: NonNullable<RemoteAccess['certificate']> }) => (
  <section className={css.card} aria-labelledby="remote-certificate">
    <h2 id="remote-certificate">{m.certificate}</h2>
    <p>{certificateFacts(certificate).join(' · ')}</p>
    <p className={css.facts}>{listed(certificate.names)}</p>
    <p className="muted small">{m.renewedByItself}</p>
  </section>
);

export const RemoteSection = () => {
  const [isSettled, setSettled] = useState(false);
  const status = useAsk('remoteAccess', 'read', {}, { every: isSettled ? EVERY_MS : WAITING_EVERY_MS });
  const configuration = useAsk('configuration', 'list', {});
  const isNowSettled = status.data?.state === 'off' || status.data?.seen !== undefined;
  if (isNowSettled !== isSettled) setSettled(isNowSettled);
  const error = status.error ?? configuration.error;
  if (!status.data || !configuration.data)
    return error ? (
      <ErrorState
        title={m.couldNotBeRead}
        error={error}
        retry={() => (void status.refetch(), void configuration.refetch())}
      />
    ) : (
      <Pending />
    );
  const rows = configuration.data.settings.map(translatedSetting);
  const saved = savedSetUp(rows);
  const { checks, certificate } = status.data;
  return (
    <>
      <p className={css.lead}>{m.lead}</p>
      <State status={status.data} saved={saved} />
      <RemoteSetUp status={status.data} saved={saved} rows={rows} />
      {checks.length > 0 && (
        <CheckList
          checks={checks.map((check) => ({
            name: checkName(check.name),
            state: check.state,
            says: remoteCheckText(check),
          }))}
        />
      )}
      {certificate && <Certificate certificate={certificate} />}
    </>
  );
};
