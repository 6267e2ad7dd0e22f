/**
 * What a change begins with: the file or track that is there, a file that somebody brings, a draft, or an edited text.
 */
import type { SubtitleDraft } from '../../contract/subtitles/workbench.ts';
import { Failure } from '../../lib/failure.ts';
import type { Drafts, FinishedDraft } from '../drafts/types.ts';
import {
  type Cue,
  type ReadOptions,
  type ReadSubtitle,
  readSubtitle,
  type SubtitleDocument,
} from '../../cues/index.ts';
import { carry } from './carry.ts';
import type { Embedded } from './embedded.ts';
import type { Spot, Standing } from './standing.ts';

/** What stands there as bytes, a file or a track. */
export interface Text {
  bytes: Uint8Array;
  extension: string;
}

export interface SourceAsked {
  data?: string | undefined;
  draftId?: string | undefined;
  text?: string | undefined;
  encoding?: string | undefined;
}

/** What a change begins with: plain data, which another process can be given. */
export interface Beginning {
  spot: Spot;
  text?: Text | undefined;
  asked: SourceAsked;
  /** The one that was asked for by its id. */
  draft?: FinishedDraft | undefined;
}

export type Kind = 'edit' | 'text' | 'import' | 'draft';

/** Where a change begins. */
export interface Source {
  kind: Kind;
  document: SubtitleDocument;
  encoding: string;
  /** Of the document's own cues with what is there, so that rows pair them. */
  isPaired: boolean;
  /** Written in the format and place of what is there. */
  isInPlace: boolean;
  /** The bytes as they came. */
  delivered?: Uint8Array;
  method?: FinishedDraft['method'];
  confidence?: readonly number[];
  alignment?: SubtitleDraft['alignment'];
}

export type Current = Pick<ReadSubtitle, 'document' | 'encoding' | 'by' | 'confidence' | 'bad'>;

/** The bytes that are there now; undefined when there is no text. Fails as `conflict` when a track cannot be read. */
export async function textOf(
  { embedded }: { embedded: Embedded },
  { track, installed, file, root }: Standing,
  signal: AbortSignal,
): Promise<Text | undefined> {
  if (!track) return undefined;
  return installed
    ? { bytes: installed.bytes, extension: installed.relative.slice(installed.relative.lastIndexOf('.') + 1) }
    : embedded.read({ file, root, track }, signal);
}

/** Those bytes, decoded as asked. Fails as `conflict` when they cannot be read: that is no fault of the request. */
export async function readCurrent(spot: Spot, { bytes, extension }: Text, encoding?: string): Promise<Current> {
  try {
    return await readFor(spot, bytes, { extension, language: spot.tag, ...(encoding !== undefined && { encoding }) });
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid')
      throw new Failure(
        'conflict',
        `the subtitle that is there cannot be read: ${error.message}`,
        { reason: 'installed-unreadable' },
        { cause: error },
      );
    throw error;
  }
}

/**
 * A file that counts frames and does not say how many make a second is read at the video's rate; what it says itself
 * counts more.
 */
async function readFor({ file }: Spot, bytes: Uint8Array, options: ReadOptions): Promise<ReadSubtitle> {
  const read = await readSubtitle(bytes, options);
  const frameRate = file.info?.streams.find(({ type, cover }) => type === 'video' && !cover)?.frameRate;
  return frameRate !== undefined && read.document.warnings.some(({ code }) => code === 'no-frame-rate')
    ? readSubtitle(bytes, { ...options, frameRate })
    : read;
}

/** The draft that is asked for by its id. Fails as `missing` or `conflict` when it is none that can be taken up. */
export async function draftFor(
  drafts: Pick<Drafts, 'finished'>,
  { subject, language, fingerprint }: Standing,
  draft: string | undefined,
): Promise<FinishedDraft | undefined> {
  if (draft === undefined) return undefined;
  const finished = await drafts.finished(subject.id, draft, language);
  if (finished.of !== undefined && finished.of !== fingerprint)
    throw new Failure('conflict', 'the subtitle changed since this draft was made of it', { reason: 'draft-outdated' });
  return finished;
}

/** Pure. `current` is what `text` was read as, where it could be. */
export async function sourceOf({ spot, text, asked, draft }: Beginning, current: Current | undefined): Promise<Source> {
  if (asked.data !== undefined) return imported(spot, asked.data, asked.encoding);
  if (draft) return drafted(draft, current);
  if (asked.text !== undefined) return edited(asked.text, current);
  if (!current || !text)
    throw new Failure(
      'conflict',
      spot.pictures
        ? 'the subtitle in this language is made of pictures: read it by a draft first'
        : 'there is no subtitle in this language to change',
      { reason: 'no-subtitle-to-change' },
    );
  if (asked.encoding === undefined || asked.encoding === 'auto' || asked.encoding === current.encoding)
    return { kind: 'edit', document: current.document, encoding: current.encoding, isPaired: true, isInPlace: true };
  const again = await readCurrent(spot, text, asked.encoding);
  return { kind: 'edit', document: again.document, encoding: again.encoding, isPaired: false, isInPlace: true };
}

async function imported(spot: Spot, data: string, encoding: string | undefined): Promise<Source> {
  const delivered = Buffer.from(data, 'base64');
  const read = await readFor(spot, delivered, { language: spot.language, ...(encoding !== undefined && { encoding }) });
  return {
    kind: 'import',
    document: someCues(read.document),
    encoding: read.encoding,
    isPaired: false,
    isInPlace: false,
    delivered,
  };
}

function drafted({ document, method, confidence, alignment }: FinishedDraft, current: Current | undefined): Source {
  const isAligned = method === 'alignment' && current?.document.format === document.format;
  return {
    kind: isAligned ? 'edit' : 'draft',
    document: someCues(document),
    encoding: 'utf-8',
    isPaired: false,
    isInPlace: isAligned,
    method,
    ...(confidence && { confidence }),
    ...(alignment && { alignment }),
  };
}

async function edited(text: string, current: Current | undefined): Promise<Source> {
  const { document } = await readSubtitle(Buffer.from(text), { extension: 'srt', encoding: 'utf-8' });
  const whole = someCues(document);
  return {
    kind: 'text',
    document: current ? carry(current.document, whole.cues) : whole,
    encoding: 'utf-8',
    isPaired: false,
    isInPlace: current !== undefined,
  };
}

function someCues(document: SubtitleDocument): SubtitleDocument {
  if (!document.cues.some((cue: Cue) => cue.spans.length > 0))
    throw new Failure('invalid', 'the subtitle holds no cues', { reason: 'subtitle-empty' });
  return document;
}
