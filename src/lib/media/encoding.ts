/** Names that the playback plan and the encoders share: codecs, presets, accelerators and dynamic ranges. */

export type VideoCodec = 'h264' | 'hevc' | 'av1' | 'vp9';
/** Presets of the software encoder, fastest first. */
export const PRESETS = ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast'] as const;
export type Preset = (typeof PRESETS)[number];
export const ACCELERATORS = ['cuda', 'qsv', 'vaapi', 'videotoolbox', 'rkmpp', 'amf', 'mf', 'v4l2m2m'] as const;
export type AcceleratorName = (typeof ACCELERATORS)[number];
/** Dynamic range of a source that is tone-mapped. `dolby-vision` has no displayable base layer and needs Vulkan. */
export type HdrSource = 'hdr10' | 'hlg' | 'dolby-vision';
