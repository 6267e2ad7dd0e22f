/**
 * Arms crash points of the server that is about to start: `CRASH_AT=files.write.synced CRASH_NTH=2
 * node --import ./test/faults/arm.ts src/main.ts`. With `CRASH_ORDERS`, a running server arms what that file says each
 * time it gets SIGUSR2, and writes `crash.armed` when it has. Only tests load this file, so the product reads no such
 * variable.
 */
import { readFileSync } from 'node:fs';
import { armCrash, isCrashPoint } from '../../src/lib/crash.ts';

/** Content of the file that `CRASH_ORDERS` names, as JSON. */
export interface CrashOrder {
  at: string;
  nth?: number;
  /** Only files whose path contains this count. */
  path?: string;
}

function arm({ at, nth = 1, path }: CrashOrder): void {
  if (!isCrashPoint(at)) throw new Error(`no crash point is called ${at}`);
  if (!Number.isInteger(nth) || nth < 1) throw new Error('crashes are counted from 1');
  armCrash(at, nth, path);
}

const name = process.env['CRASH_AT'];
if (name !== undefined)
  arm({
    at: name,
    nth: Number(process.env['CRASH_NTH'] ?? '1'),
    ...(process.env['CRASH_PATH'] !== undefined && { path: process.env['CRASH_PATH'] }),
  });

const orders = process.env['CRASH_ORDERS'];
if (orders !== undefined) {
  process.on('SIGUSR2', () => {
    arm(JSON.parse(readFileSync(orders, 'utf8')) as CrashOrder);
    process.stdout.write('crash.armed\n');
  });
}
