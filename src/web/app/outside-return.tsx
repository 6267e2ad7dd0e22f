/** Takes up the result of a proof at the identity provider, on whichever page it returns to. */
import { outsideResultIn } from '../lib/outside-result.ts';
import { useMe } from '../data/session.ts';
import { createLateLayer } from '../kit/layers/late.ts';
import { usePath, useQueryParams } from '../lib/navigation/navigate.ts';
import { pageAt } from '../lib/navigation/addresses.ts';

const useReturn = createLateLayer(() => import('./outside-result.tsx').then((file) => file.OutsideResultShown), {
  isAhead: false,
});

/** Rendered once, at the root. The sign-in page shows the results of a sign-in itself. */
export const OutsideReturn = () => {
  const result = outsideResultIn(useQueryParams());
  const isSignIn = pageAt(usePath())?.page === 'signIn';
  const me = useMe();
  const isShown = result !== undefined && !isSignIn && me !== undefined;
  const OutsideResultShown = useReturn(isShown, () => undefined);
  return isShown && OutsideResultShown ? <OutsideResultShown result={result} /> : null;
};
