/**
 * Arms one crash point of the program that is about to start: `CRASH_AT=files.write.synced CRASH_NTH=2
 * node --import ./test/faults/arm.ts src/main.ts`. Only tests load it, so the product reads no such variable.
 */
import { armCrash, isCrashPoint } from '../../src/lib/crash.ts';

const name = process.env['CRASH_AT'];
const nth = Number(process.env['CRASH_NTH'] ?? '1');
if (name !== undefined) {
  if (!isCrashPoint(name)) throw new Error(`CRASH_AT names no crash point: ${name}`);
  if (!Number.isInteger(nth) || nth < 1) throw new Error('CRASH_NTH counts from 1');
  armCrash(name, nth);
}
