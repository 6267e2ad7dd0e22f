/**
 * Password hashing: Argon2id (RFC 9106) with 19 MiB, two passes and one lane, in the self-describing form that
 * other software writes too, so that the cost can be raised later and old hashes are still understood.
 *
 * Hashing is expensive on purpose, so `admission.ts` bounds it. A name that does not exist costs the same time as one
 * that does.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createAdmission } from './admission.ts';

/** Cost of Argon2id: memory in KiB, passes, and lanes. */
export interface HashingCost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}
/** Cost of every hash that a server makes. No setting changes it. */
export const HASHING_COST: HashingCost = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const SALT_BYTES = 16;

const derive = promisify(argon2) as (
  algorithm: 'argon2id',
  parameters: {
    message: string;
    nonce: Uint8Array;
    parallelism: number;
    tagLength: number;
    memory: number;
    passes: number;
  },
) => Promise<Buffer>;

const FORM = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;
const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

export interface Hashing {
  /**
   * Hashes a password for storing. `known` names the caller's known device or session. Throws `throttled` when too many
   * wait.
   */
  make(password: string, known?: string): Promise<string>;
  /** Whether the password is the one. With no hash it takes the same time and returns false. */
  verify(kept: string | undefined, password: string, known?: string): Promise<boolean>;
  /** Whether a kept hash is cheaper than those made now. */
  isOld(kept: string): boolean;
}

/** The same text typed on another keyboard becomes the same bytes. */
const normal = (password: string): string => password.normalize('NFC');

/** Only tests pass a cost. */
export function createHashing(cost: HashingCost = HASHING_COST): Hashing {
  const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`;
  const admission = createAdmission();
  // Hash that passwords of unknown names are compared with. No password has it.
  const dummy = `$argon2id$v=19$${parameters}$${unpadded(randomBytes(SALT_BYTES))}$${unpadded(randomBytes(TAG_BYTES))}`;

  return {
    make: (password, known) =>
      admission.run(known, async () => {
        const nonce = randomBytes(SALT_BYTES);
        const tag = await derive('argon2id', { message: normal(password), nonce, tagLength: TAG_BYTES, ...cost });
        return `$argon2id$v=19$${parameters}$${unpadded(nonce)}$${unpadded(tag)}`;
      }),
    verify: (kept, password, known) =>
      admission.run(known, async () => {
        const [, memory, passes, parallelism, salt = '', tag = ''] = FORM.exec(kept ?? dummy) ?? [];
        const expected = Buffer.from(tag, 'base64');
        if (expected.length === 0) throw new Error('a kept password hash is not in a known form');
        const nonce = Buffer.from(salt, 'base64');
        const found = await derive('argon2id', {
          message: normal(password),
          nonce,
          tagLength: expected.length,
          memory: Number(memory),
          passes: Number(passes),
          parallelism: Number(parallelism),
        });
        return timingSafeEqual(found, expected) && kept !== undefined;
      }),
    isOld: (kept) => {
      const [, memory, passes] = FORM.exec(kept) ?? [];
      return Number(memory) < cost.memory || Number(passes) < cost.passes;
    },
  };
}
