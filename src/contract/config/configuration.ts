/** Configuration: every setting with its value, its source, and whether it may be changed here. */
import { about, rarely } from '../kernel/describe.ts';
import { z } from 'zod';
import { OWNERS, OWNER_READERS } from '../kernel/access.ts';
import { SAVING_SECRET } from './reasons.ts';
import { endpoint } from '../kernel/endpoint.ts';

export const SOURCES = ['default', 'owner', 'yaml', 'environment'] as const;
/** Editors of the dashboard for settings that are lists of objects. */
export const SETTING_EDITORS = ['libraries', 'wanted-subtitles'] as const;
export type SettingEditorName = (typeof SETTING_EDITORS)[number];

export const SettingRow = z
  .strictObject({
    key: z.string().meta(about('Name of the setting.', 'server.name')),
    env: z.string().meta(about('Environment variable that sets it.', 'SERVICE_SERVER_NAME')),
    value: z
      .string()
      .optional()
      .meta({ description: 'Never of a secret.', examples: ['Home'] }),
    default: z.string().optional().meta(rarely('Value while nothing is set.')),
    source: z.enum(SOURCES).meta(about('Where the value comes from.', 'owner')),
    managed: z
      .boolean()
      .meta({ description: 'Set from outside (YAML or environment), and read-only here.', examples: [false] }),
    secret: z.boolean().meta(about('Whether the value is a secret.', false)),
    configured: z.boolean().meta(about('Whether a value is set.', true)),
    restart: z.boolean().meta(about('Whether a change is in force only after a restart.', false)),
    pending: z.boolean().meta({ description: 'Saved, and in force after the next restart.', examples: [false] }),
    type: z.string().meta(about('Kind of value, such as text, boolean, enum, path or duration.', 'text')),
    allowed: z.array(z.string()).optional().meta(rarely('Values that can be chosen, if it is a choice.')),
    belongsTo: z
      .array(z.string())
      .optional()
      .meta({
        description:
          'For a secret: keys of the addresses that it is sent to. It is removed when one of them changes to ' +
          'another host.',
        examples: [],
      }),
    group: z.string().meta(about('Group of the setting, by which the dashboard arranges them.', 'server')),
    groupTitle: z.string().meta({ description: 'Name of its group for people.', examples: ['Server'] }),
    section: z.string().optional().meta(rarely('Section that its group belongs to, if the dashboard joins several.')),
    sectionTitle: z.string().optional().meta(rarely('Name of that section for people.')),
    general: z.boolean().meta({
      description:
        'Whether it is one of the few settings that most households change. The dashboard shows these first.',
      examples: [true],
    }),
    title: z.string().meta({ description: 'Its name for people.', examples: ['Server name'] }),
    summary: z.string().meta(about('Effect of the setting, for people.', 'Name that apps show for this server.')),
    labels: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Names of the values that can be chosen, for people.', examples: [] }),
    unset: z
      .string()
      .optional()
      .meta(
        rarely('Effect while nothing is set: one of the allowed values, `true` for a switch that is on, or words.'),
      ),
    unit: z
      .strictObject({
        name: z.string().meta(about('Name of the unit.', 'Mbit/s')),
        size: z.number().meta(about('Number of the kept units in one of this unit.', 1_000_000)),
      })
      .optional()
      .meta(rarely('Unit in which people read and write the number, such as Mbit/s for bits per second.')),
    editor: z
      .enum(SETTING_EDITORS)
      .optional()
      .meta(rarely('Editor of the dashboard for this setting, which is a list of objects.')),
    page: z
      .string()
      .optional()
      .meta({ description: 'Address of the page on which a person gets this value.', examples: [] }),
    hint: z.string().optional().meta({ description: 'Unit and example of a value that is typed.', examples: [] }),
    until: z.string().optional().meta({
      description: 'The feature that will use it. This version keeps the value and does not use it.',
      examples: [],
    }),
  })
  .meta({ id: 'Setting', description: 'Setting with its value and its source.' });
export type SettingRow = z.output<typeof SettingRow>;

const key = z.strictObject({
  key: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[a-z0-9_.]+$/, 'expected a setting key')
    .meta({ description: 'Key of a setting.', examples: ['server.name'] }),
});
const saved = z.strictObject({
  restartRequired: z.boolean().meta(about('Whether the change is in force only after a restart.', false)),
  cleared: z.array(z.string()).optional().meta({
    description: 'Keys of secrets that were removed, because they belong to the host that this address named before.',
    examples: [],
  }),
});

export const configuration = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/configuration',
    summary: 'Every setting; secret values are never returned',
    description:
      'Returns the settings with value, source and description. Of a secret it says only whether one is set.',
    access: OWNER_READERS,
    result: z
      .strictObject({ settings: z.array(SettingRow).meta(about('All settings, by group.')) })
      .meta({ id: 'Configuration', description: 'All settings.' }),
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/v1/configuration/{key}',
    summary:
      'Save a value; the whole result is validated before anything is written. An API key may not change ' +
      'sign-in methods, remote access or programs',
    description:
      'Values are text, as an environment variable has them. A setting from the environment or a YAML ' +
      'file is managed there: 409.',
    access: OWNERS,
    params: key,
    body: z.strictObject({
      value: z.string().max(262_144).meta(about('New value as text: `true`, `10m`, or a JSON list.', 'Home')),
    }),
    result: saved,
    status: 202,
    fails: [
      'setting-invalid',
      'key-not-allowed',
      'no-such-setting',
      'setting-managed',
      'setting-at-start-only',
      'secret-managed',
      ...SAVING_SECRET,
    ],
  }),
  reset: endpoint({
    method: 'DELETE',
    path: '/api/v1/configuration/{key}',
    summary: 'Reset a value to the next source',
    description: 'Removes the value that was saved here, so that the next source or the default counts.',
    access: OWNERS,
    params: key,
    result: saved,
    status: 202,
    fails: [
      'key-not-allowed',
      'no-such-setting',
      'setting-managed',
      'setting-at-start-only',
      'setting-clash',
      'secret-managed',
      ...SAVING_SECRET,
    ],
  }),
};
