/** Which folders overlap. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overlaps } from './folders.ts';

test('a folder overlaps with one inside or around it, and with no other', () => {
  for (const [one, other] of [
    ['/media/films', '/media'],
    ['/media', '/media//films/'],
    ['/', '/media'],
    [' /media/a/b ', '/media'],
  ] as const)
    assert.ok(overlaps(one, other), `${one} ${other}`);
  for (const [one, other] of [
    ['/media', '/media/'],
    ['/media2', '/media'],
    ['/srv/media', '/media'],
    ['/', '/'],
  ] as const)
    assert.ok(!overlaps(one, other), `${one} ${other}`);
});
