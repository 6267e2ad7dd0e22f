/** Options of a clean-up, and its plan and result in words. Pure. */
import type { Reply } from '../../../data/query.ts';
import { count } from '../../../lib/format.ts';
import { skippedText } from '../../../messages/server-skipped.ts';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

export type CleanupPlan = Reply<'workbench', 'planCleanup'>;
export interface CleanupPolicy {
  languages: readonly string[];
  forced: 'keep' | 'hide';
}

/** The body of both calls. */
export const asked = ({ languages, forced }: CleanupPolicy) => ({ enabled: true, languages: [...languages], forced });

export const toggled = (languages: readonly string[], code: string, is: boolean): string[] =>
  is ? [...languages.filter((one) => one !== code), code] : languages.filter((one) => one !== code);

/** "3 files would be hidden", and that a list is only its beginning. */
export const planned = ({ count: files }: Pick<CleanupPlan, 'count'>): string =>
  files === 0 ? m.noFileWouldBeHidden : m.wouldBeHidden({ files: m.filesCount({ count: files }) });
export const unlisted = ({ count: files, files: listed }: Pick<CleanupPlan, 'count' | 'files'>): string | undefined =>
  files > listed.length ? m.andMore({ count: count(files - listed.length) }) : undefined;

/** Files that are left alone, by the reason. */
export function byReason(skipped: CleanupPlan['skipped']): { reason: string; paths: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const one of skipped) {
    const reason = skippedText(one);
    groups.set(reason, [...(groups.get(reason) ?? []), one.path]);
  }
  return [...groups].map(([reason, paths]) => ({ reason, paths })).sort((a, b) => b.paths.length - a.paths.length);
}
