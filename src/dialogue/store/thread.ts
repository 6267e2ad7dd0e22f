/** The thread that owns the dialogue index: it parses subtitles, writes the index, and searches in it. */
import { readSubtitle } from '../../cues/index.ts';
import { serveStoreThread } from '../../lib/db/store-thread.ts';
import { Failure } from '../../lib/failure.ts';
import { mergeLines, type Line, linesOfCues } from '../lines.ts';
import { findDialogue } from './find.ts';
import { type IndexedText, openIndexFile } from './index-file.ts';
import type { DialogueRequest, ReadText } from './types.ts';

serveStoreThread((data) => {
  const { file, isWriter } = data as { file: string; isWriter: boolean };
  const index = openIndexFile(file, { isWriter });
  return {
    answer: async (asked) => {
      const request = asked as DialogueRequest;
      if (request.is === 'open') return { items: index.items(), cursor: index.cursor() };
      if (request.is === 'find') return findDialogue(index, request.question);
      if (request.is === 'follow') {
        index.follow(request.removed, request.cursor);
        return {};
      }
      const texts = await indexedTexts(request.texts);
      return { number: index.put(request.item, texts), lines: texts.reduce((sum, text) => sum + text.lines.length, 0) };
    },
    close: index.close,
  };
});

/** Returns one text for each language and version, with the lines of all subtitles in that language. */
async function indexedTexts(texts: readonly ReadText[]): Promise<IndexedText[]> {
  const groups = Map.groupBy(texts, ({ language, version }) => `${language ?? ''} ${version ?? ''}`);
  const indexed: IndexedText[] = [];
  for (const group of groups.values()) {
    const read: Line[][] = [];
    for (const text of group) read.push(await linesOf(text));
    const lines = mergeLines(read);
    if (lines.length > 0) indexed.push({ language: group[0]?.language, version: group[0]?.version, lines });
  }
  return indexed;
}

/** Returns the lines of a text; none if it is no subtitle. */
async function linesOf({ content, language, offset }: ReadText): Promise<Line[]> {
  if ('lines' in content) return [...content.lines];
  try {
    const { document } = await readSubtitle(content.bytes, {
      extension: content.extension,
      ...(language !== undefined && { language }),
    });
    return linesOfCues(document.cues, offset);
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid') return [];
    throw error;
  }
}
