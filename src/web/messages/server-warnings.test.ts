/** The warnings of the workbench are said in the language that is spoken, and in English if a reason is unknown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  SUBTITLE_WARNINGS,
  type SubtitleWarning,
  type SubtitleWarningTexts,
  warningsInReply,
} from '../../contract/subtitles/warnings.ts';
import { settled, speak } from './catalogue.ts';
import { warningTextsGerman } from './de/server-warnings.ts';
import { warningTexts } from './server-warnings.ts';

const GIVEN: readonly SubtitleWarning[] = [
  { reason: 'characters-unread', values: { count: 1_200 } },
  { reason: 'character-set-uncertain', values: { encoding: 'windows-1252' } },
  { reason: 'defect', values: { code: 'bad-timing', line: 12, message: 'a cue without valid times was left out' } },
  { reason: 'more-defects', values: { count: 3 } },
  { reason: 'applied', values: { rule: 'removeCredits', count: 2, message: 'Credits were removed from 2 cues.' } },
  {
    reason: 'unreadable',
    values: { why: 'subtitle-empty', message: 'the current subtitle cannot be read: it is empty' },
  },
];

test('a warning without German words, or words that name other values, do not compile', () => {
  // @ts-expect-error a reason is missing
  const missing: SubtitleWarningTexts & { 'a-new-reason': () => string } = warningTextsGerman;
  const other: SubtitleWarningTexts = {
    ...warningTextsGerman,
    // @ts-expect-error a value that the warning does not carry
    variant: ({ region }: { region: string }) => region,
  };
  // @ts-expect-error an English sentence is no warning
  const sentence: SubtitleWarning = 'The file is odd.';
  assert.ok(missing && other && sentence);
  assert.deepEqual(Object.keys(warningTextsGerman), Object.keys(SUBTITLE_WARNINGS));
});

test('the English sentences are made of the reasons', () => {
  assert.deepEqual(warningsInReply(GIVEN), {
    warnings: [
      '1200 characters could not be read.',
      'The character set is not certain: windows-1252 was assumed. Another one can be chosen.',
      'Line 12: a cue without valid times was left out.',
      '3 more like these.',
      'Credits were removed from 2 cues.',
      'The current subtitle cannot be read: it is empty.',
    ],
    warningReasons: [...GIVEN],
  });
});

test('German says the values of a warning; an unknown reason is said as the server says it', async () => {
  await speak(['de']);
  await settled();
  const later = { reason: 'of-a-later-version', values: {} } as unknown as SubtitleWarning;
  const { warnings } = warningsInReply(GIVEN);
  assert.deepEqual(warningTexts({ warnings: [...warnings, 'It is new.'], warningReasons: [...GIVEN, later] }), [
    '1.200 Zeichen waren nicht lesbar.',
    'Der Zeichensatz ist nicht sicher: windows-1252 wurde angenommen. Ein anderer lässt sich wählen.',
    'Zeile 12: ungültige Zeiten wurden ausgelassen.',
    '3 weitere dieser Art.',
    'Nennungen und Werbung wurden aus 2 Untertiteln entfernt.',
    'Der jetzige Untertitel ist nicht lesbar. Die Datei ist leer.',
    'It is new.',
  ]);
  await speak(['en']);
  await settled();
  assert.deepEqual(warningTexts({ warnings, warningReasons: GIVEN }), warnings);
});
