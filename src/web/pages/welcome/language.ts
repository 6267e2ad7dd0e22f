/** The language that the first run proposes. Pure. */

/** Codes that some browsers still send, and what they became. */
const RENAMED: Readonly<Record<string, string>> = { iw: 'he', in: 'id', no: 'nb' };

/** Returns the writing of Chinese that a tag asks for by its script or its region. */
const chinese = (parts: readonly string[]): string => {
  const isAny = (...some: readonly string[]) => some.some((part) => parts.includes(part));
  // The script decides before the region.
  if (isAny('hans')) return 'zh-hans';
  if (isAny('hant', 'tw', 'hk', 'mo')) return 'zh-hant';
  return isAny('cn', 'sg', 'my') ? 'zh-hans' : 'zh';
};

/**
 * Returns the language to propose to a browser that prefers these: the first that is offered. A region counts where
 * its subtitles are another text and every provider has them: Brazilian Portuguese and the two writings of Chinese.
 * Elsewhere the base language is proposed, which those of the region satisfy: files and providers rarely say
 * Canadian French.
 */
export function proposedLanguage(preferred: readonly string[], offered: readonly string[]): string {
  for (const tag of preferred) {
    const [first = '', ...rest] = tag.toLowerCase().split('-');
    const base = RENAMED[first] ?? first;
    const wish = base === 'zh' ? chinese(rest) : base === 'pt' && rest.includes('br') ? 'pt-br' : base;
    const found = [wish, base].find((one) => offered.includes(one));
    if (found !== undefined) return found;
  }
  return 'en';
}
