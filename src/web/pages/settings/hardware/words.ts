/** Accelerators and their test results in words. Pure. */
import type { Reply } from '../../../data/query.ts';
import { capital, codec, facts } from '../../../lib/format.ts';

export type Hardware = Reply<'hardware', 'read'>;
export type Row = Hardware['accelerators'][number];
export type AcceleratorName = Row['name'];

const NAMES: Readonly<Record<AcceleratorName, string>> = {
  cuda: 'NVIDIA',
  qsv: 'Intel Quick Sync',
  vaapi: 'VA-API (Intel and AMD)',
  videotoolbox: 'Apple VideoToolbox',
  rkmpp: 'Rockchip',
  amf: 'AMD AMF',
  mf: 'Windows Media Foundation',
  v4l2m2m: 'Boards with V4L2, such as the Raspberry Pi',
};
export const acceleratorName = (name: AcceleratorName): string => NAMES[name];

const asSentence = (text: string): string => `${capital(text)}${/[.?]$/.test(text) ? '' : '.'}`;
export const speedOf = (speed: number | undefined): string | undefined =>
  speed === undefined ? undefined : `${speed}× real time for 1080p`;
const listOf = (codecs: readonly string[]): string => codecs.map(codec).join(', ');

/** NVIDIA cards are counted, everything else is a file. */
const deviceOf = ({ name, device }: Row): string | undefined =>
  name === 'cuda' && device !== undefined ? `card ${device}` : device;

/** What a row has to say, a line each. */
export function linesOf(row: Row): string[] {
  const { encode, decode, toneMap, codecs, decodes } = row;
  const device = deviceOf(row);
  if (!encode.passed) return facts(device, asSentence(encode.reason ?? 'not tested yet'));
  return facts(
    facts(device, speedOf(encode.speed)).join(' · '),
    `Encodes ${listOf(codecs)}.`,
    decodes.length > 0
      ? `Decodes ${listOf(decodes)}; the processor decodes the rest.`
      : `Decodes nothing, so the processor does${decode.reason === undefined ? '' : `: ${decode.reason}`}.`,
    toneMap.passed
      ? 'Converts the colours of HDR films.'
      : `Does not convert the colours of HDR films: ${toneMap.reason ?? 'unknown'}.`,
  );
}

/** The state of a row in a word or two. */
export function stateOf(
  { found, encode }: Row,
  isUsed: boolean,
): { word: string; tone: 'plain' | 'good' | 'warn' | 'accent' } {
  if (isUsed) return { word: 'In use', tone: 'accent' };
  if (encode.passed) return { word: 'Works', tone: 'good' };
  return found ? { word: 'Does not work', tone: 'warn' } : { word: 'Not found', tone: 'plain' };
}

/** How far a test is. Without the number of what is tried, it prepares. */
export const progressOf = ({ progress }: Pick<Hardware, 'progress'>): { label: string; value: number | undefined } =>
  progress
    ? {
        label: `Testing ${acceleratorName(progress.name)}, ${progress.number} of ${progress.of}`,
        value: (progress.number - 1) / progress.of,
      }
    : { label: 'Preparing the test', value: undefined };
