/** Loads the page that is shown outside the viewing hours of a Profile, in place of any other. */
import { barrier } from '../data/send.ts';
import { createLateLayer } from '../kit/layers/late.ts';
import { Pending } from '../kit/states/states.tsx';

const usePage = createLateLayer(() => import('../parts/profiles/not-now.tsx').then((file) => file.NotNow), {
  isAhead: false,
});

export const ClosedHours = () => {
  const NotNow = usePage(true, () => barrier.set('none'));
  return NotNow ? <NotNow /> : <Pending />;
};
