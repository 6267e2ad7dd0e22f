/** Networks of addresses: as much of an address as may be kept and compared. */
import { isIP, isIPv6 } from 'node:net';

/** Returns an address without its zone; one of IPv4 inside IPv6 as IPv4. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');

/** Returns the first four groups of an IPv6 address, written out in lowercase without leading zeros. */
export function ipv6Groups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  if (tail === undefined) return left.slice(0, 4).map(plainGroup);
  const right = tail === '' ? [] : tail.split(':');
  // A dotted quad at the end stands for two groups.
  const wide = right.at(-1)?.includes('.') ? 1 : 0;
  const missing = Math.max(0, 8 - left.length - right.length - wide);
  return [...left, ...Array.from({ length: missing }, () => '0'), ...right].slice(0, 4).map(plainGroup);
}
const plainGroup = (group: string): string => Number.parseInt(group, 16).toString(16);

/** Returns the /24 of an IPv4 address or the /48 of an IPv6 address; undefined for any other text. */
export function networkPrefix(address: string): string | undefined {
  const plain = plainAddress(address);
  if (isIP(plain) === 0) return undefined;
  if (!isIPv6(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  const groups = ipv6Groups(plain).slice(0, 3);
  const end = groups.findLastIndex((group) => group !== '0') + 1;
  return `${groups.slice(0, end).join(':')}::/48`;
}
