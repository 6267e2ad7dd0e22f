/** Buttons: what a screen reader says of them, and when they do nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import x from 'lucide/dist/esm/icons/x.mjs';
import { openPage } from '../../lib/testing-page.ts';
import { Button, ButtonLink, IconButton } from './button.tsx';

test('a button is named by its words, and an icon by its label', async (t) => {
  const clicks: string[] = [];
  const page = await openPage(
    t,
    <>
      <Button icon={x} onClick={() => clicks.push('save')}>
        Save
      </Button>
      <IconButton icon={x} label="Close" onClick={() => clicks.push('close')} />
    </>,
  );
  await page.click(page.get('button', 'Save'));
  await page.click(page.get('button', 'Close'));
  assert.deepEqual(clicks, ['save', 'close']);
  assert.equal(page.get('button', 'Close').title, 'Close', 'the hint of an icon');
  for (const icon of document.querySelectorAll('svg')) assert.equal(icon.getAttribute('aria-hidden'), 'true');
});

test('an icon is before the words, or behind them', async (t) => {
  const page = await openPage(
    t,
    <>
      <Button icon={x}>Before</Button>
      <Button icon={x} isIconAfter>
        After
      </Button>
    </>,
  );
  const tags = (name: string) => [...page.get('button', name).children].map(({ tagName }) => tagName.toLowerCase());
  assert.deepEqual(tags('Before'), ['svg', 'span']);
  assert.deepEqual(tags('After'), ['span', 'svg']);
});

test('a button sends a form only if it says so, and none while it is busy', async (t) => {
  let sent = 0;
  let clicks = 0;
  const form = (isBusy: boolean) => (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent++;
      }}
    >
      <Button onClick={() => clicks++}>Other</Button>
      <Button type="submit" isBusy={isBusy} onClick={() => clicks++}>
        Send
      </Button>
    </form>
  );
  const page = await openPage(t, form(false));
  await page.click(page.get('button', 'Other'));
  assert.deepEqual([sent, clicks], [0, 1]);
  await page.click(page.get('button', 'Send'));
  assert.deepEqual([sent, clicks], [1, 2]);
  await page.draw(form(true));
  const busy = page.get('button', 'Send');
  assert.deepEqual([busy.getAttribute('aria-busy'), busy.getAttribute('aria-disabled')], ['true', 'true']);
  await page.click(busy);
  assert.deepEqual([sent, clicks], [1, 2], 'a second click while the first is under way');
});

test('a disabled button does nothing', async (t) => {
  let clicks = 0;
  const page = await openPage(
    t,
    <Button disabled onClick={() => clicks++}>
      Save
    </Button>,
  );
  await page.click(page.get('button', 'Save'));
  assert.equal(clicks, 0);
});

test('a link that looks like a button is a link to its page', async (t) => {
  const page = await openPage(t, <ButtonLink to={{ page: 'home' }}>Go home</ButtonLink>);
  assert.equal(page.get('link', 'Go home').getAttribute('href'), '/');
});
