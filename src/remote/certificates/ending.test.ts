/** Notices before the end of a certificate, from its renewal that fails to the day after its end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiryDaysOf } from '../../contract/findings.ts';
import type { CertificateStatus } from '../types.ts';
import { endingFindings } from './ending.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-11-20T12:00:00Z');

/** Returns the days before the end on which Owners are notified, for a certificate that is never renewed. */
function notices(lifeDays: number, state: CertificateStatus['state'] = 'failing'): number[] {
  const notAfter = START_MS + lifeDays * DAY_MS;
  const status = { state, names: ['film.duckdns.org'], notAfter, termsAccepted: true };
  const days = new Set<number>();
  for (let now = START_MS; now <= notAfter + DAY_MS; now += DAY_MS / 4)
    for (const { code, values } of endingFindings({ ...status, dueAt: notAfter - (lifeDays * DAY_MS) / 3 }, now)) {
      assert.equal(code === 'certificate-ended', now >= notAfter);
      const left = Math.max(0, Math.ceil((Date.parse(values.until) - now) / DAY_MS));
      const day = expiryDaysOf(code)?.toSorted((a, b) => a - b).find((one) => left <= one); // prettier-ignore
      if (day !== undefined) days.add(day);
    }
  return [...days];
}

test('a certificate that is not renewed is reported 14, 7, 3 days and one day before its end, and at its end', () => {
  assert.deepEqual(notices(90), [14, 7, 3, 1, 0]);
});

test('one that lives for six days is not reported before its renewal is due', () => {
  assert.deepEqual(notices(6), [3, 1, 0]);
});

test('a certificate that is not in use is not reported', () => {
  assert.deepEqual([notices(90, 'waiting'), notices(90, 'off')], [[], []]);
  assert.deepEqual(endingFindings({ state: 'failing', names: ['a'], termsAccepted: true }, START_MS), []);
});
