/**
 * Which addresses of the internet may be reached: none of ours, of our neighbours', or of no one's.
 *
 * IPv4 by a list of what is not public (RFC 6890 and the registry it began), IPv6 the other way round: only
 * 2000::/3 is handed out, less what in it carries IPv4 or is reserved. An IPv4 address in IPv6 clothes
 * (compatible ::/96, mapped ::ffff:0:0/96, translated 64:ff9b::/96, 6to4 2002::/16) is refused whatever it holds.
 */
import { BlockList, isIP } from 'node:net';

const V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
const V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const listOf = (subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits = ''] = subnet.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
};
const blocked4 = listOf(V4, 'ipv4');
const blocked6 = listOf(V6, 'ipv6');
const global6 = listOf(['2000::/3'], 'ipv6');
// Private networks, and the shared range (RFC 6598) that mesh networks between the devices of a home use. Link-local
// addresses are not among them: clouds keep their credentials at one.
const home4 = listOf(['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16'], 'ipv4');
const home6 = listOf(['fc00::/7'], 'ipv6');
const loopback4 = listOf(['127.0.0.0/8'], 'ipv4');
const loopback6 = listOf(['::1/128'], 'ipv6');

/** Whether this is an address of the public internet. Anything that is not a plain address is not. */
export function isPublic(address: string): boolean {
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return !blocked4.check(address, 'ipv4');
  return family === 6 && global6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6');
}

/** Whether this is this machine: 127.0.0.0/8 or ::1, and no other way of writing them. */
export function isLoopback(address: string): boolean {
  const family = address.includes('%') ? 0 : isIP(address);
  return family === 4 ? loopback4.check(address, 'ipv4') : family === 6 && loopback6.check(address, 'ipv6');
}

/** Whether this is a private address of a home network, and no other way of writing one. */
export function isHomeAddress(address: string): boolean {
  const family = address.includes('%') ? 0 : isIP(address);
  return family === 4 ? home4.check(address, 'ipv4') : family === 6 && home6.check(address, 'ipv6');
}
