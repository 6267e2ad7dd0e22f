/** When lines come: shifted as a whole, by anchors, by frame rate, or aligned to the speech. One of them at a time. */
import x from 'lucide/dist/esm/icons/x.mjs';
import { useEffect, useState } from 'preact/hooks';
import { Button, IconButton } from '../../kit/forms/button.tsx';
import { Field, Select } from '../../kit/forms/field.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { anchored, MAX_ANCHORS, MAX_SHIFT, shiftedBy, shiftTo, withoutAnchor } from '../model/settings.ts';
import { type TimingAnchor, type TimingChange, RATES, rateLabel } from '../model/timing.ts';
import { shiftText, parseTime, timeText } from '../model/srt.ts';
import { useWorkbench } from '../state/context.ts';
import { AlignPart } from './align-part.tsx';
import css from './tools.module.css';
import { workbenchWords as m } from '../../messages/workbench.ts';

const STEPS = [-500, -100, -50, 50, 100, 500] as const;
const signed = (ms: number): string => `${ms > 0 ? '+' : '−'}${Math.abs(ms)}`;

const Shift = ({ timing, set }: { timing: TimingChange; set: (timing: TimingChange) => void }) => {
  const ms = timing.kind === 'offset' ? timing.ms : 0;
  const [text, setText] = useState(String(ms));
  const [error, setError] = useState<string>();
  useEffect(() => setText(String(ms)), [ms]);
  const take = (value: string) => {
    setText(value);
    const next = Number(value.replace('−', '-').replace('+', ''));
    if (value.trim() === '' || !Number.isInteger(next) || Math.abs(next) > MAX_SHIFT)
      return setError(m.enterWholeMillisecondsAtMost({ maxShift: MAX_SHIFT }));
    setError(undefined);
    return set(shiftTo(next));
  };
  return (
    <>
      <div className={css.steps} role="group" aria-label={m.shiftInMilliseconds}>
        {STEPS.map((step) => (
          <Button
            key={step}
            onClick={() => set(shiftedBy(timing, step))}
            aria-label={step > 0 ? m.laterByMilliseconds({ step }) : m.earlierByMilliseconds({ step: -step })}
          >
            {signed(step)}
          </Button>
        ))}
      </div>
      <Field
        label={m.shiftInMilliseconds}
        hint={
          timing.kind === 'offset'
            ? timing.ms > 0
              ? m.allLinesLaterBy({ shiftText: shiftText(timing.ms) })
              : m.allLinesEarlierBy({ shiftText: shiftText(-timing.ms) })
            : m.laterWhenPositiveEarlierWhen
        }
        inputMode="numeric"
        value={text}
        onValue={take}
        error={error}
      />
    </>
  );
};

const AnchorRow = ({
  anchor,
  set,
  remove,
}: {
  anchor: TimingAnchor;
  set: (next: TimingAnchor) => void;
  remove: () => void;
}) => {
  const [text, setText] = useState(timeText((anchor.at + anchor.offset) / 1000));
  const [error, setError] = useState<string>();
  useEffect(() => setText(timeText((anchor.at + anchor.offset) / 1000)), [anchor.at, anchor.offset]);
  const take = (value: string) => {
    setText(value);
    const time = parseTime(value);
    if (time === undefined) return setError(m.enterATimeSuchAs);
    setError(undefined);
    return set({ at: anchor.at, offset: Math.round(time * 1000) - anchor.at });
  };
  return (
    <li className={css.anchor}>
      <Field
        label={m.theLineOfStartsAt({ timeText: timeText(anchor.at / 1000) })}
        hint={shiftText(anchor.offset)}
        value={text}
        onValue={take}
        error={error}
      />
      <IconButton icon={x} label={m.removeTheAnchorAt({ timeText: timeText(anchor.at / 1000) })} onClick={remove} />
    </li>
  );
};

const Anchors = ({ timing, set }: { timing: TimingChange; set: (timing: TimingChange) => void }) => {
  const { selection, commands, film, focus } = useWorkbench();
  const hasLine = selection.row !== undefined;
  const anchors = timing.kind === 'anchors' ? timing.anchors : [];
  const change = (before: TimingAnchor, next: TimingAnchor) => {
    const without = withoutAnchor(timing, before.at);
    const changed = anchored(without, next);
    if (typeof changed === 'string') toast({ message: changed, isError: true });
    else set(changed);
  };
  return (
    <section aria-labelledby="anchors" className={css.part}>
      <h2 id="anchors">{m.anchorsLabel}</h2>
      <p className="muted small">{m.oneAnchorMovesEverythingTwo}</p>
      {anchors.length > 0 && (
        <ul>
          {anchors.map((anchor) => (
            <AnchorRow
              key={anchor.at}
              anchor={anchor}
              set={(next) => change(anchor, next)}
              remove={() => set(withoutAnchor(timing, anchor.at))}
            />
          ))}
        </ul>
      )}
      <p className={css.act}>
        <Button disabled={!hasLine || anchors.length >= MAX_ANCHORS} onClick={() => commands.anchorAt(film.time.get())}>
          {m.selectedLineStartsNow}
        </Button>
      </p>
      <p className="muted small">{hasLine ? m.playToWhereYouHear : m.selectALineFirstLabel}</p>
      {!hasLine && (
        <p className={css.act}>
          <Button look="quiet" onClick={() => focus.list.current?.()}>
            {m.goToTheLines}
          </Button>
        </p>
      )}
    </section>
  );
};

const rates = RATES.map(({ label }) => ({ value: label, label }));
const valueOf = (label: string): number => RATES.find((rate) => rate.label === label)?.value ?? 25;
const PRESETS = [
  ['25', '23.976'],
  ['23.976', '25'],
  ['25', '24'],
  ['24', '25'],
] as const;

const FrameRate = ({ timing, set }: { timing: TimingChange; set: (timing: TimingChange) => void }) => {
  const from = timing.kind === 'framerate' ? rateLabel(timing.from) : '25';
  const to = timing.kind === 'framerate' ? rateLabel(timing.to) : '25';
  const put = (a: string, b: string) =>
    set(a === b ? { kind: 'none' } : { kind: 'framerate', from: valueOf(a), to: valueOf(b) });
  return (
    <section aria-labelledby="framerate" className={css.part}>
      <h2 id="framerate">{m.frameRate}</h2>
      <div className={css.rates} role="group" aria-label={m.commonFrameRateChanges}>
        {PRESETS.map(([a, b]) => (
          <Button
            key={`${a}${b}`}
            aria-pressed={timing.kind === 'framerate' && from === a && to === b}
            onClick={() => (timing.kind === 'framerate' && from === a && to === b ? set({ kind: 'none' }) : put(a, b))}
          >
            {a} → {b}
          </Button>
        ))}
      </div>
      <div className={css.pair}>
        <Select label={m.madeFor} value={from} choices={rates} onValue={(value) => put(value, to)} />
        <Select label={m.film} value={to} choices={rates} onValue={(value) => put(from, value)} />
      </div>
    </section>
  );
};

export const TimingPanel = () => {
  const { settings, set } = useWorkbench().session.steps;
  const put = (timing: TimingChange) => set((now) => ({ ...now, timing }));
  return (
    <>
      <AlignPart />
      <section aria-labelledby="shift" className={css.part}>
        <h2 id="shift">{m.shiftLabel}</h2>
        <Shift timing={settings.timing} set={put} />
      </section>
      <Anchors timing={settings.timing} set={put} />
      <FrameRate timing={settings.timing} set={put} />
      {settings.timing.kind !== 'none' && (
        <p className={css.act}>
          <Button look="quiet" onClick={() => put({ kind: 'none' })}>
            {m.resetTiming}
          </Button>
        </p>
      )}
    </>
  );
};
