/** Set-up of remote access: how far each step is, and the values it works with. Pure, and without words. */
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import type { RemoteAccess } from '../../../../contract/remote/remote-access.ts';

/** Zone in which the name is a subdomain. */
export const DNS_ZONE = 'duckdns.org';
/** Page of the provider on which a person gets the name. */
export const DNS_PAGE = 'https://www.duckdns.org';

export type SetUpKey = 'remote.mode' | 'remote.dns_a_domain' | 'remote.dns_a_token' | 'auth.url';
/** Settings of which a change is in force only after a restart. */
const RESTART_KEYS: readonly string[] = [
  'remote.mode',
  'remote.dns_a_domain',
  'remote.dns_a_token',
  'remote.gateway',
  'remote.proxy_token',
  'remote.listen',
  'auth.url',
];

/** `unknown` is for what the server cannot know. */
export type StepState = 'done' | 'next' | 'later' | 'failed' | 'unknown';
export type StepName = 'name' | 'terms' | 'router' | 'certificate' | 'phone';

export interface SavedSetUp {
  /** Whether remote access is on by the saved settings. */
  isOn: boolean;
  /** Whether a saved change waits for a restart. */
  isPending: boolean;
}

type Row = Pick<SettingRow, 'key' | 'value' | 'pending'>;
export const savedSetUp = (rows: readonly Row[]): SavedSetUp => ({
  isOn: rows.some(({ key, value }) => key === 'remote.mode' && value === 'https'),
  isPending: rows.some(({ key, pending }) => pending && RESTART_KEYS.includes(key)),
});

/** Returns how far each step is, in the order of the steps. */
export function stepsOf(status: RemoteAccess, { isOn, isPending }: SavedSetUp): Readonly<Record<StepName, StepState>> {
  const { mode, state, terms, seen, checks } = status;
  if (mode === 'off' || !isOn)
    return { name: 'next', terms: 'later', router: 'later', certificate: 'later', phone: 'later' };
  const isAccepted = terms?.accepted === true;
  const certificate = checks.find(({ name }) => name === 'certificate')?.state;
  return {
    name: isPending ? 'next' : 'done',
    terms: isAccepted ? 'done' : 'next',
    router: seen === undefined ? 'unknown' : 'done',
    certificate: certificate === 'ok' ? 'done' : certificate === 'failed' ? 'failed' : isAccepted ? 'next' : 'later',
    phone: seen !== undefined ? 'done' : state === 'open' ? 'next' : 'later',
  };
}

/** Returns the name in what a person typed or pasted: the name alone, or its address. */
export const nameIn = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');

/** Returns the subdomain in what a person typed or pasted: the label alone, the whole name, or its address. */
export const labelIn = (text: string): string =>
  nameIn(text).replace(new RegExp(`\\.${DNS_ZONE.replace('.', '\\.')}$`), '');

/** Returns the public address of a subdomain. */
export const addressOf = (label: string): string => `${SCHEME}${label}.${DNS_ZONE}`;
/** Returns the address of a host at home, with the port that the server listens at there. */
export const homeUrl = (host: string, port: string | undefined): string =>
  `${SCHEME}${host}${port === undefined || port === '443' ? '' : `:${port}`}`;
const SCHEME = 'https://';

/** Returns the port of a listening address such as `:8443` or `[::1]:8443`. */
export const portIn = (listen: string | undefined): string | undefined => /:(\d{1,5})$/.exec(listen ?? '')?.[1];

/** Returns the host of a page if it is an address in a home network, to which a router can lead. */
export const homeAddressIn = (host: string): string | undefined =>
  /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d{1,3}){2,3}$/.test(host) && host.split('.').length === 4
    ? host
    : undefined;
