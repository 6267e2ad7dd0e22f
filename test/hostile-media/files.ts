/** Bytes that hostile files are put together from. */

export interface HostileFile {
  /** With the extension that the catalogue goes by. */
  name: string;
  bytes: Buffer;
  /** Size of the file on the disk, where it is larger than its bytes: the rest is a hole. */
  size?: number;
}

/** The size of a file that is much larger than its bytes. */
export const FAR_BYTES = 8 * 1024 ** 3;

/** Returns a maker of files with an extension. */
export const filesOf =
  (extension: string) =>
  (name: string, bytes: Buffer, size?: number): HostileFile => ({
    name: `${name}.${extension}`,
    bytes,
    ...(size !== undefined && { size }),
  });
export const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => bytes.writeUInt32BE(value >>> 0, i * 4));
  return bytes;
};
/** Repeats what `make` returns for each number. */
export const many = (count: number, make: (n: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, n) => make(n)));
