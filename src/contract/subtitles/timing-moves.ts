/** Moves of lines in time, as values. A module without schemas, because the dashboard loads it. */

/** Maximum number of places in a video at which the shift of its lines may change. */
export const MAX_TIMING_BREAKS = 3;

/** Reference that lines were compared with: speech in the sound, or text inside the video. */
export type TimingReference = 'speech' | 'text';

/** Move of lines: the factor of their times, and the shift of each part in milliseconds, separated by spaces. */
export interface MoveValues {
  reference: TimingReference;
  ratio: number;
  shifts: string;
}

/** Returns the shift of each part in seconds. */
export const shiftsIn = ({ shifts }: Pick<MoveValues, 'shifts'>): number[] =>
  shifts.split(' ').map((milliseconds) => Number(milliseconds) / 1000);
