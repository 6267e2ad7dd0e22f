/** ASF: objects and packets whose sizes and counts lie. */
import { FAR_BYTES, filesOf, type HostileFile, many } from './files.ts';

export function hostileAsf(clip: Buffer): HostileFile[] {
  const file = filesOf('wmv');
  const data = clip.indexOf('3626b2758e66cf11a6d900aa0062ce6c', 0, 'hex');
  const properties = clip.indexOf('a1dcab8c47a9cf118ee400c00c205365', 0, 'hex') + 24;
  const stride = clip.readUInt32LE(properties + 68);
  const changedAt = (...changes: readonly (readonly [number, number])[]): Buffer => {
    const bytes = Buffer.from(clip);
    for (const [at, value] of changes) bytes.writeUInt32LE(value >>> 0, at);
    return bytes;
  };
  const origin = data + 50;
  const packet = clip.subarray(origin, origin + stride);
  const withPackets = (change: (bytes: Buffer, n: number) => void): Buffer => {
    const bytes = Buffer.from(clip);
    for (let n = 0; origin + (n + 1) * stride <= bytes.length; n += 1)
      change(bytes.subarray(origin + n * stride, origin + (n + 1) * stride), n);
    return bytes;
  };
  return [
    file('header-largest', changedAt([16, 0xffffffff], [20, 0xffff])),
    file('header-none', changedAt([16, 0])),
    file('object-none', changedAt([30 + 16, 0])),
    file('packets-tiny', changedAt([properties + 68, 1], [properties + 72, 1])),
    file('packets-none', changedAt([properties + 68, 0], [properties + 72, 0])),
    file('packets-enormous', changedAt([properties + 68, 0x7fffffff], [properties + 72, 0x7fffffff])),
    file('preroll-largest', changedAt([properties + 56, 0xffffffff], [properties + 60, 0xffffffff])),
    file('data-largest', changedAt([data + 16, 0xffffffff], [data + 20, 0xfffff])),
    file('data-none', changedAt([data + 16, 0], [data + 20, 0])),
    file(
      'groups-empty',
      withPackets(
        (bytes) =>
          void (bytes.fill(0),
          bytes.set([0x82, 0, 0, 0x01, 0x5d, 0, 0, 0, 0, 0, 0, 0xbf, 0x82, 1, 0, 0, 0, 0, 1, 1, 255])),
      ),
    ),
    file(
      'parts-lie',
      withPackets((bytes) => void bytes.fill(0xff, 3, 40)),
    ),
    file(
      'parts-noise',
      withPackets((bytes, n) => void bytes.fill((n * 37) & 0xff, 4)),
    ),
    file('same-packet', Buffer.concat([clip.subarray(0, origin), many(3000, () => packet)])),
    file('far', clip, FAR_BYTES),
    file('cut', clip.subarray(0, clip.length >> 1)),
  ];
}
