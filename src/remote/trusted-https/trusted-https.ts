/**
 * Trusted HTTPS at home: follows the setting `tls.dns_a` while the server runs. The name is led to the private address,
 * its certificate is obtained and renewed, and handshakes that ask for the name get it. Nothing is opened to the
 * outside, and all other names keep the server's own certificate.
 */
import { type Config, trustedHostname, type TrustedHttps } from '../../config/index.ts';
import type { RemoteFinding } from '../../contract/remote/findings.ts';
import type { TrustedHttpsStatus } from '../../contract/remote/trusted-https.ts';
import { TRUSTED_HTTPS_TEXTS } from '../../contract/remote/trusted-https-texts.ts';
import type { Clock } from '../../lib/clock.ts';
import { coalesce } from '../../lib/coalesce.ts';
import type { Log } from '../../lib/log.ts';
import type { NameQuestions, Net } from '../../lib/net.ts';
import { createCertificates } from '../certificates/certificates.ts';
import { endingFindings } from '../certificates/ending.ts';
import { knownTermsUrl } from '../certificates/renewer.ts';
import { createAddressUpdates } from '../dns/address-updates.ts';
import { createDnsProvider } from '../dns/provider.ts';
import { createServedTls } from '../served-tls.ts';
import type { TlsCertificate } from '../types.ts';
import { createNameCheck } from './name-check.ts';
import { isTrustedManaged } from './save.ts';
import { isNameDropped, showTrustedHttps, type TrustedFacts } from './status.ts';

export interface TrustedHttpsNeeds {
  config: Config;
  net: Net;
  clock: Clock;
  log: Log;
  /** Folder for what is worth keeping. */
  data: string;
  questions: NameQuestions;
}

export interface TrustedName {
  status(): TrustedHttpsStatus;
  /** Returns the certificate of a host; undefined if it is not the name, or there is none that is valid. */
  certificateOf(host: string): TlsCertificate | undefined;
  findings(): RemoteFinding[];
  /** Resolves when the setting in force is followed. */
  follow(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export function createTrustedHttps(needs: TrustedHttpsNeeds): TrustedName {
  const { config, clock, log } = needs;
  let open: OpenName | undefined;
  let phase: 'new' | 'started' | 'closed' = 'new';
  /** Whether what is followed from now on was changed while the server runs. */
  let isChanged = false;

  const follow = coalesce(async () => {
    const value = phase === 'started' ? config.get('tls.dns_a') : undefined;
    if (open?.value === value) return;
    const last = open;
    open = undefined;
    await last?.close();
    if (!value) return;
    open = openName(needs, value, isChanged);
    await open.start();
  });
  const stop = config.on(
    'tls.dns_a',
    () => void follow().catch((error: unknown) => log.fault('remote.trusted.broken', error)),
  );
  return {
    status: () => {
      const given = { isManaged: isTrustedManaged(config), clock };
      return open ? showTrustedHttps(open.facts(), given) : offStatus(given.isManaged, config.get('acme.directory'));
    },
    certificateOf: (host) => (open?.name === host ? open.served() : undefined),
    findings: () => open?.findings() ?? [],
    follow,
    start: async () => {
      if (phase === 'new') phase = 'started';
      await follow();
      isChanged = true;
    },
    close: async () => {
      stop();
      phase = 'closed';
      await follow();
    },
  };
}

function offStatus(managed: boolean, directory: string): TrustedHttpsStatus {
  const termsUrl = knownTermsUrl(directory);
  return { state: 'off', managed, checks: [], ...(termsUrl !== undefined && { termsUrl }) };
}

type OpenName = ReturnType<typeof openName>;

function openName(
  { config, net, clock, log, data, questions }: TrustedHttpsNeeds,
  value: TrustedHttps,
  isChanged: boolean,
) {
  const { provider: kind, domain, token, address } = value;
  const provider = createDnsProvider({
    ...{ provider: kind, domain, token, net, clock },
    api: kind === 'dns_a' ? config.get('acme.dns_a_url') : config.get('acme.dns_b_url'),
  });
  const isTermsAccepted = (): boolean => value.termsAccepted;
  const certificates = createCertificates({
    ...{ net, clock, log, provider, isTermsAccepted, isChanged, questions },
    folder: `${data}/certificates/home`,
    directory: config.get('acme.directory'),
    names: [provider.name],
  });
  const check = createNameCheck({ name: provider.name, address, questions, clock, log });
  const updates = createAddressUpdates({
    ...{ provider, clock, log, isTermsAccepted, address },
    isDue: () => updates.last()?.fault !== undefined || check.isMissing(),
    sent: check.look,
  });
  const facts = (): TrustedFacts => ({
    ...{ value, name: trustedHostname(value), port: config.get('listen').port, found: check.last() },
    certificate: certificates.status(),
    isServed: certificates.current() !== undefined,
    sent: updates.last(),
  });
  return {
    value,
    name: provider.name,
    facts,
    served: createServedTls(certificates.current),
    findings: (): RemoteFinding[] => [
      ...endingFindings(certificates.status(), clock.now()),
      ...(isNameDropped(facts()) ? [droppedFinding(provider.name, address)] : []),
    ],
    start: async () => {
      updates.start();
      await certificates.start();
      check.start();
    },
    close: async () => {
      await Promise.all([updates.close(), check.close(), certificates.close()]);
    },
  };
}

const droppedFinding = (name: string, address: string): RemoteFinding => ({
  level: 'warning',
  code: 'trusted-name-dropped',
  subject: 'Trusted HTTPS at home',
  sentence: TRUSTED_HTTPS_TEXTS['name-dropped']({ address }),
  values: { name },
  setting: 'tls.dns_a',
});
