/** For tests: a device with passkeys and the browser in front of it, each part of whose replies can be altered. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { PasskeyAssertion } from '../../contract/identity/passkey-proof.ts';
import type { CreationOptions, PasskeyRegistration, RequestOptions } from '../../contract/identity/passkeys.ts';

export const FLAG = { present: 0x01, verified: 0x04, syncable: 0x08, synced: 0x10, key: 0x40 } as const;
export type Algorithm = 'ES256' | 'EdDSA' | 'RS256';

/** A value that CBOR can carry, as far as passkeys need it. */
type Cbor = number | string | Buffer | Map<Cbor, Cbor> | readonly Cbor[];

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.of((major << 5) | count);
  if (count < 0x100) return Buffer.of((major << 5) | 24, count);
  return Buffer.of((major << 5) | 25, count >> 8, count & 0xff);
}
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -value - 1) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, own]) => [cbor(key), cbor(own)])]);
  return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
}

function makeKey(algorithm: Algorithm): { key: KeyObject; cose: Map<Cbor, Cbor> } {
  const part = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url');
  if (algorithm === 'ES256') {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = publicKey.export({ format: 'jwk' });
    return {
      key: privateKey,
      cose: new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, part(x)],
        [-3, part(y)],
      ]),
    };
  }
  if (algorithm === 'EdDSA') {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { x } = publicKey.export({ format: 'jwk' });
    return {
      key: privateKey,
      cose: new Map<Cbor, Cbor>([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, part(x)],
      ]),
    };
  }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { n, e } = publicKey.export({ format: 'jwk' });
  return {
    key: privateKey,
    cose: new Map<Cbor, Cbor>([
      [1, 3],
      [3, -257],
      [-1, part(n)],
      [-2, part(e)],
    ]),
  };
}

/** Parts of a reply that a test may put in the place of the right ones. */
export interface Alterations {
  client?: Record<string, unknown>;
  /** The text that the browser signed, in place of JSON. */
  clientText?: string;
  origin?: string;
  rpId?: string;
  flags?: number;
  counter?: number;
  credential?: Buffer;
  /** The id of the reply itself. */
  id?: string;
  cose?: Map<Cbor, Cbor>;
  format?: string;
  statement?: Map<Cbor, Cbor>;
  attestation?: Buffer;
  /** Changes what the device states, before it is signed. */
  data?: (data: Buffer) => Buffer;
  /** Changes what arrives, after it was signed. */
  sent?: (reply: PasskeyAssertion['response']) => Partial<PasskeyAssertion['response']>;
  key?: KeyObject;
  handle?: string | undefined;
}

export interface TestPasskey {
  credential: Buffer;
  handle: string;
  key: KeyObject;
  counter: number;
  flags: number;
}

const text = (bytes: Buffer): string => bytes.toString('base64url');
const signedBy = (key: KeyObject, data: Buffer): Buffer =>
  sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', data, key);
const clientData = (type: string, challenge: string, altered: Alterations): Buffer =>
  Buffer.from(
    altered.clientText ??
      JSON.stringify({
        type,
        challenge,
        origin: altered.origin ?? 'http://localhost',
        crossOrigin: false,
        ...altered.client,
      }),
  );
function stated(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.of(flags), count]);
}

/** Makes a passkey as a device does, and the reply of the browser. */
export function makeTestPasskey(
  options: CreationOptions,
  altered: Alterations & { algorithm?: Algorithm; isSyncable?: boolean } = {},
): { passkey: TestPasskey; reply: PasskeyRegistration } {
  const { key, cose } = makeKey(altered.algorithm ?? 'ES256');
  const { syncable, synced, present, verified, key: hasKey } = FLAG;
  const backup = altered.isSyncable === true ? syncable | synced : 0;
  const flags = altered.flags ?? present | verified | hasKey | backup;
  const credential = altered.credential ?? randomBytes(16);
  const counter = altered.counter ?? 0;
  const length = Buffer.alloc(2);
  length.writeUInt16BE(credential.length);
  const plain = Buffer.concat([
    stated(altered.rpId ?? options.rp.id, flags, counter),
    Buffer.alloc(16),
    length,
    credential,
    cbor(altered.cose ?? cose),
  ]);
  const attestation = new Map<Cbor, Cbor>([
    ['fmt', altered.format ?? 'none'],
    ['attStmt', altered.statement ?? new Map<Cbor, Cbor>()],
    ['authData', altered.data?.(plain) ?? plain],
  ]);
  return {
    passkey: { credential, key, counter, handle: options.user.id, flags: present | verified | backup },
    reply: {
      id: altered.id ?? text(credential),
      type: 'public-key',
      response: {
        clientDataJSON: text(clientData('webauthn.create', options.challenge, altered)),
        attestationObject: text(altered.attestation ?? cbor(attestation)),
        transports: ['internal'],
      },
    },
  };
}

/** Uses a passkey, which counts if it did before. */
export function useTestPasskey(
  passkey: TestPasskey,
  options: RequestOptions,
  altered: Alterations = {},
): PasskeyAssertion {
  if (passkey.counter > 0) passkey.counter += 1;
  const plain = stated(
    altered.rpId ?? options.rpId,
    altered.flags ?? passkey.flags,
    altered.counter ?? passkey.counter,
  );
  const data = altered.data?.(plain) ?? plain;
  const client = clientData('webauthn.get', options.challenge, altered);
  const signature = signedBy(
    altered.key ?? passkey.key,
    Buffer.concat([data, createHash('sha256').update(client).digest()]),
  );
  const response = {
    clientDataJSON: text(client),
    authenticatorData: text(data),
    signature: text(signature),
    userHandle: 'handle' in altered ? altered.handle : passkey.handle,
  };
  return {
    id: altered.id ?? text(passkey.credential),
    type: 'public-key',
    response: { ...response, ...altered.sent?.(response) },
  };
}
