/**
 * Checks whether the server may use a folder or a device. The result is only for clear messages: callers still handle
 * the failure of the operation itself.
 */
import { access, chmod, constants, stat } from 'node:fs/promises';

export async function isWritableFolder(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK | constants.X_OK);
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** Whether a device file may be read and written. */
export async function isUsableDevice(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Lets only the user of the server use a file or socket that the server has made. */
export const makePrivate = (path: string): Promise<void> => chmod(path, 0o600);
