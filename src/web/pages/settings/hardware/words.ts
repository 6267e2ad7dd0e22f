/** Accelerators and their test results in words. Pure. */
import type { Reply } from '../../../data/query.ts';
import { capital, codec, facts, count } from '../../../lib/format.ts';
import { settingTexts } from '../../../messages/server-settings.ts';
import { trialWordsOf } from '../../../messages/server-trials.ts';
import { settingsWords as m } from '../../../messages/settings.ts';

export type Hardware = Reply<'hardware', 'read'>;
export type AcceleratorInfo = Hardware['accelerators'][number];
export type AcceleratorId = AcceleratorInfo['name'];

const acceleratorNames = (): Readonly<Record<AcceleratorId, string>> => ({
  cuda: 'NVIDIA',
  qsv: 'Intel Quick Sync',
  vaapi: 'VA-API (Intel, AMD)',
  videotoolbox: 'Apple VideoToolbox',
  rkmpp: 'Rockchip',
  amf: 'AMD AMF',
  mf: 'Windows Media Foundation',
  v4l2m2m: m.v4l2BoardsSuchAsThe,
});
export const acceleratorName = (name: AcceleratorId): string => acceleratorNames()[name];

const asSentence = (text: string): string => `${capital(text)}${/[.?]$/.test(text) ? '' : '.'}`;
export const speedOf = (speed: number | undefined): string | undefined =>
  speed === undefined ? undefined : m.realTimeFor1080p({ speed: count(speed) });
const listOf = (codecs: readonly string[]): string => codecs.map(codec).join(', ');

/** NVIDIA cards are counted, everything else is a file. */
const deviceOf = ({ name, device }: AcceleratorInfo): string | undefined =>
  name === 'cuda' && device !== undefined ? m.card({ device }) : device;

/** Returns the lines of text of a row. */
export function acceleratorLines(row: AcceleratorInfo): string[] {
  const { found, encode, decode, toneMap, codecs, decodes } = row;
  const device = deviceOf(row);
  const reason = (!found && settingTexts.absentAccelerator) || trialWordsOf(encode);
  if (!encode.passed) return facts(device, asSentence(reason ?? m.notTestedYet));
  return facts(
    facts(device, speedOf(encode.speed)).join(' · '),
    m.encodes({ listOf: listOf(codecs) }),
    decodes.length > 0
      ? m.decodesTheProcessorDecodesThe({ listOf: listOf(decodes) })
      : decode.reason === undefined
        ? m.decodesNothing
        : m.decodesNothingBecause({ reason: trialWordsOf(decode) ?? decode.reason }),
    toneMap.passed
      ? m.convertsTheColoursOfHdr
      : m.doesNotConvertTheColours({ reason: trialWordsOf(toneMap) ?? m.notTestedYet }),
  );
}

/** The state of a row in a word or two. */
export function stateOf(
  { found, encode }: AcceleratorInfo,
  isUsed: boolean,
): { word: string; tone: 'plain' | 'good' | 'warn' | 'accent' } {
  if (isUsed) return { word: m.inUse, tone: 'accent' };
  if (encode.passed) return { word: m.works, tone: 'good' };
  return found ? { word: m.doesNotWork, tone: 'warn' } : { word: m.notFound, tone: 'plain' };
}

/** How far a test is. Without the number of what is tried, it prepares. */
export const progressOf = ({ progress }: Pick<Hardware, 'progress'>): { label: string; value: number | undefined } =>
  progress
    ? {
        label: m.testingOf({
          accelerator: acceleratorName(progress.name),
          number: progress.number,
          total: progress.of,
        }),
        value: (progress.number - 1) / progress.of,
      }
    : { label: m.preparingTheTest, value: undefined };
