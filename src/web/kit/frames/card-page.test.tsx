/** The pages before sign-in: one heading that can take the focus, after the step that it belongs to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from '../../lib/testing-page.ts';
import { CardPage } from './card-page.tsx';

test('a page before sign-in has one heading, which can take the focus', async (t) => {
  const page = await openPage(
    t,
    <CardPage title="Welcome" lead="It takes a minute." step="Step 1 of 3">
      <p>Body</p>
    </CardPage>,
  );
  const heading = page.get('heading', 'Welcome');
  assert.deepEqual([heading.tagName, heading.tabIndex], ['H1', -1]);
  assert.equal(document.body.textContent, 'MatineeStep 1 of 3WelcomeIt takes a minute.Body');
  await page.draw(<CardPage title="Welcome">Body</CardPage>);
  assert.equal(document.body.textContent, 'MatineeWelcomeBody');
});
