/**
 * Sealing: secrets in the database are encrypted with a key that is not in it.
 *
 * AES-256-GCM with a fresh 96-bit nonce for each secret (NIST SP 800-38D). The name of the secret is
 * authenticated with it, so one sealed secret cannot be put in another's place. The key is in
 * `master.key` in the data folder, readable by its owner alone, and comes into being with the first
 * secret. A lost or foreign key file is a clear fault: it is never replaced while secrets depend on it.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '../lib/failure.ts';
import { readBounded, writeWhole } from '../lib/files.ts';

export interface Sealer {
  /** Encrypts `text` under `name`. Makes the key file when there is none yet. */
  seal(name: string, text: string): Promise<string>;
  /** Decrypts what `seal` gave for the same name, or fails as `conflict` saying what is wrong. */
  open(name: string, sealed: string): Promise<string>;
}

interface Key {
  id: string;
  bytes: Buffer;
}

const FILE = 'master.key';
const FILE_FORM = /^matinee-key-1 ([0-9a-f]{16}) ([A-Za-z0-9_-]{43})\n?$/;
const SEALED_FORM = /^1\.([0-9a-f]{16})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/;
const idOf = (bytes: Buffer): string =>
  createHash('sha256').update('matinee-key-1').update(bytes).digest('hex').slice(0, 16);
const aad = (id: string, name: string): Buffer => Buffer.from(`matinee-sealed-1\0${id}\0${name}`);

/** `folder` is the data folder. Nothing is read or made until it is needed. */
export function openSealer({ folder }: { folder: string }): Sealer {
  const file = join(folder, FILE);
  let key: Promise<Key> | undefined;

  const once = (make: () => Promise<Key>): Promise<Key> => {
    key ??= make().catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  };
  const forOpening = (): Promise<Key> => once(async () => (await readKey(file)) ?? missing());
  const forSealing = (): Promise<Key> => once(async () => (await readKey(file)) ?? makeKey(file));

  return {
    async seal(name, text) {
      const { id, bytes } = await forSealing();
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(aad(id, name));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `1.${id}.${nonce.toString('base64url')}.${body.toString('base64url')}`;
    },
    async open(name, sealed) {
      const [, id, nonce, packed] = SEALED_FORM.exec(sealed) ?? damaged();
      const { id: ours, bytes } = await forOpening();
      if (id !== ours)
        throw new Failure('unavailable', `was saved with another ${FILE}; put that key file back`, {
          reason: 'key-file-different',
        });
      const body = Buffer.from(packed ?? '', 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', bytes, Buffer.from(nonce ?? '', 'base64url'), {
        authTagLength: 16,
      }).setAAD(aad(ours, name));
      try {
        decipher.setAuthTag(body.subarray(-16));
        return Buffer.concat([decipher.update(body.subarray(0, -16)), decipher.final()]).toString('utf8');
      } catch {
        return damaged();
      }
    },
  };
}

const missing = (): never => {
  throw new Failure(
    'unavailable',
    `was saved with a ${FILE} that is missing from the data folder; put the key file back`,
    { reason: 'key-file-missing' },
  );
};
const damaged = (): never => {
  throw new Failure('unavailable', 'was damaged or changed in the database since it was saved', {
    reason: 'secret-damaged',
  });
};

async function readKey(file: string): Promise<Key | undefined> {
  let text: string;
  try {
    text = Buffer.from(await readBounded(file, 1024)).toString('latin1');
  } catch (error) {
    if (error instanceof Failure && error.kind === 'missing') return undefined;
    throw error instanceof Failure
      ? new Failure(
          'unavailable',
          `the key file ${FILE} in the data folder cannot be read`,
          { reason: 'key-file-unreadable' },
          { cause: error },
        )
      : error;
  }
  const [, id, encoded = ''] = FILE_FORM.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.length !== 32 || idOf(bytes) !== id)
    throw new Failure('unavailable', `the key file ${FILE} in the data folder is damaged`, {
      reason: 'key-file-unreadable',
    });
  return { id, bytes };
}

/** Writes the key file completely and durably. If another process was first, its key is used. */
async function makeKey(file: string): Promise<Key> {
  const bytes = randomBytes(32);
  const made = { id: idOf(bytes), bytes };
  try {
    await writeWhole(file, Buffer.from(`matinee-key-1 ${made.id} ${bytes.toString('base64url')}\n`), {
      mode: 0o600,
      exclusive: true,
    });
    return made;
  } catch (error) {
    const theirs = await readKey(file);
    if (theirs) return theirs;
    throw error;
  }
}
