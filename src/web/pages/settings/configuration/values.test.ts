/** Rows become groups, names and controls. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import {
  clearedWords,
  controlOf,
  fromLines,
  shownGroupsOf,
  hintOf,
  isOn,
  namesIn,
  sourceWords,
  toLines,
  valueName,
} from './values.ts';
import { speak } from '../../../messages/catalogue.ts';

before(() => speak(['en']));

const row = (key: string, change: Partial<SettingRow> = {}): SettingRow => ({
  key,
  env: `SERVICE_${key.toUpperCase()}`,
  source: 'default',
  managed: false,
  secret: false,
  configured: false,
  restart: false,
  pending: false,
  type: 'text',
  group: key.split('.')[0] ?? key,
  groupTitle: 'Group',
  title: 'Title',
  summary: '',
  ...change,
});

test('controls follow the type, and a secret is always a secret', () => {
  assert.deepEqual(
    [
      row('a', { type: 'boolean' }),
      row('a', { type: 'enum', allowed: ['x'] }),
      row('a', { type: 'list' }),
      row('a', { type: 'list', allowed: ['x'] }),
      row('a', { type: 'integer' }),
      row('a', { type: 'duration' }),
      row('a', { type: 'boolean', secret: true }),
    ].map(controlOf),
    ['switch', 'choice', 'lines', 'several', 'number', 'text', 'secret'],
  );
});
test('every word of a search must fit, in the key, variable, summary or name', () => {
  const rows = [
    row('subtitles.language', { summary: 'The language to look for.' }),
    row('scanning.interval'),
    row('tls.hosts', { groupTitle: 'HTTPS' }),
    row('dlna.enabled', { until: 'DLNA' }),
  ];
  assert.deepEqual(
    shownGroupsOf(rows, 'LANGUAGE subtitles').flatMap(({ rows: all }) => all.map(({ key }) => key)),
    ['subtitles.language'],
  );
  assert.deepEqual(
    shownGroupsOf(rows, 'https').map(({ name }) => name),
    ['HTTPS'],
  );
  assert.equal(shownGroupsOf(rows, '').length, 3);
  assert.equal(shownGroupsOf(rows, 'nothing like it').length, 0);
  const isSet = row('dlna.enabled', { until: 'DLNA', source: 'owner', value: 'true' });
  assert.equal(shownGroupsOf([isSet], '').length, 1, 'one that is set can be removed');
});
test('lists go to lines and back; a list of objects is left alone', () => {
  assert.equal(fromLines(toLines('a, b,c')), 'a,b,c');
  assert.equal(toLines('[{"name":"a, b"}]'), '[{"name":"a, b"}]');
  assert.equal(fromLines(' one \n\n two,three '), 'one,two,three');
});
test('a managed value says where it is changed', () => {
  assert.match(sourceWords(row('tls.hosts', { managed: true, source: 'environment' })), /SERVICE_TLS/);
  assert.equal(sourceWords(row('tls.hosts', { source: 'owner' })), 'Saved here');
});

test('what a new address has removed is said by name', () => {
  assert.equal(clearedWords([{ title: 'API key' }]), 'Removed, because the address names another host now: API key');
  assert.equal(
    clearedWords([{ title: 'API key' }, { title: 'Password' }]),
    'Removed, because the address names another host now: API key and Password',
  );
});

test('a switch and a choice that are not set show their effect', () => {
  assert.deepEqual(
    [
      isOn({ value: '', unset: 'true' }),
      isOn({ unset: 'true' }),
      isOn({ value: 'false', unset: 'true' }),
      isOn({ value: '' }),
      isOn({ value: '1' }),
    ],
    [true, true, false, false, true],
  );
  assert.equal(valueName({ unset: 'Automatic (default)' }, ''), 'Automatic (default)');
  assert.equal(valueName({}, ''), 'Not set');
});
test('values are named where their own name says too little, and found by that name', () => {
  const accelerator = row('transcoding.accelerator', { labels: { cuda: 'NVIDIA' } });
  assert.deepEqual([valueName(accelerator, 'cuda'), valueName({}, 'debug')], ['NVIDIA', 'debug']);
  assert.deepEqual(
    shownGroupsOf([accelerator, row('logging.level')], 'nvidia').flatMap(({ rows }) => rows.map(({ key }) => key)),
    ['transcoding.accelerator'],
  );
  assert.match(hintOf(row('a', { type: 'integer', hint: '8000000 is 8 Mbit/s' })), /8 Mbit\/s/);
});
test('what is not a JSON list of names is an empty one', () => {
  assert.deepEqual(['["intro","credits"]', '', undefined, 'intro', '{}', '[1,"recap"]'].map(namesIn), [
    ['intro', 'credits'],
    [],
    [],
    [],
    [],
    ['recap'],
  ]);
});
