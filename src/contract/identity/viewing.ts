/** Time of a day: how much of it a Profile has played, and when the next day begins. */
import { about, idOf } from '../kernel/describe.ts';
import { z } from 'zod';
import { OWNER_READERS, PLAYERS } from '../kernel/access.ts';
import { Seconds, Time } from '../kernel/common.ts';
import { endpoint } from '../kernel/endpoint.ts';

const DayTime = z
  .strictObject({
    limit: z
      .strictObject({
        seconds: Seconds.meta(about('Seconds that the Profile may play on this day.', 5400)),
        used: Seconds.meta(about('Seconds that it has played.', 2700)),
        left: Seconds.meta(about('Seconds that are left.', 2700)),
        nextDayAt: Time.meta(about('When the next day of this Profile begins.', '2026-11-22T03:00:00.000Z')),
      })
      .optional()
      .meta(about('Limit of this day. Left out: the Profile has none, and its time is not counted.')),
  })
  .meta({ id: 'DayTime', description: 'Time that a Profile has for this day.' });
export type DayTime = z.output<typeof DayTime>;

export const viewing = {
  ownTime: endpoint({
    method: 'GET',
    path: '/api/v1/me/time',
    summary: 'Time that this Profile has left today',
    description: 'Lets a player warn before the time is over, and say when the next day begins.',
    access: PLAYERS,
    reach: 'everywhere',
    result: DayTime,
    fails: ['no-such-profile'],
  }),
  profileTime: endpoint({
    method: 'GET',
    path: '/api/v1/profiles/{id}/time',
    summary: 'Time that a Profile has played today',
    description: 'Returns how much of its time a Profile with a limit has played. Other time is not counted.',
    access: OWNER_READERS,
    params: z.strictObject({ id: idOf('profile', 'Id of the Profile.') }),
    result: DayTime,
    fails: ['no-such-profile'],
  }),
};
