/** Fields: each control has its label, and its hint and error are read with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { descriptionOf, openPage } from '../../lib/testing-page.ts';
import { Field, LinesField, Segments, Select, Switch } from './field.tsx';

const CHOICES = [
  { value: 'a', label: 'First' },
  { value: 'b', label: 'Second' },
] as const;
const ignore = () => {};

test('a text field says what was typed, and has the attributes that it was given', async (t) => {
  const values: string[] = [];
  const page = await openPage(
    t,
    <Field label="Name" value="Ada" onValue={(value) => values.push(value)} required autocomplete="username" />,
  );
  const field = page.get('textbox', 'Name') as HTMLInputElement;
  assert.deepEqual([field.value, field.type, field.required], ['Ada', 'text', true]);
  assert.equal(field.getAttribute('autocomplete'), 'username');
  await page.type(field, 'Grace');
  assert.deepEqual(values, ['Grace']);
});

test('a hint and an error are read with each field, and the error is announced', async (t) => {
  const fields = (error?: string) => {
    const shared = { hint: 'At most 40', error, onValue: ignore };
    return (
      <>
        <Field label="Name" value="" {...shared} />
        <LinesField label="Folders" value="" {...shared} />
        <Select label="Kind" value="a" choices={CHOICES} {...shared} />
      </>
    );
  };
  const page = await openPage(t, fields());
  const shown = () => [page.get('textbox', 'Name'), page.get('textbox', 'Folders'), page.get('combobox', 'Kind')];
  for (const field of shown()) {
    assert.equal(descriptionOf(field), 'At most 40');
    assert.equal(field.getAttribute('aria-invalid'), null);
  }
  // A live region is announced only if it was there before its text.
  const alerts = page.all('alert');
  assert.equal(alerts.length, 3);
  await page.draw(fields('It is taken'));
  for (const field of shown()) {
    assert.equal(descriptionOf(field), 'At most 40 It is taken');
    assert.equal(field.getAttribute('aria-invalid'), 'true');
  }
  assert.ok(
    page.all('alert').every((one, n) => one === alerts[n]),
    'the same elements',
  );
  assert.deepEqual(page.texts('alert'), ['It is taken', 'It is taken', 'It is taken']);
  await page.draw(fields());
  assert.deepEqual(page.texts('alert'), ['', '', '']);
  assert.equal(descriptionOf(page.get('textbox', 'Name')), 'At most 40');
});

test('a field without a hint has no description', async (t) => {
  const page = await openPage(t, <Field label="Name" value="" onValue={ignore} />);
  assert.equal(page.get('textbox', 'Name').getAttribute('aria-describedby'), null);
});

test('a list of texts grows with its lines, within bounds', async (t) => {
  const list = (value: string, disabled = false) => (
    <LinesField label="Folders" value={value} onValue={ignore} disabled={disabled} />
  );
  const page = await openPage(t, list('one'));
  const rows = () => Number(page.get('textbox', 'Folders').getAttribute('rows'));
  assert.equal(rows(), 2);
  await page.draw(list('1\n2\n3\n4'));
  assert.equal(rows(), 4);
  await page.draw(list('\n'.repeat(30)));
  assert.equal(rows(), 8);
  await page.draw(list('', true));
  assert.ok((page.get('textbox', 'Folders') as HTMLTextAreaElement).disabled);
});

test('a choice says the value and not its label', async (t) => {
  const values: string[] = [];
  const page = await openPage(
    t,
    <Select label="Kind" value="a" choices={CHOICES} onValue={(value) => values.push(value)} />,
  );
  const field = page.get('combobox', 'Kind') as HTMLSelectElement;
  assert.deepEqual(page.texts('option'), ['First', 'Second']);
  assert.equal(field.value, 'a');
  await page.choose(field, 'Second');
  assert.deepEqual(values, ['b']);
});

test('a switch is on or off, with its hint', async (t) => {
  const values: boolean[] = [];
  const control = (checked: boolean, disabled = false) => (
    <Switch
      label="Scan"
      hint="Every hour"
      checked={checked}
      disabled={disabled}
      onValue={(value) => values.push(value)}
    />
  );
  const page = await openPage(t, control(false));
  const shown = () => page.get('switch', 'Scan') as HTMLInputElement;
  assert.equal(descriptionOf(shown()), 'Every hour');
  await page.click(shown());
  await page.draw(control(true));
  assert.ok(shown().checked);
  await page.click(shown());
  assert.deepEqual(values, [true, false]);
  await page.draw(control(true, true));
  await page.click(shown());
  assert.deepEqual(values, [true, false], 'a disabled switch');
});

test('one of several segments is chosen, in a group with a name', async (t) => {
  const values: string[] = [];
  const page = await openPage(
    t,
    <>
      <Segments label="Size" value="b" choices={CHOICES} onValue={(value) => values.push(value)} />
      <Segments label="Order" value="a" choices={CHOICES} onValue={ignore} />
    </>,
  );
  const size = page.get('group', 'Size');
  const chosen = page.all('radio').map((one) => (one as HTMLInputElement).checked);
  assert.deepEqual(chosen, [false, true, true, false], 'a group does not end the choice of another');
  const first = size.querySelector('input');
  assert.ok(first);
  await page.click(first);
  assert.deepEqual(values, ['a']);
});
