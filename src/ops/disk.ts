/**
 * Room on the disks of the server's folders. The data disk is watched before it is full, because a change that the
 * server acknowledged must survive; media and cache only cost features.
 */
import type { OpsFinding } from '../contract/ops/findings.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/** Below this the server says that it is not ready: writes that were acknowledged are at risk. */
const CRITICAL_BYTES = 64 * MIB;
/** Below this people are warned; on a large disk already below a twentieth of it, but not above 10 GiB. */
const LOW_BYTES = GIB;
const LOW_PART = 0.05;
const MAX_LOW_BYTES = 10 * GIB;
/** Time for which an answer about the data disk is reused. */
const FRESH_MS = 5_000;

export type FolderSetting = 'paths.data' | 'paths.cache' | 'paths.media';
export interface Room {
  free: number;
  total: number;
}

/** Consequences of a full folder, in words for people. */
const MEANS: Record<FolderSetting, string> = {
  'paths.data': 'Changes cannot be saved once it is full. Free some space there.',
  'paths.cache': 'While it is full, pictures and subtitles are made again each time.',
  'paths.media': 'Subtitles cannot be written next to the media once it is full.',
};

export const isCritical = ({ free }: Room): boolean => free < CRITICAL_BYTES;
const isLow = ({ free, total }: Room): boolean => free < LOW_BYTES || free < Math.min(MAX_LOW_BYTES, total * LOW_PART);

export function roomFinding(setting: FolderSetting, room: Room): OpsFinding {
  const free =
    room.free < GIB
      ? `${Math.round(room.free / MIB)} MiB are free there`
      : `${Math.round(room.free / GIB)} GiB are free there`;
  const values = { folder: setting, freeBytes: room.free };
  if (!isLow(room)) return { level: 'ok', code: 'folder-has-room', subject: setting, sentence: `${free}.`, values };
  const isUrgent = setting === 'paths.data' && isCritical(room);
  return {
    level: isUrgent ? 'error' : 'warning',
    code: 'folder-full',
    subject: setting,
    sentence: `Only ${free}. ${MEANS[setting]}`,
    values,
    setting,
  };
}

/**
 * Says whether the data disk has room, asking it every few seconds at the most. A disk that does not answer has none.
 */
export function createRoomCheck({ read, now }: { read(): Promise<Room>; now(): number }): () => Promise<boolean> {
  let last: { at: number; answer: Promise<boolean> } | undefined;
  return () => {
    if (!last || now() - last.at >= FRESH_MS)
      last = {
        at: now(),
        answer: read().then(
          (room) => !isCritical(room),
          () => false,
        ),
      };
    return last.answer;
  };
}
