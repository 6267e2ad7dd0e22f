/** Every setting about playing has a name and labels in the dashboard, and nothing is named that is not a setting. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETTINGS } from '../src/config/settings/index.ts';
import { settingName, valueName } from '../src/web/pages/settings/configuration/values.ts';
import { wordsOf } from '../src/web/pages/settings/configuration/words.ts';

const own = SETTINGS.filter(({ key }) => /^(playback|transcoding)\./.test(key));

test('each setting about playing has a name of its own, a summary of its effect, and a label for each value', () => {
  assert.ok(own.length >= 9);
  for (const { key, type, doc } of own) {
    const group = key.split('.')[0] ?? '';
    assert.ok(wordsOf(key), `${key} has no name`);
    assert.match(settingName({ key, group }), /^[A-Z][A-Za-z ]{3,40}$/, key);
    assert.ok(doc.length >= 60, `${key}: "${doc}" does not say what follows from it`);
    for (const value of type.kind === 'boolean' ? [] : (type.allowed ?? []))
      assert.notEqual(valueName(key, value), value, `${key}: ${value} has no label`);
  }
});

test('a setting without a default says what happens while it is not set', () => {
  for (const { key, type } of own) {
    const words = wordsOf(key);
    if (type.kind === 'boolean') assert.equal(typeof words?.unset, 'boolean', key);
    if (type.kind === 'enum') assert.equal(typeof words?.unset, 'string', key);
  }
});
