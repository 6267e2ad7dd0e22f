/** Name of this device in the list of sessions, from the browser's description of itself: "Firefox on Linux". */
import { shellWords as m } from '../messages/shell.ts';

const BROWSERS: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPad/, 'iPad'],
  [/iPhone/, 'iPhone'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];
const TELEVISION = /Tizen|Web0S|webOS|BRAVIA|SmartTV|SMART-TV|HbbTV|CrKey|\bTV\b/;
const first = (agent: string, of: readonly [RegExp, string][]): string | undefined =>
  of.find(([sign]) => sign.test(agent))?.[1];

export function deviceName(agent: string): string {
  const browser = first(agent, BROWSERS) ?? m.aBrowser;
  const system = TELEVISION.test(agent) ? m.television : first(agent, SYSTEMS);
  return system === undefined ? browser : m.browserOn({ browser, system });
}
