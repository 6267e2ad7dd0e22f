/**
 * Replies of Owners to requests.
 *
 * An approval is first given by identity, under the id of the request, and then noted: a crash in between leaves the
 * request open, and the answer that is given again counts once.
 */
import type { Policy } from '../contract/identity/profiles.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import { ITEM_ONCE_DAYS, MAX_ASKED_MINUTES } from '../contract/requests/limits.ts';
import type { Request } from '../contract/requests/requests.ts';
import { Failure, found } from '../lib/failure.ts';
import type { RequestAnswer, RequestRow } from './store.ts';
import type { RequestParts } from './types.ts';

const DAY_MS = 86_400_000;

export interface AnswerGiven {
  id: string;
  decision: 'once' | 'always' | 'declined';
  item?: string | undefined;
  minutes?: number | undefined;
  word?: string | undefined;
}

export interface RequestAnswers {
  answer(given: AnswerGiven, by: Principal): Promise<Request>;
}

/** Part of an answer that says what was approved. */
type Approved = Pick<RequestAnswer, 'item' | 'minutes' | 'until'>;

const incomplete = (message: string) => new Failure('invalid', message, { reason: 'request-incomplete' });
const closed = () => new Failure('conflict', 'this request is closed', { reason: 'request-closed' });

/** Returns a policy that allows an item by hand. */
const withAllowed = (policy: Policy, item: string): Policy => ({
  ...policy,
  items: { allowed: [...policy.items.allowed, item], hidden: policy.items.hidden.filter((id) => id !== item) },
});

export function createAnswering({
  store,
  lock,
  clock,
  catalog,
  identity,
  changed,
  shown,
}: RequestParts): RequestAnswers {
  const approveItem = async (row: RequestRow, { item, decision }: AnswerGiven, by: Principal): Promise<Approved> => {
    if (item === undefined) throw incomplete('choose the item that is meant');
    const seen = catalog.seenBy(by);
    // An extra is seen with what it belongs to.
    if (!seen.isSeen(item) || seen.extras.isExtra(item))
      throw new Failure('missing', 'no such item', { reason: 'no-such-item' });
    const { id: profile, role, policy } = found(identity.find(row.profile), 'no such profile', 'no-such-profile');
    if (!catalog.seenBy({ profile, role, policy: withAllowed(policy, item) }).isSeen(item))
      throw new Failure('conflict', 'the libraries of this profile do not include this item', {
        reason: 'request-still-hidden',
      });
    if (decision === 'always') {
      await identity.ruleItem({ id: profile, item, access: 'allowed' }, by);
      return { item };
    }
    const until = clock.now() + ITEM_ONCE_DAYS * DAY_MS;
    await identity.grantItem({ profile, id: row.id, item, until }, by);
    return { item, until };
  };

  const approveTime = async (
    { id, profile }: RequestRow,
    { decision, minutes }: AnswerGiven,
    by: Principal,
  ): Promise<Approved> => {
    if (minutes === undefined) throw incomplete('say how many minutes');
    if (decision === 'always') {
      await identity.setDailyMinutes({ profile, minutes }, by);
      return { minutes };
    }
    if (minutes > MAX_ASKED_MINUTES) throw incomplete(`at most ${MAX_ASKED_MINUTES} minutes are added at once`);
    return { minutes, ...(await identity.grantTime({ profile, id, minutes }, by)) };
  };

  /** Grants what was approved. Declining takes back what an answer before a crash had given. */
  const give = async (row: RequestRow, given: AnswerGiven, by: Principal): Promise<Approved> => {
    if (given.decision === 'declined') {
      await identity.revokeGrant({ profile: row.profile, id: row.id }, by);
      return {};
    }
    if (row.asked.kind === 'item') return approveItem(row, given, by);
    return approveTime(row, { ...given, minutes: given.minutes ?? minutesAsked(row.asked, given.decision) }, by);
  };

  return {
    answer: (given, by) =>
      lock.run(async () => {
        const row = found(await store.read(given.id), 'no such request', 'no-such-request');
        if (row.state !== 'open') throw closed();
        const { decision: chosen, word } = given;
        const answer: RequestAnswer = {
          at: clock.now(),
          ...(chosen !== 'declined' && { lasting: chosen }),
          ...(await give(row, given, by)),
          ...(word !== undefined && { word }),
        };
        const state = chosen === 'declined' ? 'declined' : 'approved';
        if (!(await store.close(row.id, { state, answer }))) throw closed();
        changed(row.profile);
        return found((await shown([{ ...row, state, answer }], by))[0], 'no such request', 'no-such-request');
      }),
  };
}

/** Returns the minutes that were asked for, to be given once. Those of every day have to be said. */
const minutesAsked = (asked: RequestRow['asked'], decision: AnswerGiven['decision']): number | undefined =>
  asked.kind === 'time' && decision === 'once' ? asked.minutes : undefined;
