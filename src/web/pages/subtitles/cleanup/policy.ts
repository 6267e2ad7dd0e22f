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

/** Adds or removes a language. */
export const toggled = (languages: readonly string[], code: string, is: boolean): string[] =>
  is ? [...languages.filter((one) => one !== code), code] : languages.filter((one) => one !== code);

/** Returns how many files would be hidden, as a sentence. */
export const planned = ({ count: files }: Pick<CleanupPlan, 'count'>): string =>
  files === 0 ? m.noFileWouldBeHidden : m.wouldBeHidden({ files: m.filesCount({ count: files }) });
/** Returns how many files of the plan its list leaves out; undefined if it has all of them. */
export const unlisted = ({ count: files, files: listed }: Pick<CleanupPlan, 'count' | 'files'>): string | undefined =>
  files > listed.length ? m.andMore({ count: count(files - listed.length) }) : undefined;

/** Groups the files that are left alone by the reason, the largest group first. */
export function byReason(skipped: CleanupPlan['skipped']): { reason: string; paths: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const one of skipped) {
    const reason = skippedText(one);
    groups.set(reason, [...(groups.get(reason) ?? []), one.path]);
  }
  return [...groups].map(([reason, paths]) => ({ reason, paths })).sort((a, b) => b.paths.length - a.paths.length);
}
