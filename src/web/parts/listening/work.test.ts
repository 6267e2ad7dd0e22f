/** The work and movement next to the title of a track. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workOfTrack } from './work.ts';

test('a track says its work and movement, unless its title does', () => {
  const movement = { name: 'Andante', number: 2 };
  const of = (title: string, sound: Parameters<typeof workOfTrack>[0]['sound']) => workOfTrack({ title, sound });
  assert.equal(of('Track 2', { work: 'Symphony', movement }), 'Symphony: II. Andante');
  assert.equal(of('Andante', { work: 'Symphony', movement }), 'Symphony');
  assert.equal(of('Symphony: II. Andante', { work: 'Symphony', movement }), '');
  assert.equal(of('Track 2', { movement: { name: 'Andante', number: 40 } }), '40. Andante');
  assert.equal(of('Track 2', { movement: { number: 2 } }), '');
  assert.equal(of('Song', {}), '');
});
