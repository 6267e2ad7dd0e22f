/** Ways in that are added, removed or relaxed: passwords that a Profile can be without, and exempt Viewers. */
import { z } from 'zod';
import { OWNERS_IN_PERSON, VIEWERS_IN_PERSON } from '../kernel/access.ts';
import { about, idOf } from '../kernel/describe.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { Password, Profile } from './profiles.ts';

const byProfile = z.strictObject({ id: idOf('profile', 'Id of the Profile.') });

export const waysIn = {
  exempt: endpoint({
    method: 'PUT',
    path: '/api/v1/profiles/{id}/second-factor',
    summary: 'Exempt a Viewer from the second factor at home, or end that',
    description:
      'While `security.require_mfa` is set, everybody who signs in with a password enrols a second factor. An exempt ' +
      'Viewer need not, at home only: its password alone opens it there. A second factor that it has enrolled is ' +
      'still asked for. Owners are never exempt, and another role ends the exemption.',
    access: OWNERS_IN_PERSON,
    params: byProfile,
    body: z.strictObject({
      exempt: z.boolean().meta(about('Whether the Viewer needs no second factor at home.', true)),
    }),
    result: Profile,
    fails: ['no-such-profile', 'exempt-viewers-only'],
  }),
  removePassword: endpoint({
    method: 'DELETE',
    path: '/api/v1/profiles/{id}/password',
    summary: 'Remove the password of a Viewer; its sessions end',
    description:
      'The Viewer then signs in by Quick Connect, with a passkey, or on a household device. An Owner can set a ' +
      'password again at any time. Passwords of Owners are removed by themselves only.',
    access: OWNERS_IN_PERSON,
    params: byProfile,
    result: Profile,
    fails: ['no-such-profile', 'no-password', 'password-in-use', 'owner-needs-way-in'],
  }),
  setOwnPassword: endpoint({
    method: 'POST',
    path: '/api/v1/me/password',
    summary: 'Set a password for your own Profile that has none',
    description:
      'Needs a proof of the last minutes, by a passkey or the identity provider: there is no present password that ' +
      'could be asked for.',
    access: VIEWERS_IN_PERSON,
    body: z.strictObject({ newPassword: Password }),
    result: NOTHING,
    fails: ['password-length', 'password-common', 'password-set', 'sign-in-busy'],
  }),
  removeOwnPassword: endpoint({
    method: 'DELETE',
    path: '/api/v1/me/password',
    summary: 'Remove your own password; your other sessions end',
    description:
      'Refused if nothing would be left to sign in with: a usable passkey, or for a Viewer a link to the identity ' +
      'provider. At least one Owner with a password remains.',
    access: VIEWERS_IN_PERSON,
    result: NOTHING,
    fails: ['no-password', 'last-way-in', 'last-owner-always', 'password-in-use'],
  }),
};
