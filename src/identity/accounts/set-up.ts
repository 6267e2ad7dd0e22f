/** Set-up: the first Owner, made once, from the home network and at a name of this machine. */
import { trustedHostname } from '../../config/index.ts';
import { WELCOME_STEPS } from '../../contract/identity/welcome.ts';
import { OWNER_POLICY } from '../../contract/identity/profiles.ts';
import { Failure } from '../../lib/failure.ts';
import { keptName, type Core, type Settings } from '../core.ts';
import { checkPassword } from '../passwords/rules.ts';
import { isOwnHost } from '../proof/own-host.ts';
import type { ProfileRow, Step } from '../types.ts';
import { openSession, type SignedIn, type SignInGiven } from './opening.ts';
import { newProfile } from './profiles.ts';

const [FIRST_STEP] = WELCOME_STEPS;

export interface SetUp {
  isSetUp(): boolean;
  /** `welcome` has the first run of the dashboard resume where it is left. */
  setUp(given: Omit<SignInGiven, 'code' | 'replaces'> & { welcome?: boolean }): Promise<SignedIn>;
}

/** Returns the host names of this server in the configuration. */
function ownHosts(config: Settings): string[] {
  const [trusted, url] = [config.get('tls.dns_a'), config.get('auth.url')];
  return [
    ...(config.get('tls.hosts') ?? []),
    ...(trusted === undefined ? [] : [trustedHostname(trusted)]),
    ...(url === undefined ? [] : [new URL(url).hostname]),
  ];
}

export function createSetUp(core: Core, machine: string): SetUp {
  const { identities, clock, hashing, config } = core;
  const isSetUp = (): boolean => identities.mark('set-up') !== undefined;

  const setUp: SetUp['setUp'] = async (given) => {
    const { name, password, from, welcome = false } = given;
    const alreadySetUp = (): Failure =>
      new Failure('conflict', 'this server is already set up', { reason: 'already-set-up' });
    if (isSetUp()) throw alreadySetUp();
    if (!isOwnHost(from.host, { machine, hosts: ownHosts(config) }))
      throw new Failure('forbidden', 'a server can only be set up at an address or name of its own machine', {
        reason: 'setup-on-own-name-only',
      });
    checkPassword(password, [name, core.serverName()]);
    const kept = await hashing.make(password, 'set-up');
    const result = await core.change(async () => {
      if (isSetUp()) throw alreadySetUp();
      const key = await core.newInstallKey();
      const bare = newProfile(core, { name: keptName(name), password: kept, role: 'owner', policy: OWNER_POLICY });
      const profile: ProfileRow = welcome
        ? { ...bare, preferences: { ...bare.preferences, welcome: FIRST_STEP } }
        : bare;
      const { steps, result, session } = openSession(core, profile, given);
      const marks: Step[] = [{ mark: { name: 'set-up', text: '', at: clock.now() } }, ...(key ? [{ mark: key }] : [])];
      return {
        steps: [
          ...marks,
          { put: 'profile', row: profile },
          ...steps,
          core.audit({ kind: 'set-up', outcome: 'done', profile: profile.id, session, from }),
        ],
        result,
      };
    });
    // The next start does it again.
    await core.setUpDone?.().catch((error: unknown) => core.log.fault('identity.set-up.not-recorded', error));
    return result;
  };

  return { isSetUp, setUp };
}
