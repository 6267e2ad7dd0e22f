/** Sentences and labels of the page about trusted HTTPS at home. */
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import type { TrustedHttpsStatus } from '../../../../contract/remote/trusted-https.ts';
import { remoteWords } from '../../../messages/remote.ts';
import { trustedCheckText } from '../../../messages/server-trusted-https.ts';
import { trustedHttpsWords as m } from '../../../messages/trusted-https.ts';
import { DNS_PAGE } from './steps.ts';
import type { Tone } from './words.ts';

export type TrustedProvider = NonNullable<TrustedHttpsStatus['provider']>;

export const providerName = (provider: TrustedProvider): string => (provider === 'dns_a' ? m.duckDns : m.deSec);
/** Returns the page of a provider on which a person gets a name. */
export const providerPage = (provider: TrustedProvider): string =>
  provider === 'dns_a' ? DNS_PAGE : 'https://desec.io';

export const trustedStateWord = ({ state }: TrustedHttpsStatus): { word: string; tone: Tone } =>
  (
    {
      off: { word: remoteWords.off, tone: 'plain' },
      waiting: { word: m.underWay, tone: 'accent' },
      ready: { word: m.works, tone: 'good' },
      failing: { word: remoteWords.doesNotWork, tone: 'danger' },
    } as const
  )[state];

/** Says the state in a sentence. */
export function trustedStateSentence({ state, checks }: TrustedHttpsStatus, row: SettingRow | undefined): string {
  switch (state) {
    case 'ready':
      return m.worksSays;
    case 'waiting':
      return m.underWaySays;
    case 'failing': {
      const failed = checks.find((check) => check.state === 'failed');
      return m.failingSays({ why: failed ? trustedCheckText(failed) : '' }).trim();
    }
    default:
      return row?.configured === true && row.pending ? m.offUntilRestart : m.offSays;
  }
}

export const trustedCheckName = (name: TrustedHttpsStatus['checks'][number]['name']): string =>
  ({ address: m.checkAddress, certificate: remoteWords.checkCertificate, name: m.checkName })[name];

/** Condition that has to change before it can be set up. */
export type TrustedObstacle = 'remote-on' | 'https-off' | 'restart';
type Row = Pick<SettingRow, 'key' | 'value' | 'pending'>;
/** Returns the first condition that prevents set-up; undefined if nothing does. */
export function obstacleIn(rows: readonly Row[]): TrustedObstacle | undefined {
  const [mode, tls, own] = ['remote.mode', 'tls.enabled', 'tls.dns_a'].map((key) =>
    rows.find((row) => row.key === key),
  );
  if (mode?.value === 'https') return 'remote-on';
  if (tls?.value === 'false' || tls?.value === '0') return 'https-off';
  return mode?.pending === true || tls?.pending === true || own?.pending === true ? 'restart' : undefined;
}
