/** What the helper of the workbench answers: the same work as in the server, and replies as the text that is sent. */
import { Inspected, Previewed } from '../../../contract/subtitles/workbench.ts';
import { Failure } from '../../../lib/failure.ts';
import type { DeskReply, DeskRequest } from './messages.ts';
import { compared, inspected, numbersOf, previewed, proposed, wrote } from './work.ts';

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

export async function answer(request: DeskRequest): Promise<DeskReply> {
  try {
    switch (request.do) {
      case 'inspect': return { is: 'reply', json: json(Inspected.parse(await inspected(request.given))) };
      case 'preview': return { is: 'reply', json: json(Previewed.parse(await previewed(request.given))) };
      case 'propose': return { is: 'outcome', outcome: await proposed(request.given) };
      case 'write': return { is: 'text', bytes: await wrote(request.given) };
      case 'compare': {
        const { cues, isOwn } = await compared(request.given);
        return { is: 'numbers', numbers: numbersOf(cues), isOwn };
      }
    }
  } catch (error) {
    if (error instanceof Failure) return { is: 'refused', kind: error.kind, message: error.message };
    throw error;
  }
}
