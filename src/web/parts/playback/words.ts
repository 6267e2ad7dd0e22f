/** Describes a playback plan: how it plays, what each quality needs, and what happens to the audio. Pure. */
import { bitrate, capital, channels, codec, facts, languageLabel } from '../../lib/format.ts';
import type { PlanReply } from './plan.ts';
import { reasonText } from '../../messages/server-plan.ts';
import { playerWords as m } from '../../messages/player.ts';

export type QualityChoice = PlanReply['qualities'][number];
type Facts = Pick<PlanReply, 'mode' | 'video' | 'audio'>;

const heard = ({ audio }: Pick<PlanReply, 'audio'>) =>
  audio.find(({ selected }) => selected) ?? audio.find((track) => track.default) ?? audio[0];

/** How it plays on this device, in a few words. */
export function wayOf(plan: Facts): string {
  if (plan.mode === 'direct') return m.directPlay;
  const isVideo = plan.video?.action === 'convert';
  const isAudio = heard(plan)?.action === 'convert';
  if (isVideo && isAudio) return m.pictureAndSoundAreConverted;
  if (isVideo) return m.pictureIsConverted;
  if (isAudio) return m.soundIsConverted;
  return m.playsUnchangedInAnotherContainer;
}

const sentenceOf = (text: string): string => `${capital(text)}${/[.?]$/.test(text) ? '' : '.'}`;
/** Why it is not played as it is, each reason once. */
export const whyOf = ({ reasons }: Pick<PlanReply, 'reasons'>): string[] => [
  ...new Set(reasons.map((reason) => sentenceOf(reasonText(reason)))),
];

/** As `whyOf`, for a plan that was requested as a stream: no container was listed, which is not the reason. */
export const shiftedWhy = ({ reasons }: Pick<PlanReply, 'reasons'>): string[] => [
  m.repackedBecauseAudioCanOnly,
  ...whyOf({ reasons: reasons.filter(({ code }) => code !== 'container-not-supported') }),
];

const speed = (bits: number): string | undefined => (bits > 0 ? bitrate(bits) : undefined);

/** Returns what a quality needs: its bit rate, and the work of the server. */
export function costOf({ id, bitrate: bits }: QualityChoice, { video }: Pick<PlanReply, 'video'>): string {
  const isOriginal = id === 'original';
  const work = isOriginal ? m.theOriginalPicture : video === undefined ? m.convertsTheSound : m.convertsThePicture;
  return facts(speed(bits), work).join(' · ');
}

type Track = PlanReply['audio'][number];
/** Describes an audio track and its conversion. `source` is the stream in the file, if it differs from the sent one. */
export function soundNote(track: Track, source?: { codec: string; channels?: number | undefined }): string {
  const from = source ?? track;
  const plain = facts(codec(from.codec), channels(from.channels)).join(' · ');
  if (track.action === 'copy') return plain;
  const mixedTo =
    from.channels !== undefined && (track.channels ?? Infinity) < from.channels ? channels(track.channels) : undefined;
  const mixed = mixedTo === undefined ? undefined : m.mixedDownToWithClearer({ channels: mixedTo });
  return facts(
    plain,
    source && source.codec !== track.codec ? m.convertedTo({ codec: codec(track.codec) }) : m.converted,
    mixed,
  ).join(' · ');
}

export type PlanSubtitle = PlanReply['subtitles'][number];
const roleNames = (): Readonly<Record<PlanSubtitle['role'], string | undefined>> => ({
  normal: undefined,
  forced: m.forcedRole,
  sdh: m.forTheHardOfHearing,
});

/** Names a track: its language, then the difference from others of that language. */
export function trackName(track: PlanSubtitle, all: readonly PlanSubtitle[]): string {
  const name = [languageLabel(track.language), roleNames()[track.role]].filter(Boolean).join(', ');
  const isAlone = all.filter((other) => other.language === track.language && other.role === track.role).length === 1;
  return isAlone || !track.title || track.title === name ? name : `${name} – ${track.title}`;
}
/** Only text can be moved to the top. */
export const canStandAbove = ({ picture, delivery }: Pick<PlanSubtitle, 'picture' | 'delivery'>): boolean =>
  !picture && delivery !== 'burn';

const roleNotes = (): Readonly<Record<PlanSubtitle['role'], string | undefined>> => ({
  normal: undefined,
  forced: m.foreignDialogueAndSignsOnly,
  sdh: m.withDescriptionsOfSounds,
});
const deliveryNotes = (): Readonly<Record<PlanSubtitle['delivery'], string | undefined>> => ({
  text: undefined,
  picture: m.pictures,
  burn: m.burnedInByTheServer,
});
/** Describes a subtitle apart from its language. */
export const subtitleNote = ({
  role,
  delivery,
  format,
}: Pick<PlanSubtitle, 'role' | 'delivery' | 'format'>): string | undefined =>
  facts(
    roleNotes()[role],
    deliveryNotes()[delivery],
    delivery === 'text' && (format === 'ass' || format === 'ssa') && m.styled,
  ).join(' · ') || undefined;

/** Bits per second, or nothing. */
export const rate = (bits: number | undefined): string | undefined =>
  bits === undefined || bits <= 0 ? undefined : bitrate(bits);
