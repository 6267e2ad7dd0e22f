/**
 * When a page is done, and the time that passes in it. A page is done when its root element says so
 * (`src/web/lib/pending-work.ts`); its time may be stopped, so that the speed of the machine decides nothing.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Locator, Page } from 'playwright-core';
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

/** Reasons for a page whose time runs by itself. */
export type RealTime =
  /** The browser plays films and music by the time of the machine. */
  'plays';

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

/**
 * Runs in each document: passes on every change of what is pending. A document in a frame gets no clock: the clock's
 * timers would be refused in one without scripts, with an error in the console.
 */
const FOLLOW = `
  if (globalThis !== top) globalThis.__pwClock = { controller: new Proxy({}, { get: () => () => undefined }) };
  else {
    globalThis.ownTimers = { setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame };
    new MutationObserver(() => pendingChanged(document.documentElement.dataset.pending)).observe(document, {
      attributeFilter: ['data-pending'], subtree: true,
    });
  }
`;
/** Frames are drawn in real time. */
const OWN_FRAMES = `
  if (globalThis === top) {
    const { requestAnimationFrame, cancelAnimationFrame } = globalThis.ownTimers;
    Object.assign(globalThis, { requestAnimationFrame, cancelAnimationFrame });
  }
`;

/**
 * Stops the time of every page that is opened later, whose timers then wait for `advance`. Timers that a page owes run
 * as soon as nothing else is pending, however fast the machine is: a debounced search comes by itself, and a
 * notification stays for as long as the test needs. Frames are drawn as always. Each document begins at the same time.
 */
export async function stopTime(context: BrowserContext): Promise<void> {
  context.on('page', (page) => timed.set(page, { isHeld: false, pending: '', step: Promise.resolve() }));
  await context.exposeBinding('pendingChanged', ({ page }, pending: string | undefined) => {
    const state = timeOf(page);
    state.pending = pending ?? '';
    owe(page, state);
  });
  await context.addInitScript(FOLLOW);
  await context.clock.install();
  await context.addInitScript(OWN_FRAMES);
  // The clock does not go back to a time that has passed while it was installed.
  await context.clock.pauseAt(Date.now() + 5_000);
}

const timeOf = (page: Page): Time => timed.get(page) ?? assert.fail('the time of this page is not stopped');

/**
 * Lets time pass, and returns what is pending afterwards. By the clock in the page: `page.clock` would have every later
 * document do all steps again, and each would open more slowly than the one before.
 */
const pass = (page: Page, ms: number): Promise<unknown> =>
  evaluate(page, `globalThis.__pwClock.controller.runFor(${ms}).then(() => document.documentElement.dataset.pending)`);

/** Runs the timers that a page owes, one step after the other, until it waits for something else. */
function owe(page: Page, state: Time): void {
  const run = async (): Promise<void> => {
    while (!state.isHeld && FOR_TIMERS.test(state.pending) && !page.isClosed()) {
      const pending = await pass(page, STEP_MS);
      state.pending = typeof pending === 'string' ? pending : '';
    }
  };
  // A page that is closed meanwhile ends it.
  state.step = state.step.then(run).catch((error: unknown) => {
    if (!page.isClosed()) throw error;
  });
}

/** Lets time pass for a page whose time is stopped, and what happens then be done. */
export async function advance(page: Page, ms: number): Promise<void> {
  timeOf(page);
  await settled(page);
  await pass(page, ms);
  await settled(page);
}

/**
 * Lets time pass in steps until an element is visible: for what a page finds by asking again and again, such as that
 * its server is back.
 */
export async function appears(element: Locator, stepMs = 1_000): Promise<void> {
  const page = element.page();
  timeOf(page);
  const look = async (): Promise<boolean> => {
    if (await element.isVisible()) return true;
    await pass(page, stepMs);
    return false;
  };
  await until(String(element), look, { everyMs: 50 }).catch(async (error: unknown) =>
    assert.fail(`${String(error)}; ${page.url()} shows: ${String(await evaluate(page, 'document.body.innerText'))}`),
  );
}

/** Lets no timer of such a page run by itself while `act` does something, which moves the time by `page.clock`. */
export async function withHeldTimers(page: Page, act: () => Promise<void>): Promise<void> {
  const state = timeOf(page);
  state.isHeld = true;
  await state.step;
  try {
    await act();
  } finally {
    state.isHeld = false;
    owe(page, state);
  }
}
