/**
 * Texts of the checks of trusted HTTPS at home. Each has a reason with values, so that a client can use its own words,
 * and an English sentence made of them.
 */
import { type ReasonText, reasonTextSchema } from '../kernel/reason-texts.ts';
import { REMOTE_CHECK_TEXTS, REMOTE_FAULT_TEXTS } from './check-texts.ts';

/** English sentences by reason. The parameters are the values that a reason carries. */
export const TRUSTED_HTTPS_TEXTS = {
  'address-published': ({ address }: { address: string }) => `The name was set to ${address} at the DNS provider.`,
  'address-not-published': () => 'The address has not been sent to the DNS provider yet.',
  'certificate-valid': REMOTE_CHECK_TEXTS['certificate-valid'],
  'certificate-ordered': REMOTE_CHECK_TEXTS['certificate-ordered'],
  'name-leads-here': ({ address }: { address: string }) => `In this network the name leads to ${address}.`,
  'name-not-checked': () => 'Whether the name leads to the server has not been checked yet.',
  'name-not-shown': () => 'The name servers of the DNS provider do not show the address yet.',
  'name-dropped': ({ address }: { address: string }) =>
    `The name is right at the DNS provider, but the name server of this network returns no address for it. Most ` +
    `likely the router drops names that lead to private addresses such as ${address}. Allow the name in the router, ` +
    'where this is called DNS rebind protection.',
  'name-elsewhere': ({ address }: { address: string }) =>
    `In this network the name leads to ${address}. A name server may keep an earlier address for an hour.`,
  'name-unanswered': () => 'The name server of this network does not answer.',
  ...REMOTE_FAULT_TEXTS,
} as const;

/** Makes the sentence of every reason, in a language. */
export type TrustedHttpsTexts = typeof TRUSTED_HTTPS_TEXTS;
export type TrustedHttpsText = ReasonText<TrustedHttpsTexts>;
export const TrustedHttpsText = reasonTextSchema(TRUSTED_HTTPS_TEXTS, {
  id: 'TrustedHttpsText',
  description: 'Result of a check of trusted HTTPS at home, for a client that has its own words.',
  example: { reason: 'name-leads-here', values: { address: '192.168.1.10' } },
});
