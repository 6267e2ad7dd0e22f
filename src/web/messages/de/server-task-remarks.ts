/** German: the stages and results of tasks. One that is missing does not compile. */
import type { TaskRemarkTexts } from '../../../contract/ops/task-remarks.ts';
import { count, counted } from '../plural.ts';

const videos = (value: number): string => counted(value, 'Video', 'Videos');

export const taskRemarksGerman: TaskRemarkTexts = {
  title: ({ title }) => title,
  'nothing-new': () => 'nichts Neues',
  'nothing-due': () => 'nichts zu tun',
  'no-library': () => 'keine Bibliothek zu scannen',
  scanning: ({ added, changed }) => `${count(added)} neu, ${count(changed)} geändert`,
  scanned: ({ added, changed, moved, missing }) =>
    `${count(added)} neu, ${count(changed)} geändert, ${count(moved)} verschoben, ${count(missing)} verschwunden`,
  'libraries-away': (values) =>
    values.count === 1
      ? 'eine Bibliothek ist nicht erreichbar, ihre Titel bleiben erhalten'
      : `${count(values.count)} Bibliotheken sind nicht erreichbar, ihre Titel bleiben erhalten`,
  forgotten: (values) => `${counted(values.count, 'Titel', 'Titel')} vergessen`,
  'metadata-updated': (values) => `${count(values.count)} aktualisiert`,
  'metadata-unsure': (values) => `${count(values.count)} ohne sichere Zuordnung`,
  'metadata-not-found': (values) => `${count(values.count)} nicht gefunden`,
  'metadata-left': (values) => `${count(values.count)} warten, bis der Anbieter wieder erreichbar ist`,
  'videos-of': ({ done, total }) => `${count(done)} von ${videos(total)}`,
  videos: (values) => videos(values.count),
  albums: (values) => counted(values.count, 'Album', 'Alben'),
  'lyrics-of': ({ done, total }) => `Liedtexte von ${count(done)} der ${counted(total, 'Titel', 'Titel')}`,
  recording: ({ number }) => `Aufnahme ${count(number)}`,
  'no-room-for-recordings': () => 'der Cache ist voll; weitere Aufnahmen werden erst bei der Wiedergabe eingelesen',
  'no-room-for-previews': () => 'der Cache ist voll; weitere Vorschaubilder entstehen erst bei der Wiedergabe',
  misfits: (values) => `${count(values.count)} unpassend`,
  'not-checked': (values) => `${count(values.count)} derzeit nicht prüfbar`,
  'waiting-for-playback': () => 'wartet, solange etwas abgespielt wird',
  'waiting-for-conversion': () => 'wartet, solange Video umgewandelt wird',
  'waiting-for-speech': () => 'wartet, solange jemand die Sprache eines Videos braucht',
  'waiting-for-scan': () => 'wartet, bis die Bibliotheken gescannt sind',
  'waiting-for-place': () => 'wartet auf andere Arbeit im Hintergrund',
  'no-subtitle-language': () => 'keine Untertitelsprache eingestellt',
  'no-subtitle-provider': () => 'kein Untertitelanbieter eingerichtet',
  'subtitles-written': (values) => `${count(values.count)} abgerufen`,
  'subtitles-upgraded': (values) => `${count(values.count)} verbessert`,
  'subtitles-nothing': (values) => `${count(values.count)} nicht gefunden`,
  'subtitles-refused': (values) => `${count(values.count)} nicht vertrauenswürdig`,
  'subtitles-kept': (values) => `${count(values.count)} beibehalten`,
  'subtitles-failed': (values) => `${count(values.count)} fehlgeschlagen`,
  'providers-paused': () => 'die Anbieter sind vorerst nicht erreichbar',
};
