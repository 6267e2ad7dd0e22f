/**
 * Test files that share a process. A file is in no bunch when it kills servers, measures memory or time of its process,
 * counts open files or children, has hooks before or after each test, or runs so long that a separate lane is better.
 */

/** Each becomes one process. A file belongs to the first that matches. */
export const BUNCHES: readonly RegExp[] = [
  /^src\/identity\/(?!passwords\/|identity\.test)/,
  /^src\/config\/(?!crash|planted)/,
  /^src\/catalog\/(core|kinds|naming|store)\/(?!.*crash|.*file-cache)/,
  /^src\/subtitles\/(batches|choosing|inventory|providers|store)\//,
  /^src\/subtitles\/(cleanup|fetching|install)\/(?!crash)/,
  /^src\/subtitles\/editing\/(?!crash|large|desk)/,
  /^src\/playback\/(plan|hls|session|subtitle|cmaf)\//,
  /^src\/http\//,
  /^src\/lib\/(?!process|files|ffmpeg|db\/upkeep)/,
  /^src\/cues\/(?!align|fuzz|hostile|pictures\/(against|fuzz))/,
  // Components are drawn into a document, which nothing else has.
  /^src\/web\/.*\.tsx$/,
  /^src\/web\//,
  /^src\/subtitles\/(drafts\/(?!drafts)|[^/]+$)/,
  /^src\/playback\/(trickplay\/|markers\/(?!analysis\/)|media-index\/(?!fuzz)|[^/]+$)/,
  /^src\/playback\/transcode\//,
  /^src\/(lists|requests|metadata|dialogue|web-files)\//,
  /^src\/(scim\/|activity\/attempts|audit\.|ops\/(?!restart)|remote\/(?!certificates\/))/,
  /^src\/(subtitles\/audit|activity|supporter|remote\/certificates)\//,
  /^src\/playback\/(remux\/(?!truth|walked)|markers\/analysis\/(?!analysis\.))/,
  // Those that make the same corpus of media do so once.
  /^src\/(catalog\/probe|contract)\//,
  /^test\/subtitles\/(?!hostile)/,
  /^test\/(cursors|docs|domains|endpoints|events|forgotten-profiles|library-list|settings-read|host-secrets)\./,
  /^test\/(audiobooks|books|music|markers|dialogue|settings-edited|swapped|finding-codes|provider-names)\./,
  /^test\/(api-document|full-disks|hidden-items|moved-items|requests|supporter)\./,
  /^test\/(german|linter|prose|words\/words|conformance\/(choosing|stand-ins))\./,
];

/**
 * Files that run for half a minute or longer, some of it waiting. They begin first: at the end of a run they would have
 * one lane each, and the others nothing to do.
 */
const LONG: readonly RegExp[] = [
  /^tools\/tests\/run\./,
  /^test\/faults\/crash-\w+\./,
  /^src\/(catalog\/core\/scan|subtitles\/(editing|install))\/crash\./,
  /^src\/(cues\/align\/align|playback\/markers\/analysis\/analysis)\./,
];

/** Flows that play films, music or sound. Nothing else runs while one of them does. */
export const isPlaying = (file: string): boolean => /^test\/flows\/(hardware|listening|player)[\w-]*\.test/.test(file);

/** Divides test files into those that share a process and those that have one to themselves. */
export function inBunches(files: readonly string[]): readonly (readonly string[])[] {
  const bunches = BUNCHES.map((): string[] => []);
  const alone: string[][] = [];
  for (const file of files) {
    const bunch = bunches[BUNCHES.findIndex((pattern) => pattern.test(file))];
    if (bunch) bunch.push(file);
    else alone.push([file]);
  }
  const isLong = ([file = '']: readonly string[]): boolean => LONG.some((pattern) => pattern.test(file));
  return [
    ...alone.filter(isLong),
    ...bunches.filter(({ length }) => length > 0),
    ...alone.filter((one) => !isLong(one)),
  ];
}
