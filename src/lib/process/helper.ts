/**
 * A helper: a few child processes that answer requests in order, and are replaced when they die, hang or grow.
 *
 * If a child dies or is stopped, its present request is rejected as the culprit, so that the file can be marked; later
 * requests go to another child. A child that never becomes ready is restarted with growing delays, and after three
 * attempts in a row the waiting requests are rejected. While several children that were stopped cannot end, because a
 * disk does not answer, no more are started and requests are rejected as `hung`.
 */
import { HelperFailure, type HelperFault } from './failure.ts';
import { startChild } from './child.ts';
import type { Child, ChildEnd } from './child.ts';
import { createGrowth } from './growth.ts';
import { createHelperQueue } from './helper-queue.ts';
import { createRestartDelay } from './restart-delay.ts';
import type { Helper, HelperNeeds } from './types.ts';
import type { Log } from '../log.ts';
import type { Tools } from './wrap.ts';

/** Starts that may fail in a row before waiting requests are rejected. */
const MAX_STARTS = 3;
const MAX_STUCK = 2;

export function createHelper(needs: HelperNeeds & { tools: Tools; path: string; temporary: string; log: Log }): Helper {
  const { name, children: most = 1, ahead = 8, idleMs = 60_000, log } = needs;
  const queue = createHelperQueue(name);
  const children = new Set<Child>();
  let [starting, answered, replaced] = [0, 0, 0];
  /** Children that were stopped and that the kernel does not let end. */
  let stuck = 0;
  let isClosed = false;
  const idle = createIdleEnd(children, idleMs);
  const restart = createRestartDelay(() => pump());
  const hasRoom = (): boolean => !isClosed && !restart.isWaiting && children.size + starting < most;
  const considerGrowth = createGrowth({ ...needs, children, hasRoom, waiting: () => queue.size, grow: () => grow() });

  const pump = (): void => {
    if (isClosed) return queue.rejectAll('closed', '');
    if (stuck >= MAX_STUCK && children.size + starting === 0)
      return queue.rejectAll('hung', 'earlier processes cannot end');
    while (queue.size > 0) {
      const [child] = [...children].filter(({ load }) => load < ahead).sort((a, b) => a.load - b.load);
      // One that is leaving takes no work.
      if (hasRoom() && starting === 0 && [...children].every(({ load }) => load === Infinity)) grow();
      else considerGrowth();
      if (child === undefined) return;
      const job = queue.take();
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
        restart.noteSuccess();
        considerGrowth();
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
    queue.putBack(left);
    if (wasDismissed) return pump();
    replaced += 1;
    log.warn('helper.replaced', { helper: name, wasReady, answered: itsAnswers });
    if (wasReady) return pump();
    if (restart.noteFailure() >= MAX_STARTS) queue.rejectAll('failed', 'it does not start');
  };

  /** After an answer: more work, or the wait after which idle children go. */
  const rest = (): void => {
    answered += 1;
    if (queue.size > 0) return pump();
    idle.wait();
  };

  return {
    ask<T>(request: unknown, signal?: AbortSignal, settled?: (fault: HelperFault | undefined) => void): Promise<T> {
      const fault = isClosed ? 'closed' : signal?.aborted === true ? 'aborted' : undefined;
      if (fault !== undefined) {
        settled?.(fault);
        return Promise.reject(new HelperFailure(name, fault));
      }
      const reply = queue.add<T>(request, signal, settled);
      pump();
      return reply;
    },
    warm: () => {
      if (isClosed || restart.isWaiting || stuck > 0) return;
      if (children.size + starting === 0) grow();
      if (queue.size === 0) idle.wait();
    },
    stats: () => ({ children: children.size, waiting: queue.size, answered, replaced }),
    async close() {
      isClosed = true;
      idle.cancel();
      restart.cancel();
      queue.rejectAll('closed', '');
      await Promise.all([...children].map((child) => child.kill()));
    },
  };
}

/** Dismisses the children that have no work once nothing has been asked for a time. */
function createIdleEnd(children: ReadonlySet<Child>, idleMs: number): { wait(): void; cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  const dismiss = (): void => {
    for (const child of children) if (child.load === 0) child.dismiss();
  };
  return {
    wait: () => {
      clearTimeout(timer);
      timer = setTimeout(dismiss, idleMs).unref();
    },
    cancel: () => clearTimeout(timer),
  };
}
