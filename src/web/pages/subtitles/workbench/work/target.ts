/** The name of the file that will be written, from the video's name: `Name.en.forced.srt` beside it. Pure. */
import type { Role } from './settings.ts';

export function targetName(video: string, language: string, role: Role): string {
  const name = video.split('/').pop() ?? video;
  const dot = name.lastIndexOf('.');
  return `${dot > 0 ? name.slice(0, dot) : name}.${language}${role === 'normal' ? '' : `.${role}`}.srt`;
}
