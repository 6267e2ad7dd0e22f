/** Names a subtitle file next to its video. Pure. */
import { Failure } from '../../lib/failure.ts';
import { languageSuffix } from '../../lib/languages.ts';
import type { SubtitleRole } from '../store/tables.ts';

const SUFFIX: Record<SubtitleRole, string> = { normal: '', forced: '.forced', sdh: '.sdh' };
const MAX_NAME_BYTES = 255;

/**
 * Returns the name of a subtitle file next to its video, such as `Film.en.srt` or `Film.pt-br.sdh.srt`. Every player
 * finds it by this name.
 */
export function sidecarName(video: string, language: string, role: SubtitleRole, format = 'srt'): string {
  const dot = video.lastIndexOf('.');
  const at = video.lastIndexOf('/');
  const name = `${dot > at + 1 ? video.slice(0, dot) : video}.${languageSuffix(language)}${SUFFIX[role]}.${format}`;
  if (Buffer.byteLength(name.slice(at + 1)) > MAX_NAME_BYTES)
    throw new Failure('conflict', 'the name of the video is too long for a subtitle file next to it', {
      reason: 'file-name-too-long',
    });
  return name;
}
