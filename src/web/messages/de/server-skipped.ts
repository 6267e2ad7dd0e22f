/** German: why a clean-up leaves a file alone. One that is missing does not compile. */
import type { SkippedReasonTexts } from '../../../contract/subtitles/skipped-reasons.ts';
import { reasonsGerman } from './reasons.ts';

export const skippedReasonsGerman: SkippedReasonTexts = {
  'foreign-lines': () => 'enthält nur die fremdsprachigen Passagen, die erhalten bleiben',
  'name-too-long': () => 'der Name ist zu lang für die Endung',
  link: () => 'eine Verknüpfung',
  'not-a-file': () => 'keine gewöhnliche Datei',
  'name-taken': () => 'eine ausgeblendete Datei dieses Namens gibt es schon',
  failed: ({ failure }) => reasonsGerman[failure],
};
