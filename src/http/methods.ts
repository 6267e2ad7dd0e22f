/**
 * The methods that each declared path offers, for `405` replies with `Allow`.
 *
 * Only declared methods are routes. A request that no route takes is compared with the declared paths here, so
 * that every other method that there is, or will be, is refused without a route for each.
 */

import type { Endpoint } from '../contract/kernel/endpoint.ts';

/** Whether a path also has HEAD: of a stream of events and of a socket there is nothing to say beforehand. */
export const hasHead = ({ method, result }: Endpoint): boolean =>
  method === 'GET' && !('events' in result) && !('socket' in result);

/** Longest value of one path segment, in characters. The router takes nothing longer. */
export const MAX_SEGMENT = 256;

export interface OfferedMethods {
  add(path: string, methods: readonly string[]): void;
  /** Returns the methods offered at a request's target, sorted; undefined when no declared path matches. */
  at(target: string): string[] | undefined;
  /**
   * Lists paths next to a more general one (`/items/new`, `/items/{id}`), with the methods that only the general one
   * offers.
   */
  hidden(): { path: string; methods: string[] }[];
}

interface Known {
  path: string;
  segments: readonly string[];
  methods: Set<string>;
}

const isParameter = (segment: string) => segment.startsWith('{');

export function createOfferedMethods(): OfferedMethods {
  const byPath = new Map<string, Known>();
  return {
    add: (path, methods) => {
      const known = byPath.get(path) ?? { path, segments: path.split('/'), methods: new Set<string>() };
      for (const method of methods) known.methods.add(method);
      byPath.set(path, known);
    },
    at: (target) => {
      const segments = decoded(target);
      const fitting = segments ? [...byPath.values()].filter((known) => fits(known.segments, segments)) : [];
      // A router prefers a literal segment to a parameter, from left to right.
      fitting.sort((a, b) => (order(a) < order(b) ? -1 : 1));
      return fitting[0] && [...fitting[0].methods].sort();
    },
    hidden: () => {
      const all = [...byPath.values()];
      return all.flatMap((one) => {
        const general = all.filter((other) => other !== one && fits(other.segments, one.segments));
        const methods = new Set(general.flatMap((other) => [...other.methods])).difference(one.methods);
        return methods.size > 0 ? [{ path: one.path, methods: [...methods] }] : [];
      });
    },
  };
}

/** Whether a declared path takes these segments, which may themselves be those of a declared path. */
function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((each, at) => (isParameter(each) ? segments[at] !== '' : each === segments[at]))
  );
}

const order = ({ segments }: Known): string => segments.map((each) => (isParameter(each) ? '1' : '0')).join('');

/**
 * Returns the segments of a target's path; undefined when it has an escape that is not UTF-8, or a value that no route
 * takes.
 */
function decoded(target: string): string[] | undefined {
  try {
    const segments = (target.split(/[?#]/, 1)[0] ?? '').split('/').map(decodeURIComponent);
    return segments.every(({ length }) => length <= MAX_SEGMENT) ? segments : undefined;
  } catch {
    return undefined;
  }
}
