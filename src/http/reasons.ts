/** Failures of an endpoint: those that it declares, and those that a request meets before its handler is called. */
import { type FailureReason, FAILURE_REASONS } from '../contract/failures.ts';
import { WATCHING } from '../contract/kernel/access.ts';
import { type Endpoint, isForProfiles } from '../contract/kernel/endpoint.ts';
import type { FailureKind } from '../contract/kernel/failure.ts';

export type Failures = ReadonlyMap<FailureKind, readonly FailureReason[]>;

/** Returns the kinds of failure that an operation declares by itself. */
export const ownKindsOf = ({ fails }: Endpoint): Set<FailureKind> =>
  new Set(fails.map((one) => FAILURE_REASONS[one].kind));

/** Reasons that a request can meet before its handler is called, and why each applies to an endpoint. */
function onTheWay(e: Endpoint): FailureReason[] {
  const isRead = e.method === 'GET';
  const { access } = e;
  const isSocket = 'socket' in e.result;
  const isStream = 'bytes' in e.result || 'events' in e.result || isSocket;
  const hasParams = Object.keys(e.params.shape).length > 0;
  const when = (isMet: boolean, ...reasons: FailureReason[]): FailureReason[] => (isMet ? reasons : []);
  return [
    'request-malformed',
    'query-malformed',
    'field-unknown',
    'field-repeated',
    'field-invalid',
    'credentials-invalid',
    'server-fault',
    'stopping',
    'disk-full',
    'storage-failed',
    'database-damaged',
    'request-ended',
    'work-cancelled',
    ...(isRead ? (['body-unexpected'] as const) : (['body-malformed', 'content-type', 'body-too-large'] as const)),
    ...when(!isRead, 'charset', 'content-encoding'),
    ...when('cursor' in e.query.shape, 'cursor'),
    ...when(e.reach === 'everywhere', 'host-misdirected', 'gateway-only', 'key-at-home-only'),
    // A public endpoint refuses the cookie of another site's request.
    ...when(!isRead || isSocket, 'foreign-origin'),
    ...when(isSocket, 'upgrade-expected'),
    ...when(
      access !== 'public' && 'service' in access,
      'sign-in-required',
      'service-token-expired',
      'too-many-attempts',
    ),
    ...(!isForProfiles(access)
      ? []
      : [
          'sign-in-required' as const,
          'session-ended' as const,
          ...when(access.link !== undefined, 'link-invalid'),
          ...when(access.role === 'owner', 'owner-only'),
          access.via === 'session' ? ('key-not-allowed' as const) : ('scope-missing' as const),
          ...when(
            access.role === 'viewer' && (access.via === 'session' || !WATCHING.has(access.via)),
            'household-watch-only',
          ),
          ...when(access.recent === true, 'step-up-required'),
          ...when(access.enrolling !== true, 'mfa-enrolment-required', 'away-from-home'),
          ...when(access.enrolling !== true && access.anyHour !== true, 'outside-viewing-window'),
          ...when(isStream, 'too-many-streams'),
        ]),
    // An address with a part that is too long leads nowhere.
    ...when(hasParams, 'no-such-route'),
    ...when('bytes' in e.result || e.conditional, 'precondition-failed'),
    ...when('bytes' in e.result && e.result.ranged === true, 'no-such-range'),
  ];
}

const known = new WeakMap<Endpoint, Failures>();

/** Every failure of an endpoint, by kind, with its reasons. */
export function failuresOf(e: Endpoint): Failures {
  const had = known.get(e);
  if (had) return had;
  const all = new Map<FailureKind, FailureReason[]>();
  for (const reason of new Set([...onTheWay(e), ...e.fails])) {
    const { kind } = FAILURE_REASONS[reason];
    all.set(kind, [...(all.get(kind) ?? []), reason]);
  }
  known.set(e, all);
  return all;
}

/** Whether an endpoint declares a failure with this reason. */
export const isDeclared = (e: Endpoint, reason: FailureReason): boolean =>
  failuresOf(e).get(FAILURE_REASONS[reason].kind)?.includes(reason) === true;
