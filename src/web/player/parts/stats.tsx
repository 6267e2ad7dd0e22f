/** Figures over the picture: how it is played, what of, and how well. */
import { useEffect, useState } from 'preact/hooks';
import { useAll } from '../../data/query.ts';
import { useIsOwner } from '../../data/session.ts';
import { channels, codec, decimal, facts } from '../../lib/format.ts';
import type { PlanReply } from '../../parts/playback/plan.ts';
import type { OpenStream } from '../engine/stream/types.ts';
import { rate, wayOf } from '../../parts/playback/words.ts';
import css from './parts.module.css';
import { playerWords as m } from '../../messages/player.ts';
import { repeat } from '../../lib/pending-work.ts';

const EVERY_MS = 1000;
const SERVER_EVERY_MS = 5000;

interface Quality {
  droppedVideoFrames: number;
  totalVideoFrames: number;
}
/** Seconds of film that are here from the current place on. */
function ahead({ buffered, currentTime }: HTMLVideoElement): number {
  for (let at = 0; at < buffered.length; at++)
    if (buffered.start(at) <= currentTime + 0.3 && buffered.end(at) > currentTime)
      return buffered.end(at) - currentTime;
  return 0;
}

/** Returns the encoder that the server converts with, and its speed: only for Owners, who may see it. */
function useConversion({ session, video }: PlanReply): string | undefined {
  const isOwner = useIsOwner();
  const isConverted = video?.action === 'convert';
  const { data } = useAll('playbackSessions', 'list', {}, { enabled: isOwner && isConverted, every: SERVER_EVERY_MS });
  const own = data?.items.find(({ id }) => id === session);
  if (!own || !isConverted) return undefined;
  return facts(
    own.accelerator ?? m.software,
    own.speed !== undefined && m.timesRealTime({ speed: decimal(own.speed, 1) }),
  ).join(' · ');
}

export interface StatsProps {
  video: HTMLVideoElement;
  plan: PlanReply;
  stream: OpenStream | undefined;
}
export const Stats = ({ video, plan, stream }: StatsProps) => {
  const [, tick] = useState(0);
  useEffect(() => repeat(EVERY_MS, () => tick((n) => n + 1)), []);
  const converted = useConversion(plan);
  const given = stream?.facts();
  const frames = (video as { getVideoPlaybackQuality?: () => Quality }).getVideoPlaybackQuality?.();
  const heard = plan.audio.find(({ selected }) => selected) ?? plan.audio[0];
  const rows: [string, string | undefined][] = [
    [m.playback, wayOf(plan)],
    [
      m.video,
      facts(
        plan.video && codec(plan.video.codec),
        video.videoWidth > 0 && `${video.videoWidth} × ${video.videoHeight}`,
        rate(plan.video?.bitrate),
        plan.video?.hdr,
        plan.video?.toneMap && m.toneMappedToSdr,
      ).join(' · '),
    ],
    [
      m.audioLabel,
      heard &&
        facts(codec(heard.codec), channels(heard.channels), heard.action === 'convert' && m.converted).join(' · '),
    ],
    [m.stream, given?.codecs],
    [m.network, rate(given?.bandwidth)],
    [m.buffer, m.secondsAhead({ seconds: decimal(ahead(video), 1) })],
    [m.frames, frames && m.shownDropped({ shown: frames.totalVideoFrames, dropped: frames.droppedVideoFrames })],
    [m.encoder, converted],
  ];
  return (
    <dl className={css.stats} data-stats>
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
};
