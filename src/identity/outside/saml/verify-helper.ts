/**
 * The helper process that reads answers of SAML and verifies their signatures. The library takes up to seconds for the
 * largest; the server serves others meanwhile, and only those who sign in the same way wait.
 */
import { createPublicKey } from 'node:crypto';
import { serveHelper } from '../../../lib/process/serve.ts';
import { RefusedAnswer } from '../proof.ts';
import { readResponse } from './gate.ts';
import { type VerifiedResponse, verifyResponse } from './verify.ts';

/** An answer in Base64, and the keys of the provider in PEM. */
export interface SamlQuestion {
  answer: string;
  keys: readonly string[];
}
export type SamlReply = { verified: VerifiedResponse } | { refused: string };

serveHelper((question): SamlReply => {
  const { answer, keys } = question as SamlQuestion;
  try {
    return { verified: verifyResponse(readResponse(answer), keys.map(createPublicKey)) };
  } catch (error) {
    if (error instanceof RefusedAnswer) return { refused: error.detail };
    throw error;
  }
});
