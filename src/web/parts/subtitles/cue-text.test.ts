/** Cue text becomes a tree of known tags; everything else stays text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piecesOf, plainTextOf } from './cue-text.ts';

test('tags nest, and a line break stays', () => {
  assert.deepEqual(piecesOf('<i>Far <b>away</b></i>\nHere'), [
    { tag: 'i', children: ['Far ', { tag: 'b', children: ['away'] }] },
    '\nHere',
  ]);
});
test('voices, classes and languages', () => {
  assert.deepEqual(piecesOf('<v.loud Agnes>Stop</v><lang fr>Non</lang><c.yellow>!</c>'), [
    { tag: 'span', voice: 'Agnes', children: ['Stop'] },
    { tag: 'span', lang: 'fr', children: ['Non'] },
    { tag: 'span', children: ['!'] },
  ]);
});
test('what is not a tag of a subtitle is never markup', () => {
  assert.equal(
    plainTextOf(piecesOf('<img src=x onerror=alert(1)>a<script>b</script> 1 < 2 &amp;lt;')),
    'ab 1 < 2 &lt;',
  );
  assert.deepEqual(piecesOf('<00:01.000>now'), ['now']);
});
test('entities, and ones that are none', () => {
  assert.equal(plainTextOf(piecesOf('&lt;b&gt; &amp; &#9834; &#x266B; &unknown; &#0;')), '<b> & ♪ ♫ &unknown; ');
});
test('unclosed and crossing tags end with what holds them', () => {
  assert.deepEqual(piecesOf('<b>a<i>b</b>c'), [{ tag: 'b', children: ['a', { tag: 'i', children: ['b'] }] }, 'c']);
  assert.equal(plainTextOf(piecesOf(`${'<i>'.repeat(5000)}deep`)), 'deep');
});
