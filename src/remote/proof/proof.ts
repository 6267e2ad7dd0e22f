/**
 * The proof that remote access works: a third party connects to the public name, four times a day at most. Its
 * result and the times of the tries are kept over a restart.
 */
import { z } from 'zod';
import { isAhead, type Clock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { ensurePrivateFolder, isThere, readBounded, sweepStray, writeWhole } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import type { Net } from '../../lib/net.ts';
import { task, type TaskDefinition } from '../../lib/tasks/index.ts';
import { createAcme } from '../certificates/acme.ts';
import { createKeptCertificate } from '../certificates/kept.ts';
import { newKey } from '../certificates/keys.ts';
import { jsonOf, REMOTE_FAULT_CODES, RemoteFault } from '../fault.ts';
import type { ChallengeResponder } from './responder.ts';
import { validateByTls } from './validation.ts';

const RESULTS = ['reached', 'not-connected', 'elsewhere', 'no-address', ...REMOTE_FAULT_CODES] as const;
const Kept = z.strictObject({
  tries: z.array(z.number()).max(100),
  last: z.strictObject({ at: z.number(), result: z.enum(RESULTS), host: z.string().max(253) }).optional(),
});
type Kept = z.output<typeof Kept>;

export interface ProofState {
  isRunning: boolean;
  /** When the last one ended, in milliseconds since the epoch, and what it found. */
  last?: { at: number; result: (typeof RESULTS)[number] } | undefined;
}

export interface ReachProof {
  state(): ProofState;
  open(): Promise<void>;
  /**
   * Begins one, once `record` has recorded it. Fails as `conflict` while the server is not reachable by its settings,
   * as `throttled` after four.
   */
  begin(record: () => Promise<void>): Promise<void>;
  readonly task: TaskDefinition<never>;
}

interface ProofNeeds {
  net: Net;
  clock: Clock;
  log: Log;
  /** Folder of its files. */
  folder: string;
  /** Address of the directory of an authority whose certificates no one trusts. */
  directory: string;
  host: string;
  responder: ChallengeResponder;
  /** Whether the public listener is open, and takes handshakes itself. */
  isListening(): boolean;
  isBehindGateway: boolean;
  start(name: string): Promise<unknown>;
  /** Milliseconds between two questions. */
  pollMs?: number | undefined;
}

export const PROOF_TASK = 'prove-remote-access';
const MAX_TRIES = 4;
const DAY_MS = 86_400_000;
const POLL_MS = 1_000;
const MAX_BYTES = 16 * 1024;

export function createProof(needs: ProofNeeds): ReachProof {
  const { net, clock, log, folder, directory, host, responder } = needs;
  const file = `${folder}/proof.json`;
  let kept: Kept = { tries: [] };
  let isRunning = false;
  const save = async (next: Kept): Promise<void> => {
    await writeWhole(file, Buffer.from(JSON.stringify(next)), { mode: 0o600 });
    kept = next;
  };
  const recentTries = (): number[] => {
    const now = clock.now();
    return kept.tries.filter((at) => at > now - DAY_MS && !isAhead(at, now));
  };
  const refuse = (): void => {
    if (needs.isBehindGateway)
      throw new Failure('conflict', 'the gateway accepts the connections, so the server cannot answer this check', {
        reason: 'proof-behind-gateway',
      });
    if (!needs.isListening())
      throw new Failure('conflict', 'the public listener is closed', { reason: 'remote-access-closed' });
    const [oldest = 0, ...more] = recentTries();
    if (more.length + 1 >= MAX_TRIES)
      throw new Failure('throttled', 'remote access can be checked four times a day', {
        reason: 'too-many-proofs',
        retryAfterSeconds: Math.ceil((oldest + DAY_MS - clock.now()) / 1_000),
      });
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    refuse();
    isRunning = true;
    try {
      // The account is another one than that of the certificate, at another authority.
      const accounts = createKeptCertificate({ folder, directory, clock });
      await save({ ...kept, tries: [...recentTries(), clock.now()] });
      const acme = createAcme({ net, clock, directory, accountKey: await accounts.accountKey(newKey) });
      const pollMs = needs.pollMs ?? POLL_MS;
      const result = await validateByTls({ acme, host, responder, now: clock.now, pollMs, signal }).catch(
        (error: unknown) => {
          signal.throwIfAborted();
          if (error instanceof RemoteFault) return error.code;
          log.fault('remote.proof.broken', error);
          return 'unexpected' as const;
        },
      );
      log.info('remote.proof.ended', { result });
      await save({ ...kept, last: { at: clock.now(), result, host } });
    } finally {
      isRunning = false;
    }
  };
  return {
    // A result for another name says nothing of this one.
    state: () => ({ isRunning, ...(kept.last?.host === host && { last: kept.last }) }),
    open: async () => {
      await ensurePrivateFolder(folder);
      await sweepStray(folder);
      if (!(await isThere(file))) return;
      const found = Kept.safeParse(jsonOf((await readBounded(file, MAX_BYTES)).toString('utf8')));
      if (found.success) kept = found.data;
    },
    begin: async (record) => {
      refuse();
      await record();
      refuse();
      await needs.start(PROOF_TASK);
    },
    task: task({
      name: PROOF_TASK,
      title: 'Check remote access',
      summary: 'Have a third party connect to the public address',
      run: ({ signal, resumed }) => (resumed ? Promise.resolve() : run(signal)),
    }) as TaskDefinition<never>,
  };
}
