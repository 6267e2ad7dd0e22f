/** The certificate of the public name, and the address that this name leads to. */
import type { Config } from '../config/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createNameQuestions, type Net } from '../lib/net.ts';
import { createAddressUpdates } from './dns/address-updates.ts';
import { createDnsProvider } from './dns/provider.ts';
import type { DnsProvider } from './dns/types.ts';
import type { Certificates } from './types.ts';
import { createCertificates } from './certificates/certificates.ts';

interface PublicCertificateNeeds {
  config: Config;
  net: Net;
  clock: Clock;
  log: Log;
  /** Folder for what is worth keeping. */
  data: string;
}

/** Makes the certificates of remote access; off unless it is configured. */
export function publicCertificates(needs: PublicCertificateNeeds): Certificates {
  const { config, net, clock, log, data } = needs;
  const provider = publicProvider(needs);
  const resolver = config.get('acme.resolver');
  const certificates = createCertificates({
    ...{ net, clock, log, provider },
    folder: `${data}/certificates/public`,
    directory: config.get('acme.directory'),
    names: provider ? [provider.name] : [],
    questions: createNameQuestions({ resolver: resolver && serverAddress(resolver) }),
    isTermsAccepted: () => config.get('remote.terms_accepted'),
  });
  if (!provider) return certificates;
  const isTermsAccepted = (): boolean => config.get('remote.terms_accepted');
  const updates = createAddressUpdates({ provider, log, isTermsAccepted });
  const stopListening = config.on('remote.terms_accepted', updates.send);
  return {
    ...certificates,
    start: async () => {
      updates.start();
      await certificates.start();
    },
    close: async () => {
      stopListening();
      await Promise.all([updates.close(), certificates.close()]);
    },
  };
}

function publicProvider({ config, net, clock }: PublicCertificateNeeds): DnsProvider | undefined {
  const [domain, token] = [config.get('remote.dns_a_domain'), config.get('remote.dns_a_token')];
  if (config.get('remote.mode') !== 'https' || domain === undefined || token === undefined) return undefined;
  return createDnsProvider({ provider: 'dns_a', domain, token, net, clock, api: config.get('acme.dns_a_url') });
}

const serverAddress = ({ host, port }: { host: string; port: number }): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host === '' ? '127.0.0.1' : host}:${port}`;
