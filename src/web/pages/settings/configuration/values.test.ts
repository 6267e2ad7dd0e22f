/** Rows become groups, names and controls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import {
  clearedWords,
  controlOf,
  fromLines,
  groupName,
  groupsOf,
  hintOf,
  isOn,
  namesIn,
  settingName,
  sourceWords,
  toLines,
  valueName,
} from './values.ts';

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
    row('tls.hosts'),
  ];
  assert.deepEqual(
    groupsOf(rows, 'LANGUAGE subtitles').flatMap(({ rows: all }) => all.map(({ key }) => key)),
    ['subtitles.language'],
  );
  assert.deepEqual(
    groupsOf(rows, 'https').map(({ name }) => name),
    ['HTTPS'],
  );
  assert.equal(groupsOf(rows, '').length, 3);
  assert.equal(groupsOf(rows, 'nothing like it').length, 0);
});
test('names are words', () => {
  assert.equal(settingName({ key: 'integrations.subtitles_a.api_key', group: 'integrations.subtitles_a' }), 'API key');
  assert.equal(settingName({ key: 'libraries', group: 'libraries' }), 'Libraries');
  assert.equal(groupName('home_theatre.sound'), 'Home theatre, sound');
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
  assert.equal(
    clearedWords(['integrations.subtitles_a.api_key']),
    'API key was removed, because the address names another host now',
  );
  assert.equal(
    clearedWords(['integrations.subtitles_c.api_key', 'integrations.subtitles_c.password']),
    'API key and Password were removed, because the address names another host now',
  );
});

test('a switch and a choice that nobody set show what then happens', () => {
  assert.deepEqual(
    [
      isOn('', 'playback.autoplay'),
      isOn(undefined, 'transcoding.tone_map'),
      isOn('false', 'playback.autoplay'),
      isOn('', 'dlna.enabled'),
      isOn('1'),
    ],
    [true, true, false, false, true],
  );
  assert.equal(valueName('transcoding.codec', ''), 'Automatic (default)');
  assert.equal(valueName('logging.level', ''), 'Not set');
});
test('values are named where their own name says too little, and found by that name', () => {
  assert.deepEqual(
    [valueName('transcoding.accelerator', 'cuda'), valueName('logging.level', 'debug')],
    ['NVIDIA', 'debug'],
  );
  assert.deepEqual(
    groupsOf([row('transcoding.accelerator'), row('logging.level')], 'nvidia').flatMap(({ rows }) =>
      rows.map(({ key }) => key),
    ),
    ['transcoding.accelerator'],
  );
  assert.match(hintOf(row('playback.remote_bitrate', { type: 'integer' })), /8 Mbit\/s/);
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
