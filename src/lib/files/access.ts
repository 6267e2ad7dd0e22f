/** Whether a folder of the server's own can be used at all: asked once at the start, for a clear sentence. */
import { access, constants, stat } from 'node:fs/promises';

export async function isWritableFolder(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK | constants.X_OK);
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
