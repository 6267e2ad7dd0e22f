/**
 * Files of one name's certificate: the account, the order under way with its key, the certificate with its key, and
 * the attempts. Each is written whole or not at all, so a crash leaves the one before or the one after.
 */
import { z } from 'zod';
import { isAhead, type Clock } from '../../lib/clock.ts';
import { ensurePrivateFolder, isThere, readBounded, removeFile, sweepStray, writeWhole } from '../../lib/files.ts';
import { jsonOf, REMOTE_FAULT_CODES } from '../fault.ts';

const Text = z.string().max(8_192);
/** Each file names its authority: an account or a certificate of another one is not used. */
const Account = z.strictObject({ directory: Text, key: Text });
const Order = z.strictObject({ directory: Text, names: z.array(Text), key: Text, url: Text.optional() });
const Issued = z.strictObject({ directory: Text, key: Text, chain: z.string().max(131_072) });
const Attempts = z.strictObject({
  failures: z.int().min(0),
  retry: z.strictObject({ at: z.number(), code: z.enum(REMOTE_FAULT_CODES) }).optional(),
  orders: z.array(z.number()),
});
export type KeptOrder = z.output<typeof Order>;
export type KeptAttempts = z.output<typeof Attempts>;

const MAX_BYTES = 256 * 1024;
const HOUR_MS = 3_600_000;
export const MAX_RETRY_MS = 24 * HOUR_MS;
const MAX_ORDERS = 3;

export type KeptFilesOfCertificate = ReturnType<typeof createKeptCertificate>;

export function createKeptCertificate({
  folder,
  directory,
  clock,
}: {
  folder: string;
  directory: string;
  clock: Clock;
}) {
  const place = (name: string): string => `${folder}/${name}.json`;
  const write = (name: string, value: unknown): Promise<unknown> =>
    writeWhole(place(name), Buffer.from(JSON.stringify(value)), { mode: 0o600 });
  const read = async <T>(name: string, shape: z.ZodType<T>): Promise<T | undefined> => {
    if (!(await isThere(place(name)))) return undefined;
    const found = shape.safeParse(jsonOf((await readBounded(place(name), MAX_BYTES)).toString('utf8')));
    return found.success ? found.data : undefined;
  };
  const own = async <T extends { directory: string }>(name: string, shape: z.ZodType<T>): Promise<T | undefined> => {
    const found = await read(name, shape);
    return found?.directory === directory ? found : undefined;
  };
  const attempts = async (): Promise<KeptAttempts> => {
    const { failures = 0, retry, orders = [] } = (await read('attempts', Attempts)) ?? {};
    const now = clock.now();
    return {
      failures,
      // Written by a clock that ran ahead, it would hold the next attempt back for too long.
      ...(retry && retry.at <= now + MAX_RETRY_MS && { retry }),
      orders: orders.filter((at) => at > now - HOUR_MS && !isAhead(at, now)),
    };
  };
  return {
    open: async () => {
      await ensurePrivateFolder(folder);
      // Killed while it wrote one of them, a server left a piece with a key in it.
      await sweepStray(folder);
    },
    accountKey: async (make: () => string): Promise<string> => {
      const had = await own('account', Account);
      if (had) return had.key;
      const key = make();
      await write('account', { directory, key });
      return key;
    },
    /** Forgets the account, and with it its order. */
    forgetAccount: async () => {
      if (await isThere(place('order'))) await removeFile(place('order'));
      if (await isThere(place('account'))) await removeFile(place('account'));
    },
    order: async (names: readonly string[]) => {
      const found = await own('order', Order);
      return found && found.names.join() === names.join() ? found : undefined;
    },
    saveOrder: (order: Omit<KeptOrder, 'directory'>) => write('order', { directory, ...order }),
    forgetOrder: async () => {
      if (await isThere(place('order'))) await removeFile(place('order'));
    },
    issued: () => own('certificate', Issued),
    saveIssued: ({ key, chain }: { key: string; chain: string }) => write('certificate', { directory, key, chain }),
    attempts,
    /** Forgets what failed; orders that were placed still count. */
    forgetFailures: async (): Promise<void> => {
      const { failures, orders } = await attempts();
      if (failures > 0) await write('attempts', { failures: 0, orders });
    },
    saveAttempts: (next: KeptAttempts) => write('attempts', next),
    /** Counts an order that is about to be placed. Returns milliseconds to wait if there were too many, else 0. */
    countOrder: async (): Promise<number> => {
      const { orders, ...rest } = await attempts();
      const [oldest = 0] = orders;
      const now = clock.now();
      if (orders.length >= MAX_ORDERS) return oldest + HOUR_MS - now;
      await write('attempts', { ...rest, orders: [...orders, now] });
      return 0;
    },
  };
}
