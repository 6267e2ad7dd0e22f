/**
 * Looks at what a name leads to: at the name servers of its provider, and at the one of this network. Many routers drop
 * a name that leads to a private address, and only the comparison of the two shows that.
 */
import type { Clock } from '../../lib/clock.ts';
import { coalesce } from '../../lib/coalesce.ts';
import type { Log } from '../../lib/log.ts';
import type { NameQuestions } from '../../lib/net.ts';

export interface NameFacts {
  /** Whether the provider shows the address; undefined if its name servers do not answer. */
  isPublished: boolean | undefined;
  /** The addresses that this network has of the name; undefined if its name server does not answer. */
  here: readonly string[] | undefined;
  at: number;
}

export interface NameCheck {
  /** Returns what was found last; undefined before the first time. */
  last(): NameFacts | undefined;
  /** Whether the provider does not show the address, as far as is known. */
  isMissing(): boolean;
  /** Looks now, if it has started. */
  look(): void;
  start(): void;
  close(): Promise<void>;
}

const EVERY_MS = 60_000;
/** Once the name is right it is looked at every tenth time. */
const RARELY = 10;

export function createNameCheck({
  name,
  address,
  questions,
  clock,
  log,
  everyMs = EVERY_MS,
}: {
  name: string;
  address: string;
  questions: Pick<NameQuestions, 'addresses' | 'addressesHere'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
  everyMs?: number;
}): NameCheck {
  let last: NameFacts | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let looks = 0;

  const read = async (): Promise<void> => {
    const [shown, here] = await Promise.all([questions.addresses(name), questions.addressesHere(name)]);
    const isPublished = shown.length === 0 ? undefined : shown.every((one) => one.length === 1 && one[0] === address);
    last = { isPublished, here, at: clock.now() };
  };
  const isRight = (): boolean => last?.here?.length === 1 && last.here[0] === address;
  const look = coalesce(() => read().catch((error: unknown) => log.fault('remote.name.broken', error)));
  const begin = (): void => void (looking = look());
  const tick = (): void => {
    looks += 1;
    if (!isRight() || looks % RARELY === 0) begin();
  };
  return {
    last: () => last,
    isMissing: () => last?.isPublished === false,
    look: () => void (timer && begin()),
    start: () => {
      if (timer) return;
      begin();
      timer = setInterval(tick, everyMs).unref();
    },
    close: async () => {
      clearInterval(timer);
      timer = undefined;
      await looking;
    },
  };
}
