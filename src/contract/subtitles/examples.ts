/** Examples of whole replies of the workbench, for the API document: Charade, shifted by half a second. */
import { EXAMPLE_IDS } from '../kernel/describe.ts';

export const EXAMPLE_FINGERPRINT = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** A change of the installed subtitle: it has no other source, and one change of timing. */
export const EXAMPLE_CHANGE = {
  language: 'en',
  fingerprint: EXAMPLE_FINGERPRINT,
  offsetMilliseconds: 500,
  removeCredits: true,
};

export const EXAMPLE_SHIFTED_CUES = [{ index: 0, start: 61.7, end: 63.9, text: 'Good evening.', warnings: [] }];

/** The subtitle after `EXAMPLE_CHANGE` was applied. */
export const EXAMPLE_APPLIED = {
  id: EXAMPLE_IDS.item,
  title: 'Charade',
  language: 'en',
  fingerprint: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  role: 'normal',
  source: 'edited',
  evidence: [],
  originalAvailable: true,
  restorable: true,
  restoresTo: 'file',
  replaceable: false,
  current: {
    format: 'subrip',
    encoding: 'utf-8',
    cues: EXAMPLE_SHIFTED_CUES,
    quality: {
      cues: 1283,
      medianSpeed: 13.4,
      fastSpeed: 21.7,
      overlaps: 0,
      longestLine: 41,
      longestGap: 94.6,
      warnings: 3,
    },
  },
  warnings: [],
  warningReasons: [],
  duration: 6805.3,
};

/** State of a language after its first subtitle was brought back. */
export const EXAMPLE_RESTORED = {
  language: 'en',
  role: 'normal',
  installed: { source: 'sidecar', match: 'found', managed: false, format: 'subrip', hidden: false },
  evidence: [],
  originalAvailable: true,
  restorable: true,
  restoresTo: 'file',
  replaceable: false,
};
