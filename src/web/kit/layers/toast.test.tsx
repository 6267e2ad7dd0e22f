/** Notifications: how long they stay, where they are shown, and what can be done in them. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { CallFailed } from '../../data/client.ts';
import { openPage, type Page } from '../../lib/testing-page.ts';
import { createLateLayer } from './late.ts';
import { runWithToast } from './run.ts';
import { showToastsIn, toast, Toasts } from './toast.tsx';

interface ToastPage extends Page {
  pass(ms: number): Promise<void>;
  shows(): string[];
}

/** A page with the notifications alone, and a clock that the test moves. */
async function openToasts(t: TestContext, language: 'en' | 'de' = 'en'): Promise<ToastPage> {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let pass = async (_ms: number): Promise<void> => {};
  // None is left for the next test.
  t.after(() => pass(60_000));
  const page = await openPage(t, <Toasts />, { language });
  pass = (ms) => page.after(() => t.mock.timers.tick(ms));
  return { ...page, pass, shows: () => [...page.get('status').querySelectorAll('span')].map((one) => one.textContent) };
}

test('a notification is gone after 4 s, and one that failed or can be undone after 7 s', async (t) => {
  const page = await openToasts(t);
  assert.deepEqual(page.shows(), []);
  await page.after(() => {
    toast({ message: 'Saved' });
    toast({ message: 'Removed', undo: () => {} });
    toast({ message: 'Refused', isError: true });
  });
  page.get('status', 'Notifications');
  assert.deepEqual(page.shows(), ['Saved', 'Removed', 'Refused']);
  await page.pass(3_999);
  assert.equal(page.shows().length, 3);
  await page.pass(1);
  assert.deepEqual(page.shows(), ['Removed', 'Refused']);
  await page.pass(2_999);
  assert.equal(page.shows().length, 2);
  await page.pass(1);
  assert.deepEqual(page.shows(), []);
});

test('at most three are shown, the newest last', async (t) => {
  const page = await openToasts(t);
  await page.after(() => ['1', '2', '3', '4'].forEach((message) => toast({ message })));
  assert.deepEqual(page.shows(), ['2', '3', '4']);
});

test('one with the pointer or the focus on it stays', async (t) => {
  const page = await openToasts(t);
  for (const [hold, release] of [
    ['pointerenter', 'pointerleave'],
    ['focus', 'blur'],
  ] as const) {
    await page.after(() => toast({ message: 'Saved' }));
    const one = page.get('status').firstElementChild;
    assert.ok(one);
    const tell = (name: string) => page.after(() => one.dispatchEvent(new Event(name)));
    await page.pass(3_000);
    await tell(hold);
    await page.pass(60_000);
    assert.deepEqual(page.shows(), ['Saved'], hold);
    await tell(release);
    await page.pass(3_999);
    assert.deepEqual(page.shows(), ['Saved'], release);
    await page.pass(1);
    assert.deepEqual(page.shows(), []);
  }
});

test('Undo and Show run once and end the notification, and it can be dismissed', async (t) => {
  const page = await openToasts(t, 'de');
  const done: string[] = [];
  await page.after(() => toast({ message: 'Entfernt', undo: () => done.push('undo') }));
  await page.click(page.get('button', 'Rückgängig'));
  assert.deepEqual([done, page.shows()], [['undo'], []]);
  await page.after(() => toast({ message: 'Fertig', show: () => done.push('show') }));
  await page.click(page.get('button', 'Anzeigen'));
  assert.deepEqual([done, page.shows()], [['undo', 'show'], []]);
  await page.after(() => toast({ message: 'Fertig', undo: () => done.push('undo') }));
  await page.click(page.get('button', 'Ausblenden'));
  assert.deepEqual([done, page.shows()], [['undo', 'show'], []]);
});

test('the dialog on top shows the notifications, then the one below, then the page', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const page = await openPage(
    t,
    <>
      <main>
        <Toasts />
      </main>
      <section>
        <Toasts dialog="a" />
      </section>
      <aside>
        <Toasts dialog="b" />
      </aside>
    </>,
  );
  const where = () =>
    ['main', 'section', 'aside'].filter((name) => document.querySelector(name)?.textContent.includes('Saved'));
  await page.after(() => toast({ message: 'Saved', isError: true }));
  assert.deepEqual(where(), ['main']);
  let [closeA, closeB] = [() => {}, () => {}];
  await page.after(() => void (closeA = showToastsIn('a')));
  await page.after(() => void (closeB = showToastsIn('b')));
  assert.deepEqual(where(), ['aside']);
  await page.after(closeB);
  assert.deepEqual(where(), ['section']);
  await page.after(closeA);
  assert.deepEqual(where(), ['main']);
  await page.after(() => t.mock.timers.tick(7_000));
});

test('work says when it is done, and why it failed', async (t) => {
  const page = await openToasts(t);
  const run = async (work: () => Promise<unknown>, done?: string): Promise<boolean> => {
    let isDone = false;
    await page.after(async () => void (isDone = await runWithToast(work, done)));
    return isDone;
  };
  assert.equal(await run(async () => {}), true);
  assert.deepEqual(page.shows(), []);
  assert.equal(await run(async () => {}, 'Saved'), true);
  assert.equal(await run(() => Promise.reject(new CallFailed(409, 'it was changed elsewhere'))), false);
  assert.deepEqual(page.shows(), ['Saved', 'It was changed elsewhere.']);
});

/** A late layer whose module comes, or not, when the test says so. */
function lateLayer(isAhead?: boolean) {
  const loads: PromiseWithResolvers<() => preact.JSX.Element>[] = [];
  const useLayer = createLateLayer(
    () => {
      loads.push(Promise.withResolvers());
      return (loads.at(-1) as (typeof loads)[number]).promise;
    },
    isAhead === undefined ? {} : { isAhead },
  );
  let closings = 0;
  const Layer = ({ isOpen }: { isOpen: boolean }) => {
    const Loaded = useLayer(isOpen, () => closings++);
    return (
      <>
        <Toasts />
        {isOpen && Loaded ? <Loaded /> : null}
      </>
    );
  };
  return { loads, Layer, closings: () => closings };
}

test('a layer is loaded 3 s after the page, or at once when it is opened', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { loads, Layer } = lateLayer();
  const page = await openPage(t, <Layer isOpen={false} />);
  await page.after(() => t.mock.timers.tick(2_999));
  assert.equal(loads.length, 0);
  await page.after(() => t.mock.timers.tick(1));
  assert.equal(loads.length, 1);
  await page.draw(<Layer isOpen />);
  await page.after(() => t.mock.timers.tick(0));
  assert.equal(loads.length, 1, 'not twice');
  loads[0]?.resolve(() => <h1>Layer</h1>);
  await page.shown('heading', 'Layer');
});

test('a layer that is only loaded when it is opened', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { loads, Layer } = lateLayer(false);
  const page = await openPage(t, <Layer isOpen={false} />);
  await page.after(() => t.mock.timers.tick(60_000));
  assert.equal(loads.length, 0);
  await page.draw(<Layer isOpen />);
  await page.after(() => t.mock.timers.tick(0));
  assert.equal(loads.length, 1);
});

test('a layer that cannot be loaded closes with a notification, and is loaded again the next time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { loads, Layer, closings } = lateLayer();
  const page = await openPage(t, <Layer isOpen />);
  await page.after(() => t.mock.timers.tick(0));
  await page.after(() => loads[0]?.reject(new Error('offline')));
  await page.after(() => new Promise(setImmediate));
  assert.equal(closings(), 1);
  assert.match(page.get('status').textContent, /The page reloads when the server responds/);
  await page.draw(<Layer isOpen={false} />);
  await page.draw(<Layer isOpen />);
  await page.after(() => t.mock.timers.tick(0));
  loads[1]?.resolve(() => <h1>Layer</h1>);
  await page.shown('heading', 'Layer');
  await page.after(() => t.mock.timers.tick(60_000));
});
