/**
 * German has words for everything that the server declares. Settings are checked here and not in the dashboard, which
 * does not know the types of declarations: a setting without German words does not compile.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SettingKey } from '../src/config/index.ts';
import { SETTINGS } from '../src/settings.ts';
import { laterFeaturesGerman, settingGroupsGerman } from '../src/web/messages/de/server-setting-groups.ts';
import { settingTextsGerman } from '../src/web/messages/de/server-settings.ts';
import { taskTextsGerman } from '../src/web/messages/de/server-tasks.ts';
import type { SettingText } from '../src/web/messages/server.ts';
import { sourcesUnder } from './architecture/read.ts';
import { REMOTE_ENV } from './remote-world.ts';
import { PASSWORD, startWorld } from './world.ts';

const SETTING_TEXTS: Readonly<Record<SettingKey, SettingText>> = settingTextsGerman;
/** Keys that no domain declares: the type has none. */
export const UNKNOWN_SETTINGS: Readonly<Record<Exclude<keyof typeof settingTextsGerman, SettingKey>, never>> = {};

test('a setting without German words, and German words without a setting, do not compile', () => {
  // @ts-expect-error a key is missing
  const missing: Readonly<Record<SettingKey | 'a.new.setting', SettingText>> = settingTextsGerman;
  // @ts-expect-error a key is left over
  const more: Readonly<Record<Exclude<keyof typeof settingTextsGerman, Exclude<SettingKey, 'listen'>>, never>> = {};
  assert.ok(missing && more);
});

test('German has the values, hints and groups of every setting, and no others', () => {
  for (const { key, labels, unset, hint, group, type, until } of SETTINGS.all) {
    const german = SETTING_TEXTS[key];
    assert.deepEqual(Object.keys(german.labels ?? {}), Object.keys(labels ?? {}), `labels of ${key}`);
    // `true` and a value that can be chosen need no other words.
    const isWords = unset !== undefined && unset !== 'true' && type.allowed?.includes(unset) !== true;
    assert.equal(german.unset !== undefined, isWords, `unset of ${key}`);
    if (until !== undefined) assert.ok(laterFeaturesGerman[until], `the feature ${until}`);
    assert.equal(german.hint !== undefined, hint !== undefined, `hint of ${key}`);
    assert.ok(settingGroupsGerman[group.id], `the group ${group.id}`);
  }
  const groups = [
    ...new Set(SETTINGS.all.flatMap(({ group }) => [group.id, ...(group.section ? [group.section.id] : [])])),
  ];
  assert.deepEqual(Object.keys(settingGroupsGerman).sort(), groups.sort());
});

test('German has the words of every task, and no others', async (t) => {
  // With remote access, which adds a task. No authority is asked before the terms are accepted.
  const outside = { ...REMOTE_ENV, SERVICE_REMOTE_TERMS_ACCEPTED: 'false' };
  const { call } = await startWorld(t, { env: { ...outside, SERVICE_REQUIRE_MFA: 'false' } });
  const { body } = await call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  const tasks = await call({ token: String(body['token']) }, 'GET', '/api/v1/tasks');
  const names = (tasks.body['startable'] as { name: string }[]).map(({ name }) => name);
  assert.deepEqual(Object.keys(taskTextsGerman).sort(), names.sort());
});

test('every reason for a subtitle or a timing has a code, which the types require German words for', () => {
  const inCode = sourcesUnder(join(import.meta.dirname, '..'), 'src').filter(({ at }) =>
    /^(cues\/align|subtitles)\/.*(?<!\.test)\.ts$/.test(at),
  );
  assert.ok(inCode.length > 100, `${inCode.length} sources`);
  const written = /\bpoints\b[^{}]{0,80}\bdetail:\s+['"`]|\bdetail:\s+['"`][^{}]{0,200}\bpoints\b/;
  assert.deepEqual(
    inCode.flatMap(({ at, text }) => (written.test(text) ? [at] : [])),
    [],
  );
});
