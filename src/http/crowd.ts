/**
 * Who is here how often: so that one caller cannot take what is there for everybody.
 *
 * A reply that stays open holds memory, a file descriptor and a place; a connection holds a descriptor even while it
 * says nothing. Both are counted by whose they are, and only those that are open count, so nothing is kept of who left.
 */
import { isIPv6 } from 'node:net';

export interface Crowd {
  /** Lets one in and answers how it leaves; undefined when as many of these are in as may be. Leaving twice counts once. */
  enter(who: string, most: number): (() => void) | undefined;
  readonly size: number;
}

export function createCrowd(): Crowd {
  const here = new Map<string, number>();
  return {
    enter: (who, most) => {
      const count = here.get(who) ?? 0;
      if (count >= most) return undefined;
      here.set(who, count + 1);
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        const left = (here.get(who) ?? 1) - 1;
        if (left > 0) here.set(who, left);
        else here.delete(who);
      };
    },
    get size() {
      return here.size;
    },
  };
}

/** The household or machine behind an address: an IPv4 address as it is; of IPv6 the /64, which is one connection's to choose from. */
export function placeOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length - (right.at(-1)?.includes('.') ? 1 : 0));
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, 4).join(':');
}
