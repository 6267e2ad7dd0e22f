/** The number of each step of the first run. Pure. */
const NUMBERS = { owner: 1, factor: 1, libraries: 2, subtitles: 3, scan: 4 } as const;
export type CountedStep = keyof typeof NUMBERS;

/**
 * Returns the number of a step and how many there are. The second factor belongs to the account of the first step:
 * whether it is asked for is not known before, and no number is left out where it is not.
 */
export const stepNumber = (step: CountedStep): { step: number; of: number } => ({
  step: NUMBERS[step],
  of: NUMBERS.scan,
});
