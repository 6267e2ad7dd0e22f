/**
 * Remote access: the public name with its address and certificate, and the listener behind it. It is off unless
 * the settings say otherwise. The listener follows the terms, the certificate and the switch of the Owners while the
 * server runs.
 *
 * Trusted HTTPS at home is the other use of a name with a certificate; a server has one or the other.
 */
import type { Activity } from '../activity/index.ts';
import type { Config, RecordSetting } from '../config/index.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import type { RemoteAccess } from '../contract/remote/remote-access.ts';
import type { RemoteFinding } from '../contract/remote/findings.ts';
import { textOfReason } from '../contract/kernel/reason-texts.ts';
import { REMOTE_CHECK_TEXTS } from '../contract/remote/check-texts.ts';
import type { Identity } from '../identity/index.ts';
import { type Clock, iso } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { NameQuestions, NameServers, Net } from '../lib/net.ts';
import { Failure } from '../lib/failure.ts';
import type { TaskDefinition, Tasks } from '../lib/tasks/index.ts';
import { createCertificates } from './certificates/certificates.ts';
import { endingFindings } from './certificates/ending.ts';
import { createAddressUpdates } from './dns/address-updates.ts';
import { createDnsProvider } from './dns/provider.ts';
import type { DnsProvider } from './dns/types.ts';
import { createProof, type ReachProof } from './proof/proof.ts';
import { type ChallengeResponder, createChallengeResponder } from './proof/responder.ts';
import { createPublicListener, type PublicListener, type PublicPlace } from './public-listener.ts';
import { showRemoteAccess } from './status.ts';
import { removeTrustedHttps, saveTrustedHttps, type TrustedHttpsGiven } from './trusted-https/save.ts';
import { createTrustedHttps, type TrustedName } from './trusted-https/trusted-https.ts';
import type { PublicServer, PublicServerNeeds, TlsCertificate } from './types.ts';

export type { PublicServer, PublicServerNeeds } from './types.ts';

interface RemoteNeeds {
  config: Config;
  net: Net;
  clock: Clock;
  log: Log;
  /** Folder for what is worth keeping. */
  data: string;
  killSwitch: Identity['operations']['killSwitch'];
  activity: Pick<Activity, 'recorded' | 'record'>;
  makeNameQuestions(servers: NameServers): NameQuestions;
  makePublicServer(needs: PublicServerNeeds): PublicServer;
  tasks: Pick<Tasks, 'start'>;
}

export interface Remote {
  /** Host of the public address; undefined while remote access is off. */
  readonly publicHost: string | undefined;
  /** Called for each request from outside at the home listener. */
  noteForwarded(): void;
  /** Returns the certificate of a host at the home listener; undefined: the server's own. */
  certificateAtHome(host: string): TlsCertificate | undefined;
  trusted: TrustedOperations;
  status(): RemoteAccess;
  /** Cuts remote access. Resolves when nothing is open any more. */
  cut(by: Principal): Promise<void>;
  allow(by: Principal): Promise<void>;
  proof: { begin(by: Principal): Promise<void>; tasks: readonly TaskDefinition<never>[] };
  findings(): RemoteFinding[];
  start(): Promise<void>;
  /** Closes the listener for good. Replies may finish within `graceMs`. */
  stopListening(graceMs?: number): Promise<void>;
  close(): Promise<void>;
}

export interface TrustedOperations {
  status: TrustedName['status'];
  /** Sets it up. It begins at once. */
  save(given: TrustedHttpsGiven, by: Principal): Promise<void>;
  remove(by: Principal): Promise<void>;
}

/** The parts of remote access that exist only while it is on. */
type PublicAccess = ReturnType<typeof createPublicAccess>;

export function createRemote(needs: RemoteNeeds): Remote {
  const { config, clock, killSwitch } = needs;
  const resolver = config.get('acme.resolver');
  const questions = needs.makeNameQuestions({ resolver: resolver && serverAddress(resolver) });
  const trusted = createTrustedHttps({ ...needs, questions });
  const recording =
    (by: Principal): RecordSetting =>
    ({ key, isReset }) =>
      needs.activity.recorded({
        ...{ kind: isReset ? 'setting-reset' : 'setting-changed', outcome: 'done', by },
        details: { key },
      });
  const provider = publicProvider(needs);
  let forwardedAt: number | undefined;
  const access = provider && createPublicAccess({ ...needs, questions }, provider, () => forwardedAt);
  return {
    publicHost: provider?.name,
    noteForwarded: () => void (forwardedAt = clock.now()),
    certificateAtHome: trusted.certificateOf,
    trusted: {
      status: trusted.status,
      save: async (given, by) => {
        await saveTrustedHttps({ config, questions }, given, recording(by));
        await trusted.follow();
      },
      remove: async (by) => {
        await removeTrustedHttps(config, recording(by));
        await trusted.follow();
      },
    },
    status: () => access?.status() ?? offStatus(killSwitch.cutAt()),
    cut: async (by) => {
      await killSwitch.cut(by);
      await access?.listener.update();
    },
    allow: async (by) => {
      await killSwitch.allow(by);
      await access?.listener.update();
    },
    proof: {
      tasks: access ? [access.proof.task] : [],
      begin: async (by) => {
        if (!access) throw new Failure('conflict', 'remote access is off', { reason: 'remote-access-closed' });
        await access.proof.begin(() => needs.activity.record({ kind: 'remote-proof', outcome: 'done', by }));
      },
    },
    findings: () => [
      ...(forwardedAt === undefined ? [] : [forwardedFinding(iso(forwardedAt))]),
      ...(access ? [...listenerFindings(access), ...endingFindings(access.certificate(), clock.now())] : []),
      ...trusted.findings(),
    ],
    start: async () => {
      await access?.start();
      await trusted.start();
    },
    stopListening: async (graceMs) => access?.listener.close(graceMs),
    close: async () => {
      await Promise.all([access?.close(), trusted.close()]);
    },
  };
}

const offStatus = (cutAt: number | undefined): RemoteAccess => ({
  mode: 'off',
  state: 'off',
  gateway: false,
  checks: [],
  ...(cutAt !== undefined && { killedAt: iso(cutAt) }),
});

function createPublicAccess(
  needs: RemoteNeeds & { questions: NameQuestions },
  provider: DnsProvider,
  forwardedAt: () => number | undefined,
) {
  const { config, net, clock, log, data, killSwitch, makePublicServer, questions } = needs;
  const isTermsAccepted = (): boolean => config.get('remote.terms_accepted');
  const certificates = createCertificates({
    ...{ net, clock, log, provider, isTermsAccepted, questions },
    folder: `${data}/certificates/public`,
    directory: config.get('acme.directory'),
    names: [provider.name],
  });
  const updates = createAddressUpdates({ provider, clock, log, isTermsAccepted });
  const place = placeOf(needs, provider.name);
  let seenAt: number | undefined;
  const responder = createChallengeResponder();
  const listener = createPublicListener({
    ...{ place, clock, log, makeServer: makePublicServer, certificate: certificates.current },
    isAllowed: () => isTermsAccepted() && killSwitch.cutAt() === undefined,
    noteOutside: () => void (seenAt = clock.now()),
    challengeOf: responder.of,
  });
  const proof = proofOf(needs, { place, listener, responder });
  const follow = (): void =>
    void listener.update().catch((error: unknown) => log.fault('remote.listener.broken', error));
  const stops = [config.on('remote.terms_accepted', () => (updates.send(), follow())), certificates.changed(follow)];
  return {
    listener,
    proof,
    certificate: certificates.status,
    status: () =>
      showRemoteAccess(
        {
          ...{ url: config.get('auth.url'), place, seenAt, listener: listener.state() },
          certificate: certificates.status(),
          isServed: certificates.current() !== undefined,
          address: updates.last(),
          cutAt: killSwitch.cutAt(),
          forwardedAt: forwardedAt(),
          proof: proof.state(),
        },
        clock,
      ),
    start: async () => {
      updates.start();
      await proof.open();
      await certificates.start();
      await listener.start();
    },
    close: async () => {
      for (const stop of stops) stop();
      await Promise.all([listener.close(0), updates.close(), certificates.close()]);
    },
  };
}

function proofOf(
  { net, clock, log, config, data, tasks }: RemoteNeeds,
  { place, listener, responder }: { place: PublicPlace; listener: PublicListener; responder: ChallengeResponder },
): ReachProof {
  return createProof({
    ...{ net, clock, log, responder, host: place.host },
    folder: `${data}/certificates/proof`,
    directory: config.get('acme.probe_directory'),
    isListening: () => listener.state().isOpen,
    isBehindGateway: place.kind === 'gateway',
    start: (name) => tasks.start(name),
  });
}

/** Returns where requests from outside come in: at an address of this machine, or at the socket of the gateway. */
function placeOf({ config, data }: RemoteNeeds, host: string): PublicPlace {
  const token = config.get('remote.proxy_token');
  return config.get('remote.gateway') && token !== undefined
    ? { kind: 'gateway', host, token, folder: `${data}/gateway` }
    : { kind: 'public', host, address: config.get('remote.listen') };
}

const forwardedFinding = (at: string): RemoteFinding => ({
  level: 'warning',
  code: 'home-port-forwarded',
  subject: 'Remote access',
  sentence: textOfReason(REMOTE_CHECK_TEXTS, { reason: 'home-port-forwarded', values: { at } }),
  values: { at },
});

function listenerFindings({ listener, status }: PublicAccess): RemoteFinding[] {
  if (listener.state().fault === undefined) return [];
  const { port = 0, checks } = status();
  const { sentence = '', text } = checks.find(({ name }) => name === 'listener') ?? {};
  return [
    {
      level: 'error',
      code: 'remote-listener-failed',
      subject: 'Remote access',
      sentence,
      values: { reason: text?.reason ?? '', port },
      setting: 'remote.listen',
    },
  ];
}

function publicProvider({ config, net, clock }: RemoteNeeds): DnsProvider | undefined {
  const [domain, token] = [config.get('remote.dns_a_domain'), config.get('remote.dns_a_token')];
  if (config.get('remote.mode') !== 'https' || domain === undefined || token === undefined) return undefined;
  return createDnsProvider({ provider: 'dns_a', domain, token, net, clock, api: config.get('acme.dns_a_url') });
}

const serverAddress = ({ host, port }: { host: string; port: number }): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host === '' ? '127.0.0.1' : host}:${port}`;
