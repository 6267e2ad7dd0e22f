/** Findings about a certificate that should have been renewed. */
import type { RemoteFinding } from '../../contract/remote/findings.ts';
import { iso } from '../../lib/clock.ts';
import type { CertificateStatus } from '../types.ts';

const DAY_MS = 86_400_000;
const NOTICE_DAYS = 14;

/**
 * Returns what an Owner has to know: that a certificate ends within two weeks although it should have been renewed
 * before, or that it has ended. One that lives for days only is no finding before a third of its life is left.
 */
export function endingFindings(
  { state, names, notAfter, dueAt }: CertificateStatus,
  now: number,
): Extract<RemoteFinding, { code: 'certificate-ending' | 'certificate-ended' }>[] {
  const [name = ''] = names;
  if (state === 'off' || state === 'waiting' || notAfter === undefined || dueAt === undefined) return [];
  if (now < dueAt || notAfter - now > NOTICE_DAYS * DAY_MS) return [];
  const until = iso(notAfter);
  const common = { subject: 'Certificate', values: { name, until } };
  if (notAfter <= now)
    return [
      {
        ...common,
        level: 'error',
        code: 'certificate-ended',
        sentence: `The certificate of ${name} expired on ${until.slice(0, 10)} and is no longer used.`,
      },
    ];
  return [
    {
      ...common,
      level: 'warning',
      code: 'certificate-ending',
      sentence: `The certificate of ${name} expires on ${until.slice(0, 10)} and could not be renewed so far.`,
    },
  ];
}
