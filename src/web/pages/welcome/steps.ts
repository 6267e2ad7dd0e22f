/** The steps of the first run: which come, how they are counted, and where to go on. */
import type { Preferences } from '../../../contract/identity/accounts.ts';
import { call } from '../../data/client.ts';
import { queries } from '../../data/query.ts';
import type { CurrentUser } from '../../data/session.ts';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { runWithToast } from '../../kit/layers/run.ts';
import { accountWords as m } from '../../messages/account.ts';
import { type CountedStep, stepNumber } from './counting.ts';

type Later = NonNullable<Preferences['welcome']>;

export const stepWords = (step: CountedStep): string => m.stepOf(stepNumber(step));

/** Has the server keep the step at which this or another browser resumes; undefined ends the first run. */
export async function keepStep(step: Later | undefined): Promise<void> {
  await call.me.preferences({ welcome: step ?? null });
  const key = ['me', 'read', {}];
  const before = queries.getQueryData<CurrentUser>(key);
  if (!before) return;
  const { welcome: _old, ...preferences } = before.preferences;
  // At once: the home page leads back here while a step is kept.
  queries.setQueryData(key, { ...before, preferences: { ...preferences, ...(step && { welcome: step }) } });
}

/** Goes to a step, or home after the last one. */
export async function goOn(step: Later | undefined): Promise<void> {
  if (await runWithToast(() => keepStep(step)))
    go(step === undefined ? '/' : hrefOf({ page: 'welcome', query: { step } }));
}
