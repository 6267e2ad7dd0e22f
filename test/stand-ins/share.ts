/**
 * Stands in for a network share that stops answering: from `hang` on, no file call of this process below a folder comes
 * back, until `heal`. Programs that have a file open already are not concerned.
 */
import fs, { readlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

export interface Share {
  hang(): void;
  heal(): void;
  /** Calls that hang now. */
  hung(): number;
  close(): void;
}

const CALLS = ['open', 'read', 'fstat', 'lstat', 'stat', 'readdir', 'statfs'] as const;
type Call = (target: unknown, ...rest: unknown[]) => void;

export function openShare(folder: string): Share {
  const calls = fs as unknown as Record<(typeof CALLS)[number], Call>;
  const real = Object.fromEntries(CALLS.map((name) => [name, calls[name]])) as Record<(typeof CALLS)[number], Call>;
  const waiting: (() => void)[] = [];
  let isHanging = false;
  const isBelow = (target: unknown): boolean => {
    try {
      // A descriptor, or a path through one.
      const through =
        typeof target === 'number' ? `/proc/self/fd/${target}` : /^\/proc\/self\/fd\/\d+/.exec(String(target))?.[0];
      return (through === undefined ? String(target) : readlinkSync(through)).startsWith(folder);
    } catch {
      return false;
    }
  };
  for (const name of CALLS) {
    calls[name] = (target, ...rest) => {
      if (isHanging && isBelow(target)) waiting.push(() => real[name](target, ...rest));
      else real[name](target, ...rest);
    };
  }
  syncBuiltinESMExports();
  const heal = (): void => {
    isHanging = false;
    for (const go of waiting.splice(0)) go();
  };
  return {
    hang: () => void (isHanging = true),
    heal,
    hung: () => waiting.length,
    close: () => {
      heal();
      Object.assign(calls, real);
      syncBuiltinESMExports();
    },
  };
}
