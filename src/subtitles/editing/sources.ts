/** Reads the source of a change: the current file or track, an uploaded file, a draft, or an edited text. */
import type { SubtitleDraft } from '../../contract/subtitles/views.ts';
import { Failure } from '../../lib/failure.ts';
import type { DraftOrigin, Drafts, FinishedDraft } from '../drafts/types.ts';
import {
  type Cue,
  type ReadOptions,
  type ReadSubtitle,
  readSubtitle,
  type SubtitleDocument,
} from '../../cues/index.ts';
import { mergeEdited } from './merge-edited.ts';
import type { EmbeddedTexts } from './embedded.ts';
import type { CurrentSubtitleData, CurrentSubtitle } from './current-subtitle.ts';

/** The bytes of the current subtitle, from a file or a track. */
export interface SubtitleBytes {
  bytes: Uint8Array;
  extension: string;
}

export interface SourceRequest {
  data?: string | undefined;
  draftId?: string | undefined;
  text?: string | undefined;
  encoding?: string | undefined;
}

/** The input of a change, as plain data that can be sent to another process. */
export interface ChangeInput {
  subtitle: CurrentSubtitleData;
  text?: SubtitleBytes | undefined;
  asked: SourceRequest;
  /** The draft that the request names. */
  draft?: FinishedDraft | undefined;
}

export type SourceKind = 'edit' | 'text' | 'import' | 'draft';

/** The text that a change starts from. */
export interface ChangeSource {
  kind: SourceKind;
  document: SubtitleDocument;
  encoding: string;
  /** Number of characters that could not be read. */
  bad: number;
  /** Whether the cues correspond to those of the current subtitle, so that comparison rows can pair them. */
  isPaired: boolean;
  /** Whether the result replaces the current subtitle under its name and format. */
  isInPlace: boolean;
  /** The bytes as they were uploaded. */
  delivered?: Uint8Array;
  method?: FinishedDraft['method'];
  confidence?: readonly number[];
  alignment?: SubtitleDraft['alignment'];
  /** The provider's subtitle that the draft is. */
  from?: DraftOrigin;
}

export type ParsedSubtitle = Pick<ReadSubtitle, 'document' | 'encoding' | 'by' | 'confidence' | 'bad'>;

/**
 * Returns the bytes of the current subtitle; undefined if there is no text. Throws `Failure('conflict')` if a track
 * cannot be read.
 */
export async function currentBytes(
  { embedded }: { embedded: EmbeddedTexts },
  { track, installed, file, root }: CurrentSubtitle,
  signal: AbortSignal,
): Promise<SubtitleBytes | undefined> {
  if (!track) return undefined;
  return installed
    ? { bytes: installed.bytes, extension: installed.relative.slice(installed.relative.lastIndexOf('.') + 1) }
    : embedded.read({ file, root, track }, signal);
}

/**
 * Decodes and parses the current subtitle. Throws `Failure('conflict')` if it cannot be read, because the request is
 * not at fault.
 */
export async function parseCurrent(
  subtitle: CurrentSubtitleData,
  { bytes, extension }: SubtitleBytes,
  encoding?: string,
): Promise<ParsedSubtitle> {
  try {
    return await readFor(subtitle, bytes, {
      extension,
      language: subtitle.tag,
      ...(encoding !== undefined && { encoding }),
    });
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid')
      throw new Failure(
        'conflict',
        `the current subtitle cannot be read: ${error.message}`,
        { reason: 'installed-unreadable' },
        { cause: error },
      );
    throw error;
  }
}

/** Reads a subtitle. A file whose times are frame numbers without a frame rate is read at the video's frame rate. */
async function readFor({ file }: CurrentSubtitleData, bytes: Uint8Array, options: ReadOptions): Promise<ReadSubtitle> {
  const read = await readSubtitle(bytes, options);
  const frameRate = file.info?.streams.find(({ type, cover }) => type === 'video' && !cover)?.frameRate;
  return frameRate !== undefined && read.document.warnings.some(({ code }) => code === 'no-frame-rate')
    ? readSubtitle(bytes, { ...options, frameRate })
    : read;
}

/**
 * Returns the draft that a request names. Throws `Failure('missing')` or `Failure('conflict')` if it cannot be used.
 */
export async function draftFor(
  drafts: Pick<Drafts, 'finished'>,
  { subject, language, fingerprint }: CurrentSubtitle,
  draft: string | undefined,
): Promise<FinishedDraft | undefined> {
  if (draft === undefined) return undefined;
  const finished = await drafts.finished(subject.id, draft, language);
  if (finished.of !== undefined && finished.of !== fingerprint)
    throw new Failure('conflict', 'the subtitle changed since this draft was made of it', { reason: 'draft-outdated' });
  return finished;
}

/** Returns the source of a change. `current` is the parsed `text`, if it could be read. Pure. */
export async function changeSource(
  { subtitle, text, asked, draft }: ChangeInput,
  current: ParsedSubtitle | undefined,
): Promise<ChangeSource> {
  if (asked.data !== undefined) return importedSource(subtitle, asked.data, asked.encoding);
  if (draft) return draftSource(draft, current);
  if (asked.text !== undefined) return editedSource(asked.text, current);
  if (!current || !text)
    throw new Failure(
      'conflict',
      subtitle.pictures
        ? 'the subtitle in this language is made of pictures: create a draft from it first'
        : 'there is no subtitle in this language to change',
      { reason: 'no-subtitle-to-change' },
    );
  if (asked.encoding === undefined || asked.encoding === 'auto' || asked.encoding === current.encoding)
    return {
      kind: 'edit',
      document: current.document,
      encoding: current.encoding,
      bad: current.bad,
      isPaired: true,
      isInPlace: true,
    };
  const again = await parseCurrent(subtitle, text, asked.encoding);
  return {
    kind: 'edit',
    document: again.document,
    encoding: again.encoding,
    bad: again.bad,
    isPaired: false,
    isInPlace: true,
  };
}

async function importedSource(
  subtitle: CurrentSubtitleData,
  data: string,
  encoding: string | undefined,
): Promise<ChangeSource> {
  const delivered = Buffer.from(data, 'base64');
  const read = await readFor(subtitle, delivered, {
    language: subtitle.language,
    ...(encoding !== undefined && { encoding }),
  });
  return {
    kind: 'import',
    document: requireCues(read.document),
    encoding: read.encoding,
    bad: read.bad,
    isPaired: false,
    isInPlace: false,
    delivered,
  };
}

function draftSource(
  { document, method, confidence, alignment, from }: FinishedDraft,
  current: ParsedSubtitle | undefined,
): ChangeSource {
  const isAligned = method === 'alignment' && current?.document.format === document.format;
  return {
    kind: isAligned ? 'edit' : 'draft',
    document: requireCues(document),
    encoding: 'utf-8',
    bad: 0,
    isPaired: false,
    isInPlace: isAligned,
    method,
    ...(confidence && { confidence }),
    ...(alignment && { alignment }),
    ...(from && { from }),
  };
}

async function editedSource(text: string, current: ParsedSubtitle | undefined): Promise<ChangeSource> {
  const { document } = await readSubtitle(Buffer.from(text), { extension: 'srt', encoding: 'utf-8' });
  const whole = requireCues(document);
  return {
    kind: 'text',
    document: current ? mergeEdited(current.document, whole.cues) : whole,
    encoding: 'utf-8',
    bad: 0,
    isPaired: false,
    isInPlace: current !== undefined,
  };
}

function requireCues(document: SubtitleDocument): SubtitleDocument {
  if (!document.cues.some((cue: Cue) => cue.spans.length > 0))
    throw new Failure('invalid', 'the subtitle has no cues', { reason: 'subtitle-empty' });
  return document;
}
