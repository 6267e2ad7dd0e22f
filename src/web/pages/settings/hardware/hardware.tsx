/**
 * Video conversion: what the server converts with and why, every accelerator as it was tested, testing again, and the
 * settings.
 */
import { useEffect, useState } from 'preact/hooks';
import cpu from 'lucide/dist/esm/icons/cpu.mjs';
import refresh from 'lucide/dist/esm/icons/refresh-cw.mjs';
import { call, CallFailed, sentence } from '../../../data/client.ts';
import { readAgain, useAsk } from '../../../data/query.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { Badge, EmptyState, ErrorState, Notice, Pending, ProgressBar } from '../../../kit/states/states.tsx';
import { ago, facts } from '../../../lib/format.ts';
import { SettingEditor as Setting } from '../configuration/row.tsx';
import { translatedSetting } from '../../../parts/settings/translated.ts';
import {
  type AcceleratorId,
  acceleratorName,
  type Hardware,
  acceleratorLines,
  progressOf,
  type AcceleratorInfo,
  speedOf,
  stateOf,
} from './words.ts';
import css from '../settings.module.css';
import { settingTexts } from '../../../messages/server-settings.ts';
import { trialWordsOf } from '../../../messages/server-trials.ts';
import { settingsWords as m } from '../../../messages/settings.ts';
import { rich } from '../../../messages/rich.ts';

/** While a test runs, and otherwise: a device may fail on a film, and is then tested again by itself. */
const TESTING_EVERY_MS = 1000;
const EVERY_MS = 30_000;

interface Result {
  tone: 'good' | 'warn' | 'danger';
  says: string;
}
/** Returns the converter of video, with the reason. */
const converterNow = ({ effective, why }: Hardware): string =>
  settingTexts.converter?.(effective === 'none' ? undefined : acceleratorName(effective)) ?? why;

/**
 * Starts tests, and has the outcome of the last one. A test that is not passed is an outcome; anything else is a
 * failure.
 */
function useTest() {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<Result>();
  const start = async (accelerator?: AcceleratorId) => {
    setBusy(true);
    setResult(undefined);
    const running = call.hardware.test(accelerator === undefined ? {} : { accelerator });
    readAgain('hardware');
    try {
      const now = await running;
      setResult({
        tone: 'good',
        says:
          (accelerator === undefined
            ? m.theTestPassed
            : m.passedItsTest({ acceleratorName: acceleratorName(accelerator) })) + `. ${converterNow(now)}`,
      });
    } catch (error) {
      const isOutcome = error instanceof CallFailed && error.reason === 'test-failed';
      setResult({
        tone: isOutcome ? 'warn' : 'danger',
        says: isOutcome ? m.theReasonsAreBelow({ sentence: sentence(error) }) : sentence(error),
      });
    }
    setBusy(false);
    readAgain('hardware');
    readAgain('diagnostics');
  };
  return { isBusy, result, start };
}

const Accelerator = ({
  row,
  isUsed,
  onTest,
}: {
  row: AcceleratorInfo;
  isUsed: boolean;
  onTest?: (() => void) | undefined;
}) => {
  const { word, tone } = stateOf(row, isUsed);
  return (
    <li className={css.row}>
      <div className={css.facts}>
        <p className={css.tags}>
          <strong>{acceleratorName(row.name)}</strong> <Badge tone={tone}>{word}</Badge>
        </p>
        {acceleratorLines(row).map((line) => (
          <p key={line} className="small">
            {line}
          </p>
        ))}
        {row.lastFailure && (
          <p className="small">
            {m.failedOnAFilmThe({
              when: ago(row.lastFailure.at),
              reason: trialWordsOf(row.lastFailure) ?? row.lastFailure.reason,
            })}
          </p>
        )}
      </div>
      {onTest && (
        <Button
          look="quiet"
          onClick={onTest}
          aria-label={
            row.device === undefined
              ? m.testOne({ accelerator: acceleratorName(row.name) })
              : m.testOneOn({ accelerator: acceleratorName(row.name), device: row.device })
          }
        >
          {m.test}
        </Button>
      )}
    </li>
  );
};

const NoneFound = () => (
  <EmptyState icon={cpu} title={m.noAcceleratorWasFound}>
    <p>{m.filmsAreConvertedOnThe}</p>
    <ul className={css.steps}>
      <li>{rich(m.inAContainerPassThe, { code: <code>--device /dev/dri</code>, code2: <code>--gpus all</code> })}</li>
      <li>{rich(m.otherwiseAddTheUserOf, { code: <code>render</code>, code2: <code>video</code> })}</li>
      <li>{m.thenTestAgainHere}</li>
    </ul>
  </EmptyState>
);

/** Shows which encoder converts now, why, and what the processor can do. */
const Now = ({ data }: { data: Hardware }) => (
  <>
    <p>{converterNow(data)}</p>
    <p className="muted small">
      {facts(
        m.inSoftwareAt({ speed: speedOf(data.software.speed) ?? '', preset: data.software.preset }),
        data.testedAt === undefined ? m.notTestedYet : m.tested({ when: ago(data.testedAt) }),
      ).join(' · ')}
    </p>
  </>
);

const Settings = () => {
  const { data, error, refetch } = useAsk('configuration', 'list', {});
  const rows = data?.settings.filter(({ key }) => key.startsWith('transcoding.')).map(translatedSetting) ?? [];
  return (
    <section aria-labelledby="conversion-settings">
      <div className={css.section}>
        <h2 id="conversion-settings">{m.videoConversionSettings}</h2>
      </div>
      {!data && error ? (
        <ErrorState title={m.theSettingsCouldNotBe} error={error} retry={() => void refetch()} />
      ) : (
        rows.map((row) => <Setting key={row.key} row={row} secrets={[]} />)
      )}
    </section>
  );
};

const keyOf = ({ name, device }: AcceleratorInfo): string => `${name} ${device ?? ''}`;

export const VideoConversion = () => {
  const [every, setEvery] = useState(EVERY_MS);
  const { data, error, refetch } = useAsk('hardware', 'read', {}, { every });
  const { isBusy, result, start } = useTest();
  const isTesting = isBusy || data?.state === 'testing';
  useEffect(() => setEvery(isTesting ? TESTING_EVERY_MS : EVERY_MS), [isTesting]);
  if (!data)
    return error ? (
      <ErrorState title={m.theHardwareCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const [found, others] = [data.accelerators.filter((row) => row.found), data.accelerators.filter((row) => !row.found)];
  const used = data.accelerators.find(({ name, encode }) => name === data.effective && encode.passed);
  const { label, value } = progressOf(data);
  return (
    <>
      <section className={css.card} aria-label={m.activeVideoConverter}>
        <div className={css.bar}>
          <div className={css.lead}>
            <Now data={data} />
          </div>
          <Button icon={refresh} isBusy={isTesting} onClick={() => void start()}>
            {m.testAgain}
          </Button>
        </div>
        {isTesting && <ProgressBar value={value} label={label} />}
        <p className="small" role="status">
          {isTesting ? label : ''}
        </p>
        {result && !isTesting && (
          <div role="status">
            <Notice tone={result.tone}>{result.says}</Notice>
          </div>
        )}
      </section>
      {found.length === 0 && data.state !== 'testing' ? (
        <NoneFound />
      ) : (
        <ul className={css.rows} aria-label={m.acceleratorsOfThisMachine}>
          {found.map((row) => (
            <Accelerator
              key={keyOf(row)}
              row={row}
              isUsed={row === used}
              onTest={isTesting ? undefined : () => void start(row.name)}
            />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <details className={css.more}>
          <summary>{m.notOnThisMachine({ count: others.length })}</summary>
          <ul className={css.rows} aria-label={m.acceleratorsThatWereNotFound}>
            {others.map((row) => (
              <Accelerator key={keyOf(row)} row={row} isUsed={false} />
            ))}
          </ul>
        </details>
      )}
      <Settings />
    </>
  );
};
