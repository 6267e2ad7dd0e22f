/** Which of the markers that were found are shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MarkerKind } from '../../contract/playback/markers.ts';
import { rankMarkers } from './rank.ts';
import type { FoundMarker } from './types.ts';

const marker = (
  source: FoundMarker['source'],
  kind: MarkerKind,
  start: number,
  end: number,
  state: FoundMarker['state'] = 'published',
): FoundMarker => ({ source, kind, start, end, state });
const shown = (
  found: readonly FoundMarker[],
  { removed = [], duration = 1_400 }: { removed?: MarkerKind[]; duration?: number | undefined } = {},
) =>
  rankMarkers(found, { removed: new Set(removed), duration }).map(
    ({ source, kind, start, end, state }) =>
      `${source} ${kind} ${start}-${end}${state === 'suggested' ? ' suggested' : ''}`,
  );

test('of each kind the highest source is shown', () => {
  const all = [
    marker('analysis', 'intro', 31, 92),
    marker('sidecar', 'intro', 32, 93),
    marker('chapter', 'intro', 30, 90),
    marker('user', 'intro', 29, 91),
  ];
  assert.deepEqual(shown(all), ['user intro 29-91']);
  assert.deepEqual(shown(all.slice(0, 3)), ['chapter intro 30-90']);
  assert.deepEqual(shown(all.slice(0, 2)), ['sidecar intro 32-93']);
  assert.deepEqual(
    shown([marker('chapter', 'intro', 30, 90), marker('user', 'intro', 200, 260)]),
    ['user intro 200-260'],
    'wherever they are',
  );
  assert.deepEqual(shown([marker('analysis', 'credits', 1300, 1390), marker('chapter', 'intro', 30, 90)]), [
    'chapter intro 30-90',
    'analysis credits 1300-1390',
  ]);
});

test('what lies over a marker of a higher source is left out, whatever its kind', () => {
  assert.deepEqual(shown([marker('chapter', 'outro', 1300, 1390), marker('analysis', 'credits', 1302, 1391)]), [
    'chapter outro 1300-1390',
  ]);
  assert.deepEqual(shown([marker('chapter', 'outro', 1300, 1340), marker('analysis', 'credits', 1338, 1391)]), [
    'chapter outro 1300-1340',
    'analysis credits 1338-1391',
  ]);
});

test('commercials of several sources are shown together where they do not overlap', () => {
  assert.deepEqual(
    shown([
      marker('sidecar', 'commercial', 100, 140),
      marker('sidecar', 'commercial', 500, 540),
      marker('user', 'commercial', 98, 139),
    ]),
    ['user commercial 98-139', 'sidecar commercial 500-540'],
  );
});

test('a kind that an Owner removed comes from no other source', () => {
  const found = [
    marker('chapter', 'intro', 30, 90),
    marker('analysis', 'intro', 31, 92),
    marker('chapter', 'credits', 1300, 1390),
  ];
  assert.deepEqual(shown(found, { removed: ['intro'] }), ['chapter credits 1300-1390']);
  assert.deepEqual(shown([...found, marker('user', 'intro', 1, 9)], { removed: ['intro'] }), [
    'user intro 1-9',
    'chapter credits 1300-1390',
  ]);
});

test('a source that marks more than a fifth is only suggested; an Owner may mark what they like', () => {
  assert.deepEqual(shown([marker('sidecar', 'commercial', 0, 200), marker('sidecar', 'commercial', 300, 381)]), [
    'sidecar commercial 0-200 suggested',
    'sidecar commercial 300-381 suggested',
  ]);
  assert.deepEqual(shown([marker('sidecar', 'commercial', 0, 200), marker('sidecar', 'commercial', 300, 380)]), [
    'sidecar commercial 0-200',
    'sidecar commercial 300-380',
  ]);
  assert.deepEqual(shown([marker('user', 'commercial', 0, 1_000)]), ['user commercial 0-1000']);
  assert.deepEqual(
    shown([marker('analysis', 'recap', 0, 400, 'suggested'), marker('analysis', 'intro', 400, 460)]),
    ['analysis recap 0-400 suggested', 'analysis intro 400-460'],
    'what is only suggested cuts nothing',
  );
});

test('markers are cut to the item, and those with nothing left are not shown', () => {
  assert.deepEqual(shown([marker('user', 'credits', 1_350, 2_000), marker('chapter', 'intro', 1_500, 1_600)]), [
    'user credits 1350-1400',
  ]);
  assert.deepEqual(
    rankMarkers([marker('chapter', 'credits', 1_350, 2_000)], { removed: new Set(), duration: undefined }).length,
    1,
  );
});
