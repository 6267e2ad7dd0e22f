/**
 * Plays the audio of a stream earlier than its pictures, by moving what is appended to the audio buffer.
 *
 * hls.js decides what to load, remove and append by the times of the playlist, which do not change. So the buffer shows
 * it those: its ranges, its offset and the ranges to remove are translated on the way. What would lie before the start
 * is dropped by the buffer itself (its append window begins at 0).
 */
export interface ShiftedAudio {
  /** Takes the audio buffer of a stream; each one that the stream makes after another replaces it. */
  take: (buffer: SourceBuffer) => void;
  /** Sets how many seconds earlier audio plays. Returns whether there is a buffer whose content has the old times. */
  set: (seconds: number) => boolean;
}

export function createShiftedAudio(): ShiftedAudio {
  let earlier = 0;
  let taken: { buffer: SourceBuffer; apply: () => void } | undefined;
  return {
    take: (buffer) => {
      if (taken?.buffer === buffer) return;
      const { get: rangesOf } = native('buffered');
      const { get: offsetOf, set: setOffset } = native('timestampOffset');
      /** The offset of hls.js, and by how much the buffer's differs. */
      let wanted = buffer.timestampOffset;
      let moved = 0;
      const apply = (): void => {
        if (taken?.buffer !== buffer) return;
        // The offset cannot change during an append; the next one has it.
        if (buffer.updating) return buffer.addEventListener('updateend', apply, { once: true });
        setOffset.call(buffer, wanted - earlier);
        moved = wanted - (offsetOf.call(buffer) as number);
      };
      taken = { buffer, apply };
      const remove = buffer.remove.bind(buffer);
      Object.defineProperties(buffer, {
        buffered: { configurable: true, get: () => later(rangesOf.call(buffer) as TimeRanges, moved) },
        timestampOffset: {
          configurable: true,
          get: () => wanted,
          set: (seconds: number) => {
            wanted = seconds;
            apply();
          },
        },
        // A range that lies before the start holds nothing; hls.js waits for the end of the removal all the same.
        remove: {
          configurable: true,
          value: (start: number, end: number) =>
            remove(Math.max(0, start - moved), Math.max(Number.MIN_VALUE, end - moved)),
        },
      });
      apply();
    },
    set: (seconds) => {
      if (seconds === earlier) return false;
      earlier = seconds;
      taken?.apply();
      return taken !== undefined;
    },
  };
}

/** The accessors of the browser, which those of a buffer hide. */
function native(name: 'buffered' | 'timestampOffset'): { get: () => unknown; set: (value: number) => void } {
  const { get, set } = Object.getOwnPropertyDescriptor(SourceBuffer.prototype, name) ?? {};
  return { get: get ?? (() => undefined), set: set ?? (() => undefined) };
}
const later = (ranges: TimeRanges, by: number): TimeRanges => ({
  length: ranges.length,
  start: (at) => ranges.start(at) + by,
  end: (at) => ranges.end(at) + by,
});
