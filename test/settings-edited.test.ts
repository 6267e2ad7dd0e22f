/** The dashboard edits a setting as text: for every setting and sample, saving it unchanged keeps the value. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SettingRow } from '../src/contract/config/configuration.ts';
import { keptText } from '../src/config/setting.ts';
import { SETTINGS } from '../src/settings.ts';
import { controlOf, draftOf, textOf } from '../src/web/pages/settings/configuration/drafts.ts';

type Edited = Pick<SettingRow, 'key' | 'type' | 'secret' | 'allowed' | 'editor' | 'value' | 'unit'>;

test('a value that is opened and saved unchanged stays the same', () => {
  const controls = new Set<string>();
  for (const { key, type, secret, editor, unit, samples } of SETTINGS.all) {
    for (const sample of samples().good) {
      const kept = keptText(type, sample);
      const row: Edited = {
        key,
        type: type.kind,
        secret,
        value: kept,
        ...(type.allowed && { allowed: [...type.allowed] }),
        ...(editor && { editor }),
        ...(unit && { unit }),
      };
      const control = controlOf(row);
      controls.add(control);
      // A secret is not shown, and a list of objects is edited elsewhere.
      if (control === 'secret' || control === 'editor') continue;
      const again = textOf(row, draftOf(row));
      if (again === '') assert.equal(kept, '[]', key);
      else assert.deepEqual(type.parse(again), type.parse(kept), `${key}: ${kept} became ${again}`);
    }
  }
  for (const control of ['lines', 'number', 'duration', 'language', 'choice', 'text', 'editor'])
    assert.ok(controls.has(control), control);
});

test('every list of objects names its editor', () => {
  for (const { key, type, editor, samples } of SETTINGS.all.filter((one) => one.type.kind === 'list')) {
    const isObjects = samples().good.some((text) => text.includes('{'));
    assert.equal(editor !== undefined, isObjects, `${key} (${type.says})`);
  }
});
