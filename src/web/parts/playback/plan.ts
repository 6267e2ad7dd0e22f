/**
 * Asks the server how this browser can play an item. Every playback has a new plan: it contains a session and links
 * that expire.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { address, call, routes } from '../../data/client.ts';
import type { Reply } from '../../data/query.ts';
import { capabilities, without, type Exclusion } from './capabilities.ts';
import { canPlayHls } from './stream-support.ts';

export type PlanReply = Reply<'playback', 'plan'>;
export interface PlayedVersion {
  id: string;
  version?: string | undefined;
  part?: number | undefined;
}
/** Choices made during playback. The server may need another stream for them. */
export interface Choices {
  quality?: string | undefined;
  /** Index of the audio stream. */
  audio?: number | undefined;
  /** Key of the subtitle, named only where the server draws it into the picture. */
  subtitle?: string | undefined;
  /**
   * Whether it is to come as a stream also where the file plays as it is: only the audio of a stream can be moved
   * earlier.
   */
  isStream?: boolean | undefined;
}
export interface Change extends Choices {
  /** Format that failed in this browser although it reported support. */
  avoid?: Exclusion;
  /** Position in seconds. */
  at?: number;
}
interface Asked extends PlayedVersion, Choices {
  session?: string | undefined;
  start?: number | undefined;
  avoid?: readonly Exclusion[];
}

const present = <T extends object>(of: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as never;

export async function askPlan({ avoid = [], isStream = false, ...asked }: Asked): Promise<PlanReply> {
  const can = avoid.reduce(without, await capabilities());
  return call.playback.plan({ ...present(asked), ...can, ...(isStream && { containers: '' }) });
}

/** Returns how a plan is played here; undefined if it has nothing that this browser can play. */
export function deliveryOf({ mode, urls }: Pick<PlanReply, 'mode' | 'urls'>): 'direct' | 'hls' | undefined {
  if (mode === 'direct' && urls.media !== undefined) return 'direct';
  return urls.hls !== undefined && canPlayHls() ? 'hls' : undefined;
}

/** Ends a playback session, also while the page is being left: the server stops converting for it at once. */
export function endSession(session: string): void {
  const { method } = routes.playbackSessions.stop;
  fetch(address(routes.playbackSessions.stop, { id: session }), {
    method,
    keepalive: true,
    credentials: 'same-origin',
  }).catch(() => undefined);
}

export interface PlanState {
  plan: PlanReply | undefined;
  error: unknown;
  /** Choices made since playback started. */
  choices: Choices;
  /** Asks again, with what is to change; the plan is replaced when the answer is here. Rejects when there is none. */
  again: (change?: Change) => Promise<void>;
  /** Ends the session now, and not when the page is left. */
  end: () => void;
}

/** Asks for a plan, and ends its session when the page is left, whether anything has played by then or not. */
export function usePlan({ id, version, part }: PlayedVersion): PlanState {
  const [plan, setPlan] = useState<PlanReply>();
  const [error, setError] = useState<unknown>();
  const [choices, setChoices] = useState<Choices>({});
  const now = useRef({
    choices,
    avoid: [] as Exclusion[],
    session: undefined as string | undefined,
    version: undefined as string | undefined,
    asked: 0,
  });
  const again = useCallback(
    async ({ avoid, at, ...changed }: Change = {}) => {
      const { current } = now;
      if (avoid) current.avoid = [...current.avoid, avoid];
      const wanted: Choices = { ...current.choices, ...changed };
      const number = ++current.asked;
      const { session } = current;
      // The version that plays stays the same.
      const same = version ?? (wanted.isStream ? current.version : undefined);
      const next = await askPlan({
        id,
        version: same,
        part,
        ...wanted,
        session,
        avoid: current.avoid,
        start: at === undefined ? undefined : Math.max(0, Math.floor(at)),
      });
      // Two choices in a row: the later one counts.
      if (number !== current.asked) {
        if (next.session !== current.session && next.session !== session) endSession(next.session);
        return;
      }
      current.choices = wanted;
      current.session = next.session;
      current.version = next.version?.id;
      setChoices(wanted);
      setError(undefined);
      setPlan(next);
    },
    [id, version, part],
  );
  const end = useCallback(() => {
    const { session } = now.current;
    now.current.session = undefined;
    if (session !== undefined) endSession(session);
  }, []);
  useEffect(() => {
    // A page that may come back from the browser's memory continues its session.
    const onHide = (event: PageTransitionEvent) => !event.persisted && end();
    addEventListener('pagehide', onHide);
    return () => removeEventListener('pagehide', onHide);
  }, []);
  useEffect(() => {
    const number = ++now.current.asked;
    const isGone = () => number !== now.current.asked;
    setPlan(undefined);
    setError(undefined);
    setChoices({});
    now.current.choices = {};
    askPlan({ id, version, part }).then(
      (next) => {
        if (isGone()) return endSession(next.session);
        now.current.session = next.session;
        now.current.version = next.version?.id;
        setPlan(next);
      },
      (failed: unknown) => !isGone() && setError(failed),
    );
    return () => {
      now.current.asked++;
      // After the last report, which the parts of the page send when they go.
      queueMicrotask(end);
    };
  }, [id, version, part]);
  return { plan, error, choices, again, end };
}
