/** The stage of a photo that is on its way: it keeps the focus, so that the keys lead on. */
import { useRef } from 'preact/hooks';
import { Pending } from '../../../kit/states/states.tsx';
import { sideKeys, type StageProps, useStageFocus } from './touch.ts';
import css from './viewer.module.css';

export const LoadingStage = ({ label, ...acts }: { label: string } & Pick<StageProps, 'onNext' | 'onPrevious'>) => {
  const stage = useRef<HTMLDivElement>(null);
  useStageFocus(stage);
  const onKey = (event: KeyboardEvent) => {
    const act = sideKeys(acts)[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div className={css.stage}>
      <div ref={stage} className={css.touch} role="group" aria-label={label} tabIndex={0} autoFocus onKeyDown={onKey}>
        <Pending />
      </div>
    </div>
  );
};
