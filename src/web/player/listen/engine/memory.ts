/** Room for decoded sound. Pure. */

/** Decoded sound that a device has room for, for each gigabyte of its memory. Two tracks are there at a time. */
const BYTES_PER_GB = 48_000_000;
const MAX_DECODED_BYTES = 192_000_000;
const BYTES_PER_SAMPLE = 4;

/** Whether a track fits into memory as samples. `memory` are the gigabytes of the device, where the browser says so. */
export function fitsDecoded(
  { duration, rate, channels }: { duration: number | undefined; rate: number; channels: number },
  memory: number | undefined,
): boolean {
  if (duration === undefined || duration <= 0) return false;
  return duration * rate * channels * BYTES_PER_SAMPLE <= Math.min(MAX_DECODED_BYTES, (memory ?? 4) * BYTES_PER_GB);
}
