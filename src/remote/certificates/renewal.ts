/** When a certificate is renewed: when the authority says, or with a third of its life left. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { RemoteFault } from '../fault.ts';
import { AcmeProblem, type Acme } from './acme.ts';
import type { IssuedCertificate } from './keys.ts';

const RenewalReply = z.object({
  suggestedWindow: z.object({ start: z.iso.datetime({ offset: true }), end: z.iso.datetime({ offset: true }) }),
});

const HOUR_MS = 3_600_000;

export interface RenewalPlan {
  at: number;
  /** When to ask the authority again. */
  askAt: number;
  /** Whether the authority knows the certificate by its renewal id. */
  isByAuthority: boolean;
}

export const planByLife = ({ notBefore, notAfter }: IssuedCertificate, now: number): RenewalPlan => ({
  at: notAfter - (notAfter - notBefore) / 3,
  askAt: now + 6 * HOUR_MS,
  isByAuthority: false,
});

/** Asks the authority (RFC 9773). Falls back to the life of the certificate if it says nothing useful. */
export async function planRenewal(
  acme: Acme,
  certificate: IssuedCertificate,
  now: number,
  signal: AbortSignal,
): Promise<RenewalPlan> {
  const fallback = planByLife(certificate, now);
  try {
    const { renewalInfo } = await acme.directory(signal);
    const id = certificate.renewalId;
    if (renewalInfo === undefined || id === undefined) return fallback;
    const reply = await acme.read(`${renewalInfo.replace(/\/$/, '')}/${id}`, signal);
    const found = RenewalReply.safeParse(reply.json);
    if (!found.success) return fallback;
    const [start, end] = [found.data.suggestedWindow.start, found.data.suggestedWindow.end].map(Date.parse) as [
      number,
      number,
    ];
    if (!(end > start)) return fallback;
    const at = start + (end - start) * shareOf(id);
    return {
      // Never later than the life of the certificate allows.
      at: Math.min(at, certificate.notAfter - HOUR_MS),
      askAt: now + Math.min(24 * HOUR_MS, Math.max(HOUR_MS, reply.retryAfterMs ?? 6 * HOUR_MS)),
      isByAuthority: true,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RemoteFault || error instanceof AcmeProblem) return fallback;
    throw error;
  }
}

/** A moment of the window that is random among certificates, and the same after a restart. */
const shareOf = (id: string): number => createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
