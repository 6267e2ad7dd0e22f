/** Restarting the server within its process, so that saved settings take effect. */
import { z } from 'zod';
import { OWNERS, OWNER_READERS } from '../kernel/access.ts';
import { Id, Time } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';

const run = Id.meta({
  description: 'Id of the present run of the server. After a restart it is another one.',
  examples: ['4f1c0a9be27d6358'],
});
const settingKeys = z.array(z.string().meta({ description: 'Key of a setting.', examples: ['listen'] }));

export const RestartState = z
  .strictObject({
    run,
    startedAt: Time,
    ready: z.boolean().meta({ description: 'Whether the server has finished its start.', examples: [true] }),
    pending: settingKeys.meta({ description: 'Settings whose saved values take effect after a restart.' }),
    failure: z
      .strictObject({
        at: Time,
        error: z.string().meta({
          description: 'Why the server could not start with what was saved.',
          examples: ['listen (SERVICE_LISTEN): 127.0.0.1:80 is taken by another program'],
        }),
        putBack: settingKeys.meta({ description: 'Settings that were reverted to the values that worked.' }),
      })
      .optional()
      .meta({
        description: 'The last restart, if it failed and the server continued with the settings that worked.',
        examples: [],
      }),
  })
  .meta({ id: 'RestartState', description: 'Whether a restart is needed or running.' });
export type RestartState = z.output<typeof RestartState>;

const Restarting = z
  .strictObject({
    run,
    moves: z
      .strictObject({
        scheme: z.enum(['http', 'https']).meta({ description: 'Scheme of the new address.' }),
        port: z
          .int()
          .min(0)
          .max(65_535)
          .meta({ description: 'Port of the new address.', examples: [38128] }),
      })
      .optional()
      .meta({ description: 'New address of the server, if the restart changes its scheme or port.' }),
  })
  .meta({ id: 'Restarting', description: 'Restart that has begun.' });
export type Restarting = z.output<typeof Restarting>;

export const restart = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/restart',
    summary: 'Return the settings that wait for a restart, and how the last one ended',
    description: 'A client reads it after a restart: another `run` says that the server has started again.',
    access: OWNER_READERS,
    result: RestartState,
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/v1/restart',
    summary:
      'Restart the server within its process. It answers first, then ends what is open, and is back in about a ' +
      'second with another `run`; should it fail to start, it continues with the settings that worked',
    description: 'Puts saved settings in force that count only from the next start. Streams in progress end.',
    access: OWNERS,
    result: Restarting,
    status: 202,
    fails: ['restart-running', 'restart-held', 'restart-refused', 'restart-unavailable', 'not-ready'],
  }),
};
