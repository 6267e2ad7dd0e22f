/** Household devices: a TV or tablet at home that an Owner approved, with a picker of Viewers. */
import { z } from 'zod';
import { OWNERS_IN_PERSON, OWNER_READERS_IN_PERSON, WRITERS_AT_ANY_HOUR } from '../kernel/access.ts';
import { Id, lineOfText, list, paging, Time } from '../kernel/common.ts';
import { about, EXAMPLE_IDS, idOf } from '../kernel/describe.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { MAX_HOUSEHOLD_PROFILES, OPENINGS } from './openings.ts';
import { Face, OwnProfile } from './profiles.ts';

const opens = z
  .enum(OPENINGS)
  .meta(about('How the Profile opens there: with nothing, its PIN, or its password.', 'pin'));
export type HouseholdOpening = z.output<typeof opens>;

const Pin = z
  .string()
  .regex(/^\d{4,8}$/, 'expected 4 to 8 digits')
  .meta({ description: 'PIN of 4 to 8 digits.', examples: ['4071'] });
const deviceName = lineOfText(64).meta(about('Name of the device.', 'Kitchen tablet'));
const byHousehold = z.strictObject({ id: idOf('device', 'Id of the household device.') });
const allowed = z
  .array(z.strictObject({ id: Id.meta(about('Id of a Viewer.', EXAMPLE_IDS.profile)), opens }))
  .min(1)
  .max(MAX_HOUSEHOLD_PROFILES)
  .meta(about('Viewers that the picker shows, in this order.'));

const HouseholdDevice = z
  .strictObject({
    id: idOf('device', 'Id of the household device.'),
    name: deviceName,
    createdAt: Time.meta(about('When an Owner approved it.', '2026-10-03T17:20:11.000Z')),
    lastSeenAt: Time.meta(about('When its picker was shown last.', '2026-11-21T19:02:44.000Z')),
    profiles: z
      .array(
        z.strictObject({
          id: idOf('profile', 'Id of the Viewer.'),
          name: z.string().meta(about('Name of the Viewer.', 'Ben')),
          opens,
        }),
      )
      .meta(about('Viewers that the picker shows.')),
    sessions: z.int().min(0).meta(about('Number of Profiles that are open on it.', 1)),
  })
  .meta({ id: 'HouseholdDevice', description: 'Device at home with a picker of Viewers.' });

export const household = {
  picker: endpoint({
    method: 'GET',
    path: '/api/v1/household',
    summary: 'The picker of this device',
    description:
      'Lists the Viewers that open on this device. The list is empty in a browser that no Owner approved, and away ' +
      'from home.',
    access: 'public',
    result: z
      .strictObject({
        device: z.string().optional().meta(about('Name of this device. Left out: it is none.', 'Kitchen tablet')),
        profiles: z
          .array(
            z.strictObject({
              id: idOf('profile', 'Id of the Viewer, to open it.'),
              name: z.string().meta(about('Name of the Viewer.', 'Ben')),
              face: Face,
              opens,
            }),
          )
          .meta(about('Viewers in the order of the picker.')),
      })
      .meta({ id: 'HouseholdPicker', description: 'Viewers that open on this device.' }),
  }),
  open: endpoint({
    method: 'POST',
    path: '/api/v1/household/open',
    summary: 'Open a Profile of the picker',
    description:
      'Opens a session in a cookie that can only watch, on this device and at home. After five wrong PINs ' +
      'the next one has to wait ten minutes; each Profile of each device is counted separately.',
    access: 'public',
    body: z.strictObject({
      id: Id.meta(about('Id of the Viewer.', EXAMPLE_IDS.profile)),
      pin: Pin.optional(),
      password: z
        .string()
        .min(1)
        .max(1024)
        .optional()
        .meta(about('Password of the Profile, where that opens it.', 'nine tall green garden doors')),
    }),
    result: z
      .strictObject({
        expiresAt: Time.meta(about('When the session ends, if it is used until then.', '2026-11-22T18:30:00.000Z')),
        profile: OwnProfile,
      })
      .meta({ id: 'OpenedProfile', description: 'Profile that was opened on a household device.' }),
    status: 201,
    fails: ['household-unknown', 'pin-wrong', 'password-wrong', 'too-many-attempts', 'sign-in-busy'],
  }),
  close: endpoint({
    method: 'POST',
    path: '/api/v1/household/close',
    summary: 'Close the Profile and return to the picker',
    description: 'Ends the session that the picker opened. Its open streams end, too.',
    access: WRITERS_AT_ANY_HOUR,
    result: NOTHING,
    fails: ['no-such-session'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/v1/household/devices',
    summary: 'Household devices',
    description: 'Lists the devices that Owners approved, with the Viewers of their pickers.',
    access: OWNER_READERS_IN_PERSON,
    query: z.strictObject({ ...paging }),
    result: list(HouseholdDevice),
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/v1/household/devices',
    summary: 'Make this browser a household device',
    description:
      'Approves the browser that asks, at home only, and signs the Owner out of it. From then on its picker opens ' +
      'these Viewers.',
    access: OWNERS_IN_PERSON,
    body: z.strictObject({ name: deviceName, profiles: allowed }),
    result: HouseholdDevice,
    status: 201,
    fails: ['household-viewers-only', 'household-opening-missing', 'too-many-household-devices', 'no-such-profile'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/household/devices/{id}',
    summary: 'Change the name or the picker of a household device',
    description: 'Changes what is sent. Profiles that are no longer in the picker, or open differently, are closed.',
    access: OWNERS_IN_PERSON,
    params: byHousehold,
    body: z.strictObject({ name: deviceName.optional(), profiles: allowed.optional() }),
    result: HouseholdDevice,
    fails: ['no-such-device', 'household-viewers-only', 'household-opening-missing', 'no-such-profile'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/household/devices/{id}',
    summary: 'Remove a household device and close its Profiles',
    description: 'Ends the device at once. An Owner has to approve it again.',
    access: OWNERS_IN_PERSON,
    params: byHousehold,
    result: NOTHING,
    fails: ['no-such-device'],
  }),
  pin: endpoint({
    method: 'PUT',
    path: '/api/v1/profiles/{id}/pin',
    summary: 'Set the PIN that opens a Viewer on household devices, or remove it',
    description: 'Sets the PIN; it counts nowhere else. What the PIN before has opened is closed. null removes it.',
    access: OWNERS_IN_PERSON,
    params: z.strictObject({ id: idOf('profile', 'Id of the Viewer.') }),
    body: z.strictObject({ pin: Pin.nullable().meta(about('New PIN of 4 to 8 digits; null for none.', '4071')) }),
    result: NOTHING,
    fails: ['no-such-profile', 'household-viewers-only', 'pin-in-use', 'sign-in-busy'],
  }),
};
