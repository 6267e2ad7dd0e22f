/** Bytes of a stream, as a reader of a container hands them on: to a walk, or to the maker of a segment. */

/** Ticks of the clock in a second. */
export const CLOCK = 90_000;

/** Part of a stream in a buffer that is used again for the next part. */
export interface Payload {
  bytes: Buffer;
  /** Start and end of the part in `bytes`. */
  from: number;
  to: number;
  /** Position in the file at which a reader has to begin to find this part. */
  at: number;
  /** Bytes in front of a picture in its packet, where pictures may begin inside of packets. That is at `at - count`. */
  count?: number;
  /** Added to a place in `bytes` it is the position in the file. */
  base: number;
}

export interface Taker {
  /**
   * Takes a part with which a unit of the container begins: a picture, or some sound. `time` is in ticks; without one
   * sound continues the unit before it, and the time of a picture follows from its neighbours. Returns false when
   * nothing more is needed.
   */
  start(payload: Payload, time: number | undefined): boolean;
  /** Takes a part that continues the unit. Returns false when nothing more is needed. */
  more(payload: Payload): boolean | void;
}
