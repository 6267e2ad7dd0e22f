/**
 * Answers one request in the subtitle process: the same work as in the server, and replies as the text that is sent.
 */
import { SubtitleInspection, SubtitlePreview } from '../../contract/subtitles/workbench.ts';
import { Failure } from '../../lib/failure.ts';
import { compared, inspected, moved, previewed, proposed, wrote } from '../editing/desk/work.ts';
import type { WorkReply, WorkRequest } from './messages.ts';
import { converted, cuesIn, examined, formatOf, numbersOf } from './reading.ts';

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

export async function answer(request: WorkRequest): Promise<WorkReply> {
  try {
    switch (request.do) {
      case 'inspect':
        return { is: 'reply', json: json(SubtitleInspection.parse(await inspected(request.given))) };
      case 'preview':
        return { is: 'reply', json: json(SubtitlePreview.parse(await previewed(request.given))) };
      case 'propose':
        return { is: 'outcome', outcome: await proposed(request.given) };
      case 'move':
        return { is: 'document', document: await moved(request.given) };
      case 'write':
        return { is: 'text', bytes: await wrote(request.given) };
      case 'convert':
        return { is: 'text', bytes: await converted(request.given) };
      case 'cues':
        return { is: 'numbers', numbers: numbersOf(await cuesIn(request.given)), isOwn: false };
      case 'format':
        return { is: 'format', format: await formatOf(request.given) };
      case 'compare': {
        const { cues, isOwn } = await compared(request.given);
        return { is: 'numbers', numbers: numbersOf(cues), isOwn };
      }
      case 'examine': {
        const { cues, ...rest } = await examined(request.given);
        return { is: 'examined', examined: rest, numbers: numbersOf(cues) };
      }
    }
  } catch (error) {
    if (error instanceof Failure) {
      const { kind, reason, message } = error;
      return { is: 'refused', kind, ...(reason && { reason }), message };
    }
    throw error;
  }
}
