/** Configuration: every setting with its value, its source, and whether it may be changed here. */
import { z } from 'zod';
import { OWNERS, OWNER_READERS } from '../kernel/access.ts';
import { SAVING_SECRET } from './reasons.ts';
import { endpoint } from '../kernel/endpoint.ts';

export const SOURCES = ['default', 'owner', 'yaml', 'environment'] as const;

export const SettingRow = z
  .strictObject({
    key: z.string(),
    env: z.string(),
    value: z.string().optional().meta({ description: 'Never of a secret.' }),
    default: z.string().optional(),
    source: z.enum(SOURCES),
    managed: z.boolean().meta({ description: 'Set from outside (YAML or environment), and read-only here.' }),
    secret: z.boolean(),
    configured: z.boolean(),
    restart: z.boolean(),
    pending: z.boolean().meta({ description: 'Saved, and in force after the next restart.' }),
    type: z.string(),
    allowed: z.array(z.string()).optional(),
    belongsTo: z
      .array(z.string())
      .optional()
      .meta({
        description:
          'For a secret: keys of the addresses that it is sent to. It is removed when one of them changes to ' +
          'another host.',
      }),
    group: z.string(),
    groupTitle: z.string().meta({ description: 'Name of its group for people.' }),
    title: z.string().meta({ description: 'Its name for people.' }),
    summary: z.string(),
    labels: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Names of the values that can be chosen, for people.' }),
    unset: z.string().optional().meta({
      description:
        'Describes the effect while nothing is set: the name of that choice, or `true` for a switch that is then on.',
    }),
    page: z.string().optional().meta({ description: 'Address of the page on which a person gets this value.' }),
    hint: z.string().optional().meta({ description: 'Unit and example of a value that is typed.' }),
    until: z.string().optional().meta({
      description: 'The feature that will use it. This version keeps the value and does not use it.',
    }),
  })
  .meta({ id: 'Setting' });
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
  restartRequired: z.boolean(),
  cleared: z.array(z.string()).optional().meta({
    description: 'Keys of secrets that were removed, because they belong to the host that this address named before.',
  }),
});

export const configuration = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/configuration',
    summary: 'Every setting; secret values are never returned',
    access: OWNER_READERS,
    result: z.strictObject({ settings: z.array(SettingRow) }).meta({ id: 'Configuration' }),
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/v1/configuration/{key}',
    summary:
      'Save a value; the whole result is validated before anything is written. An API key may not change ways ' +
      'in, remote access or programs',
    access: OWNERS,
    params: key,
    body: z.strictObject({ value: z.string().max(262_144) }),
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
