/**
 * Trusted HTTPS at home: its state in a sentence with the address to open, set-up, what was checked, and what to allow
 * in a router that drops the name.
 */
import { useState } from 'preact/hooks';
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import type { TrustedHttpsStatus } from '../../../../contract/remote/trusted-https.ts';
import { call } from '../../../data/client.ts';
import { readAgain, useAsk } from '../../../data/query.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { confirm } from '../../../kit/layers/confirm.tsx';
import { runWithToast } from '../../../kit/layers/run.ts';
import { Badge, ErrorState, Notice, Pending } from '../../../kit/states/states.tsx';
import { Link } from '../../../lib/navigation/link.tsx';
import { remoteWords } from '../../../messages/remote.ts';
import { rich } from '../../../messages/rich.ts';
import { trustedCheckText } from '../../../messages/server-trusted-https.ts';
import { shellWords } from '../../../messages/shell.ts';
import { trustedHttpsWords as m } from '../../../messages/trusted-https.ts';
import { translatedSetting } from '../../../parts/settings/translated.ts';
import { sourceWords } from '../configuration/values.ts';
import { CheckList } from './check-list.tsx';
import { Copyable } from './copyable.tsx';
import { homeUrl, portIn } from './steps.ts';
import { TrustedForm } from './trusted-form.tsx';
import {
  obstacleIn,
  providerName,
  trustedCheckName,
  trustedStateSentence,
  trustedStateWord,
  type TrustedObstacle,
} from './trusted-words.ts';
import { certificateFacts } from './words.ts';
import css from '../settings.module.css';
import own from './remote.module.css';

/** While something is on its way, and once there is nothing to wait for. */
const WAITING_EVERY_MS = 3000;
const EVERY_MS = 30_000;

type RowOf = (key: string) => SettingRow | undefined;
const portOf = (rowOf: RowOf): string | undefined => portIn(rowOf('listen')?.value ?? rowOf('listen')?.default);

/** Whether passkeys belong to the name: a public address goes first. */
const isHostOfPasskeys = (rowOf: RowOf): boolean => rowOf('auth.url')?.value === undefined;

/** Asks, and says everything that turning it off changes, and what it leaves as it is. */
async function turnOff(
  { provider = 'dns_a', name = '', address = '' }: TrustedHttpsStatus,
  { port, isPasskeyHost }: { port: string | undefined; isPasskeyHost: boolean },
): Promise<void> {
  const sentences = [
    m.forgets({ name }),
    m.othersStay,
    m.staysAtProvider({ provider: providerName(provider), address }),
    m.certificateStays,
    ...(isPasskeyHost ? [m.passkeysEnd] : []),
    ...(location.hostname === name ? [m.openedHere({ address: homeUrl(address, port) })] : []),
  ];
  const says = (
    <ul className={css.list}>
      {sentences.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  );
  if (!(await confirm({ title: m.turnOffQuestion, says, action: m.turnOff, isDanger: true }))) return;
  await runWithToast(() => call.trustedHttps.remove({}), m.isOff);
  readAgain('trustedHttps');
  readAgain('configuration');
}

interface StateProps {
  status: TrustedHttpsStatus;
  rowOf: RowOf;
  onChange: (() => void) | undefined;
}
const State = ({ status, rowOf, onChange }: StateProps) => {
  const { word, tone } = trustedStateWord(status);
  const row = rowOf('tls.dns_a');
  const { url, certificate } = status;
  return (
    <section className={css.card} aria-labelledby="trusted-state">
      <div className={css.cardHead}>
        <h2 id="trusted-state">{remoteWords.state}</h2>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <p role="status">{trustedStateSentence(status, row)}</p>
      {url !== undefined && (
        <p className={own.address}>
          {status.state === 'ready' ? (
            <a className="link" href={url}>
              {url}
            </a>
          ) : (
            url
          )}
        </p>
      )}
      {certificate && (
        <p className={css.facts}>
          {remoteWords.certificate}: {certificateFacts(certificate).join(' · ')}
        </p>
      )}
      {status.state === 'ready' && <p className="muted small">{remoteWords.renewedByItself}</p>}
      {status.managed && row && <p className="muted small">{sourceWords(row)}</p>}
      {onChange && (
        <div className={css.actions}>
          <Button onClick={onChange}>{m.change}</Button>
          <Button
            look="quiet"
            onClick={() => void turnOff(status, { port: portOf(rowOf), isPasskeyHost: isHostOfPasskeys(rowOf) })}
          >
            {m.turnOff}
          </Button>
        </div>
      )}
    </section>
  );
};

/** Says what has to be changed first, and leads there. */
const Obstacle = ({ obstacle }: { obstacle: TrustedObstacle }) => (
  <Notice tone="warn">
    {obstacle === 'restart' && m.restartFirst}
    {obstacle === 'remote-on' &&
      rich(m.remoteIsOn, {
        access: (
          <Link className="link" to={{ page: 'settingsPart', params: { part: 'remote' } }}>
            {shellWords.accessFromOutside}
          </Link>
        ),
      })}
    {obstacle === 'https-off' &&
      rich(m.httpsIsOff, {
        advanced: (
          <Link
            className="link"
            to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: 'tls.enabled' } }}
          >
            {shellWords.advanced}
          </Link>
        ),
      })}
  </Notice>
);

/** Places in routers at which a dropped name is allowed. */
const RouterHelp = ({ name }: { name: string }) => (
  <section className={css.card} aria-labelledby="trusted-router">
    <h2 id="trusted-router">{m.routerDrops}</h2>
    <p>{m.routerDropsSays}</p>
    <dl className={own.values}>
      <div className={own.value}>
        <dt>{m.fritzBox}</dt>
        <dd>{m.fritzBoxPath}</dd>
      </div>
      <Copyable name={m.dnsmasq} value={m.dnsmasqLine({ name })} />
      <Copyable name={m.unbound} value={m.unboundLine({ name })} />
    </dl>
  </section>
);

interface SetUpProps {
  status: TrustedHttpsStatus;
  rowOf: RowOf;
  obstacle: TrustedObstacle | undefined;
  onSaved: () => void;
  onCancel: (() => void) | undefined;
}
const SetUp = ({ status, rowOf, obstacle, onSaved, onCancel }: SetUpProps) => (
  <section className={css.card} aria-labelledby="trusted-set-up">
    <h2 id="trusted-set-up">{remoteWords.setUp}</h2>
    {obstacle === undefined ? (
      <TrustedForm
        {...{ status, onSaved }}
        {...(onCancel && { onCancel })}
        port={portOf(rowOf)}
        directory={rowOf('acme.directory')}
        isPasskeyHost={isHostOfPasskeys(rowOf)}
      />
    ) : (
      <Obstacle obstacle={obstacle} />
    )}
  </section>
);

export const TrustedHttpsSection = () => {
  const [isSettled, setSettled] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const { data, ...asked } = useAsk('trustedHttps', 'read', {}, { every: isSettled ? EVERY_MS : WAITING_EVERY_MS });
  const configuration = useAsk('configuration', 'list', {});
  const isNowSettled = data?.state === 'off' || data?.state === 'ready';
  if (isNowSettled !== isSettled) setSettled(isNowSettled);
  const error = asked.error ?? configuration.error;
  if (!data || !configuration.data)
    return error ? (
      <ErrorState
        title={m.couldNotBeRead}
        error={error}
        retry={() => (void asked.refetch(), void configuration.refetch())}
      />
    ) : (
      <Pending />
    );
  const rows = configuration.data.settings.map(translatedSetting);
  const rowOf: RowOf = (key) => rows.find((row) => row.key === key);
  const isOff = data.state === 'off';
  const isDropped = data.checks.some(({ text }) => text.reason === 'name-dropped');
  const close = () => setChanging(false);
  return (
    <>
      <p className={css.lead}>{m.lead}</p>
      <State
        {...{ status: data, rowOf }}
        onChange={isOff || data.managed || isChanging ? undefined : () => setChanging(true)}
      />
      {(isOff || isChanging) && (
        <SetUp
          {...{ status: data, rowOf, obstacle: isOff ? obstacleIn(rows) : undefined }}
          onSaved={close}
          onCancel={isChanging ? close : undefined}
        />
      )}
      {isDropped && data.name !== undefined && <RouterHelp name={data.name} />}
      {data.checks.length > 0 && (
        <CheckList
          checks={data.checks.map((check) => ({
            name: trustedCheckName(check.name),
            state: check.state,
            says: trustedCheckText(check),
          }))}
        />
      )}
    </>
  );
};
