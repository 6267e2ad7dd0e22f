/** Replies that are open: each ends when its caller may no longer have it. */
import type { Access } from '../contract/kernel/endpoint.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import type { Doors } from './caller.ts';

export interface OpenReply {
  by: Principal | undefined;
  access: Access;
  gone: AbortController;
  /** Conditions under which the reply continues (`Call.onlyWhile`). */
  checks: ((by: Principal) => boolean)[];
}

/** Whether the caller of an open reply may still have it. */
export function mayContinue(doors: Pick<Doors, 'current'>, { by, access, checks }: OpenReply): boolean {
  if (!by) return true;
  const current = doors.current(by, access);
  return current !== undefined && checks.every((check) => check(current));
}

const streams = new WeakSet<OpenReply>();
/** Whether a reply is a stream of events, which ends at once when the server stops. */
export const isStream = (open: OpenReply) => streams.has(open);

export const noteStream = (open: OpenReply): void => void streams.add(open);
