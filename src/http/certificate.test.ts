/** The server's own certificate under a clock that was wrong when it was made. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownCertificate } from './certificate.ts';

test('a certificate that a clock running ahead made is made again once the clock is right', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-certificate-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const now = Date.parse('2026-11-20T12:00:00Z');
  const at = (wall: number) => ownCertificate({ folder, hosts: [], clock: { now: () => wall, monotonic: () => 0 } });
  const early = await at(now + 365 * 86_400_000);
  const right = await at(now);
  assert.notEqual(right.fingerprint, early.fingerprint);
  assert.ok(Date.parse(new X509Certificate(right.cert).validFrom) <= now);
  assert.equal((await at(now)).fingerprint, right.fingerprint);
});
