/**
 * The helper process that reads headers: it receives a list of paths and returns a result for each.
 *
 * Promise: a file that cannot be opened, is empty or is not understood has a result that says so; only a fault of the
 * reader itself fails the whole request.
 */

import { withHeaderFileAsync } from '../../lib/files/header.ts';
import { serveHelper } from '../../lib/process/serve.ts';
import { type AudioReading, readAudio, readLyrics } from './audio/read.ts';
import { createHead, isSoundAlone, readHeader } from './read.ts';
import type { HeaderReading } from './read.ts';
import type { NeighbourText } from './texts.ts';
import type { AudioTags, EmbeddedLyrics } from './types.ts';

/** A request to the helper: absolute paths, and the library that they are in, below which no link is followed. */
export type HelperQuestion =
  | { paths: string[]; root?: string }
  | { lyrics: string; root?: string }
  /** A text with a character for each byte. */
  | { format: NeighbourText; text: string };

/** For each path its info, or why there is none. Tags are kept for ffprobe's info. */
export type HelperAnswer =
  | (HeaderReading & { audio?: AudioTags })
  | {
      failed: 'empty' | 'unreadable' | 'broken' | 'encrypted';
    };
export type LyricsAnswer = EmbeddedLyrics | null;

// Uncertainty is an ordinary result here, and its stack would take longer than the reading.
Error.stackTraceLimit = 0;
const head = createHead();
/** Tags begin in fewer bytes than headers of videos, and most files of a library of music are read no further. */
const soundHead = head.subarray(0, 16 * 1024);
const SOUND_NAME = /\.(?:mp3|flac|m4a|m4b|ogg|oga|opus|wav|aiff?|aac|wma|wv|ape|mpc|tta)$/i;

async function answer(path: string, root: string | undefined): Promise<HelperAnswer> {
  const found = await withHeaderFileAsync<HelperAnswer>(
    path,
    async (size, at) => {
      if (size === 0) return { failed: 'empty' };
      const own = SOUND_NAME.test(path) ? soundHead : head;
      let got = 0;
      const readAt: typeof at = (into, offset) => {
        const length = at(into, offset);
        if (into === own) got = length;
        return length;
      };
      const reading = readHeader(size, readAt, own);
      // The bytes that were read for the header are the first block of the tags as well.
      return isSoundAlone(reading) ? withSound(reading, await readAudio(size, at, own.subarray(0, got))) : reading;
    },
    root,
  );
  return found ?? { failed: 'unreadable' };
}

function withSound(reading: HeaderReading, sound: AudioReading | undefined): HelperAnswer {
  if (!sound) return reading;
  if (!('info' in reading)) return sound.info ? { info: sound.info } : { ...reading, audio: sound.tags };
  const { info } = reading;
  const cover = info.streams.find((stream) => stream.cover)?.index;
  const audio = { ...sound.tags, ...(cover !== undefined && { cover }) };
  return { info: { ...info, audio, chapters: info.chapters.length > 0 ? info.chapters : sound.chapters } };
}

/** Books are archives and documents, which are read by entries rather than by a header. */
async function bookAnswer(path: string, root: string | undefined): Promise<HelperAnswer> {
  // Loaded with the first book: most helpers meet none.
  const { readBook } = await import('./book.ts');
  const { PdfCrashed } = await import('../../lib/books/pdf.ts');
  const found = await withHeaderFileAsync<HelperAnswer>(
    path,
    async (size, at) => {
      if (size === 0) return { failed: 'empty' };
      return readBook(size, at).catch((error: unknown) => {
        // The file is marked as the culprit, and the others are read by a new process.
        if (error instanceof PdfCrashed) process.exit(1);
        throw error;
      });
    },
    root,
  );
  return found ?? { failed: 'unreadable' };
}
const BOOK_NAME = /\.(?:epub|cbz|cbr|cb7|pdf)$/i;

serveHelper(async (question) => {
  const asked = question as HelperQuestion;
  // Loaded with the first such text: most helpers meet none.
  if ('format' in asked)
    return (await import('./texts.ts')).parseTextOf(asked.format, Buffer.from(asked.text, 'latin1'));
  if ('lyrics' in asked) return (await withHeaderFileAsync(asked.lyrics, readLyrics, asked.root)) ?? null;
  const answers: HelperAnswer[] = [];
  for (const path of asked.paths) answers.push(await (BOOK_NAME.test(path) ? bookAnswer : answer)(path, asked.root));
  return answers;
});
