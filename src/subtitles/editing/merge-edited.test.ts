/** Everything that a text cannot express stays with its line, whatever is edited. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cue, readText, spansOf, type SubtitleDocument, toVtt } from '../../cues/index.ts';
import { mergeEdited } from './merge-edited.ts';

const cue = (start: number, text: string, style?: string, layer?: number): Cue => ({
  start,
  end: start + 500,
  spans: spansOf(text),
  ...(style !== undefined && { style }),
  ...(layer !== undefined && { layer }),
});
const current: SubtitleDocument = {
  format: 'ass',
  warnings: [],
  cues: [cue(1000, 'One', 'A'), cue(2000, 'Two', 'B'), cue(3000, 'Three', 'C'), cue(3000, 'Sign', 'D', 1)],
};
const styles = (edited: readonly Cue[]): (string | undefined)[] =>
  mergeEdited(current, edited).cues.map(({ style }) => style);

test('a changed word, a moved line, a new and a removed one', () => {
  assert.deepEqual(styles([cue(1000, 'One'), cue(2000, 'Second'), cue(3000, 'Sign'), cue(3000, 'Three')]), [
    'A',
    'B',
    'D',
    'C',
  ]);
  assert.deepEqual(styles([cue(1000, 'One'), cue(2200, 'Two'), cue(3000, 'Three'), cue(3000, 'Sign')]), [
    'A',
    'B',
    'C',
    'D',
  ]);
  assert.deepEqual(
    styles([cue(1000, 'One'), cue(1500, 'New'), cue(2000, 'Two'), cue(3000, 'Three'), cue(3000, 'Sign')]),
    ['A', undefined, 'B', 'C', 'D'],
  );
  assert.deepEqual(styles([cue(2000, 'Two'), cue(3000, 'Three'), cue(3000, 'Sign')]), ['B', 'C', 'D']);
  // One away and one new elsewhere: what is said by its times is not mixed up.
  assert.deepEqual(styles([cue(2000, 'Two'), cue(3000, 'Three'), cue(3000, 'Sign'), cue(9000, 'New')]).slice(0, 3), [
    'B',
    'C',
    'D',
  ]);
});

test('cues with the same words keep everything that the text cannot express', () => {
  const vtt = readText('WEBVTT\n\n00:01.000 --> 00:02.000 line:0\n<v Ann>Hello <i>there</i>.\n', 'vtt');
  const { cues } = mergeEdited(vtt, readText('1\n00:00:01,500 --> 00:00:02,000\nHello <i>there</i>.\n', 'srt').cues);
  assert.deepEqual(
    [cues[0]?.start, cues[0]?.spans, cues[0]?.settings],
    [1500, vtt.cues[0]?.spans, vtt.cues[0]?.settings],
  );
});

test('another word stays within the voice and the class of the old one, unless the marks say otherwise', () => {
  const vtt = readText(
    'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann><c.loud>Good</c> night, <i>my</i> <00:01.500>dear</v>\n',
    'vtt',
  );
  const said = (text: string): string =>
    toVtt(mergeEdited(vtt, readText(`1\n00:00:01,000 --> 00:00:02,000\n${text}\n`, 'srt').cues))
      .split('\n')
      .slice(3)
      .join('\n')
      .trim();
  assert.equal(
    said('Good morning, <i>my</i> dear'),
    '<v Ann><c.loud>Good</c> morning, <i>my</i> <00:00:01.500>dear</v>',
  );
  assert.equal(said('Good night, <i>his</i> dear'), '<v Ann><c.loud>Good</c> night, <i>his</i> <00:00:01.500>dear</v>');
  assert.equal(said('Good night, my dear'), 'Good night, my dear');
  assert.equal(said('<b>Quite</b> another'), '<b>Quite</b> another');
});
