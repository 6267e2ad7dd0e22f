/** Names of codecs in AVI and ASF, which describe streams by BITMAPINFOHEADER and WAVEFORMATEX. */

const PICTURES: readonly (readonly [RegExp, string])[] = [
  [/^(?:[hx]264|[dax]?avc1?|vssh|davc)$/i, 'h264'],
  [/^(?:[hx]265|hevc|hvc1)$/i, 'hevc'],
  [/^(?:xvid|divx|dx50|fmp4|mp4v|mp4s|m4s2|xvix|3iv2)$/i, 'mpeg4'],
  [/^(?:mjpg|avrn|ljpg)$/i, 'mjpeg'],
  [/^(?:div3|mp43|div4|ap41)$/i, 'msmpeg4v3'],
  [/^wmv1$/i, 'wmv1'],
  [/^wmv2$/i, 'wmv2'],
  [/^wmv3$/i, 'wmv3'],
  [/^(?:wvc1|wmva)$/i, 'vc1'],
];
const SOUNDS: Readonly<Record<number, string>> = {
  0x55: 'mp3',
  0x50: 'mp2',
  0x2000: 'ac3',
  0x2001: 'dts',
  0xff: 'aac',
  0x706d: 'aac',
  0x1600: 'aac',
  0xa106: 'aac',
  0x160: 'wmav1',
  0x161: 'wmav2',
  0x162: 'wmapro',
  0x163: 'wmalossless',
};
const VIDEO_FORMAT = 40;
const AUDIO_FORMAT = 18;
/** A format of more than two channels, which names the codec behind them. */
const [EXTENSIBLE, EXTENSIBLE_FORMAT] = [0xfffe, 40];

export interface StreamFormat {
  /** ffmpeg's name; `unknown` for what is not copied anyway. */
  codec: string;
  /** Data after the format: AudioSpecificConfig of AAC, parameter sets of video. */
  private: Buffer;
  channels: number;
  /** Bytes of a block of sound. */
  align: number;
}

/** Reads a BITMAPINFOHEADER; undefined when it is cut short. */
export function pictureFormat(format: Buffer): StreamFormat | undefined {
  if (format.length < VIDEO_FORMAT) return undefined;
  const letters = format.toString('latin1', 16, 20);
  const codec = PICTURES.find(([name]) => name.test(letters))?.[1] ?? 'unknown';
  return { codec, private: format.subarray(VIDEO_FORMAT), channels: 0, align: 0 };
}

/** Reads a WAVEFORMATEX; undefined when it is cut short. */
export function soundFormat(format: Buffer): StreamFormat | undefined {
  if (format.length < 16) return undefined;
  const isExtended = format.readUInt16LE(0) === EXTENSIBLE && format.length >= EXTENSIBLE_FORMAT;
  return {
    codec: SOUNDS[format.readUInt16LE(isExtended ? 24 : 0)] ?? 'unknown',
    channels: format.readUInt16LE(2),
    align: format.readUInt16LE(12),
    private: format.length > AUDIO_FORMAT ? format.subarray(AUDIO_FORMAT) : Buffer.alloc(0),
  };
}
