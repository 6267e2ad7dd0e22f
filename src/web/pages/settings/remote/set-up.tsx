/** Set-up of remote access, step by step. What the server cannot know is said as unknown. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import type { RemoteAccess } from '../../../../contract/remote/remote-access.ts';
import { call } from '../../../data/client.ts';
import { readAgain } from '../../../data/query.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { runWithToast } from '../../../kit/layers/run.ts';
import { Badge } from '../../../kit/states/states.tsx';
import { ago } from '../../../lib/format.ts';
import { remoteWords as m } from '../../../messages/remote.ts';
import { remoteCheckText } from '../../../messages/server-remote-checks.ts';
import { Qr } from '../../../parts/factor/qr.tsx';
import { sourceWords } from '../configuration/values.ts';
import { Copyable } from './copyable.tsx';
import { NameStep } from './name-step.tsx';
import { homeAddressIn, portIn, type SavedSetUp, stepsOf, type StepState } from './steps.ts';
import { certificateFacts, stepWord } from './words.ts';
import css from '../settings.module.css';
import own from './remote.module.css';

const OUTER_PORT = '443';

const Step = ({ title, state, children }: { title: string; state: StepState; children?: ComponentChildren }) => {
  const id = useId();
  const { word, tone } = stepWord(state);
  return (
    <li className={own.step} aria-labelledby={id}>
      <div className={own.stepHead}>
        <h3 id={id}>{title}</h3>
        <Badge tone={tone}>{word}</Badge>
      </div>
      {state !== 'later' && children}
    </li>
  );
};

/** Accepts the terms by a separate button: nothing is asked of the authority before. */
const Terms = ({ status, row }: { status: RemoteAccess; row: SettingRow | undefined }) => {
  const [isBusy, setBusy] = useState(false);
  const url = status.terms?.url;
  if (status.terms?.accepted === true) return <p>{m.termsAreAccepted}</p>;
  const accept = async () => {
    setBusy(true);
    await runWithToast(() => call.configuration.save({ key: 'remote.terms_accepted', value: 'true' }));
    readAgain('configuration');
    readAgain('remoteAccess');
    setBusy(false);
  };
  return (
    <>
      <p>{m.termsSay}</p>
      {url !== undefined && (
        <p>
          <a className="link" href={url} target="_blank" rel="noreferrer">
            {m.readTheTerms({ host: new URL(url).host })}
          </a>
        </p>
      )}
      {row?.managed === true ? (
        <p className="muted small">{sourceWords(row)}</p>
      ) : (
        <div className={css.actions}>
          <Button look="primary" isBusy={isBusy} onClick={() => void accept()}>
            {m.iAccept}
          </Button>
        </div>
      )}
    </>
  );
};

interface RouterProps {
  status: RemoteAccess;
  homePort: string | undefined;
}
const RouterStep = ({ status: { gateway, seen, port }, homePort }: RouterProps) => {
  const address = homeAddressIn(location.hostname);
  if (seen !== undefined) return <p>{m.routerWorks}</p>;
  if (gateway)
    return (
      <>
        <p>{m.gatewaySays}</p>
        <p className="muted small">{m.routerUnknown}</p>
      </>
    );
  return (
    <>
      <p>{m.forwardSays}</p>
      <dl className={own.values}>
        <Copyable name={m.portOutside} value={OUTER_PORT} />
        {address === undefined ? (
          <div className={own.value}>
            <dt>{m.toTheAddress}</dt>
            <dd>{m.addressUnknown}</dd>
          </div>
        ) : (
          <Copyable name={m.toTheAddress} value={address} />
        )}
        {port !== undefined && <Copyable name={m.toThePort} value={String(port)} />}
      </dl>
      {homePort !== undefined && <p className="muted small">{m.noOtherPort({ port: homePort })}</p>}
      <p className="muted small">{m.routerUnknown}</p>
    </>
  );
};

const CertificateStep = ({ status, state }: { status: RemoteAccess; state: StepState }) => {
  const check = status.checks.find(({ name }) => name === 'certificate');
  return (
    <>
      {check && <p>{remoteCheckText(check)}</p>}
      {state !== 'done' && status.certificate && (
        <p className={css.facts}>{certificateFacts(status.certificate).join(' · ')}</p>
      )}
      {state === 'next' && <p className="muted small">{m.waitSays}</p>}
    </>
  );
};

/** Button for a check by a third party, and its result. Behind the gateway, which answers handshakes, there is none. */
const Proof = ({ proof }: Pick<RemoteAccess, 'proof'>) => {
  const [isBusy, setBusy] = useState(false);
  const prove = async () => {
    setBusy(true);
    await runWithToast(() => call.remoteAccess.prove({}));
    readAgain('remoteAccess');
    setBusy(false);
  };
  return (
    <>
      <p>{m.proofSays}</p>
      <div className={css.actions}>
        <Button isBusy={isBusy || proof?.isRunning === true} onClick={() => void prove()}>
          {m.prove}
        </Button>
      </div>
      <p role="status">{proof && remoteCheckText(proof)}</p>
    </>
  );
};

const PhoneStep = ({ status: { url, seen, gateway, state, proof } }: { status: RemoteAccess }) => {
  if (seen !== undefined) return <p>{m.arrived({ when: ago(seen) })}</p>;
  if (url === undefined) return null;
  return (
    <>
      <p>{m.phoneSays({ address: url })}</p>
      <div className={own.qr}>
        <Qr text={url} label={m.qrCode({ address: url })} />
      </div>
      <p className="muted" role="status">
        {m.notArrived}
      </p>
      {!gateway && state === 'open' && <Proof proof={proof} />}
    </>
  );
};

interface SetUpProps {
  status: RemoteAccess;
  saved: SavedSetUp;
  rows: readonly SettingRow[];
}
export const RemoteSetUp = ({ status, saved, rows }: SetUpProps) => {
  const steps = stepsOf(status, saved);
  const rowOf = (key: string): SettingRow | undefined => rows.find((row) => row.key === key);
  return (
    <section className={css.card} aria-labelledby="remote-set-up">
      <h2 id="remote-set-up">{m.setUp}</h2>
      <ol className={own.steps}>
        <Step title={m.chooseAName} state={steps.name}>
          <NameStep saved={saved} rowOf={rowOf} />
        </Step>
        <Step title={m.acceptTheTerms} state={steps.terms}>
          <Terms status={status} row={rowOf('remote.terms_accepted')} />
        </Step>
        <Step title={m.forwardThePort} state={steps.router}>
          <RouterStep status={status} homePort={portIn(rowOf('listen')?.value ?? rowOf('listen')?.default)} />
        </Step>
        <Step title={m.waitForTheCertificate} state={steps.certificate}>
          <CertificateStep status={status} state={steps.certificate} />
        </Step>
        <Step title={m.checkFromAPhone} state={steps.phone}>
          <PhoneStep status={status} />
        </Step>
      </ol>
    </section>
  );
};
