/** Time of a day: how much of it a Profile has played, and when the next day begins. */
import { about, idOf } from '../kernel/describe.ts';
import { z } from 'zod';
import { OWNER_READERS, PLAYERS_AT_ANY_HOUR } from '../kernel/access.ts';
import { Seconds, Time } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';

const DayTime = z
  .strictObject({
    limit: z
      .strictObject({
        seconds: Seconds.meta(about('Seconds that the Profile may play on this day.', 5400)),
        used: Seconds.meta(about('Seconds that it has played.', 2700)),
        left: Seconds.meta(about('Seconds that are left.', 2700)),
        granted: Seconds.meta(about('Seconds among them that an Owner has added for this day only.', 0)),
        nextDayAt: Time.meta(about('When the next day of this Profile begins.', '2026-11-22T03:00:00.000Z')),
      })
      .optional()
      .meta(about('Limit of this day. Left out: the Profile has none, and its time is not counted.')),
    hours: z
      .strictObject({
        open: z.boolean().meta(about('Whether the Profile may watch now.', true)),
        changesAt: Time.optional().meta(
          about('When that changes next. Left out: not within eight days.', '2026-11-21T19:30:00.000Z'),
        ),
      })
      .optional()
      .meta(about('Viewing hours. Left out: the Profile has none, and may watch at any time.')),
  })
  .meta({ id: 'DayTime', description: 'Time that a Profile has for this day.' });
export type DayTime = z.output<typeof DayTime>;

export const viewing = {
  ownTime: endpoint({
    method: 'GET',
    path: '/api/v1/me/time',
    summary: 'Time that this Profile has left today',
    description:
      'Lets a player warn before the time is over, and say when the Profile may watch again. It can be read outside ' +
      'the viewing hours, too.',
    access: PLAYERS_AT_ANY_HOUR,
    reach: 'everywhere',
    result: DayTime,
    fails: ['no-such-profile'],
  }),
  profileTime: endpoint({
    method: 'GET',
    path: '/api/v1/profiles/{id}/time',
    summary: 'Time that a Profile has played today',
    description:
      'Returns how much of its time a Profile with a limit has played, and whether its viewing hours are open. Other ' +
      'time is not counted.',
    access: OWNER_READERS,
    params: z.strictObject({ id: idOf('profile', 'Id of the Profile.') }),
    result: DayTime,
    fails: ['no-such-profile'],
  }),
};
