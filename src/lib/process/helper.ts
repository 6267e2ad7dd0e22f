/**
 * A helper: a few child processes that answer requests in order, and are replaced when they die, hang or grow.
 *
 * If a child dies or is stopped, its present request is rejected as the culprit, so that the file can be marked; later
 * requests go to another child. A child that never becomes ready is restarted with growing delays, and after three
 * attempts in a row the waiting requests are rejected. While several children that were stopped cannot end, because a
 * disk does not answer, no more are started and requests are rejected as `hung`.
 */
import { HelperFailure } from './failure.ts';
import { startChild } from './child.ts';
import type { Child, ChildEnd, HelperJob } from './child.ts';
import type { Helper, HelperNeeds } from './types.ts';
import type { Log } from '../log.ts';
import type { Tools } from './wrap.ts';

const MOST_TRIES = 3;
const SLOWEST_MS = 5000;
const MAX_STUCK = 2;

export function createHelper(needs: HelperNeeds & { tools: Tools; path: string; temporary: string; log: Log }): Helper {
  const { name, children: most = 1, ahead = 8, idleMs = 60_000, log } = needs;
  const waiting: HelperJob[] = [];
  const children = new Set<Child>();
  let [starting, failedStarts, answered, replaced] = [0, 0, 0, 0];
  /** Children that were stopped and that the kernel does not let end. */
  let stuck = 0;
  let isClosed = false;
  let idle: NodeJS.Timeout | null = null;
  let retry: NodeJS.Timeout | null = null;

  const giveUp = (reason: 'failed' | 'closed' | 'hung', detail: string): void => {
    for (const job of waiting.splice(0)) job.settle({ reason, detail });
  };

  const pump = (): void => {
    if (isClosed) return giveUp('closed', '');
    if (stuck >= MAX_STUCK && children.size + starting === 0) return giveUp('hung', 'earlier processes cannot end');
    while (waiting.length > 0) {
      const [child] = [...children].filter(({ load }) => load < ahead).sort((a, b) => a.load - b.load);
      // A second child starts before the first is loaded with everything, not only when it is full.
      if (children.size + starting < most && retry === null && (child === undefined || child.load > 0)) grow();
      if (child === undefined) return;
      const job = waiting.shift();
      if (job) child.give(job);
    }
  };

  const grow = (): void => {
    starting += 1;
    let child: Child | null = null;
    const onEnd = (end: ChildEnd): void => {
      if (child) children.delete(child);
      ended(end);
    };
    startChild({
      helper: needs,
      onReady: () => {
        failedStarts = 0;
      },
      onAnswer: rest,
      onEnd,
    }).then(
      (started) => {
        starting -= 1;
        child = started;
        children.add(started);
        if (isClosed) void started.kill();
        pump();
      },
      () => {
        starting -= 1;
        ended({ left: [], wasReady: false, wasDismissed: false, answered: 0, leaving: undefined });
      },
    );
  };

  const ended = ({ left, wasReady, wasDismissed, answered: itsAnswers, leaving }: ChildEnd): void => {
    if (leaving) {
      stuck += 1;
      void leaving.then(() => {
        stuck -= 1;
      });
    }
    if (isClosed) return left.forEach((job) => job.settle({ reason: 'closed' }));
    waiting.unshift(...left);
    if (wasDismissed) return pump();
    replaced += 1;
    log.warn('helper.replaced', { helper: name, wasReady, answered: itsAnswers });
    if (wasReady) return pump();
    failedStarts += 1;
    if (failedStarts >= MOST_TRIES) giveUp('failed', 'it does not start');
    retry = setTimeout(
      () => {
        retry = null;
        pump();
      },
      Math.min(SLOWEST_MS, 100 * 2 ** failedStarts),
    );
  };

  /** After an answer: more work, or the wait after which idle children go. */
  const rest = (): void => {
    answered += 1;
    if (waiting.length > 0) return pump();
    waitIdle();
  };

  const waitIdle = (): void => {
    if (idle) clearTimeout(idle);
    idle = setTimeout(() => {
      for (const child of children) if (child.load === 0) child.dismiss();
    }, idleMs);
    idle.unref();
  };

  return {
    ask<T>(request: unknown, signal?: AbortSignal): Promise<T> {
      if (isClosed) return Promise.reject(new HelperFailure(name, 'closed'));
      if (signal?.aborted === true) return Promise.reject(new HelperFailure(name, 'aborted'));
      return new Promise<T>((resolve, reject) => {
        const onAbort = (): void => {
          const at = waiting.indexOf(job);
          if (at >= 0) waiting.splice(at, 1);
          job.isAbandoned = true;
          reject(new HelperFailure(name, 'aborted'));
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        const job: HelperJob = {
          request,
          settle: (result) => {
            signal?.removeEventListener('abort', onAbort);
            if ('reason' in result) reject(new HelperFailure(name, result.reason, result.detail));
            else resolve(result.reply as T);
          },
        };
        waiting.push(job);
        pump();
      });
    },
    warm: () => {
      if (isClosed || retry !== null || stuck > 0) return;
      if (children.size + starting === 0) grow();
      if (waiting.length === 0) waitIdle();
    },
    stats: () => ({ children: children.size, waiting: waiting.length, answered, replaced }),
    async close() {
      isClosed = true;
      if (idle) clearTimeout(idle);
      if (retry) clearTimeout(retry);
      giveUp('closed', '');
      await Promise.all([...children].map((child) => child.kill()));
    },
  };
}
