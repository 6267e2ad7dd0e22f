/** Requests and replies of the subtitle process; both ends of the channel read this. */
import type { FailureReason } from '../../contract/failures.ts';
import type { FailureKind } from '../../contract/kernel/failure.ts';
import type { Looking, Moving, Outcome, Previewing, Writing } from '../editing/desk/work.ts';
import type { CueNumbers, Converting, Examined, Examining, Naming, Referring } from './types.ts';
import type { Trying } from '../editing/propose.ts';
import type { Format, SubtitleDocument } from '../../cues/index.ts';

export type WorkRequest =
  | { do: 'inspect'; given: Looking }
  | { do: 'compare'; given: Trying }
  | { do: 'propose'; given: Trying }
  | { do: 'preview'; given: Previewing }
  | { do: 'move'; given: Moving }
  | { do: 'write'; given: Writing }
  | { do: 'convert'; given: Converting }
  | { do: 'examine'; given: Examining }
  | { do: 'cues'; given: Referring }
  | { do: 'format'; given: Naming };

export type WorkReply =
  /** JSON that was checked against the shape of the endpoint. */
  | { is: 'reply'; json: Uint8Array }
  | { is: 'numbers'; numbers: CueNumbers; isOwn: boolean }
  | { is: 'outcome'; outcome: Outcome }
  | { is: 'text'; bytes: Uint8Array }
  /**
   * The cues as numbers, because a hundred thousand of them as objects take the receiver longer than reading a small
   * file.
   */
  | { is: 'examined'; examined: Omit<Examined, 'cues'>; numbers: CueNumbers }
  | { is: 'document'; document: SubtitleDocument }
  | { is: 'format'; format: Format | undefined }
  /** A failure for the caller. */
  | { is: 'refused'; kind: FailureKind; reason?: FailureReason; message: string };
