/** Diagnostics answers, whatever a part of the server cannot read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../contract/findings.ts';
import { Failure } from '../lib/failure.ts';
import { findingsOfParts } from './diagnostics.ts';

test('a part that cannot say how it is becomes a finding, and the others are shown', async () => {
  const sound: Finding = { level: 'ok', code: 'sandbox-full', subject: 'Sandbox', sentence: 'Fine.', values: {} };
  const failed: string[] = [];
  const damage = new Failure('unavailable', 'a part of the database is damaged', { reason: 'database-damaged' });
  const found = await findingsOfParts(
    new Map<string, { findings?(): Promise<Finding[]> | Finding[] }>([
      ['activity', {}],
      ['catalog', { findings: () => Promise.reject(damage) }],
      ['ops', { findings: () => [sound] }],
      [
        'playback',
        {
          findings: () => {
            throw new TypeError('a secret of a bug');
          },
        },
      ],
    ]),
    { fault: (event, _, fields) => void failed.push(`${event} ${String(fields?.['part'])}`) },
  );
  assert.deepEqual(
    found.map(({ code, subject, values }) => [code, subject, values]),
    [
      ['part-unchecked', 'catalog', { part: 'catalog', why: 'a part of the database is damaged' }],
      ['sandbox-full', 'Sandbox', {}],
      ['part-unchecked', 'playback', { part: 'playback', why: 'an unexpected error' }],
    ],
  );
  assert.deepEqual(failed.sort(), ['diagnostics.part-failed catalog', 'diagnostics.part-failed playback']);
});
