/**
 * When a page is done, and the time that passes in it. A page is done when its root element says so
 * (`src/web/lib/pending-work.ts`); its time may be stopped, so that the speed of the machine decides nothing.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { until } from '../until.ts';

/** Evaluates an expression in a page; undefined if the page navigates meanwhile. */
export const evaluate = (page: Page, expression: string): Promise<unknown> =>
  page.evaluate<unknown>(expression).catch((error: unknown) => {
    if (/context was destroyed|navigat/i.test(String(error))) return undefined;
    throw error;
  });

/**
 * Resolves when the root element of the page is marked as settled (`src/web/lib/pending-work.ts`), with the kinds of
 * work that are left if that takes longer than a second, and undefined if the page navigates meanwhile.
 */
const marked = (page: Page): Promise<unknown> =>
  Promise.race([
    evaluate(
      page,
      `new Promise((resolve) => {
        const root = document.documentElement;
        const look = () => {
          if (root.dataset.pending !== '') return;
          watch.disconnect();
          resolve('');
        };
        const watch = new MutationObserver(look);
        watch.observe(root, { attributeFilter: ['data-pending'] });
        look();
      })`,
    ),
    sleep(1_000).then(() => evaluate(page, 'document.documentElement.dataset.pending')),
  ]);

/** Waits until the page says that nothing is left that could change it. */
export async function settled(page: Page): Promise<void> {
  let pending: unknown;
  await until('the page to be settled', async () => {
    pending = await marked(page);
    return pending === '';
  }).catch((error: unknown) => assert.fail(`${String(error)}; ${page.url()} has pending work: ${String(pending)}`));
}

/** Pages whose time is stopped. */
const timed = new WeakMap<Page, Time>();
interface Time {
  /** Whether timers that the page owes wait, too. */
  isHeld: boolean;
  /** Kinds of work that the page has left, as it has said last. */
  pending: string;
  /** The latest run of timers. */
  step: Promise<void>;
}
/** Milliseconds by which the time of a page moves while it waits for nothing but timers. */
const STEP_MS = 50;
/** Only timers and queries that are tried again after one. */
const FOR_TIMERS = /^(query )?timer$|^query$/;

/**
 * Code with the timers of the browser, whether or not the time of the page is stopped: for what a test itself waits
 * for.
 */
export const inRealTime = (code: string): string =>
  `(({ setTimeout, clearTimeout }) => { return ${code}; })(globalThis.ownTimers ?? globalThis)`;

/** Runs in each document: passes on every change of what is pending. */
const FOLLOW = `
  globalThis.ownTimers = { setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame };
  new MutationObserver(() => pendingChanged(document.documentElement.dataset.pending)).observe(document, {
    attributeFilter: ['data-pending'], subtree: true,
  });
`;

/**
 * Stops the time of a page, whose timers then wait for `advance`. Timers that the page owes run as soon as nothing
 * else is pending, however fast the machine is: a debounced search comes by itself, and a notification stays for as
 * long as the test needs. Frames are drawn as always.
 */
export async function stopTime(page: Page): Promise<void> {
  const state: Time = { isHeld: false, pending: '', step: Promise.resolve() };
  timed.set(page, state);
  await page.exposeBinding('pendingChanged', (_, pending: string | undefined) => {
    state.pending = pending ?? '';
    owe(page, state);
  });
  await page.addInitScript(FOLLOW);
  await page.clock.install();
  await page.addInitScript(
    'const { requestAnimationFrame, cancelAnimationFrame } = globalThis.ownTimers;' +
      'Object.assign(globalThis, { requestAnimationFrame, cancelAnimationFrame });',
  );
  // The clock does not go back to a time that has passed while it was installed.
  await page.clock.pauseAt(Date.now() + 5_000);
}

/**
 * One step, and what is pending afterwards. By the clock in the page: `page.clock` would have every later document do
 * all steps again, and each would open more slowly than the one before.
 */
const STEP = `globalThis.__pwClock.controller.runFor(${STEP_MS}).then(() => document.documentElement.dataset.pending)`;

/** Runs the timers that a page owes, one step after the other, until it waits for something else. */
function owe(page: Page, state: Time): void {
  const run = async (): Promise<void> => {
    while (!state.isHeld && FOR_TIMERS.test(state.pending) && !page.isClosed()) {
      const pending = await evaluate(page, STEP);
      state.pending = typeof pending === 'string' ? pending : '';
    }
  };
  // A page that is closed meanwhile ends it.
  state.step = state.step.then(run).catch((error: unknown) => {
    if (!page.isClosed()) throw error;
  });
}

/** Lets time pass for a page that is opened with `isTimed`, and what happens then be done. */
export async function advance(page: Page, ms: number): Promise<void> {
  assert.ok(timed.has(page), 'the time of this page is not stopped');
  await settled(page);
  await page.clock.runFor(ms);
  await settled(page);
}

/** Lets no timer of such a page run by itself while `act` does something, which moves the time by `page.clock`. */
export async function withHeldTimers(page: Page, act: () => Promise<void>): Promise<void> {
  const state = timed.get(page);
  assert.ok(state, 'the time of this page is not stopped');
  state.isHeld = true;
  await state.step;
  try {
    await act();
  } finally {
    state.isHeld = false;
    owe(page, state);
  }
}
