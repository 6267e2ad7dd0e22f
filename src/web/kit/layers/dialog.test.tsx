/**
 * Dialogs: what opens and closes them, where the focus goes, and what a form in one does with a failure. That nothing
 * behind a dialog can be reached is up to the browser (test/flows).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallFailed } from '../../data/client.ts';
import { assertFocus, openPage, type Page } from '../../lib/testing-page.ts';
import { Field } from '../forms/field.tsx';
import { Confirms, confirm } from './confirm.tsx';
import { Dialog } from './dialog.tsx';
import { FormDialog } from './form-dialog.tsx';
import { KeyMap } from './key-map.tsx';

const ignore = () => {};
const focused = () => document.activeElement as HTMLElement;
/** Sends the event that a browser sends to the dialog on top when Escape is pressed. */
const escape = (page: Page) =>
  page.after(() => page.get('dialog').dispatchEvent(new Event('cancel', { cancelable: true })));
const pressOn = (page: Page, from: Element, to: Element = from) =>
  page.after(() => {
    from.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    to.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  });

test('a dialog takes the focus, and returns it when it is gone', async (t) => {
  const opener = (isOpen: boolean) => (
    <>
      <button type="button">Open</button>
      {isOpen && (
        <Dialog title="Rename" onClose={ignore}>
          <input aria-label="Hidden" tabIndex={-1} />
          <input aria-label="Name" />
        </Dialog>
      )}
    </>
  );
  const page = await openPage(t, opener(false));
  page.get('button', 'Open').focus();
  await page.draw(opener(true));
  assert.ok((page.get('dialog', 'Rename') as HTMLDialogElement).open);
  assertFocus(page.get('textbox', 'Name'), 'the first field that can be reached');
  await page.draw(opener(false));
  assert.equal(page.all('dialog').length, 0);
  assertFocus(page.get('button', 'Open'));
});

test('the focus is on what asks for it, else on the main button', async (t) => {
  const actions = (
    <>
      <button type="button">Cancel</button>
      <button type="button">Save</button>
    </>
  );
  const page = await openPage(
    t,
    <Dialog title="A" onClose={ignore} actions={actions}>
      Text
    </Dialog>,
  );
  assertFocus(page.get('button', 'Save'));
  await page.draw(
    <Dialog key="b" title="B" onClose={ignore} actions={actions}>
      <p tabIndex={-1} data-first>
        Read this
      </p>
      <input />
    </Dialog>,
  );
  assert.equal(focused().textContent, 'Read this');
});

test('Escape, the close button and a click outside close a dialog, which stays until it is not rendered', async (t) => {
  let closings = 0;
  const page = await openPage(
    t,
    <Dialog title="Rename" onClose={() => closings++}>
      <p>Text</p>
    </Dialog>,
  );
  const dialog = page.get('dialog') as HTMLDialogElement;
  await page.click(page.get('button', 'Close'));
  assert.equal(closings, 1);
  await escape(page);
  assert.equal(closings, 2);
  await pressOn(page, dialog);
  assert.equal(closings, 3);
  assert.ok(dialog.open, 'it stays open while it is rendered');
  // A browser closes it by itself at the second Escape.
  await page.after(() => dialog.close());
  assert.equal(closings, 4);
  assert.ok(dialog.open);
});

test('a press that begins inside does not close a dialog, and none closes a firm one', async (t) => {
  let closings = 0;
  const dialog = (isFirm: boolean) => (
    <Dialog title="Rename" onClose={() => closings++} isFirm={isFirm}>
      <p>Text</p>
    </Dialog>
  );
  const page = await openPage(t, dialog(false));
  const text = document.querySelector('p');
  assert.ok(text);
  await pressOn(page, text);
  await pressOn(page, text, page.get('dialog'));
  assert.equal(closings, 0, 'text that was selected past the edge');
  await page.draw(dialog(true));
  await pressOn(page, page.get('dialog'));
  assert.equal(closings, 0);
  await escape(page);
  assert.equal(closings, 1, 'Escape closes a firm dialog');
});

test('an engine without dialogs shows one all the same', async (t) => {
  const { showModal, close } = HTMLDialogElement.prototype;
  Object.assign(HTMLDialogElement.prototype, { showModal: undefined, close: undefined });
  t.after(() => Object.assign(HTMLDialogElement.prototype, { showModal, close }));
  const page = await openPage(
    t,
    <Dialog title="Rename" onClose={ignore}>
      <input aria-label="Name" />
    </Dialog>,
  );
  assert.ok(page.get('dialog').hasAttribute('open'));
  assertFocus(page.get('textbox', 'Name'));
  await page.draw(null);
  assert.equal(page.all('dialog').length, 0);
});

test('a form dialog saves once and closes when it has saved', async (t) => {
  const saving = Promise.withResolvers<void>();
  let saves = 0;
  let closings = 0;
  const page = await openPage(
    t,
    <FormDialog title="Rename" action="Save" onSave={() => (saves++, saving.promise)} onClose={() => closings++}>
      {() => <Field label="Name" value="Ada" onValue={ignore} />}
    </FormDialog>,
  );
  await page.click(page.get('button', 'Save'));
  assert.equal(page.get('button', 'Save').getAttribute('aria-busy'), 'true');
  await page.click(page.get('button', 'Save'));
  await page.after(() => document.querySelector('form')?.requestSubmit());
  assert.deepEqual([saves, closings], [1, 0]);
  await page.after(saving.resolve);
  assert.deepEqual([saves, closings], [1, 1]);
});

test('a form dialog stays with what the server said, and can be saved again', async (t) => {
  let closings = 0;
  let isTaken = true;
  const page = await openPage(
    t,
    <FormDialog
      title="Rename"
      action="Save"
      onSave={async () => {
        if (isTaken) throw new CallFailed(409, 'this name is taken');
      }}
      onClose={() => closings++}
    >
      {(error) => <Field label="Name" value="Ada" onValue={ignore} error={error} />}
    </FormDialog>,
  );
  await page.click(page.get('button', 'Save'));
  assert.deepEqual(page.texts('alert'), ['This name is taken.']);
  assert.equal(closings, 0);
  isTaken = false;
  await page.click(page.get('button', 'Save'));
  assert.deepEqual(page.texts('alert'), ['']);
  assert.equal(closings, 1);
});

test('a form that is not ready is not saved', async (t) => {
  let saves = 0;
  const page = await openPage(
    t,
    <FormDialog title="Rename" action="Save" isReady={false} onSave={async () => saves++} onClose={ignore}>
      {() => <Field label="Name" value="" onValue={ignore} />}
    </FormDialog>,
  );
  assert.ok((page.get('button', 'Save') as HTMLButtonElement).disabled);
  // Enter in a field sends the form whatever its button says.
  await page.after(() => document.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true })));
  assert.equal(saves, 0);
});

test('every way out of a form asks first', async (t) => {
  let mayLeave = false;
  let questions = 0;
  let closings = 0;
  const page = await openPage(
    t,
    <FormDialog
      title="Rename"
      action="Save"
      onSave={async () => {}}
      onClose={() => closings++}
      mayLeave={async () => (questions++, mayLeave)}
    >
      {() => <Field label="Name" value="" onValue={ignore} />}
    </FormDialog>,
  );
  await page.click(page.get('button', 'Cancel'));
  await page.click(page.get('button', 'Close'));
  await escape(page);
  assert.deepEqual([questions, closings], [3, 0]);
  mayLeave = true;
  await page.click(page.get('button', 'Cancel'));
  assert.deepEqual([questions, closings], [4, 1]);
});

const REMOVE = { title: 'Remove Films?', says: 'The files stay.', action: 'Remove library' } as const;

test('a question resolves to what was chosen', async (t) => {
  const page = await openPage(t, <Confirms />);
  const ask = async (): Promise<Promise<boolean>[]> => {
    let said: Promise<boolean> | undefined;
    await page.after(() => void (said = confirm({ ...REMOVE, isDanger: true })));
    assert.ok(said);
    return [said];
  };
  for (const [way, answer] of [
    [() => page.click(page.get('button', 'Remove library')), true],
    [() => page.click(page.get('button', 'Cancel')), false],
    [() => page.click(page.get('button', 'Close')), false],
    [() => escape(page), false],
  ] as const) {
    const [said] = await ask();
    await page.shown('dialog');
    assert.match(page.get('dialog', 'Remove Films?').textContent, /The files stay\./);
    assertFocus(page.get('button', 'Cancel'), 'a danger is not what Enter does');
    await way();
    assert.equal(await said, answer);
    assert.equal(page.all('dialog').length, 0);
  }
});

test('a question that is no danger has the focus on its action', async (t) => {
  const page = await openPage(t, <Confirms />, { language: 'de' });
  let said: Promise<boolean> | undefined;
  await page.after(() => void (said = confirm(REMOVE)));
  await page.shown('dialog');
  assertFocus(page.get('button', 'Remove library'));
  await page.click(page.get('button', 'Abbrechen'));
  assert.equal(await said, false);
});

test('the shortcuts of a page are a list that can be scrolled with the keys', async (t) => {
  let closings = 0;
  const page = await openPage(
    t,
    <KeyMap
      keys={[
        [['J', '←'], 'Back'],
        [['?'], 'Show this'],
      ]}
      onClose={() => closings++}
    />,
    { language: 'de' },
  );
  assert.deepEqual(page.texts('term'), ['J←', '?']);
  assert.deepEqual(page.texts('definition'), ['Back', 'Show this']);
  assert.equal(focused().tagName, 'DL');
  await page.click(page.get('button', 'Fertig'));
  assert.equal(closings, 1);
});
