/** Passwords in tests: a household signs in fifteen times, and at full cost each time takes 35 ms of CPU time. */
import type { HashingCost } from './hashing.ts';

/** The passes and the form of a server's hashes, with 256 KiB in place of 19 MiB. */
export const CHEAP_HASHING: HashingCost = { memory: 256, passes: 2, parallelism: 1 };
