/** What the helper of the workbench is asked and answers; both ends of the channel read this. */
import type { FailureKind } from '../../../contract/endpoint.ts';
import type { Trying } from '../propose.ts';
import type { CueNumbers, Looking, Outcome, Previewing, Writing } from './work.ts';

export type DeskRequest =
  | { do: 'inspect'; given: Looking }
  | { do: 'compare'; given: Trying }
  | { do: 'propose'; given: Trying }
  | { do: 'preview'; given: Previewing }
  | { do: 'write'; given: Writing };

export type DeskReply =
  /** JSON that was checked against the shape of the endpoint. */
  | { is: 'reply'; json: Uint8Array }
  | { is: 'numbers'; numbers: CueNumbers; isOwn: boolean }
  | { is: 'outcome'; outcome: Outcome }
  | { is: 'text'; bytes: Uint8Array }
  /** A failure for the caller. */
  | { is: 'refused'; kind: FailureKind; message: string };
