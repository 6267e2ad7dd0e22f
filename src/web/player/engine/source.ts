/**
 * Gives the media element its file, and keeps it playing: a lost connection is tried again from the same
 * place with growing pauses and at once when the network is back; a link that has expired is replaced by
 * asking for a new plan; a refusal is shown in the server's own words.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { CallFailed, sentence } from '../../data/client.ts';

export type Fault = { kind: 'lost'; says: string } | { kind: 'refused'; says: string } | { kind: 'undecodable'; says: string };
export interface Source {
  fault: Fault | undefined;
  /** Tries again now. */
  retry: () => void;
}
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;
const UNDECODABLE = 'This browser began to read the file and could not decode it. Another browser or an app may play it.';
const LOST = 'The connection to the server was lost. Playing goes on from the same place when it is back.';

/** Why a file could not be read: asks for one byte of it. Undefined when the server gives it. */
async function refusalOf(url: string): Promise<CallFailed | undefined> {
  let reply: Response;
  try {
    reply = await fetch(url, { headers: { range: 'bytes=0-0' }, credentials: 'same-origin', cache: 'no-store' });
  } catch {
    return new CallFailed(0, 'the server does not answer');
  }
  if (reply.ok) {
    void reply.body?.cancel();
    return undefined;
  }
  const { error } = (await reply.json().catch(() => ({}))) as { error?: string };
  return new CallFailed(reply.status, error ?? reply.statusText);
}
const isPassing = (status: number): boolean => status === 0 || status === 429 || status >= 500;

interface Needs {
  url: string;
  /** Where to begin; read once. */
  start: number;
  again: () => Promise<void>;
}
export function useSource(video: HTMLVideoElement | null, { url, start, again }: Needs): Source {
  const [fault, setFault] = useState<Fault>();
  const [attempt, setAttempt] = useState(0);
  const place = useRef(start);
  const tries = useRef(0);
  // A refusal may mean that the link has expired: one new plan is asked for, and a second refusal is believed.
  const isRenewed = useRef(false);
  const wasPlaying = useRef(true);

  useEffect(() => {
    if (!video) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reload = () =>
      again().then(
        () => !isOver && setAttempt((n) => n + 1),
        (error: unknown) => !isOver && judge(error instanceof CallFailed ? error : new CallFailed(0, ''), true),
      );
    /** What to do about a failure; `isFinal` when a new plan was asked for already. */
    const judge = (failed: CallFailed | undefined, isFinal: boolean) => {
      if (!failed) return setFault({ kind: 'undecodable', says: UNDECODABLE });
      if (isPassing(failed.status)) {
        setFault({ kind: 'lost', says: failed.status === 0 ? LOST : `${sentence(failed)} It is tried again by itself.` });
        timer = setTimeout(() => void reload(), Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries.current++));
        return undefined;
      }
      if (isFinal) return setFault({ kind: 'refused', says: sentence(failed) });
      isRenewed.current = true;
      return void reload();
    };
    const onError = async () => {
      const { error } = video;
      if (!error || isOver) return;
      if (error.code === MediaError.MEDIA_ERR_DECODE) return setFault({ kind: 'undecodable', says: UNDECODABLE });
      const failed = await refusalOf(url);
      // Given now but not before: a short break. Only what never began is undecodable.
      const isBreak = !failed && error.code === MediaError.MEDIA_ERR_NETWORK;
      if (!isOver) judge(isBreak ? new CallFailed(0, '') : failed, isRenewed.current);
    };
    const onMeta = () => {
      if (place.current > 0 && Math.abs(video.currentTime - place.current) > 1) video.currentTime = place.current;
    };
    const onTime = () => {
      if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) place.current = video.currentTime;
    };
    const onPlaying = () => {
      tries.current = 0;
      isRenewed.current = false;
      setFault(undefined);
    };
    const onPaused = () => {
      if (!video.error) wasPlaying.current = false;
    };
    const onPlay = () => {
      wasPlaying.current = true;
    };
    const onOnline = () => {
      if (!video.error) return;
      clearTimeout(timer);
      void reload();
    };
    const heard: readonly [string, () => void][] = [['error', () => void onError()], ['loadedmetadata', onMeta], ['timeupdate', onTime], ['playing', onPlaying], ['pause', onPaused], ['play', onPlay]];
    for (const [name, listener] of heard) video.addEventListener(name, listener);
    addEventListener('online', onOnline);
    video.src = url;
    if (place.current > 0) video.currentTime = place.current;
    // A browser may forbid to begin by itself; the play button is then on show.
    if (wasPlaying.current) video.play().catch(() => undefined);
    return () => {
      isOver = true;
      clearTimeout(timer);
      for (const [name, listener] of heard) video.removeEventListener(name, listener);
      removeEventListener('online', onOnline);
    };
  }, [video, url, attempt]);

  // Leaving the page ends the download at once.
  useEffect(
    () => () => {
      if (!video) return;
      video.pause();
      video.removeAttribute('src');
      video.load();
    },
    [video],
  );
  const retry = () => {
    setFault(undefined);
    tries.current = 0;
    isRenewed.current = false;
    again().then(
      () => setAttempt((n) => n + 1),
      (error: unknown) => setFault({ kind: 'refused', says: sentence(error) }),
    );
  };
  return { fault, retry };
}
