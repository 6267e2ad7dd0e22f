/**
 * The file of a saved index: a tree of values whose leaves are typed arrays, sealed with a key.
 *
 * Layout: 8 bytes of magic, the length of the head (32 bits, little endian), 4 zero bytes, an HMAC-SHA-256 over all
 * that follows, the head, the arrays one after the other. The head is JSON: the tree, in which `{"$":n}` is array
 * number n, and kind and length of each array. A file that is shorter, longer or changed in any bit is refused as a
 * whole.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const KINDS = { u8: Uint8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array, f64: Float64Array } as const;
type Kind = keyof typeof KINDS;
type Column = Uint8Array | Uint16Array | Int16Array | Uint32Array | Float64Array;
/** A value that can be saved. Keys of objects are chosen in this code, and none is `$`. */
export type Tree = null | boolean | number | string | Column | readonly Tree[] | { readonly [key: string]: Tree };

interface Head {
  tree: unknown;
  columns: [kind: Kind, length: number][];
}

/** Reads bytes of a file; returns how many there were. */
export type ReadBytes = (into: Uint8Array, position: number) => Promise<number>;

const MAGIC = Buffer.from('mtn-idx1', 'latin1');
const SEALED = 16;
const BODY = 48;
/** Bytes that are hashed in one turn: half a millisecond. */
const TURN = 1024 * 1024;
const MAX_HEAD = 64 * 1024 * 1024;

const kindOf = (column: Column): Kind =>
  column instanceof Uint8Array
    ? 'u8'
    : column instanceof Uint16Array
      ? 'u16'
      : column instanceof Int16Array
        ? 'i16'
        : column instanceof Uint32Array
          ? 'u32'
          : 'f64';
const bytesOf = ({ buffer, byteOffset, byteLength }: Column): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Copies a tree into the bytes of a file, all at once; the seal is still missing. */
export function encode(tree: Tree): Buffer<ArrayBuffer> {
  const columns: Column[] = [];
  const text = JSON.stringify(tree, (_key, value: unknown) =>
    ArrayBuffer.isView(value) ? { $: columns.push(value as Column) - 1 } : value,
  );
  const head = Buffer.from(
    `{"tree":${text},"columns":${JSON.stringify(columns.map((column) => [kindOf(column), column.length]))}}`,
  );
  const out = Buffer.from(
    new ArrayBuffer(columns.reduce((sum, { byteLength }) => sum + byteLength, BODY + head.length)),
  );
  MAGIC.copy(out);
  out.writeUInt32LE(head.length, MAGIC.length);
  head.copy(out, BODY);
  let at = BODY + head.length;
  for (const column of columns) {
    out.set(bytesOf(column), at);
    at += column.byteLength;
  }
  return out;
}

/** Seals encoded bytes with a key, a piece in each turn of the event loop. */
export async function seal(bytes: Buffer, key: string): Promise<void> {
  const hmac = createHmac('sha256', key);
  for (let at = BODY; at < bytes.length; at += TURN) {
    hmac.update(bytes.subarray(at, at + TURN));
    await nextTurn();
  }
  hmac.digest().copy(bytes, SEALED);
}

/**
 * Returns the tree of a file that was sealed with this key; undefined for any other file. Each array has separate
 * memory.
 */
export async function decodeSnapshot({ size, read }: { size: number; read: ReadBytes }, key: string): Promise<unknown> {
  const front = await filled(read, new Uint8Array(BODY), 0);
  if (size < BODY || !front || !MAGIC.equals(front.subarray(0, MAGIC.length))) return undefined;
  const length = Buffer.from(front.buffer).readUInt32LE(MAGIC.length);
  if (length > MAX_HEAD || BODY + length > size) return undefined;
  const hmac = createHmac('sha256', key);
  const text = await filled(read, new Uint8Array(length), BODY);
  const head = text && headOf(text);
  if (!head) return undefined;
  hmac.update(text);
  const room = head.columns.reduce((sum, [kind, count]) => sum + count * KINDS[kind].BYTES_PER_ELEMENT, BODY + length);
  if (room !== size) return undefined;
  const columns: Column[] = [];
  let at = BODY + length;
  for (const [kind, count] of head.columns) {
    const column = new KINDS[kind](count);
    const bytes = bytesOf(column);
    if (!(await filled(read, bytes, at))) return undefined;
    hmac.update(bytes);
    columns.push(column);
    at += bytes.length;
  }
  if (!timingSafeEqual(hmac.digest(), front.subarray(SEALED, BODY))) return undefined;
  return planted(head.tree, columns);
}

async function filled(read: ReadBytes, into: Uint8Array, position: number): Promise<Uint8Array | undefined> {
  for (let at = 0; at < into.length;) {
    const got = await read(into.subarray(at), position + at);
    if (got <= 0) return undefined;
    at += got;
  }
  return into;
}

/** Reads the head, whose seal is not checked yet: only numbers that can be are taken. */
function headOf(text: Uint8Array): Head | undefined {
  try {
    const head = JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.length).toString()) as Partial<Head> | null;
    const isSound =
      Array.isArray(head?.columns) &&
      head.columns.every(
        (one) =>
          Array.isArray(one) &&
          Object.hasOwn(KINDS, one[0]) &&
          Number.isSafeInteger(one[1]) &&
          one[1] >= 0 &&
          one[1] <= 2 ** 31,
      );
    return isSound ? (head as Head) : undefined;
  } catch {
    return undefined;
  }
}

/** Puts the arrays back where the tree has their numbers. */
function planted(tree: unknown, columns: readonly Column[]): unknown {
  if (typeof tree !== 'object' || tree === null) return tree;
  if (Array.isArray(tree))
    return tree.some((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
      ? tree.map((one) => planted(one, columns))
      : tree;
  const { $: number, ...rest } = tree as Record<string, unknown>;
  if (typeof number === 'number') return columns[number];
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, planted(value, columns)]));
}

/** The names and kinds of a tree without its values: two trees of one layout can take each other's place. */
export function treeLayoutOf(tree: Tree): string {
  if (ArrayBuffer.isView(tree)) return kindOf(tree as Column);
  if (Array.isArray(tree)) return 'list';
  if (typeof tree !== 'object' || tree === null) return tree === null ? 'null' : typeof tree;
  return `{${Object.entries(tree)
    .map(([key, value]) => `${key}:${treeLayoutOf(value)}`)
    .join()}}`;
}
