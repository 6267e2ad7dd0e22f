/**
 * Killed in each state of an order, a server finishes that order after its next start: it places no second one, and
 * proves no name again that is proved.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { CRASH_POINTS } from '../../src/lib/crash.ts';
import { startAuthority, type TestAuthority } from '../../src/remote/certificates/testing-authority.ts';
import { programFile } from './programs.ts';

interface Result {
  serial: string;
  orders: number;
  proofs: number;
}

/** Returns what the child obtained; undefined if it was killed. */
async function run(authority: TestAuthority, point = '', file?: string): Promise<Result | undefined> {
  const { folder, directory, resolver, ca } = authority;
  const place = JSON.stringify({ folder, directory, resolver, ca, api: authority.services.url });
  const args = [await programFile('certificate'), place, point, ...(file === undefined ? [] : [file])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  const [code, signal] = await new Promise<[number | null, string | null]>(
    (resolve) => void child.once('close', (...end) => resolve(end)),
  );
  if (signal === 'SIGKILL') return undefined;
  assert.equal(code, 0);
  return JSON.parse(text) as Result;
}

const POINTS = CRASH_POINTS.filter((point) => point.startsWith('remote.certificate.'));
const isAfter = (point: string, other: (typeof POINTS)[number]): boolean =>
  POINTS.findIndex((one) => one === point) >= POINTS.indexOf(other);

/** Checks that a further start has nothing left to do. */
async function checkFinished(authority: TestAuthority, result: Result): Promise<void> {
  const again = await run(authority);
  assert.deepEqual(again, { serial: result.serial, orders: 0, proofs: 0 });
  // Neither an order that would bring the same certificate once more, nor a piece of a file is left.
  assert.deepEqual((await readdir(`${authority.folder}/kept`)).toSorted(), [
    'account.json',
    'attempts.json',
    'certificate.json',
  ]);
  assert.ok((await readFile(`${authority.folder}/kept/certificate.json`, 'utf8')).includes('PRIVATE KEY'));
}

for (const point of POINTS)
  test(`killed at ${point}, the order is finished`, async (t) => {
    const authority = await startAuthority();
    t.after(() => authority.close());
    assert.equal(await run(authority, point), undefined, 'it was not killed');
    const before = authority.services.asked.length;
    const result = await run(authority);
    assert.ok(result);
    assert.equal(result.orders, isAfter(point, 'remote.certificate.ordered') ? 0 : 1, 'orders');
    if (isAfter(point, 'remote.certificate.proved'))
      assert.deepEqual([result.proofs, authority.services.asked.length], [0, before], 'it was proved again');
    await checkFinished(authority, result);
  });

/** Steps around the rename that makes a file of the certificate the present one, and the orders that follow a kill. */
const AROUND_RENAMES = [
  { file: 'account.json', point: 'files.write.renamed', orders: 1 },
  // The order is counted before it is placed, and placed before it is kept.
  { file: 'attempts.json', point: 'files.write.renamed', orders: 1 },
  { file: 'order.json', point: 'files.write.synced', orders: 1 },
  { file: 'order.json', point: 'files.write.renamed', orders: 0 },
  { file: 'certificate.json', point: 'files.write.synced', orders: 0 },
  { file: 'certificate.json', point: 'files.write.renamed', orders: 0 },
] as const;

for (const { file, point, orders } of AROUND_RENAMES)
  test(`killed at ${point} of ${file}, an order that is kept is finished`, async (t) => {
    const authority = await startAuthority();
    t.after(() => authority.close());
    assert.equal(await run(authority, point, `kept/${file}`), undefined, 'it was not killed');
    const result = await run(authority);
    assert.ok(result);
    assert.equal(result.orders, orders, 'orders');
    await checkFinished(authority, result);
  });
