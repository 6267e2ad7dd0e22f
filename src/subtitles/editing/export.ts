/** Exports the subtitle of an item as a file: converted, or the bytes as they were delivered. */
import { Failure } from '../../lib/failure.ts';
import { mediaType, subtitleFormat } from '../../cues/index.ts';
import { videoTextUnder } from '../history/lineage.ts';
import type { PreservedBytes } from '../history/preserved.ts';
import { tracksIn } from '../inventory/item.ts';
import { sidecarName } from '../install/sidecar-name.ts';
import type { SubtitleReader } from '../worker/types.ts';
import type { EditWorker } from './edit-worker/edit-worker.ts';
import type { EmbeddedTexts } from './embedded.ts';
import { currentBytes } from './sources.ts';
import { dataOf, type CurrentSubtitle } from './current-subtitle.ts';

export interface ExportNeeds {
  current: CurrentSubtitle;
  embedded: EmbeddedTexts;
  editWorker: Pick<EditWorker, 'write'>;
  reader: Pick<SubtitleReader, 'format'>;
  preserved: Pick<PreservedBytes, 'get'>;
}
export interface SubtitleExport {
  type: string;
  bytes: Uint8Array;
  filename: string;
}

/** Throws `Failure('missing')` if the item has no text in this language. */
export async function exportSubtitle(
  { current, embedded, editWorker, reader, preserved }: ExportNeeds,
  format: 'srt' | 'vtt' | 'original',
  signal: AbortSignal,
): Promise<SubtitleExport> {
  const { subject, file, track, tag, role, row, installed, root } = current;
  if (!track)
    throw new Failure('missing', 'there is no subtitle in this language', { reason: 'no-subtitle-in-language' });
  const named = (extension: string): string => {
    const name = sidecarName(file.relative, tag, role, extension);
    return name.slice(name.lastIndexOf('/') + 1);
  };
  if (format !== 'original') {
    const text = await currentBytes({ embedded }, current, signal);
    if (!text)
      throw new Failure('missing', 'there is no subtitle in this language', { reason: 'no-subtitle-in-language' });
    return {
      type: mediaType(format),
      bytes: await editWorker.write({ subtitle: dataOf(current), text, format }, signal),
      filename: named(format),
    };
  }
  const inside = installed && row && row.delivered === null ? videoTextUnder(row, tracksIn(subject, file)) : undefined;
  if (!installed || inside) {
    const { bytes, extension } = await embedded.read({ file, root, track: inside ?? track }, signal);
    return { type: subtitleFormat(extension).mediaType, bytes, filename: named(extension) };
  }
  const retained =
    row?.delivered === undefined || row.delivered === null
      ? undefined
      : await preserved.get(row.delivered).catch(() => undefined);
  const bytes = retained ?? installed.bytes;
  const extension = installed.relative.slice(installed.relative.lastIndexOf('.') + 1);
  const kind = await reader.format({ bytes, extension }, signal).catch((error: unknown) => {
    if (error instanceof Failure && error.kind === 'invalid') return undefined;
    throw error;
  });
  return {
    // The bytes keep their original character set, so none is stated.
    type: kind ? subtitleFormat(kind).mediaType : 'application/octet-stream',
    bytes,
    filename: named(kind ? subtitleFormat(kind).extensions[0] : extension.toLowerCase()),
  };
}
