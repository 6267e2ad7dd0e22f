/**
 * The root: reads the session, shows the page of the address in its frame, and redirects to set-up, sign-in or
 * enrolment where the server requires it. A page stays visible until the code of the next one is loaded.
 */
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { Page } from '../../contract/dashboard/pages.ts';
import { CardMenu } from '../parts/catalog/card-menu.tsx';
import { call, CallFailed } from '../data/client.ts';
import { followEvents, isConnected } from '../data/events.ts';
import { isAway, readNetwork } from '../data/place.ts';
import { queries } from '../data/query.ts';
import { barrier } from '../data/send.ts';
import { beginSession, followTabs, useIsOwner, useMe, type CurrentUser } from '../data/session.ts';
import { StepUp } from './step-up.tsx';
import { Confirms } from '../kit/layers/confirm.tsx';
import { Toasts } from '../kit/layers/toast.tsx';
import { ErrorState } from '../kit/states/states.tsx';
import { useStore } from '../lib/store.ts';
import { useSpatialNavigation } from '../lib/spatial-dom.ts';
import { hrefOf, pageAt } from '../lib/navigation/addresses.ts';
import { Announcer } from './announcer.tsx';
import { Listening } from './listening.tsx';
import { OutsideReturn } from './outside-return.tsx';
import { Boundary } from './boundary.tsx';
import { ClosedHours } from './closed-hours.tsx';
import { go, reload, usePath, usePlaces } from '../lib/navigation/navigate.ts';
import { PreloadPage } from '../lib/navigation/preload.ts';
import { shellWords } from '../messages/shell.ts';
import { frameOf, load, preload, ready } from './pages.ts';
import { RETRY_MS, useReturn } from './return.ts';
import { Shell } from './shell.tsx';
import { TimeWatch } from './time-watch.tsx';
import { useShortcuts } from './shortcuts.ts';
import { later } from '../lib/pending-work.ts';

type Start = 'asking' | 'ready' | 'outside' | { error: unknown };

/** Reads the session, and again by itself while the server cannot be reached. */
function useStart(): [Start, () => void] {
  const [start, setStart] = useState<Start>('asking');
  const [attempt, setAttempt] = useState(0);
  const again = () => setAttempt((n) => n + 1);
  const isFailed = typeof start === 'object';
  useEffect(() => {
    if (!isFailed) return;
    const stop = later(RETRY_MS, again, { isBackground: true });
    addEventListener('online', again);
    return () => {
      stop();
      removeEventListener('online', again);
    };
  }, [start]);
  useEffect(() => {
    readNetwork()
      .then(beginSession)
      .then((me) => {
        if (me.mfaEnrollmentRequired) barrier.set('enrol');
        setStart('ready');
      })
      .catch((error: unknown) => {
        if (error instanceof CallFailed && error.status === 401) setStart('outside');
        else setStart({ error });
      });
  }, [attempt]);
  return [start, again];
}

/** Redirects to enrolment, set-up or sign-in while the server requires one of them. */
function useBarrier(start: Start, page: Page | 'missing', path: string): void {
  const required = useStore(barrier);
  useEffect(() => {
    if (start === 'asking' || page === 'welcome') return;
    if (required === 'enrol') go(hrefOf({ page: 'welcome' }), { replace: true });
    if (required !== 'signed-out') return;
    const next = path === '/' || page === 'signIn' ? undefined : path + location.search;
    const toSignIn = () => page !== 'signIn' && go(hrefOf({ page: 'signIn', query: { next } }), { replace: true });
    // The first Owner is made at home.
    if (isAway()) return void toSignIn();
    call.setup
      .state({})
      .then(({ required: isSetup }) => {
        if (isSetup) go(hrefOf({ page: 'welcome' }), { replace: true });
        else toSignIn();
      })
      .catch(toSignIn);
  }, [start, required, page]);
}

/** Leads an Owner from the home page back to the first run while one is unfinished. Returns whether it does. */
function useResume(me: CurrentUser | undefined, page: Page | 'missing'): boolean {
  const isOwner = useIsOwner();
  const isResuming = page === 'home' && isOwner && me?.preferences.welcome !== undefined;
  useEffect(() => {
    if (isResuming) go(hrefOf({ page: 'welcome' }), { replace: true });
  }, [isResuming]);
  return isResuming;
}

/** Returns the component of the address once its code is loaded, and the previous component until then. */
function useShown(page: Page | 'missing', params: Record<string, string>) {
  const [, redraw] = useState(0);
  const [failed, setFailed] = useState<unknown>();
  const kept = useRef<{ page: Page | 'missing'; params: Record<string, string> }>({ page, params });
  const isReady = ready(page) !== undefined;
  useEffect(() => {
    setFailed(undefined);
    // Also if its code has arrived since: the page that was drawn is the one before.
    if (!isReady)
      load(page).then(
        () => redraw((n) => n + 1),
        (error: unknown) => setFailed(error),
      );
  }, [page]);
  if (isReady) kept.current = { page, params };
  return { ...kept.current, Shows: ready(kept.current.page), failed };
}

/** Pages that a Profile may open outside its viewing hours. */
const OPEN_AT_ANY_HOUR: ReadonlySet<Page | 'missing'> = new Set<Page>(['requests', 'account', 'about']);

const Framed = ({ frame, children }: { frame: 'shell' | 'bare' | 'full'; children: ComponentChildren }) =>
  frame === 'shell' ? (
    <Shell>{children}</Shell>
  ) : (
    <main id="content" tabIndex={-1}>
      {children}
      <CardMenu />
    </main>
  );

const Root = () => {
  const path = usePath();
  const found = pageAt(path) ?? { page: 'missing' as const, params: {} };
  const [start, again] = useStart();
  useBarrier(start, found.page, path);
  const me = useMe();
  useEffect(
    () => (me && !me.mfaEnrollmentRequired ? followEvents() : undefined),
    [me?.profile.id, me?.mfaEnrollmentRequired],
  );
  useEffect(followTabs, []);
  useSpatialNavigation();
  const { page, params, Shows, failed } = useShown(found.page, found.params);
  const shown = `${page}/${Object.values(params).join('/')}`;
  usePlaces(shown);
  const isSilent = useReturn(failed !== undefined ? 'failed' : ready(found.page) ? 'loaded' : 'loading');
  const isOnline = useStore(isConnected) && navigator.onLine && !isSilent;
  const frame = frameOf(page);
  const isClosed = useStore(barrier) === 'closed-hours' && !OPEN_AT_ANY_HOUR.has(found.page) && frame !== 'bare';
  const isResuming = useResume(me, found.page);
  useShortcuts(me !== undefined && frame === 'shell');
  // The frame stays, so that it is seen where one is, and another page is one step away.
  const around = frameOf(found.page) === 'bare' ? 'bare' : 'shell';
  if (typeof start === 'object')
    return (
      <Framed frame={around}>
        <ErrorState title={shellWords.serverUnreachable} error={start.error} retry={again} isAlone />
      </Framed>
    );
  if (failed)
    return (
      <Framed frame={around}>
        {isOnline ? (
          <ErrorState
            title={shellWords.pageNotLoaded}
            says={shellWords.pageNotLoadedHelp}
            retry={() => reload()}
            retryLabel={shellWords.reload}
            isAlone
          />
        ) : (
          <ErrorState
            title={shellWords.serverUnreachable}
            says={shellWords.serverSilent}
            retry={() => reload()}
            isAlone
          />
        )}
      </Framed>
    );
  if (isClosed && me)
    return (
      <Framed frame="shell">
        <ClosedHours />
      </Framed>
    );
  // Pages in the shell need a Profile; the barrier redirects when there is none.
  if (!Shows || isResuming || start === 'asking' || (frame !== 'bare' && !me)) return null;
  return (
    <Framed frame={frame}>
      <Boundary of={shown}>
        <Shows key={shown} params={params as never} />
      </Boundary>
    </Framed>
  );
};

export const DashboardApp = () => (
  <QueryClientProvider client={queries}>
    <PreloadPage.Provider value={preload}>
      <Root />
    </PreloadPage.Provider>
    <Listening />
    <TimeWatch />
    <StepUp />
    <OutsideReturn />
    <Confirms />
    <Toasts />
    <Announcer />
  </QueryClientProvider>
);
