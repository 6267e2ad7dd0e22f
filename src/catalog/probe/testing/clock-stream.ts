/** For tests: MPEG streams that hold nothing but their clock. */
export const CLOCK = 90_000;
export const WRAP = 2 ** 33;
/** Packets in a second. */
const RATE = 400;

/** A transport stream with its clock in each tenth packet: for each second of it, the second that the clock says. */
export function makeTransportClock(clock: (second: number) => number, seconds: number, stride = 188): Buffer {
  const bytes = Buffer.alloc(seconds * RATE * stride);
  for (let n = 0; n < seconds * RATE; n += 1) {
    const at = n * stride + (stride === 192 ? 4 : 0);
    const ticks = (Math.round(clock(n / RATE) * CLOCK) + WRAP) % WRAP;
    bytes.set([0x47, 0x01, 0x00, n % 10 === 0 ? 0x30 : 0x10, 7, 0x10], at);
    if (n % 10 === 0) bytes.writeUInt32BE(Math.floor(ticks / 2), at + 6);
    if (n % 10 === 0) bytes[at + 10] = (ticks % 2) << 7;
  }
  return bytes;
}
/** The same as packs of a program stream. */
export function makeProgramClock(clock: (second: number) => number, seconds: number): Buffer {
  const bytes = Buffer.alloc(seconds * RATE * 64, 0xff);
  for (let n = 0; n < seconds * RATE; n += 1) {
    const ticks = BigInt(Math.round(clock(n / RATE) * CLOCK));
    const [high, middle, low] = [ticks >> 30n, (ticks >> 15n) & 0x7fffn, ticks & 0x7fffn];
    const bits = (1n << 46n) | (high << 43n) | (1n << 42n) | (middle << 27n) | (1n << 26n) | (low << 11n) | (1n << 10n);
    bytes.set([0, 0, 1, 0xba], n * 64);
    bytes.writeUIntBE(Number(bits >> 16n), n * 64 + 4, 4);
    bytes.writeUInt16BE(Number(bits & 0xffffn), n * 64 + 8);
  }
  return bytes;
}
