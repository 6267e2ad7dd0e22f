/** Words of the server's tasks, by their names. Empty in English, which the server says itself. */
import { area } from './catalogue.ts';
import type { TaskText } from './server.ts';

export let taskTexts: Readonly<Record<string, TaskText | undefined>> = {};
area<typeof taskTexts>(
  {
    en: () => Promise.resolve({}),
    de: () => import('./de/server-tasks.ts').then(({ taskTextsGerman }) => taskTextsGerman),
  },
  (loaded) => (taskTexts = loaded),
);
