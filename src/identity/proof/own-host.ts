/**
 * Whether a Host header names this machine in a way that no stranger's DNS can.
 *
 * A web page may point its own name at a private address (DNS rebinding) and then speak to this server as if it were
 * same-origin. Such a page cannot make the browser send an IP literal, localhost, a .local name, this machine's own
 * name or a configured one. It is asked where there is no credential yet to tell friend from stranger: at set-up.
 */
import { isIP } from 'node:net';

export function isOwnHost(host: string, { machine, hosts }: { machine: string; hosts: readonly string[] }): boolean {
  const name = host
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '');
  if (isIP(name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name) !== 0) return true;
  // A name without a dot is never looked up in the public DNS, but a resolver's search domain may complete it.
  if (name === 'localhost' || name.endsWith('.localhost') || name.endsWith('.local')) return true;
  const own = machine.toLowerCase();
  return (
    (own !== '' && (name === own || name === own.split('.')[0])) || hosts.some((one) => one.toLowerCase() === name)
  );
}
