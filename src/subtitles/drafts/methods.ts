/**
 * The methods of making a draft. Each first checks whether it can work, without starting anything, and then returns the
 * work, which runs in the background.
 *
 * No method translates: text in pictures and speech keep their language. `translation-free` reads pictures if there are
 * any, because printed text is more certain than speech, and transcribes the speech otherwise.
 */
import { TIMING_REFUSALS } from '../../contract/subtitles/evidence-reasons.ts';
import { Failure } from '../../lib/failure.ts';
import type { EditWorker } from '../editing/edit-worker/edit-worker.ts';
import { loadCurrentSubtitle, dataOf, type CurrentSubtitleNeeds } from '../editing/current-subtitle.ts';
import { currentBytes } from '../editing/sources.ts';
import type { EmbeddedTexts } from '../editing/embedded.ts';
import { sync, type SyncNeeds } from '../editing/sync.ts';
import type { Ocr } from './ocr.ts';
import type { Transcriber } from './transcribe.ts';
import type { DraftTarget, DraftMethod, DraftMaker, DraftWork } from './types.ts';

export interface MethodNeeds extends CurrentSubtitleNeeds, Pick<SyncNeeds, 'speech' | 'reader' | 'log'> {
  ocr: Ocr;
  transcriber: Transcriber;
  embedded: EmbeddedTexts;
  editWorker: Pick<EditWorker, 'compare' | 'move'>;
}

export function methodsOf(needs: MethodNeeds): Record<DraftMethod, DraftMaker> {
  const ocr: DraftMaker = (about, signal) => readPictures(needs, about, signal);
  const transcription: DraftMaker = (about) => transcribe(needs, about);
  return {
    ocr,
    transcription,
    alignment: (about, signal) => align(needs, about, signal),
    'translation-free': async (about, signal) => {
      const failures: Failure[] = [];
      for (const way of [ocr, transcription]) {
        try {
          return await way(about, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof Failure) || error.kind !== 'conflict') throw error;
          failures.push(error);
        }
      }
      throw new Failure('conflict', failures.map(({ message }) => message).join('; '), { reason: 'no-method' });
    },
  };
}

async function readPictures(
  { ocr }: MethodNeeds,
  { subject, file, root, language }: DraftTarget,
  signal: AbortSignal,
): Promise<DraftWork> {
  const track = ocr.fitting(subject, file, language);
  if (!track)
    throw new Failure('conflict', 'there are no picture subtitles in this language', { reason: 'no-pictures' });
  await ocr.check(language, signal);
  return async ({ progress, signal: until }) => {
    const { document, words, notes } = await ocr.read(track, { file, root, language, progress, signal: until });
    return {
      document,
      words,
      confidence: lowestConfidence(words, document.cues.length),
      notes: notes.slice(0, MAX_NOTES),
    };
  };
}

const MAX_NOTES = 20;

/** Returns the lowest confidence of the words of each cue; null for a cue without words. */
function lowestConfidence(words: readonly { cue: number; confidence: number }[], cues: number): (number | null)[] {
  const all: (number | null)[] = Array.from({ length: cues }, () => null);
  for (const { cue, confidence } of words) if (cue < cues) all[cue] = Math.min(all[cue] ?? 1, confidence);
  return all;
}

async function transcribe({ transcriber }: MethodNeeds, about: DraftTarget): Promise<DraftWork> {
  const hearing = await transcriber.prepare(about);
  return (working) => transcriber.transcribe(hearing, working);
}

/**
 * Maximum size of a subtitle to align, in bytes. A draft is handled as objects, and more of them would block the main
 * thread. The subtitle of a long film has 120 KiB.
 */
const MAX_ALIGNED_BYTES = 512 * 1024;

/** Aligns the current subtitle with a text track inside the video, or with its speech. */
async function align(needs: MethodNeeds, { subject, language }: DraftTarget, signal: AbortSignal): Promise<DraftWork> {
  const current = await loadCurrentSubtitle(needs, subject.id, { language });
  if (!current.track)
    throw new Failure(
      'conflict',
      current.pictures
        ? 'the subtitle in this language is made of pictures'
        : 'there is no subtitle in this language to align',
      { reason: 'no-subtitle-to-change' },
    );
  const text = await currentBytes(needs, current, signal);
  if (text && text.bytes.byteLength > MAX_ALIGNED_BYTES)
    throw new Failure('conflict', 'this subtitle is too large for a draft: align it in the editor instead', {
      reason: 'track-too-large',
    });
  const subtitle = dataOf(current);
  const given = text && { subtitle, text, asked: { language, automaticSync: true }, isAsDelivered: false };
  const { cues } = given ? await needs.editWorker.compare(given, signal) : { cues: [] };
  if (!text || cues.length === 0)
    throw new Failure('conflict', 'the subtitle in this language has no cues', { reason: 'no-subtitle-to-change' });
  return async ({ progress, signal: until }) => {
    const reporting = {
      ...needs,
      speech: {
        ...needs.speech,
        align: ((spoken, of, listening) =>
          needs.speech.align(spoken, of, { ...listening, progress })) satisfies MethodNeeds['speech']['align'],
      },
    };
    const { alignment, view } = await sync(reporting, current, { cues, isOwn: true }, until);
    if (alignment.outcome === 'refused')
      throw new Failure('conflict', TIMING_REFUSALS[alignment.refusal], { reason: 'evidence-weak' });
    const found = alignment.outcome === 'moved' ? (({ cues: _cues, ...rest }) => rest)(alignment) : alignment;
    const document = await needs.editWorker.move({ subtitle, text, alignment: found }, until);
    return {
      document,
      alignment: view,
      of: current.fingerprint,
      notes: alignment.outcome === 'fits' ? [{ reason: 'fits', values: {} }] : [],
    };
  };
}
