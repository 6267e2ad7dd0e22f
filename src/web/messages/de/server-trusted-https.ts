/** German: what the checks of trusted HTTPS at home found. One that is missing does not compile. */
import type { TrustedHttpsTexts } from '../../../contract/remote/trusted-https-texts.ts';
import { remoteChecksGerman, remoteFaultsGerman } from './server-remote-checks.ts';

export const trustedChecksGerman: TrustedHttpsTexts = {
  'address-published': ({ address }) => `Der Name wurde beim DNS-Anbieter auf ${address} gesetzt.`,
  'address-not-published': () => 'Der DNS-Anbieter kennt die Adresse noch nicht.',
  'certificate-valid': remoteChecksGerman['certificate-valid'],
  'certificate-ordered': remoteChecksGerman['certificate-ordered'],
  'name-leads-here': ({ address }) => `In diesem Netz führt der Name zu ${address}.`,
  'name-not-checked': () => 'Ob der Name zum Server führt, wurde noch nicht geprüft.',
  'name-not-shown': () => 'Die Nameserver des DNS-Anbieters zeigen die Adresse noch nicht.',
  'name-dropped': ({ address }) =>
    'Beim DNS-Anbieter ist der Name richtig, aber der Nameserver dieses Netzes liefert keine Adresse dafür. ' +
    `Wahrscheinlich verwirft der Router Namen, die zu privaten Adressen wie ${address} führen. Erlaube den Namen im ` +
    'Router; dort heißt das DNS-Rebind-Schutz.',
  'name-elsewhere': ({ address }) =>
    `In diesem Netz führt der Name zu ${address}. Ein Nameserver behält eine frühere Adresse manchmal noch eine Stunde.`,
  'name-unanswered': () => 'Der Nameserver dieses Netzes antwortet nicht.',
  ...remoteFaultsGerman,
};
