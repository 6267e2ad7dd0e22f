/**
 * Handles one request in the subtitle process: runs the same operations as the server, and returns replies as JSON
 * text.
 */
import { SubtitleInspection, SubtitlePreview } from '../../contract/subtitles/views.ts';
import { Failure } from '../../lib/failure.ts';
import {
  cuesToCompare,
  inspectSubtitle,
  moveCues,
  previewChange,
  proposeChange,
  writeSubtitle,
} from '../editing/edit-worker/operations.ts';
import type { WorkReply, WorkRequest } from './messages.ts';
import {
  convertSubtitle,
  readCues,
  readDocument,
  examineSubtitle,
  detectedFormat,
  numbersFromCues,
  checkFile,
} from './reading.ts';

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

export async function handleRequest(request: WorkRequest): Promise<WorkReply> {
  try {
    switch (request.do) {
      case 'inspect':
        return { is: 'reply', json: json(SubtitleInspection.parse(await inspectSubtitle(request.given))) };
      case 'preview':
        return { is: 'reply', json: json(SubtitlePreview.parse(await previewChange(request.given))) };
      case 'propose':
        return { is: 'outcome', outcome: await proposeChange(request.given) };
      case 'move':
        return { is: 'document', document: await moveCues(request.given) };
      case 'write':
        return { is: 'text', bytes: await writeSubtitle(request.given) };
      case 'convert':
        return { is: 'text', bytes: await convertSubtitle(request.given) };
      case 'document':
        return { is: 'document', document: await readDocument(request.given) };
      case 'cues':
        return { is: 'numbers', numbers: numbersFromCues(await readCues(request.given)), isOwn: false };
      case 'check':
        return { is: 'checked', found: await checkFile(request.given) };
      case 'format':
        return { is: 'format', format: await detectedFormat(request.given) };
      case 'compare': {
        const { cues, isOwn } = await cuesToCompare(request.given);
        return { is: 'numbers', numbers: numbersFromCues(cues), isOwn };
      }
      case 'examine': {
        const { cues, ...rest } = await examineSubtitle(request.given);
        return { is: 'examined', examined: rest, numbers: numbersFromCues(cues) };
      }
    }
  } catch (error) {
    if (error instanceof Failure) {
      const { kind, reason, message, cause } = error;
      const causedBy = cause instanceof Failure && { cause: cause.reason };
      return { is: 'refused', kind, ...(reason && { reason }), message, ...causedBy };
    }
    throw error;
  }
}
