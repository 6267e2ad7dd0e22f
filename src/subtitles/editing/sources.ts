/** What a change begins with: the file or track that is there, a file that somebody brings, a draft, or an edited text. */
import type { Draft } from '../../contract/subtitles/workbench.ts';
import { Failure } from '../../lib/failure.ts';
import type { Drafts, FinishedDraft } from '../drafts/drafts.ts';
import { type Cue, type ReadOptions, type ReadSubtitle, readSubtitle, type SubtitleDocument } from '../engine/index.ts';
import { carry } from './carry.ts';
import type { Embedded } from './embedded.ts';
import type { Standing } from './standing.ts';

export interface SourceNeeds {
  embedded: Embedded;
  drafts: Pick<Drafts, 'finished'>;
}

export interface SourceAsked {
  data?: string | undefined;
  draftId?: string | undefined;
  text?: string | undefined;
  encoding?: string | undefined;
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
  alignment?: Draft['alignment'];
}

export interface Current extends Pick<ReadSubtitle, 'document' | 'encoding' | 'by' | 'confidence' | 'bad'> {
  bytes: Buffer;
}

/** The text that is there now, decoded as asked; undefined when there is none. Fails as `conflict` when it cannot be read. */
export async function currentOf({ embedded }: Pick<SourceNeeds, 'embedded'>, standing: Standing, encoding: string | undefined, signal: AbortSignal): Promise<Current | undefined> {
  const { track, installed, file, root, tag } = standing;
  if (!track) return undefined;
  const { bytes, extension } = installed ? { bytes: installed.bytes, extension: installed.relative.slice(installed.relative.lastIndexOf('.') + 1) } : await embedded.read({ file, root, track }, signal);
  const read = await asConflict(readFor(standing, bytes, { extension, language: tag, ...(encoding !== undefined && { encoding }) }));
  return { ...read, bytes };
}

/** What is wrong with bytes that are there already is no fault of the request. */
async function asConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid') throw new Failure('conflict', `the subtitle that is there cannot be read: ${error.message}`, {}, { cause: error });
    throw error;
  }
}

/** A file that counts frames and does not say how many make a second is read at the video's rate; what it says itself counts more. */
async function readFor({ file }: Standing, bytes: Uint8Array, options: ReadOptions): Promise<ReadSubtitle> {
  const read = await readSubtitle(bytes, options);
  const frameRate = file.info?.streams.find(({ type, cover }) => type === 'video' && !cover)?.frameRate;
  return frameRate !== undefined && read.document.warnings.some(({ code }) => code === 'no-frame-rate') ? readSubtitle(bytes, { ...options, frameRate }) : read;
}

export async function sourceOf(needs: SourceNeeds, standing: Standing, { asked, current }: { asked: SourceAsked; current: Current | undefined }, signal: AbortSignal): Promise<Source> {
  if (asked.data !== undefined) return imported(standing, asked.data, asked.encoding);
  if (asked.draftId !== undefined) return drafted(needs, standing, { draft: asked.draftId, current });
  if (asked.text !== undefined) return edited(asked.text, current);
  if (!current) throw new Failure('conflict', standing.pictures ? 'the subtitle in this language is made of pictures: read it by a draft first' : 'there is no subtitle in this language to change');
  if (asked.encoding === undefined || asked.encoding === 'auto' || asked.encoding === current.encoding) return { kind: 'edit', document: current.document, encoding: current.encoding, isPaired: true, isInPlace: true };
  const again = await currentOf(needs, standing, asked.encoding, signal);
  if (!again) throw new Failure('conflict', 'there is no subtitle in this language to change');
  return { kind: 'edit', document: again.document, encoding: again.encoding, isPaired: false, isInPlace: true };
}

async function imported(standing: Standing, data: string, encoding: string | undefined): Promise<Source> {
  const delivered = Buffer.from(data, 'base64');
  const read = await readFor(standing, delivered, { language: standing.language, ...(encoding !== undefined && { encoding }) });
  return { kind: 'import', document: someCues(read.document), encoding: read.encoding, isPaired: false, isInPlace: false, delivered };
}

async function drafted({ drafts }: SourceNeeds, { subject, language, fingerprint }: Standing, { draft, current }: { draft: string; current: Current | undefined }): Promise<Source> {
  const { document, method, confidence, alignment, of } = await drafts.finished(subject.id, draft, language);
  if (of !== undefined && of !== fingerprint) throw new Failure('conflict', 'the subtitle changed since this draft was made of it');
  const isAligned = method === 'alignment' && current?.document.format === document.format;
  return { kind: isAligned ? 'edit' : 'draft', document: someCues(document), encoding: 'utf-8', isPaired: false, isInPlace: isAligned, method, ...(confidence && { confidence }), ...(alignment && { alignment }) };
}

async function edited(text: string, current: Current | undefined): Promise<Source> {
  const { document } = await readSubtitle(Buffer.from(text), { extension: 'srt', encoding: 'utf-8' });
  const whole = someCues(document);
  return { kind: 'text', document: current ? carry(current.document, whole.cues) : whole, encoding: 'utf-8', isPaired: false, isInPlace: current !== undefined };
}

function someCues(document: SubtitleDocument): SubtitleDocument {
  if (!document.cues.some((cue: Cue) => cue.spans.length > 0)) throw new Failure('invalid', 'the subtitle holds no cues');
  return document;
}
