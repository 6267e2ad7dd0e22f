/** Menus of the audio player: sleep timer, speed, skip sizes and volume levelling. */
import gauge from 'lucide/dist/esm/icons/gauge.mjs';
import moon from 'lucide/dist/esm/icons/moon.mjs';
import sliders from 'lucide/dist/esm/icons/sliders-horizontal.mjs';
import { Menu } from '../../../kit/layers/menu.tsx';
import { decimal, formatDuration } from '../../../lib/format.ts';
import { useStore } from '../../../lib/store.ts';
import { listenWords as m } from '../../../messages/listening.ts';
import { bookPreferences, SKIP_SIZES } from '../engine/book.ts';
import { chooseSkip, chooseSpeed, sleepAfter } from '../engine/controls.ts';
import { secondsToSleep } from '../engine/sleep.ts';
import { listenClock, listening, listenPreferences, preferListening } from '../engine/state.ts';
import { LEVELLING, type Levelling } from '../sound/level.ts';
import css from './listening.module.css';

const SLEEP_MINUTES = [5, 10, 15, 30, 45, 60];
const SPEED_CHOICES = [0.5, 0.75, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.75, 2, 2.5, 3];

/** A speed as people write it: "1×", "1.25×". */
export const speedLabel = (speed: number): string =>
  m.speedNow({ rate: decimal(speed, Number.isInteger(speed) ? 0 : Number.isInteger(speed * 10) ? 1 : 2) });

export const SleepMenu = ({ isBook }: { isBook: boolean }) => {
  const { sleep, speed, plan } = useStore(listening);
  const { time } = useStore(listenClock);
  const left = sleep && secondsToSleep(sleep, { now: Date.now(), time, speed });
  const label =
    sleep === undefined
      ? m.sleepTimer
      : left === undefined
        ? m.sleepAtTrack
        : m.sleepIn({ duration: formatDuration(Math.max(0, left)) });
  return (
    <Menu
      label={label}
      icon={moon}
      isRound
      className={sleep ? (css.on ?? '') : ''}
      items={[
        { label: m.sleepOff, isChosen: sleep === undefined, onChoose: () => sleepAfter(undefined) },
        ...(isBook
          ? plan && plan.chapters.length > 0
            ? [{ label: m.sleepChapter, isChosen: sleep?.at === 'chapter', onChoose: () => sleepAfter('chapter') }]
            : []
          : [{ label: m.sleepTrack, isChosen: sleep?.at === 'track', onChoose: () => sleepAfter('track') }]),
        ...SLEEP_MINUTES.map((minutes) => ({
          label: m.sleepMinutes({ minutes }),
          isChosen: false,
          onChoose: () => sleepAfter(minutes),
        })),
      ]}
    />
  );
};

export const SpeedMenu = () => {
  const { speed } = useStore(listening);
  return (
    <Menu
      label={`${m.speed}: ${speedLabel(speed)}`}
      icon={gauge}
      isRound
      className={speed === 1 ? '' : (css.on ?? '')}
      items={SPEED_CHOICES.map((choice) => ({
        label: speedLabel(choice),
        isChosen: choice === speed,
        onChoose: () => chooseSpeed(choice),
      }))}
    />
  );
};

const SkipMenu = ({ label, value, onValue }: { label: string; value: number; onValue: (seconds: number) => void }) => (
  <Menu
    label={`${label} ${m.seconds({ seconds: value })}`}
    items={SKIP_SIZES.map((seconds) => ({
      label: m.seconds({ seconds }),
      isChosen: seconds === value,
      onChoose: () => onValue(seconds),
    }))}
  />
);
/** How far the skip buttons of a book go. */
export const SkipMenus = () => {
  const { skipBack, skipForward } = useStore(bookPreferences);
  return (
    <div className={css.extras}>
      <SkipMenu label={m.skipBack} value={skipBack} onValue={(seconds) => chooseSkip({ skipBack: seconds })} />
      <SkipMenu label={m.skipForward} value={skipForward} onValue={(seconds) => chooseSkip({ skipForward: seconds })} />
    </div>
  );
};

const levellingNames = (): Readonly<Record<Levelling, string>> => ({
  off: m.levellingOff,
  track: m.levellingTrack,
  album: m.levellingAlbum,
});
export const LevellingMenu = () => {
  const { levelling } = useStore(listenPreferences);
  return (
    <Menu
      label={m.levelling}
      icon={sliders}
      isRound
      items={LEVELLING.map((mode) => ({
        label: levellingNames()[mode],
        isChosen: mode === levelling,
        onChoose: () => preferListening({ levelling: mode }),
      }))}
    />
  );
};
