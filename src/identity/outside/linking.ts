/** Links a Profile to an identity: begun by its session, proved by the provider, confirmed by the same session. */
import type { OutsideIdentity, OutsideProtocolName } from '../../contract/identity/outside.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { iso } from '../../lib/clock.ts';
import { Failure, found } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import { isUsableLink, requireSignInMethod } from '../accounts/sign-in-methods.ts';
import { directoryIdentity, directoryUserOfSubject } from '../directory/rules.ts';
import type { LinkRow, Step } from '../types.ts';
import type { BegunStep, FlowOrigin, ProtocolParts } from './parts.ts';
import { linkKey } from './flows.ts';

/** Link of a Profile. One by the directory is not the person's to remove. */
export interface OutsideLink {
  identity: OutsideIdentity;
  since: string;
  usable: boolean;
  directory?: true;
}

export interface Linking {
  /** Returns the link of a Profile. */
  linkOf(by: Principal): OutsideLink | undefined;
  /** Fails as `conflict` for a Profile that is linked. */
  beginLink(given: { by: Principal; from: FlowOrigin }): Promise<BegunStep & { flow: string }>;
  /** Returns the identity that waits to be confirmed. Fails as `missing` for any session but the one that began it. */
  shownLink(flow: string, by: Principal): OutsideIdentity;
  confirmLink(given: { flow: string; by: Principal; from: FlowOrigin }): Promise<void>;
  unlink(given: { by: Principal; from: FlowOrigin }): Promise<void>;
}

const shown = ({ issuer, subject, label }: Pick<LinkRow, 'issuer' | 'subject' | 'label'>): OutsideIdentity => ({
  issuer,
  subject,
  ...(label !== undefined && { name: label }),
});

export function createLinking<Secrets, Answer>(
  { core, flows, begin, providerFor }: ProtocolParts<Secrets, Answer>,
  protocol: OutsideProtocolName,
): Linking {
  const { identities, clock } = core;
  /** Links of a Profile by this protocol. */
  const linksOf = (profile: string): LinkRow[] =>
    [...identities.links.values()].filter((link) => link.profile === profile && link.protocol === protocol);
  const isUsable = (link: LinkRow): boolean => isUsableLink(core, link);
  const refuseSecond = (profile: string): void => {
    if (linksOf(profile).some(isUsable) || directoryIdentity(core, profile, protocol))
      throw new Failure('conflict', 'this profile is already linked to an identity', { reason: 'outside-linked' });
  };
  const noFlow = (): Failure =>
    new Failure('missing', 'this link was not begun here, or its time is over', { reason: 'no-such-flow' });

  return {
    linkOf: ({ profile }) => {
      const own = linksOf(profile);
      const link = own.find(isUsable) ?? own[0];
      if (link) return { identity: shown(link), since: iso(link.createdAt), usable: isUsable(link) };
      const byDirectory = directoryIdentity(core, profile, protocol);
      if (!byDirectory) return undefined;
      const { issuer, subject, user } = byDirectory;
      const identity = { issuer, subject, name: user.userName };
      return { identity, since: iso(user.createdAt), usable: true, directory: true };
    },
    beginLink: async ({ by, from }) => {
      providerFor(from);
      refuseSecond(by.profile);
      const flow = newId();
      const purpose = { kind: 'link', flow, session: by.credential, profile: by.profile } as const;
      return { ...(await begin({ from, purpose })), flow };
    },
    shownLink: (flow, by) => shown((flows.confirmable(linkKey(by.credential, flow)) ?? raise(noFlow())).proof),
    confirmLink: async ({ flow, by, from }) => {
      const taken = flows.take(linkKey(by.credential, flow), 'confirm');
      if (!taken) throw noFlow();
      const { proof, purpose } = taken.flow;
      await core.change(() => {
        const session = identities.sessions.get(by.credential);
        if (session?.profile !== purpose.profile)
          throw new Failure('unauthenticated', 'this session has ended', { reason: 'session-ended' });
        const profile = found(identities.profiles.get(purpose.profile), 'no such profile', 'no-such-profile');
        if (identities.linkOf(proof) ?? directoryUserOfSubject(identities, proof.subject))
          throw new Failure('conflict', 'this identity is linked to another profile', { reason: 'outside-taken' });
        refuseSecond(profile.id);
        // Links to a provider of former settings open nothing any more.
        const former = linksOf(profile.id).map(({ id }): Step => ({ drop: 'link', id }));
        const { issuer, claim, subject, label } = proof;
        const row: LinkRow = {
          id: newId(),
          profile: profile.id,
          protocol,
          issuer,
          claim,
          subject,
          label,
          createdAt: clock.now(),
        };
        return {
          steps: [...former, { put: 'link', row }, core.audit({ kind: 'outside-linked', outcome: 'done', by, from })],
          result: undefined,
        };
      });
    },
    unlink: ({ by, from }) =>
      core.change(() => {
        const profile = found(identities.profiles.get(by.profile), 'no such profile', 'no-such-profile');
        const own = linksOf(profile.id);
        if (own.length === 0)
          throw new Failure('conflict', 'this profile is not linked to an identity', { reason: 'outside-not-linked' });
        const rest = [...identities.links.values()].filter((link) => !own.includes(link));
        requireSignInMethod(core, profile, { links: rest });
        const ended = [...identities.sessions.values()].filter(
          ({ id, profile: whose, way }) => whose === profile.id && way === protocol && id !== by.credential,
        );
        return {
          steps: [
            ...own.map(({ id }): Step => ({ drop: 'link', id })),
            ...ended.map(({ id }): Step => ({ drop: 'session', id })),
            core.audit({ kind: 'outside-unlinked', outcome: 'done', by, from }),
          ],
          result: undefined,
        };
      }),
  };
}

function raise(failure: Failure): never {
  throw failure;
}
