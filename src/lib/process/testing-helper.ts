/** A helper for the tests of helpers: follows instructions, good or bad. */
import { existsSync, writeFileSync } from 'node:fs';
import { serveHelper } from './serve.ts';

interface Order {
  do: string;
  value?: number;
  path?: string;
}

const hoard: Buffer[] = [];

serveHelper(async (request) => {
  const order = request as Order;
  if (order.do === 'double') return (order.value ?? 0) * 2;
  if (order.do === 'pid') return process.pid;
  if (order.do === 'throw') throw new Error('told to');
  if (order.do === 'die') process.kill(process.pid, 'SIGSEGV');
  if (order.do === 'see') return existsSync(order.path ?? '');
  if (order.do === 'write') writeFileSync(order.path ?? '', 'x');
  if (order.do === 'env') return Object.keys(process.env);
  if (order.do === 'spin') for (;;);
  if (order.do === 'hoard')
    for (let i = 0; ; i += 1) {
      hoard.push(Buffer.alloc(16 * 1024 * 1024, i & 255));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  await new Promise((resolve) => setTimeout(resolve, 60_000));
  return null;
});
