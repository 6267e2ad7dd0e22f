/** The subtitle of an item as a file: converted, or the bytes as they came from outside. */
import { Failure } from '../../lib/failure.ts';
import { mediaType, subtitleFormat } from '../../cues/index.ts';
import type { PreservedBytes } from '../history/preserved.ts';
import { sidecarName } from '../install/sidecar-name.ts';
import type { Reader } from '../worker/types.ts';
import type { Desk } from './desk/desk.ts';
import type { Embedded } from './embedded.ts';
import { textOf } from './sources.ts';
import { spotOf, type Standing } from './standing.ts';

export interface ExportNeeds {
  standing: Standing;
  embedded: Embedded;
  desk: Pick<Desk, 'write'>;
  reader: Pick<Reader, 'format'>;
  preserved: Pick<PreservedBytes, 'get'>;
}
export interface Exported {
  type: string;
  bytes: Uint8Array;
  filename: string;
}

/** Fails as `missing` when there is no text in this language. */
export async function exported(
  { standing, embedded, desk, reader, preserved }: ExportNeeds,
  format: 'srt' | 'vtt' | 'original',
  signal: AbortSignal,
): Promise<Exported> {
  const { file, track, tag, role, row, installed, root } = standing;
  if (!track)
    throw new Failure('missing', 'there is no subtitle in this language', { reason: 'no-subtitle-in-language' });
  const named = (extension: string): string => {
    const name = sidecarName(file.relative, tag, role, extension);
    return name.slice(name.lastIndexOf('/') + 1);
  };
  if (format !== 'original') {
    const text = await textOf({ embedded }, standing, signal);
    if (!text)
      throw new Failure('missing', 'there is no subtitle in this language', { reason: 'no-subtitle-in-language' });
    return {
      type: mediaType(format),
      bytes: await desk.write({ spot: spotOf(standing), text, format }, signal),
      filename: named(format),
    };
  }
  if (!installed) {
    const { bytes, extension } = await embedded.read({ file, root, track }, signal);
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
    // The bytes are in the character set they came in, so none is stated.
    type: kind ? subtitleFormat(kind).mediaType : 'application/octet-stream',
    bytes,
    filename: named(kind ? subtitleFormat(kind).extensions[0] : extension.toLowerCase()),
  };
}
