/** A proof by a passkey, as the browser returns it: to sign in, or to prove again that it is the same person. */
import { z } from 'zod';
import { about, idOf } from '../kernel/describe.ts';

export const EXAMPLE_CREDENTIAL = 'yQf2kXw0T5u8vJm3LzP6hA';
/** Bytes in Base64url, of at most so many characters. */
export const passkeyBytes = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/, 'expected Base64url');

export const Ceremony = idOf('ceremony', 'Id of what was begun. It ends with its first use.');

/** Members of every reply of a device: an id of at most 1,023 bytes, and the type. */
export const credentialHead = {
  id: passkeyBytes(1_364).meta(about('Id of the credential.', EXAMPLE_CREDENTIAL)),
  type: z.literal('public-key').meta(about('Always public-key.', 'public-key')),
};

export const PasskeyAssertion = z
  .object({
    ...credentialHead,
    response: z
      .object({
        clientDataJSON: passkeyBytes(8_192).meta(
          about('What the browser signed, in Base64url.', 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'),
        ),
        authenticatorData: passkeyBytes(4_096).meta(
          about('What the device states about itself.', 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ'),
        ),
        signature: passkeyBytes(2_048).meta(about('Signature of both.', 'MEUCIQDx0p2yYc5Kq7WnLwIgV1')),
        userHandle: passkeyBytes(128).nullish().meta(about('Handle of the Profile.', 'Txwpvif9Y1g')),
      })
      .meta(about('Reply of the device.')),
  })
  .meta({
    id: 'PasskeyAssertion',
    description: 'Proof by a passkey, in the form of the browser’s `toJSON()`. Further members are ignored.',
  });
export type PasskeyAssertion = z.output<typeof PasskeyAssertion>;
