/** Names a subtitle file next to its video. Pure. */
import { Failure } from '../../lib/failure.ts';
import type { Role } from '../store/tables.ts';

const SUFFIX: Record<Role, string> = { normal: '', forced: '.forced', sdh: '.sdh' };
const LONGEST_NAME = 255;

/** `Film.en.srt`, `Film.pt-br.sdh.srt`: the name under which every player finds a subtitle of that video. */
export function sidecarName(video: string, language: string, role: Role, format = 'srt'): string {
  const dot = video.lastIndexOf('.');
  const at = video.lastIndexOf('/');
  const name = `${dot > at + 1 ? video.slice(0, dot) : video}.${language}${SUFFIX[role]}.${format}`;
  if (Buffer.byteLength(name.slice(at + 1)) > LONGEST_NAME)
    throw new Failure('conflict', 'the name of the video is too long for a subtitle file next to it', {
      reason: 'file-name-too-long',
    });
  return name;
}
