/** Finds lines in the index: first the words as a phrase, then all words near each other. */
import { findInLines } from '../lines.ts';
import { parsePhrase, type Phrase, phraseQuery, wordsQuery } from '../words.ts';
import { firstPassage, type IndexFile, itemOfPassage } from './index-file.ts';
import type { DialogueMatch, DialogueMatches, DialogueQuestion } from './types.ts';

const MAX_LINES_PER_ITEM = 5;
/** Passages whose lines are read for one page. A page of fewer items then says where the next one begins. */
const MAX_PASSAGES_READ = { phrase: 120, near: 40 } as const;
/** Rows that are looked at for one page: 30 ms. */
const MAX_ROWS = 60_000;
/** After so many rows of items that may not be found, the query begins again at the next item that may. */
const MAX_SKIPPED = 500;

const isVisible = (visible: Uint8Array, item: number): boolean => ((visible[item >> 3] ?? 0) & (1 << (item & 7))) !== 0;

/** Returns the first number from `item` on that is in the set; undefined if there is none. */
function nextVisible(visible: Uint8Array, item: number): number | undefined {
  for (let i = item; i < visible.length * 8; i++) {
    if ((i & 7) === 0 && visible[i >> 3] === 0) i += 7;
    else if (isVisible(visible, i)) return i;
  }
  return undefined;
}

/** Returns one page of items with their lines. */
export function findDialogue(file: IndexFile, question: DialogueQuestion): DialogueMatches {
  const phrase = parsePhrase(question.q);
  if (phrase.words.length === 0) return { items: [] };
  const { after, limit } = question;
  const items: DialogueMatch[] = [];
  if (after?.stage !== 'near') {
    const next = findStage(file, { question, phrase, stage: 'phrase', from: after?.item ?? 0, items });
    if (next !== undefined) return { items, next: { stage: 'phrase', item: next } };
  }
  if (phrase.isQuoted || phrase.words.length === 1) return { items };
  if (items.length >= limit) return { items, next: { stage: 'near', item: 0 } };
  const from = after?.stage === 'near' ? after.item : 0;
  const next = findStage(file, { question, phrase, stage: 'near', from, items });
  return { items, ...(next !== undefined && { next: { stage: 'near' as const, item: next } }) };
}

interface Stage {
  question: DialogueQuestion;
  phrase: Phrase;
  stage: 'phrase' | 'near';
  from: number;
  /** Receives what is found. */
  items: DialogueMatch[];
}

/** Adds the items of one stage. Returns the item with which the next page begins; undefined at the end. */
function findStage(file: IndexFile, stage: Stage): number | undefined {
  const check = stage.stage === 'near' ? phraseCheck(file, stage.phrase, stage.from) : undefined;
  try {
    return readStage(file, { ...stage, hasPhrase: check?.has ?? (() => false) });
  } finally {
    check?.end();
  }
}

function readStage(
  file: IndexFile,
  { question, phrase, stage, from, items, hasPhrase }: Stage & { hasPhrase(item: number): boolean },
): number | undefined {
  const { visible, limit, language } = question;
  const query = stage === 'phrase' ? phraseQuery(phrase) : wordsQuery(phrase);
  let [read, rows] = [0, 0];
  let current: DialogueMatch | undefined;
  /** An item with the phrase itself was found before. */
  let withPhrase: number | undefined;
  let at = nextVisible(visible, from);
  while (at !== undefined) {
    let skipped = 0;
    let last = at;
    for (const passage of file.matches(query, firstPassage(at))) {
      const item = itemOfPassage(passage);
      last = item;
      if (!isVisible(visible, item) || item === withPhrase || (current?.item === item && current.hasMore)) {
        if (++skipped > MAX_SKIPPED) break;
        continue;
      }
      skipped = 0;
      if (item !== current?.item) {
        if (items.length >= limit || read >= MAX_PASSAGES_READ[stage] || rows >= MAX_ROWS) return item;
        current = undefined;
        if (hasPhrase(item)) {
          withPhrase = item;
          continue;
        }
      }
      rows += 1;
      read += 1;
      const known: DialogueMatch = current ?? { item, lines: [], hasMore: false };
      addLines(file, { passage, match: known, phrase, language, isNear: stage === 'near' });
      if (current === undefined && known.lines.length > 0) items.push(known);
      current = known;
    }
    if (skipped <= MAX_SKIPPED) return undefined;
    at = nextVisible(visible, last + (current?.item === last || withPhrase === last ? 1 : 0));
  }
  return undefined;
}

/**
 * Says whether an item has the words as a phrase, so that the first stage found it. The query is run once for all
 * items: each run of one with an incomplete word reads every word with that beginning. `end` closes the query; one that
 * stays open would keep later searches from seeing what is written.
 */
function phraseCheck(file: IndexFile, phrase: Phrase, from: number): { has(item: number): boolean; end(): void } {
  const rows = file.matches(phraseQuery(phrase), firstPassage(from));
  let next = rows.next();
  const has = (item: number): boolean => {
    while (next.done !== true && itemOfPassage(next.value) < item) next = rows.next();
    for (; next.done !== true && itemOfPassage(next.value) === item; next = rows.next()) {
      const { lines = [], own = 0 } = file.passage(next.value) ?? {};
      if (findInLines(lines, { phrase, own, most: 1, isNear: false }).length > 0) return true;
    }
    return false;
  };
  return { has, end: () => void rows.return?.() };
}

function addLines(
  file: IndexFile,
  {
    passage,
    match,
    phrase,
    language,
    isNear,
  }: { passage: number; match: DialogueMatch; phrase: Phrase; language: string | undefined; isNear: boolean },
): void {
  const text = file.passage(passage);
  if (!text || (language !== undefined && !isLanguage(text.language, language))) return;
  const most = MAX_LINES_PER_ITEM - match.lines.length + 1;
  const found = findInLines(text.lines, { phrase, own: text.own, most, isNear });
  for (const line of found) {
    if (match.lines.length === MAX_LINES_PER_ITEM) {
      match.hasMore = true;
      return;
    }
    match.lines.push({
      ...line,
      ...(text.language !== undefined && { language: text.language }),
      ...(text.version !== undefined && { version: text.version }),
    });
  }
}

/** Whether a language is the requested one or a variant of it. */
const isLanguage = (of: string | undefined, asked: string): boolean =>
  of === asked || of?.startsWith(`${asked}-`) === true;
