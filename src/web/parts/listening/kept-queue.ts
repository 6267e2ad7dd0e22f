/** Key under which the queue of the audio player is kept on this device, for each Profile. */

export const queueKey = (profile: string): string => `matinee.queue.${profile}`;

/** Whether a Profile left a queue on this device. */
export function hasKeptQueue(profile: string): boolean {
  try {
    return localStorage.getItem(queueKey(profile)) !== null;
  } catch {
    return false;
  }
}
