/** A clip that plays in a page: its stream, its reports and its sound, with the same parts as a film in the player. */
import { useEffect, useMemo } from 'preact/hooks';
import type { Item } from '../../../contract/catalog/items.ts';
import { useWakeLock } from '../../lib/wake-lock.ts';
import type { ClipStatus } from '../../parts/playback/clip-player.ts';
import { deliveryOf, type Change, type PlanReply } from '../../parts/playback/plan.ts';
import { createPlayer } from '../engine/actions.ts';
import { useMediaSession } from '../engine/device.ts';
import { type MediaState, useMedia } from '../engine/media.ts';
import { playerPreferences } from '../engine/preferences.ts';
import { useReports } from '../engine/reporting/reports.ts';
import { useSoundFocus } from '../engine/sound/focus.ts';
import { useSource } from '../engine/stream/source.ts';
import { createFilm, timelineOf } from '../engine/timeline.ts';
import { startAt } from '../engine/times.ts';

/** Whether clips play without their sound, as chosen on this page; undefined: as films. */
let isMutedHere: boolean | undefined;

/** Begins to play, without sound if the browser plays sound only after a click. */
function beginEvenMuted(video: HTMLVideoElement): void {
  video.play().catch((error: unknown) => {
    if (video.muted || !(error instanceof DOMException) || error.name !== 'NotAllowedError') return;
    video.muted = true;
    video.play().catch(() => undefined);
  });
}

/** The volume of films, and the sound that was chosen for clips. It is not kept: the next film is heard. */
function useClipSound(video: HTMLVideoElement | null): () => void {
  useEffect(() => {
    if (!video) return;
    const { volume, isMuted } = playerPreferences.get();
    video.volume = volume;
    video.muted = isMutedHere ?? isMuted;
  }, [video]);
  return () => {
    if (!video) return;
    isMutedHere = !video.muted && video.volume > 0;
    video.muted = isMutedHere;
    if (video.volume === 0) video.volume = 1;
  };
}

const statusOf = (media: MediaState, isFailed: boolean): ClipStatus => {
  if (isFailed) return 'failed';
  if (!media.isBegun) return 'loading';
  if (media.isEnded) return 'ended';
  return media.isPaused ? 'paused' : 'playing';
};

interface Needs {
  item: Item;
  plan: PlanReply;
  again: (change?: Change) => Promise<void>;
  onNext: (() => void) | undefined;
  onPrevious: (() => void) | undefined;
}

export function useClip(video: HTMLVideoElement | null, { item, plan, again, onNext, onPrevious }: Needs) {
  const isWhole = deliveryOf(plan) === 'hls';
  const film = useMemo(
    () => (video ? createFilm(video, timelineOf({ ...plan, parts: [] }, 0, isWhole), () => undefined) : undefined),
    [video, plan, isWhole],
  );
  const start = useMemo(() => startAt({ asked: null, position: plan.position, duration: plan.duration }), []);
  const media = useMedia(video);
  // Before the source: on leaving, the last report is made while the element still knows its place.
  useReports(film, { id: item.id, session: plan.session, isLast: true });
  useSoundFocus(video);
  const source = useSource(video, { plan, isTried: false, start, offset: 0, again, begin: beginEvenMuted });
  const mute = useClipSound(video);
  const player = useMemo(
    () => createPlayer({ film, chapters: [], say: () => undefined, frameRate: undefined, leave: () => video?.pause() }),
    [film],
  );
  useWakeLock(!media.isPaused);
  useMediaSession(film, item, { ...player, next: onNext, previous: onPrevious });
  return { film, media, source, player, mute, status: statusOf(media, source.fault !== undefined) };
}
