/** The system's errors about files, in words that may be shown. */
import { Failure } from '../failure.ts';

const MISSING = new Set(['ENOENT', 'ENOTDIR']);
const NOT_OURS = new Set(['ELOOP', 'EMLINK', 'ENAMETOOLONG', 'EISDIR', 'ENXIO', 'EINVAL']);
const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'EFBIG', 'ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EMLINK', 'EIO', 'ESTALE', 'EBUSY', 'ETXTBSY']);
const AWAY = new Set(['EIO', 'ESTALE', 'ETIMEDOUT', 'EHOSTDOWN', 'EHOSTUNREACH', 'ENOTCONN', 'ENODEV', 'EREMOTEIO']);

/** The system's code of an error (`ENOENT`), or '' when it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const because = (error: unknown): ErrorOptions => ({ cause: error });

/** An error of reading, as a Failure where a caller may know of it; a bug stays what it is. */
export function readable(error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof Failure || code === '') return error;
  if (MISSING.has(code)) return new Failure('missing', 'the file is not there', {}, because(error));
  if (AWAY.has(code)) return new Failure('unavailable', 'this library does not answer', {}, because(error));
  if (code === 'EACCES' || code === 'EPERM') return new Failure('conflict', 'the file cannot be read', {}, because(error));
  if (NOT_OURS.has(code)) return new Failure('conflict', 'not an ordinary file or folder', {}, because(error));
  return error;
}

/** An error of writing into a media folder. */
export function writable(error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof Failure || code === '') return error;
  if (code === 'EEXIST') return new Failure('conflict', 'a file of that name is already there', {}, because(error));
  if (UNWRITABLE.has(code)) return new Failure('conflict', 'the media folder cannot be written to', {}, because(error));
  return readable(error);
}
