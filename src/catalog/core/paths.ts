/** Paths of files and folders relative to the root of a library; '' is the root. */
import { hash } from 'node:crypto';

export const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Splits a path into its folder and name. */
export const splitPath = (path: string): { folder: string; name: string } => ({
  folder: parentOf(path),
  name: path.slice(path.lastIndexOf('/') + 1),
});

/** Identifies a folder among those of all libraries, and takes that apart. */
export const folderKey = (library: string, path: string): string => `${library}/${path}`;
export const folderOfKey = (key: string): { library: string; path: string } => {
  const end = key.indexOf('/');
  return { library: key.slice(0, end), path: key.slice(end + 1) };
};
/** Returns the id of a folder, by which requests name it: paths do not leave the server. */
export const folderId = (key: string): string => hash('sha256', key).slice(0, 16);
