/** Finds English on a German page: messages of the dashboard, and texts of the server that German has words for. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { textOfReason } from '../../src/contract/kernel/reason-texts.ts';
import type { TaskRemark, TaskRemarkTexts } from '../../src/contract/ops/task-remarks.ts';
import { shownTexts } from './pseudo-locale.ts';

const MESSAGES = join(import.meta.dirname, '../../src/web/messages');
// By its path, because modules of the dashboard have the types of a browser.
const { taskRemarksGerman } = (await import(join(MESSAGES, 'de/server-task-remarks.ts'))) as {
  taskRemarksGerman: TaskRemarkTexts;
};
/** Fields of replies that say something to people in English. */
const SAID = new Set([
  'summary',
  'groupTitle',
  'unset',
  'hint',
  'sentence',
  'subject',
  'why',
  'reason',
  'detail',
  'error',
]);
/** Fields that hold several such texts. */
const SAID_IN = new Set(['labels', 'evidence', 'warnings']);

const normal = (text: string): string => text.trim().replace(/\.$/, '').toLowerCase();
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield normal(value);
  else if (typeof value === 'object' && value !== null)
    for (const one of value instanceof Map ? value.values() : Object.values(value)) yield* textsIn(one);
}
async function textsOf(language: string): Promise<Set<string>> {
  const all = new Set<string>();
  for (const file of readdirSync(join(MESSAGES, language)))
    for (const text of textsIn(await import(join(MESSAGES, language, file)))) all.add(text);
  return all;
}

/**
 * Returns the English texts in a reply of the server. A setting and a task have a title that is one.
 */
export function* saidIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* saidIn(one);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const isRun = 'progress' in value;
  // A detail that is the same in German, such as "20 Videos", says nothing in English.
  const german =
    'remarks' in value && (value.remarks as TaskRemark[]).map((one) => textOfReason(taskRemarksGerman, one));
  for (const [name, one] of Object.entries(value)) {
    // Codes.
    if (name === 'remarks' || name === 'warningReasons' || name === 'notes') continue;
    if (name === 'why' && typeof one === 'object') continue;
    if (name === 'detail' && german && normal(String(one)) === normal(german.join(', '))) continue;
    const isTitle = name === 'title' && ('summary' in value || isRun);
    if (typeof one === 'string' && (SAID.has(name) || isTitle)) yield normal(one);
    else if (SAID_IN.has(name)) yield* textsIn(one);
    else yield* saidIn(one);
  }
}

export interface EnglishFinder {
  /** Returns the English texts that the page shows, each with its element. */
  find(): Promise<string[]>;
}

/** Listens to the replies of a page from now on. */
export async function findEnglish(page: Page): Promise<EnglishFinder> {
  const [english, german] = await Promise.all([textsOf('en'), textsOf('de')]);
  page.on('response', (reply) => {
    if (reply.url().includes('/api/') && (reply.headers()['content-type'] ?? '').startsWith('application/json'))
      reply.json().then(
        (body: unknown) => {
          for (const text of saidIn(body)) english.add(text);
        },
        () => undefined,
      );
  });
  const isEnglish = (text: string): boolean => /\p{L}{2}/u.test(text) && english.has(text) && !german.has(text);
  return {
    find: async () => {
      const shown = await shownTexts(page);
      // A choice without a label shows its value, such as `error`. A line may hold several texts with dots between.
      const isValue = (text: string, where: string): boolean => where === 'option' && /^[a-z\d.]+$/.test(text);
      const found = shown.filter(
        ({ text, where }) => !isValue(text, where) && [text, ...text.split(' · ')].map(normal).some(isEnglish),
      );
      return [...new Set(found.map(({ text, where }) => `${where}: ${text}`))];
    },
  };
}
