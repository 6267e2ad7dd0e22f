/** Reads and verifies answers of SAML in a helper process, whose time and memory are limited. */
import type { KeyObject } from 'node:crypto';
import { type Helper, HelperFailure, type Processes } from '../../../lib/process.ts';
import { refuseAnswer } from '../proof.ts';
import type { VerifiedResponse } from './verify.ts';
import type { SamlQuestion, SamlReply } from './verify-helper.ts';

export interface SamlVerifier {
  /** Returns what the provider has signed. Throws `RefusedAnswer`. */
  verify(answer: string, keys: readonly KeyObject[]): Promise<VerifiedResponse>;
  close(): Promise<void>;
}

/** Several times what the largest answer takes on a small machine. */
const DEADLINE_MS = 15_000;
const MEMORY_LIMIT = 384 * 1024 * 1024;
const IDLE_MS = 30_000;

export function createSamlVerifier({ processes }: { processes: Pick<Processes, 'startHelper'> }): SamlVerifier {
  let helper: Helper | undefined;
  const start = (): Helper =>
    processes.startHelper({
      name: 'saml',
      module: new URL('./verify-helper.ts', import.meta.url),
      deadlineMs: DEADLINE_MS,
      memoryLimit: MEMORY_LIMIT,
      idleMs: IDLE_MS,
      ahead: 1,
      reads: [],
    });
  return {
    verify: async (answer, keys) => {
      const question: SamlQuestion = {
        answer,
        keys: keys.map((key) => key.export({ type: 'spki', format: 'pem' }).toString()),
      };
      const reply = await (helper ??= start()).ask<SamlReply>(question).catch((error: unknown) => {
        if (error instanceof HelperFailure && error.isCulprit) refuseAnswer('too costly to verify');
        throw error;
      });
      return 'verified' in reply ? reply.verified : refuseAnswer(reply.refused);
    },
    close: async () => helper?.close(),
  };
}
