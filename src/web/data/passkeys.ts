/**
 * Passkeys in this browser: making one, and using one. The browser does both for one host only, so they are offered
 * only on pages of the address that the server names.
 */
import type { CreationOptions, PasskeyHost, RequestOptions } from '../../contract/identity/passkeys.ts';
import { call } from './client.ts';

const bytes = (text: string): ArrayBuffer => {
  const padded = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(padded), (letter) => letter.codePointAt(0) ?? 0).buffer;
};
const text = (buffer: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCodePoint(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
interface Described {
  id: string;
  transports?: readonly string[] | undefined;
}
const described = ({ id, transports }: Described): PublicKeyCredentialDescriptor => ({
  type: 'public-key',
  id: bytes(id),
  ...(transports && { transports: transports as AuthenticatorTransport[] }),
});

/** Whether this browser has passkeys at all. */
export const hasPasskeys = (): boolean => window.isSecureContext && 'PublicKeyCredential' in window;
/** Whether passkeys work on this page. */
export const arePasskeysHere = (at: PasskeyHost | undefined): boolean =>
  hasPasskeys() && at?.origin === location.origin;

/** Whether a person closed the browser's dialog, or it ended without an answer. Then there is nothing to report. */
export const isPasskeyCancelled = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');
/** Whether the device has a passkey of this Profile already. */
export const isPasskeyKnown = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'InvalidStateError';

async function create({ challenge, user, excludeCredentials, ...options }: CreationOptions) {
  const made = (await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytes(challenge),
      user: { ...user, id: bytes(user.id) },
      excludeCredentials: excludeCredentials.map(described),
    },
  })) as PublicKeyCredential;
  const response = made.response as AuthenticatorAttestationResponse;
  return {
    id: made.id,
    type: 'public-key' as const,
    response: {
      clientDataJSON: text(response.clientDataJSON),
      attestationObject: text(response.attestationObject),
      // Older browsers do not say.
      transports: (response.getTransports as (() => string[]) | undefined)?.call(response) ?? [],
    },
  };
}

interface Using {
  signal?: AbortSignal;
  /** Whether the passkey is offered while a field is filled in, in place of a dialog. */
  isInField?: boolean;
  /** Called when the person has chosen one. */
  onChosen?: () => void;
}
async function get({ challenge, allowCredentials, ...options }: RequestOptions, { signal, isInField }: Using) {
  const used = (await navigator.credentials.get({
    publicKey: { ...options, challenge: bytes(challenge), allowCredentials: allowCredentials.map(described) },
    ...(signal && { signal }),
    ...(isInField === true && { mediation: 'conditional' }),
  })) as PublicKeyCredential;
  const { clientDataJSON, authenticatorData, signature, userHandle } = used.response as AuthenticatorAssertionResponse;
  return {
    id: used.id,
    type: 'public-key' as const,
    response: {
      clientDataJSON: text(clientDataJSON),
      authenticatorData: text(authenticatorData),
      signature: text(signature),
      ...(userHandle && { userHandle: text(userHandle) }),
    },
  };
}

/** Adds a passkey of this device to the Profile. Returns the recovery codes that came with it. */
export async function addPasskey(): Promise<readonly string[] | undefined> {
  const { ceremony, publicKey } = await call.passkeys.beginRegistration({});
  const credential = await create(publicKey);
  return (await call.passkeys.finishRegistration({ ceremony, credential })).recoveryCodes;
}

/** Signs in with a passkey. */
export async function signInByPasskey(
  given: { remember: () => boolean; device: string },
  using: Using = {},
): Promise<void> {
  const { ceremony, publicKey } = await call.passkeys.beginSignIn({});
  const credential = await get(publicKey, using);
  using.onChosen?.();
  const { device } = given;
  await call.passkeys.finishSignIn({ ceremony, credential, transport: 'cookie', device, remember: given.remember() });
}

/** Proves with a passkey that it is the same person. */
export async function stepUpByPasskey(): Promise<void> {
  const { ceremony, publicKey } = await call.passkeys.beginStepUp({});
  await call.session.stepUp({ ceremony, credential: await get(publicKey, {}) });
}

/** Whether the browser can offer passkeys while the field of the name is filled in. */
export const canOfferInField = async (): Promise<boolean> => {
  const asked = (PublicKeyCredential as { isConditionalMediationAvailable?: () => Promise<boolean> })
    .isConditionalMediationAvailable;
  return asked !== undefined && (await asked.call(PublicKeyCredential).catch(() => false));
};
