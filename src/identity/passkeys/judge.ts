/**
 * Judges what a device and a browser say about a passkey. The library reads and verifies; the checks that it does not
 * make are here.
 */
import type { PasskeyAssertion } from '../../contract/identity/passkey-proof.ts';
import type { PasskeyRegistration } from '../../contract/identity/passkeys.ts';
import type { PasskeyRow } from '../types.ts';
import type { OpenCeremony } from './ceremonies.ts';

/** Numbers of EdDSA, ES256 and RS256 in COSE, best first. */
export const ALGORITHMS = [-8, -7, -257] as const;
/** A credential id has at most 1,023 bytes, by the standard. */
const MAX_CREDENTIAL_BYTES = 1_023;

/** The library is loaded with the first passkey: in most homes that is long after the start, or never. */
const verifiers = () => import('@simplewebauthn/server');
const readers = () => import('@simplewebauthn/server/helpers');

/** The new key of a device. */
export type NewPasskey = Pick<
  PasskeyRow,
  'credential' | 'publicKey' | 'counter' | 'isSyncable' | 'isSynced' | 'transports'
>;
/** Facts of a valid proof. `isCopied`: the device counted no further than before, so there may be two. */
export interface PasskeyUse {
  counter: number;
  isSynced: boolean;
  isCopied: boolean;
}

/** The handle of a Profile, which a device keeps with the passkey. It says nothing about the person. */
export const handleOf = (profile: string): string => Buffer.from(profile, 'hex').toString('base64url');

/** Whether the browser says that a page of another site was around ours. */
function isFramed(clientData: string): boolean {
  const said = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as Record<string, unknown>;
  return (said['crossOrigin'] ?? false) !== false || said['topOrigin'] !== undefined;
}

/** Whether a new key comes without the certificate of a maker, for which the server did not ask. */
function isPlainAttestation(
  attestation: string,
  { decodeAttestationObject, isoBase64URL }: Awaited<ReturnType<typeof readers>>,
): boolean {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestation));
  const format: string = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}

/** Reads bytes that come from outside. Where the library throws because of them, they are refused. */
const unlessUnreadable = <R>(read: () => Promise<R | undefined>): Promise<R | undefined> =>
  read().catch(() => undefined);

/** Returns the key of a new passkey; undefined if anything about it is wrong. */
export async function judgeRegistration(
  { id, type, response }: PasskeyRegistration,
  { challenge, at }: OpenCeremony,
): Promise<NewPasskey | undefined> {
  const [{ verifyRegistrationResponse }, reading] = await Promise.all([verifiers(), readers()]);
  return unlessUnreadable(async () => {
    if (isFramed(response.clientDataJSON) || !isPlainAttestation(response.attestationObject, reading)) return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: at.origin,
      expectedRPID: at.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (!verified) return undefined;
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
    // The library does not compare the id of the reply with the one that the device states.
    if (credential.id !== id || Buffer.from(id, 'base64url').length > MAX_CREDENTIAL_BYTES) return undefined;
    return {
      credential: id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      isSyncable: credentialDeviceType === 'multiDevice',
      isSynced: credentialBackedUp,
      transports: [...new Set(response.transports)],
    };
  });
}

/** Returns what a proof says; undefined if anything about it is wrong. */
export async function judgeAssertion(
  { id, type, response }: PasskeyAssertion,
  { challenge, at, purpose }: OpenCeremony,
  passkey: PasskeyRow,
): Promise<PasskeyUse | undefined> {
  const { verifyAuthenticationResponse } = await verifiers();
  return unlessUnreadable(async () => {
    if (isFramed(response.clientDataJSON) || passkey.host !== at.host || passkey.credential !== id) return undefined;
    const handle = response.userHandle ?? undefined;
    // Only a device that was asked for certain passkeys may leave the handle out.
    if (handle === undefined ? purpose.kind === 'sign-in' : handle !== handleOf(passkey.profile)) return undefined;
    const { clientDataJSON, authenticatorData, signature } = response;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: at.origin,
      expectedRPID: at.host,
      requireUserVerification: true,
      // The counter is judged below, once it is known that the device itself said so.
      credential: { id, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')), counter: 0 },
    });
    if (!verified) return undefined;
    const { newCounter: counter, credentialDeviceType, credentialBackedUp: isSynced } = authenticationInfo;
    if ((credentialDeviceType === 'multiDevice') !== passkey.isSyncable) return undefined;
    const isCounting = counter > 0 || passkey.counter > 0;
    return { counter, isSynced, isCopied: isCounting && counter <= passkey.counter };
  });
}
