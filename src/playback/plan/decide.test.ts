/** The decision, row by row: what a file is, what a client can, what the server allows, and what follows exactly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLAYERS, type Row } from './testing/players.ts';
import { decided, letters, recipeLine, rejections } from './testing/read.ts';

const check = (rows: readonly Row[]): void => {
  for (const [film, client, given, way, rejected, recipe] of rows) {
    const decision = decided(film, client, given);
    assert.deepEqual([decision.way ?? 'refused', rejections(decision), recipeLine(decision.recipe)], [way, rejected, recipe], `${film} on ${client} ${JSON.stringify(given)}`);
    // Every reason of a way that was rejected is in the reply, and each is a sentence.
    const own = letters(decision);
    for (const letter of rejected.replaceAll('|', '')) assert.ok(own.includes(letter), `${film} on ${client}: ${letter} is not in ${own}`);
    for (const { detail } of [...decision.reasons, ...decision.rejected.flatMap(({ reasons }) => reasons)]) assert.match(detail, /^[A-Z][^!]{15,140}\.$/, `${film} on ${client}`);
  }
};

test('each player gets each file in the way that touches least', () => {
  check(PLAYERS);
  assert.ok(PLAYERS.length > 200);
});
