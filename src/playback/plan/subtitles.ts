/**
 * Chooses how each subtitle reaches a client. Text is never drawn into the video; pictures are only when they were
 * chosen and the client cannot draw them. Pure.
 */
import type { SubtitleTrack } from '../../contract/catalog/items.ts';
import type { Client, VideoRecipe } from './types.ts';

export type SubtitleDelivery = 'text' | 'picture' | 'burn';

/** Names that tracks and sidecars of VobSub have. */
const VOBSUB: ReadonlySet<string> = new Set(['dvd_subtitle', 'vobsub']);
/** Codecs of streams that ffmpeg draws over the video. */
const DRAWN: ReadonlySet<string> = new Set(['hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle', 'xsub']);

const formatsOf = ({ subtitleFormats }: Client): ReadonlySet<string> => subtitleFormats ?? new Set(['vtt']);

export function subtitleDeliveryOf(
  { picture, format }: Pick<SubtitleTrack, 'picture' | 'format'>,
  client: Client,
): SubtitleDelivery {
  if (!picture) return 'text';
  const formats = formatsOf(client);
  // Every kind of picture can be delivered as PGS.
  return formats.has('pgs') || (VOBSUB.has(format) && formats.has('vobsub')) ? 'picture' : 'burn';
}

/** Returns the format in which a client asks /subtitle for a track. ASS stays as it is where the client draws it. */
export function formOf(
  { picture, format }: Pick<SubtitleTrack, 'picture' | 'format'>,
  client: Client,
): 'vtt' | 'ass' | 'sup' | 'original' {
  const formats = formatsOf(client);
  if (picture) return formats.has('pgs') ? 'sup' : 'original';
  const isStyled = format === 'ass' || format === 'ssa';
  return formats.has('ass') && (isStyled || !formats.has('vtt')) ? 'ass' : 'vtt';
}

/**
 * Returns the source of the pictures that are drawn into the video; undefined where they cannot be drawn. `sidecar` is
 * its path below the library.
 */
export function burnOf(
  { source, format, key }: Pick<SubtitleTrack, 'source' | 'format' | 'key'>,
  sidecar: string | undefined,
): NonNullable<VideoRecipe['burn']> | undefined {
  if (source === 'embedded') return DRAWN.has(format) ? { stream: Number(key.slice(1)) } : undefined;
  // VobSub in separate files is two files, and ffmpeg gets one.
  return format === 'sup' && sidecar !== undefined ? { sidecar } : undefined;
}
