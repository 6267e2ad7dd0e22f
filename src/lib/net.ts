/**
 * The one way out to the network, guarded against being turned on our own network.
 *
 * https only; the name is resolved once, every address is checked, and the connection goes to a checked
 * address with the name kept for SNI and Host, so a name that changes its address between check and use
 * gains nothing. Redirects are off unless asked for, at most three, each checked again and only to hosts
 * that were allowed. Sizes are bounded before and after decompression and the whole by one deadline.
 * Plain http, any port and loopback are for addresses that the Owner put in a setting, and so are private addresses
 * over https, where the setting is for a service that may be at home.
 */
export { isPublic } from './net/address.ts';
export { createNet } from './net/create.ts';
export { createNameQuestions } from './net/dns.ts';
export type { NameQuestions, NameServers } from './net/dns.ts';
export { NetFailure } from './net/failure.ts';
export type { NetFault } from './net/failure.ts';
export { retryAfterMs } from './net/retry.ts';
export type { Net, NetNeeds, NetReply, NetRequest, Resolve } from './net/types.ts';
