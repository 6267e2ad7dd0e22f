/** The system's errors about files, in words that may be shown. */
import { Failure } from '../failure.ts';

const MISSING = new Set(['ENOENT', 'ENOTDIR']);
const NOT_OURS = new Set(['ELOOP', 'EMLINK', 'ENAMETOOLONG', 'EISDIR', 'ENXIO', 'EINVAL']);
const UNWRITABLE = new Set([
  'EACCES',
  'EPERM',
  'EFBIG',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EXDEV',
  'EMLINK',
  'EIO',
  'ESTALE',
  'EBUSY',
  'ETXTBSY',
]);
/** Why nothing more can be written, which is no fault of the request and may pass. */
const NO_ROOM: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota of its disk is used up',
  EROFS: 'its disk is read-only',
};
const AWAY = new Set(['EIO', 'ESTALE', 'ETIMEDOUT', 'EHOSTDOWN', 'EHOSTUNREACH', 'ENOTCONN', 'ENODEV', 'EREMOTEIO']);

/** The system's code of an error (`ENOENT`), or '' when it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const because = (error: unknown): ErrorOptions => ({ cause: error });

/** An error of reading, as a Failure where a caller may know of it; a bug stays what it is. */
export function readFailure(error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof Failure || code === '') return error;
  if (MISSING.has(code))
    return new Failure('missing', 'the file is not there', { reason: 'no-such-file' }, because(error));
  if (AWAY.has(code))
    return new Failure('unavailable', 'this library is not responding', { reason: 'library-offline' }, because(error));
  if (code === 'EACCES' || code === 'EPERM')
    return new Failure('conflict', 'the file cannot be read', { reason: 'file-unreadable' }, because(error));
  if (NOT_OURS.has(code))
    return new Failure(
      'conflict',
      'not an ordinary file or folder',
      { reason: 'not-an-ordinary-file' },
      because(error),
    );
  return error;
}

/** An error of writing into a media folder, or into another `place`. */
export function writable(error: unknown, place = 'the media folder'): unknown {
  const code = codeOf(error);
  if (error instanceof Failure || code === '') return error;
  if (code === 'EEXIST')
    return new Failure('conflict', 'a file of that name already exists', { reason: 'file-exists' }, because(error));
  const noRoom = NO_ROOM[code];
  if (noRoom !== undefined)
    return new Failure(
      'unavailable',
      `${place} cannot be written to: ${noRoom}`,
      { reason: 'disk-full' },
      because(error),
    );
  if (UNWRITABLE.has(code))
    return new Failure('conflict', `${place} cannot be written to`, { reason: 'file-unwritable' }, because(error));
  return readFailure(error);
}
