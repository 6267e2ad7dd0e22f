/** Rows become groups, names and controls. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import { controlOf, draftOf, textOf, namesIn } from './drafts.ts';
import {
  clearedWords,
  generalGroupsOf,
  laterFeaturesOf,
  setUpState,
  valueWords,
  shownGroupsOf,
  hintOf,
  isOn,
  sourceWords,
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
  general: false,
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
      row('a', { type: 'duration', value: '1500ms' }),
      row('a', { type: 'language' }),
      row('a', { type: 'list', editor: 'libraries' }),
      row('a', { type: 'boolean', secret: true }),
    ].map(controlOf),
    ['switch', 'choice', 'lines', 'several', 'number', 'duration', 'text', 'language', 'editor', 'secret'],
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
test('lists go to lines and back', () => {
  const hosts = row('tls.hosts', { type: 'list', value: '["a.home","b.home"]' });
  assert.equal(draftOf(hosts), 'a.home\nb.home');
  assert.equal(textOf(hosts, ' a.home \n\nb.home, c.home'), '["a.home","b.home","c.home"]');
  assert.equal(textOf(hosts, ' \n'), '', 'an empty list is not set');
});
test('durations are written in their longest whole unit', () => {
  const every = (value: string) => row('scanning.interval', { type: 'duration', value });
  for (const [kept, draft] of [
    ['2160h', '90 d'],
    ['90m', '90 m'],
    ['1h30m', '90 m'],
    ['36h', '36 h'],
    ['45s', '45 s'],
    ['0', '0 m'],
  ] as const)
    assert.equal(draftOf(every(kept)), draft);
  for (const [draft, text] of [
    ['90 d', '2160h'],
    ['1.5 d', '36h'],
    ['1,5 h', '90m'],
    ['90 s', '90s'],
    ['0 d', '0s'],
    [' m', ''],
    // The server says what is wrong with these.
    ['soon h', 'soon'],
    ['1h30m m', '1h30m'],
    ['-3 m', '-3'],
  ] as const)
    assert.equal(textOf(every('10m'), draft), text, draft);
  assert.equal(draftOf(every('1500ms')), '1500ms', 'what the units cannot say stays a text');
  assert.equal(valueWords({ type: 'duration' }, '2160h'), '90 days');
});
test('a number with a unit is written in that unit', () => {
  const limit = row('playback.remote_bitrate', {
    type: 'integer',
    value: '8500000',
    unit: { name: 'Mbit/s', size: 1_000_000 },
  });
  assert.equal(draftOf(limit), '8.5');
  assert.deepEqual(
    ['8.5', '8,5', '20', '', 'fast'].map((draft) => textOf(limit, draft)),
    ['8500000', '8500000', '20000000', '', 'fast'],
  );
  assert.equal(valueWords(limit, '20000000'), '20 Mbit/s');
  assert.equal(textOf(row('a', { type: 'integer' }), ' 12 '), '12');
});
test('the short page has the general settings, and says how far a provider is set up', () => {
  const rows = [
    row('server.name', { general: true }),
    row('listen'),
    row('integrations.x.key', { general: true, section: 'integrations.s', sectionTitle: 'Providers' }),
  ];
  assert.deepEqual(
    generalGroupsOf(rows).map(({ group, section, rows: own }) => [group, section?.name, own.length]),
    [
      ['server', undefined, 1],
      ['integrations', 'Providers', 1],
    ],
  );
  const key = row('integrations.x.key', { secret: true });
  const terms = row('integrations.x.terms', { type: 'boolean', configured: true, value: 'false' });
  assert.deepEqual(
    [
      [key, terms],
      [{ ...key, configured: true }, terms],
      [
        { ...key, configured: true },
        { ...terms, value: 'true' },
      ],
    ].map(setUpState),
    ['none', 'some', 'all'],
  );
});
test('a search names the features that this version does not have', () => {
  const rows = [row('dlna.url', { until: 'DLNA' }), row('dlna.enabled', { until: 'DLNA' }), row('server.name')];
  assert.deepEqual(laterFeaturesOf(rows, 'dlna'), ['DLNA']);
  assert.deepEqual(laterFeaturesOf(rows, 'server'), []);
  assert.deepEqual(laterFeaturesOf(rows, ' '), []);
});
test('a managed value says where it is changed', () => {
  assert.match(sourceWords(row('tls.hosts', { managed: true, source: 'environment' })), /SERVICE_TLS/);
  assert.equal(sourceWords(row('tls.hosts', { source: 'owner' })), 'Saved here');
});

test('what a new address has removed is said by name', () => {
  assert.equal(
    clearedWords([{ title: 'API key' }]),
    'Removed, because the address now points to another host: API key',
  );
  assert.equal(
    clearedWords([{ title: 'API key' }, { title: 'Password' }]),
    'Removed, because the address now points to another host: API key and Password',
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
  assert.equal(valueName({ unset: 'As chosen in each profile' }, ''), 'As chosen in each profile');
  const mode = { unset: 'automatic', allowed: ['automatic', 'direct'], labels: { automatic: 'Automatic' } };
  assert.deepEqual(
    ['automatic', 'direct'].map((value) => valueName(mode, value)),
    ['Automatic (default)', 'direct'],
  );
  assert.equal(valueName({ default: 'info', allowed: ['info', 'warn'] }, 'info'), 'info (default)');
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
