/** Requests and replies of the subtitle process; both ends of the channel read this. */
import type { FailureReason } from '../../contract/failures.ts';
import type { FailureKind } from '../../contract/kernel/failure.ts';
import type {
  InspectJob,
  MoveJob,
  InstallableProposal,
  PreviewJob,
  WriteJob,
} from '../editing/edit-worker/operations.ts';
import type {
  CueNumbers,
  ConvertRequest,
  DocumentRequest,
  Examination,
  ExamineRequest,
  FileCheck,
  Naming,
  SubtitleInput,
} from './types.ts';
import type { ChangeRequest } from '../editing/propose.ts';
import type { Format, SubtitleDocument } from '../../cues/index.ts';

export type WorkRequest =
  | { do: 'inspect'; given: InspectJob }
  | { do: 'compare'; given: ChangeRequest }
  | { do: 'propose'; given: ChangeRequest }
  | { do: 'preview'; given: PreviewJob }
  | { do: 'move'; given: MoveJob }
  | { do: 'write'; given: WriteJob }
  | { do: 'convert'; given: ConvertRequest }
  | { do: 'examine'; given: ExamineRequest }
  | { do: 'document'; given: DocumentRequest }
  | { do: 'cues'; given: SubtitleInput }
  | { do: 'check'; given: SubtitleInput }
  | { do: 'format'; given: Naming };

export type WorkReply =
  /** JSON that was validated against the endpoint's result. */
  | { is: 'reply'; json: Uint8Array }
  | { is: 'numbers'; numbers: CueNumbers; isOwn: boolean }
  | { is: 'outcome'; outcome: InstallableProposal }
  | { is: 'text'; bytes: Uint8Array }
  /** Cues as numbers: a hundred thousand objects take the receiver longer than reading a small file. */
  | { is: 'examined'; examined: Omit<Examination, 'cues'>; numbers: CueNumbers }
  | { is: 'document'; document: SubtitleDocument }
  | { is: 'format'; format: Format | undefined }
  | { is: 'checked'; found: FileCheck }
  /** A failure for the caller, and the reason of the failure that caused it. */
  | { is: 'refused'; kind: FailureKind; reason?: FailureReason; message: string; cause?: FailureReason };
