/** Paths of files and folders relative to the root of a library; '' is the root. */

export const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Splits a path into its folder and name. */
export const splitPath = (path: string): { folder: string; name: string } => ({
  folder: parentOf(path),
  name: path.slice(path.lastIndexOf('/') + 1),
});
