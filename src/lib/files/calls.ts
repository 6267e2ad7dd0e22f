/**
 * File system calls for this folder, as promises over the plain callbacks
 * (a third of the cost of node:fs/promises, without its handles), and the place where tests make the Nth
 * call fail.
 */
import * as fs from 'node:fs';
import type { BigIntStats, Dirent, Stats } from 'node:fs';

/** The calls that change or persist something, which a test can make fail. */
export const WRITING_CALLS = [
  'open',
  'write',
  'fsync',
  'fchmod',
  'rename',
  'link',
  'unlink',
  'mkdir',
  'syncFolder',
] as const;
export type WritingCall = (typeof WRITING_CALLS)[number];

let fault: ((call: WritingCall) => Error | undefined) | null = null;

/** Tests only: asks `decide` before each writing call; if it returns an error, the call fails with it. */
export function planFaults(decide: ((call: WritingCall) => Error | undefined) | null): void {
  fault = decide;
}

type Done<T> = (error: NodeJS.ErrnoException | null, value: T) => void;
const asked = <T>(call: (done: Done<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => call((error, value) => (error ? reject(error) : resolve(value))));
const completed = (
  name: WritingCall | null,
  call: (done: (error: NodeJS.ErrnoException | null) => void) => void,
): Promise<void> => {
  const planned = name === null ? undefined : fault?.(name);
  if (planned) return Promise.reject(planned);
  return new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve())));
};

export const open = (path: string, flags: number, mode?: number): Promise<number> =>
  asked((done) => fs.open(path, flags, mode, done));
/** Opens for writing: the seam of `open` faults. */
export const openToWrite = (path: string, flags: number, mode: number): Promise<number> => {
  const planned = fault?.('open');
  return planned ? Promise.reject(planned) : open(path, flags, mode);
};
export const close = (fd: number): Promise<void> => completed(null, (done) => fs.close(fd, done));
/** Closes a file without waiting, because a close may hang on a disk that hangs. */
export const letGo = (fd: number): void => fs.close(fd, () => {});
export const fstat = (fd: number): Promise<Stats> => asked((done) => fs.fstat(fd, done));
export const lstat = (path: string): Promise<Stats> => asked((done) => fs.lstat(path, done));
export const stat = (path: string): Promise<Stats> => asked((done) => fs.stat(path, done));
export const exactLstat = (path: string): Promise<BigIntStats> =>
  asked((done) => fs.lstat(path, { bigint: true }, done));
export const readAt = (
  fd: number,
  into: Uint8Array,
  offset: number,
  length: number,
  position: number,
): Promise<number> => asked((done) => fs.read(fd, into, offset, length, position, done));
export const readdir = (path: string): Promise<Dirent[]> =>
  asked((done) => fs.readdir(path, { withFileTypes: true }, done));
export const readdirBytes = (path: string): Promise<Dirent<Buffer>[]> =>
  asked((done) => fs.readdir(path, { withFileTypes: true, encoding: 'buffer' }, done));
export const statfs = (path: string): Promise<fs.StatsFs> => asked((done) => fs.statfs(path, done));
export const fsync = (fd: number): Promise<void> => completed('fsync', (done) => fs.fsync(fd, done));
export const syncFolder = (fd: number): Promise<void> => completed('syncFolder', (done) => fs.fsync(fd, done));
export const fchmod = (fd: number, mode: number): Promise<void> =>
  completed('fchmod', (done) => fs.fchmod(fd, mode, done));
export const rename = (from: string, to: string): Promise<void> =>
  completed('rename', (done) => fs.rename(from, to, done));
export const link = (from: string, to: string): Promise<void> => completed('link', (done) => fs.link(from, to, done));
export const unlink = (path: string): Promise<void> => completed('unlink', (done) => fs.unlink(path, done));
export const rmdir = (path: string): Promise<void> => completed(null, (done) => fs.rmdir(path, done));
/** Sets the times of reading and of modification, in milliseconds. */
export const utimes = (path: string, ms: number): Promise<void> =>
  completed(null, (done) => fs.utimes(path, ms / 1000, ms / 1000, done));
export const mkdir = (path: string, mode: number): Promise<void> =>
  completed('mkdir', (done) => fs.mkdir(path, { mode }, done));

/** Writes all of `bytes` at the start of an open file. */
export async function writeAll(fd: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const planned = fault?.('write');
    if (planned) {
      // Writes half of the bytes, as a full disk does.
      await asked<number>((done) => fs.write(fd, bytes, at, (bytes.length - at) >> 1, at, done));
      throw planned;
    }
    const end = Math.min(bytes.length, at + 1024 * 1024);
    const from = at;
    at += await asked<number>((done) => fs.write(fd, bytes, from, end - from, from, done));
  }
}
