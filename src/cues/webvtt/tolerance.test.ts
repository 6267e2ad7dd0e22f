/** Tolerance of WebVTT: the cues of browsers stay as they are, whatever else is read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import type { Cue } from '../cue.ts';
import { vttParser } from './parse.ts';

const TIMES = '00:00.000 --> 00:01.000';

test('tolerance adds cues that browsers drop, and changes none that they read', () => {
  const piece = fc.constantFrom(
    'one',
    'NOTE',
    'NOTE x',
    'STYLE',
    'REGION',
    'id:a',
    '::cue { color: red }',
    '',
    '',
    '-->',
    TIMES,
    `${TIMES} region:a line:0`,
    '00:00:01,000 --> 00:00:02,000',
    '00:01.5 --> 00:02.5 align:end',
    '0:1 --> 0:2',
    '<i>text',
    'text --> text',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (lines) => {
      const read = (isStandard: boolean): { cues: string[]; rest: string[] } => {
        const out: { cues: string[]; rest: string[] } = { cues: [], rest: [] };
        const parser = vttParser(
          {
            cue: (cue) => out.cues.push(JSON.stringify(cue)),
            region: (region) => out.rest.push(JSON.stringify(region)),
            style: (css) => out.rest.push(css),
          },
          { isStandard },
        );
        for (const line of ['WEBVTT', '', ...lines]) parser.line(line);
        parser.end();
        return out;
      };
      const [browser, tolerant] = [read(true), read(false)];
      const added = tolerant.cues.filter((cue) => !browser.cues.includes(cue));
      assert.deepEqual(
        tolerant.cues.filter((cue) => browser.cues.includes(cue)),
        browser.cues,
      );
      assert.deepEqual(tolerant.rest, browser.rest);
      for (const cue of added) assert.match((JSON.parse(cue) as Cue).origin?.raw ?? '', /^0/);
    }),
    { numRuns: 3_000, seed: 7 },
  );
});
