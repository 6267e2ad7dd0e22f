/** Holds the certificate of one name, and obtains the next one when it is due. */
import type { Clock } from '../../lib/clock.ts';
import { crashPoint } from '../../lib/crash.ts';
import type { Log } from '../../lib/log.ts';
import type { NameQuestions, Net } from '../../lib/net.ts';
import type { DnsProvider } from '../dns/types.ts';
import type { CertificateStatus } from '../types.ts';
import { createAcme, type Acme } from './acme.ts';
import { MAX_RETRY_MS, type KeptFilesOfCertificate } from './kept.ts';
import { checkedCertificate, newKey, type IssuedCertificate } from './keys.ts';
import { obtainCertificate } from './order.ts';
import { planByLife, planRenewal, type RenewalPlan } from './renewal.ts';

/** Terms of the authority that is used unless a setting names another. It is not asked for them. */
const KNOWN_TERMS = { host: '.letsencrypt.org', url: 'https://letsencrypt.org/repository/' };
const POLL_MS = 2_000;
const SHOWN_MS = 180_000;

/** Returns the address of an authority's terms; undefined if only the authority knows it. */
export const knownTermsUrl = (directory: string): string | undefined =>
  new URL(directory).hostname.endsWith(KNOWN_TERMS.host) ? KNOWN_TERMS.url : undefined;

/** A name, its authority, and where its files are. */
export interface CertificatePlace {
  net: Net;
  clock: Clock;
  log: Log;
  /** Folder of this name's files. */
  folder: string;
  /** Address of the authority's directory. */
  directory: string;
  names: readonly string[];
  questions: NameQuestions;
  /** Milliseconds between two questions, and until a text must be shown. */
  pollMs?: number;
  shownMs?: number;
}

interface RenewerNeeds extends CertificatePlace {
  kept: KeptFilesOfCertificate;
  signal: AbortSignal;
  /** Called when it begins and ends to try, and after a change. */
  announce(): void;
}

export interface Renewer {
  /** The certificate, unless it has ended. */
  valid(): IssuedCertificate | undefined;
  /** Reads the kept certificate. */
  load(): Promise<void>;
  /** Obtains a certificate if one is due. Throws why it could not. */
  renew(provider: DnsProvider): Promise<void>;
  isTrying(): boolean;
  stopTrying(): void;
  shown(): Pick<CertificateStatus, 'notAfter' | 'dueAt' | 'termsUrl'>;
}

export function createRenewer(needs: RenewerNeeds): Renewer {
  const { clock, log, kept, names, directory, signal, announce } = needs;
  let issued: IssuedCertificate | undefined;
  let plan: RenewalPlan | undefined;
  let termsUrl = knownTermsUrl(directory);
  let isTrying = false;

  const valid = () => (issued && issued.notAfter > clock.now() ? issued : undefined);
  /** Whether the certificate is due, after the authority was asked when that is due. */
  const isDue = async (acme: Acme): Promise<boolean> => {
    const held = valid();
    if (!held) return true;
    const now = clock.now();
    plan ??= { ...planByLife(held, now), askAt: 0 };
    if (now >= plan.askAt || plan.askAt > now + MAX_RETRY_MS) plan = await planRenewal(acme, held, now, signal);
    return now >= plan.at;
  };
  return {
    valid,
    load: async () => {
      const found = await kept.issued();
      issued = found && (await checkedCertificate(found, names, clock.now()).catch(() => undefined));
      // Killed after it kept the certificate, a server left the order, which would bring the same one again.
      if (issued && (await kept.order(names))?.key === issued.key) await kept.forgetOrder();
    },
    renew: async (provider) => {
      const acme = createAcme({ ...needs, accountKey: await kept.accountKey(newKey) });
      if (!(await isDue(acme))) return;
      isTrying = true;
      announce();
      termsUrl = (await acme.directory(signal)).meta?.termsOfService ?? termsUrl;
      await acme.register(signal);
      crashPoint('remote.certificate.registered');
      const made = await obtainCertificate({
        ...{ acme, kept, names, provider, questions: needs.questions, signal },
        replaces: plan?.isByAuthority ? issued?.renewalId : undefined,
        pollMs: needs.pollMs ?? POLL_MS,
        shownMs: needs.shownMs ?? SHOWN_MS,
      });
      const next = await checkedCertificate(made, names, clock.now()).catch(async (error: unknown) => {
        await kept.forgetOrder();
        throw error;
      });
      await kept.saveIssued(made);
      crashPoint('remote.certificate.kept');
      issued = next;
      plan = undefined;
      await kept.forgetOrder();
      log.info('remote.certificate.issued', { days: Math.round((next.notAfter - clock.now()) / 86_400_000) });
    },
    isTrying: () => isTrying,
    stopTrying: () => {
      if (!isTrying) return;
      isTrying = false;
      announce();
    },
    shown: () => ({
      ...(issued && { notAfter: issued.notAfter, dueAt: planByLife(issued, clock.now()).at }),
      ...(termsUrl !== undefined && { termsUrl }),
    }),
  };
}
