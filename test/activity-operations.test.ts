/**
 * Which operations write an entry into the activity log: each one that changes something about sign-in methods, access
 * from outside, settings, the directory or supporters, and why the others do not. A new operation is missing here
 * until it is decided, and a kind that no code writes any more is found.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { ACTIVITY_KINDS, type ActivityKind } from '../src/contract/activity/kinds.ts';
import { sourcesUnder } from './architecture/read.ts';
import { REMOTE_ENV } from './remote-world.ts';
import { startWorld, type World } from './world.ts';

/** Kinds of the entries that an operation writes. */
const RECORDED: Readonly<Record<string, readonly ActivityKind[]>> = {
  'POST /api/v1/setup': ['set-up', 'device-added'],
  'POST /api/v1/session': ['sign-in', 'device-added'],
  'DELETE /api/v1/session': ['sign-out'],
  'POST /api/v1/session/step-up': ['proof', 'passkey-suspect'],
  'POST /api/v1/session/oidc': ['outside-sign-in'],
  'POST /api/v1/session/saml': ['outside-sign-in'],
  'PUT /api/v1/session/oidc/step-up': ['proof'],
  'PUT /api/v1/session/saml/step-up': ['proof'],
  'POST /api/v1/passkeys/login/finish': ['sign-in', 'device-added', 'passkey-suspect'],
  'POST /api/v1/passkeys/register/finish': ['passkey-added'],
  'PUT /api/v1/passkeys/{id}': ['passkey-renamed'],
  'DELETE /api/v1/passkeys/{id}': ['passkey-removed'],
  'PUT /api/v1/me/password': ['password-changed'],
  'POST /api/v1/me/password': ['password-set'],
  'DELETE /api/v1/me/password': ['password-removed'],
  'PUT /api/v1/me/mfa': ['mfa-enrolled'],
  'DELETE /api/v1/me/mfa': ['mfa-removed'],
  'PUT /api/v1/me/oidc/link/{flow}': ['outside-linked'],
  'PUT /api/v1/me/saml/link/{flow}': ['outside-linked'],
  'DELETE /api/v1/me/oidc': ['outside-unlinked'],
  'DELETE /api/v1/me/saml': ['outside-unlinked'],
  'DELETE /api/v1/me/sessions/{id}': ['session-ended', 'sign-out'],
  'DELETE /api/v1/sessions': ['sessions-ended'],
  'DELETE /api/v1/sessions/{id}': ['session-ended', 'sign-out'],
  'DELETE /api/v1/devices/{id}': ['device-forgotten'],
  'POST /api/v1/quick-connect/token': ['quick-connect', 'device-added'],
  'POST /api/v1/quick-connect/{code}': ['quick-connect'],
  'POST /api/v1/api-keys': ['key-created'],
  'DELETE /api/v1/api-keys/{id}': ['key-revoked'],
  'POST /api/v1/household/devices': ['household-approved'],
  'PUT /api/v1/household/devices/{id}': ['household-changed'],
  'DELETE /api/v1/household/devices/{id}': ['household-removed'],
  'POST /api/v1/household/open': ['household-open', 'household-copied'],
  'POST /api/v1/household/close': ['sign-out'],
  'POST /api/v1/profiles': ['profile-created'],
  'PUT /api/v1/profiles/{id}': ['profile-changed', 'role-changed'],
  'DELETE /api/v1/profiles/{id}': ['profile-removed'],
  'PUT /api/v1/profiles/{id}/items/{item}': ['profile-changed'],
  'PUT /api/v1/profiles/{id}/password': ['password-set'],
  'DELETE /api/v1/profiles/{id}/password': ['password-removed'],
  'PUT /api/v1/profiles/{id}/pin': ['pin-set', 'pin-removed'],
  'PUT /api/v1/profiles/{id}/second-factor': ['factor-exempted', 'factor-required'],
  'PUT /api/v1/requests/{id}': ['item-granted', 'time-granted', 'grant-revoked'],
  'POST /api/v1/directory/token': ['directory-token-created'],
  'DELETE /api/v1/directory/token': ['directory-token-revoked'],
  'POST /scim/v2/Users': ['profile-created', 'profile-reactivated', 'directory-refused'],
  'PUT /scim/v2/Users/{id}': ['profile-changed', 'profile-deactivated', 'profile-reactivated'],
  'PATCH /scim/v2/Users/{id}': ['profile-changed', 'profile-deactivated', 'profile-reactivated'],
  'DELETE /scim/v2/Users/{id}': ['profile-deactivated'],
  'POST /saml/acs': ['outside-sign-in', 'proof'],
  'POST /oidc/backchannel-logout': ['outside-logout'],
  'POST /api/v1/remote-access/kill': ['remote-cut'],
  'DELETE /api/v1/remote-access/kill': ['remote-allowed'],
  'POST /api/v1/remote-access/proof': ['remote-proof'],
  'PUT /api/v1/settings/trusted-https': ['setting-changed'],
  'DELETE /api/v1/settings/trusted-https': ['setting-reset'],
  'PUT /api/v1/configuration/{key}': ['setting-changed'],
  'DELETE /api/v1/configuration/{key}': ['setting-reset'],
  'POST /api/v1/supporter/activate': ['supporter-activated'],
};

const BEGINS = 'begins what another operation finishes and records';
const LOOKS = 'changes no access: how a Profile looks, or what its person prefers';
/** Why an operation writes none. */
const UNRECORDED: Readonly<Record<string, string>> = {
  'POST /api/v1/passkeys/login/begin': BEGINS,
  'POST /api/v1/passkeys/register/begin': BEGINS,
  'POST /api/v1/passkeys/step-up/begin': BEGINS,
  'POST /api/v1/me/mfa': BEGINS,
  'POST /api/v1/session/oidc/step-up': BEGINS,
  'POST /api/v1/session/saml/step-up': BEGINS,
  'POST /api/v1/quick-connect': BEGINS,
  'DELETE /api/v1/quick-connect': 'ends a code that opened nothing',
  'POST /api/v1/identity-provider/test': 'asks the provider and changes nothing',
  'PUT /api/v1/me/face': LOOKS,
  'PUT /api/v1/me/picture': LOOKS,
  'PUT /api/v1/me/preferences': LOOKS,
  'PUT /api/v1/profiles/{id}/face': LOOKS,
  'PUT /api/v1/profiles/{id}/picture': LOOKS,
  'PUT /api/v1/me/security': 'marks entries as seen, which stay in the log',
  'POST /api/v1/requests': 'asks an Owner, whose answer is recorded',
  'POST /api/v1/requests/seen': 'marks answers as seen',
  'DELETE /api/v1/requests/{id}': 'takes back a question that has no answer yet',
};

/** Operations of media, lists, subtitles and tasks, which this list is not about. */
const OF_OTHERS = new RegExp(
  '^/api/v1/(books|collections|history|items|libraries|marker-|metadata|playback-sessions|playlists|restart|' +
    'shows|smart-playlists|subtitle|tasks|transcoder|wanted-subtitles|watching)',
);
/** Kinds that are written without a request, or by operations of others. */
const ELSEWHERE = ['recovery', 'expiring', 'session-copied'] as const satisfies readonly ActivityKind[];

let house: World;
const closing: (() => unknown)[] = [];
before(async () => {
  const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as TestContext;
  house = await startWorld(together, { env: { ...REMOTE_ENV, SERVICE_REMOTE_TERMS_ACCEPTED: 'false' } });
});
after(async () => {
  for (const close of closing.toReversed()) await close();
});

test('each operation that changes something is recorded, or it is said why not', () => {
  const changing = house.mounted.flatMap(({ endpoint: { method, path } }) =>
    method === 'GET' || OF_OTHERS.test(path) ? [] : [`${method} ${path}`],
  );
  const decided = [...Object.keys(RECORDED), ...Object.keys(UNRECORDED)];
  assert.deepEqual(changing.toSorted(), decided.toSorted());
});

test('each kind about security is written by an operation of the list, and by the code', () => {
  const security = Object.entries(ACTIVITY_KINDS).flatMap(([kind, { category }]) =>
    category === 'security' ? [kind] : [],
  );
  const listed = new Set<string>([...Object.values(RECORDED).flat(), ...ELSEWHERE]);
  assert.deepEqual(
    security.filter((kind) => !listed.has(kind)),
    [],
  );
  const code = sourcesUnder(join(import.meta.dirname, '..'), 'src')
    .filter(({ at }) => !/^(contract|web)\/|\.test\.ts$|testing-/.test(at))
    .map(({ text }) => text)
    .join('\n');
  assert.deepEqual(
    [...listed].filter((kind) => !code.includes(`'${kind}'`)),
    [],
  );
});
