/** German: why a run of a task failed. One that is missing does not compile. */
import type { TaskErrorTexts } from '../../../contract/ops/task-errors.ts';
import { count } from '../plural.ts';
import { reasonsGerman } from './reasons.ts';

export const taskErrorsGerman: TaskErrorTexts = {
  failed: ({ failure }) => reasonsGerman[failure],
  unexpected: () => 'etwas Unerwartetes ist schiefgegangen; das Protokoll sagt, wo',
  'no-such-task': () => 'diese Version des Servers hat keine solche Aufgabe',
  'given-up': ({ deaths }) => `der Server wurde dabei ${count(deaths)} Mal beendet, darum wurde die Aufgabe aufgegeben`,
};
