/**
 * Open files kept for some seconds after their last reader, for players that seek: each seek is a separate request.
 *
 * A kept file was opened folder by folder without following a link. It is returned again only if its name led to the
 * same file of the same size and time within the last second, so a file that was replaced, renamed or written to is
 * opened again a second later at the latest. A reader that is still at work then fails: bytes of two files are not
 * mixed.
 */
import { type Clock, systemClock } from '../clock.ts';
import { lstat } from './calls.ts';
import { type OpenFile, openForReading } from './read.ts';
import { components, type RootLocation } from './root.ts';

export interface KeptFiles {
  /**
   * As `openForReading`; the caller closes it. `expected` is the byte that is probably read first: it is read while
   * the name is checked, and handed out only if the check holds.
   */
  open(place: RootLocation, expected?: number): Promise<OpenFile>;
  /** Keeps nothing any more; what is being read closes with its last reader. */
  close(): void;
}

interface Kept {
  file: UnchangingFile;
  readers: number;
  timer?: NodeJS.Timeout;
  /** Monotonic time at which the last successful check of its name began. */
  checkedAt: number;
}

/**
 * How long a check of a name is valid. Players send several requests for one seek; each of them after the first saves a
 * call of the I/O pool. The open file was inside its library when it was checked, so no byte from elsewhere is read.
 */
const CHECK_VALID_MS = 1_000;
export function createKeptFiles({
  most = 32,
  idleMs = 10_000,
  clock = systemClock,
}: { most?: number; idleMs?: number; clock?: Pick<Clock, 'monotonic'> } = {}): KeptFiles {
  /** By library folder and path; the one used last comes last. */
  const kept = new Map<string, Kept>();

  const drop = (key: string, one: Kept): void => {
    if (kept.get(key) === one) kept.delete(key);
    clearTimeout(one.timer);
    if (one.readers === 0) void one.file.close().catch(() => {});
  };
  const lend = (key: string, one: Kept): OpenFile => {
    one.readers += 1;
    kept.delete(key);
    kept.set(key, one);
    let isOpen = true;
    return {
      ...one.file,
      close: async () => {
        if (!isOpen) return;
        isOpen = false;
        one.readers -= 1;
        if (one.readers > 0) return;
        if (kept.get(key) !== one) return one.file.close();
        // Restarted rather than created for each reader. One that ends during a reading does nothing.
        one.timer = one.timer?.refresh() ?? setTimeout(() => one.readers === 0 && drop(key, one), idleMs).unref();
      },
    };
  };

  return {
    open: async (place, expected) => {
      const key = `${place.root.path}\0${place.relative}`;
      const had = kept.get(key);
      if (had) {
        // Lent before it is checked, so that it cannot be closed while it is read.
        const file = lend(key, had);
        const now = clock.monotonic();
        if (now - had.checkedAt < CHECK_VALID_MS) return file;
        const [same, begun] = await Promise.all([
          isSame(place, had.file),
          expected === undefined ? undefined : begin(had.file, expected),
        ]);
        if (same && kept.get(key) === had) {
          had.checkedAt = now;
          had.file.noteUnchanged();
          return begun ? startingWith(file, begun) : file;
        }
        if (!same) drop(key, had);
        await file.close();
      }
      const checkedAt = clock.monotonic();
      const opened = await openForReading(place);
      const one: Kept = { file: unchanging(opened, { clock, onChange: () => drop(key, one) }), readers: 0, checkedAt };
      const other = kept.get(key);
      if (other) drop(key, other);
      const file = lend(key, one);
      for (const [oldest, idle] of kept) {
        if (kept.size <= most) break;
        drop(oldest, idle);
      }
      return file;
    },
    close: () => {
      for (const [key, one] of kept) drop(key, one);
    },
  };
}

/**
 * Time between two checks of a reader for writes into the file. A player that reads as fast as it shows
 * has each read checked; a copy at the speed of the disk pays for ten checks a second.
 */
const UNCHANGED_MS = 100;

interface UnchangingFile extends OpenFile {
  /** Notes that its size and time have just been compared. */
  noteUnchanged(): void;
}

/** An open file whose reads fail as `conflict` after a write into it, so that a reply never mixes two contents. */
export function unchanging(
  file: OpenFile,
  { clock = systemClock, onChange = () => {} }: { clock?: Pick<Clock, 'monotonic'>; onChange?(): void } = {},
): UnchangingFile {
  let comparedAt = clock.monotonic();
  return {
    ...file,
    noteUnchanged: () => void (comparedAt = clock.monotonic()),
    read: async (into, position) => {
      const got = await file.read(into, position);
      const now = clock.monotonic();
      // A read that returns less than it was asked for may be the first sign.
      if (got === into.length && now - comparedAt < UNCHANGED_MS) return got;
      // After the read, so that what was written before it is noticed.
      await file.check().catch((error: unknown) => {
        onChange();
        throw error;
      });
      comparedAt = now;
      return got;
    },
  };
}

/**
 * Bytes that are read ahead: as many as the first read of a reply asks for. A file that is read in larger steps loses
 * nothing but time.
 */
const BEGINNING = 128 * 1024;

interface Begun {
  position: number;
  bytes: Uint8Array;
}

async function begin(file: OpenFile, position: number): Promise<Begun | undefined> {
  const bytes = Buffer.allocUnsafeSlow(BEGINNING);
  // The read that a caller waits for reports the fault.
  const got = await file.read(bytes, position).catch(() => 0);
  return got > 0 ? { position, bytes: bytes.subarray(0, got) } : undefined;
}

/** The same file, whose first read from the expected position takes the bytes that are there. */
function startingWith(file: OpenFile, ahead: Begun): OpenFile {
  let begun: Begun | undefined = ahead;
  return {
    ...file,
    read: (into, position) => {
      if (begun?.position !== position) return file.read(into, position);
      const { bytes } = begun;
      begun = undefined;
      const length = Math.min(bytes.length, into.length);
      into.set(bytes.subarray(0, length));
      return Promise.resolve(length);
    },
  };
}

/** One look at the whole path: a link on the way would have to lead to the same file, which may be read. */
async function isSame({ root, relative }: RootLocation, { size, mtimeMs, ino, dev }: OpenFile): Promise<boolean> {
  try {
    const now = await root.io.run(() => lstat(`${root.path}/${components(relative).join('/')}`));
    return now.isFile() && now.ino === ino && now.dev === dev && now.size === size && now.mtimeMs === mtimeMs;
  } catch {
    // Opening it reports the fault.
    return false;
  }
}
