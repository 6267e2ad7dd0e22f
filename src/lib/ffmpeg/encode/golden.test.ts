/** The argument lists of encoding are as they were approved, for software and for each accelerator. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DECODERS, DEMUXERS } from '../lists.ts';
import { encodeAudioArgs } from './audio.ts';
import { videoCodecs } from './level.ts';
import type { Accelerator, AcceleratorName, AudioRequest, VideoCodec, VideoRequest } from './types.ts';
import { blankArgs, videoArgs } from './video.ts';

const open = () => Promise.reject(new Error('nothing is opened'));
const video = (more: Partial<VideoRequest> = {}): VideoRequest => ({
  open, stream: 0, container: 'matroska', containerStart: 0.021, codec: 'h264', width: 1280, height: 720, frameRate: 24, maxrate: 3_000_000,
  from: 20, keyframes: [20, 22.020833], until: 24, preset: 'veryfast', ...more,
});
const audio = (more: Partial<AudioRequest> = {}): AudioRequest => ({
  open, stream: 1, container: 'mp4', containerStart: 0, codec: 'aac', channels: 2, bitrate: 192_000,
  source: { codec: 'aac', channels: 2, sampleRate: 48_000, start: 0 }, firstSample: 480_000, endSample: 960_000, ...more,
});

const GUARDS = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', DEMUXERS.join(','), '-codec_whitelist', DECODERS.join(','), '-max_streams', '100', '-probesize', '10M', '-analyzeduration', '10M'];
const QUIET = ['-nostdin', '-hide_banner', '-v', 'error'];
const OUT = [
  '-avoid_negative_ts', 'disabled', '-output_ts_offset', '10', '-f', 'mp4', '-video_track_timescale', '90000',
  '-movflags', 'frag_keyframe+empty_moov+default_base_moof+frag_discont', 'pipe:1',
];
const MAPPED = (what: string): string[] => ['-map', what, '-map_metadata', '-1', '-map_chapters', '-1', '-vsync', 'passthrough', '-enc_time_base', '1/90000'];
const X264 = [
  '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-maxrate', '3000000', '-bufsize', '6000000', '-profile:v', 'high', '-level:v', '3.1',
  '-8x8dct', '1', '-sc_threshold', '0', '-bf', '0', '-g', '9999', '-forced-idr', '1',
];
const GRID = ['-force_key_frames', '20.000000,22.020833', '-to', '24.000000'];
const DUMP = ['-bsf:v', 'dump_extra=freq=keyframe'];

test('a video run of the software encoder', () => {
  assert.deepEqual(videoArgs(video()), [
    ...QUIET, '-copyts', ...GUARDS, '-noautorotate', '-ss', '19.879000', '-i', 'file:/dev/fd/0',
    '-vf', 'scale=w=1280:h=720:flags=bicubic:out_range=tv,setsar=1,format=yuv420p', ...MAPPED('0:0'), ...X264, ...GRID, ...DUMP, ...OUT,
  ]);
});

test('what differs with the beginning, the container, fields, turns and range', () => {
  const { from: _, ...whole } = video();
  assert.ok(!videoArgs(whole).includes('-ss'));
  const option = (request: VideoRequest, name: string): string | undefined => videoArgs(request)[videoArgs(request).indexOf(name) + 1];
  assert.deepEqual([option(video({ container: 'mpegts', containerStart: 1.4 }), '-ss'), option(video({ container: 'mpegts', containerStart: 1.4 }), '-vf')], [
    '13.600000', 'scale=w=1280:h=720:flags=bicubic:out_range=tv,setsar=1,format=yuv420p,trim=start=19.900000',
  ]);
  assert.equal(option(video({ deinterlace: true, rotate: 90 }), '-vf'), 'yadif=mode=send_frame:parity=auto:deint=interlaced,transpose=clock,scale=w=1280:h=720:flags=bicubic:out_range=tv,setsar=1,format=yuv420p,trim=start=19.900000');
  assert.equal(option(video({ rotate: 180 }), '-vf')?.slice(0, 12), 'hflip,vflip,');
  const mapped = 'tonemap=tonemap=hable:desat=0,zscale=t=709:m=709:r=limited,setsar=1,format=yuv420p';
  assert.equal(option(video({ toneMap: 'hdr10' }), '-vf'), `setparams=range=tv:color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc,zscale=w=1280:h=720:t=linear:npl=100,format=gbrpf32le,zscale=p=709,${mapped}`);
  assert.equal(option(video({ toneMap: 'hlg' }), '-vf'), `setparams=range=tv:color_primaries=bt2020:color_trc=arib-std-b67:colorspace=bt2020nc,zscale=w=1280:h=720:t=linear:npl=100,format=gbrpf32le,zscale=p=709,${mapped}`);
  const colours = videoArgs(video({ toneMap: 'hlg' }));
  assert.deepEqual(colours.slice(colours.indexOf('-color_primaries')).slice(0, 8), ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv']);
  assert.equal(option(video({ toneMap: 'dolby-vision' }), '-init_hw_device'), 'vulkan=v');
});

test('a subtitle is drawn from a separate input that starts 30 seconds earlier', () => {
  const args = videoArgs(video({ from: 120, burn: { stream: 4, videoWidth: 1920, videoHeight: 1080, pacer: 1 } }));
  assert.deepEqual(args.slice(args.indexOf('-noautorotate')).filter((arg, i, all) => all[i - 1] === '-ss' || all[i - 1] === '-i'), ['119.879000', 'file:/dev/fd/0', '89.979000', 'file:/dev/fd/0']);
  assert.equal(args.filter((arg) => arg === '-format_whitelist').length, 2, 'both inputs are guarded');
  assert.equal(args[args.indexOf('-filter_complex') + 1], [
    '[0:0]scale=w=1280:h=720:flags=bicubic:out_range=tv,setsar=1,format=yuv420p[pictures]',
    "[1:4]scale=w=1280:h='if(gt(ih,1.05*iw*1080/1920),720*ih/(iw*1080/1920),720)':flags=bilinear[drawing]",
    '[1:1]anullsink', '[pictures][drawing]overlay=x=0:y=H-h:eof_action=pass[out]',
  ].join(';'));
  assert.equal(args[args.indexOf('-map') + 1], '[out]');
  const sidecar = videoArgs(video({ from: 120, burn: { stream: 0, videoWidth: 1920, videoHeight: 1080, sidecar: { open, zero: 0 } } }));
  const at = sidecar.indexOf('-itsoffset');
  assert.deepEqual(sidecar.slice(at, at + 8), ['-itsoffset', '0.000000', '-seek_timestamp', '1', '-ss', '90.000000', '-i', 'file:/dev/fd/3']);
});

test('one black picture of the same encoder', () => {
  assert.deepEqual(blankArgs(video()), [
    ...QUIET, ...GUARDS, '-f', 'png_pipe', '-i', 'pipe:0', '-vf', 'scale=w=1280:h=720:out_range=tv,setsar=1,format=yuv420p', '-frames:v', '1', '-vsync', 'passthrough', '-enc_time_base', '1/90000', ...X264,
    '-f', 'mp4', '-video_track_timescale', '90000', '-movflags', 'frag_keyframe+delay_moov+default_base_moof', 'pipe:1',
  ]);
});

/** Arguments for each accelerator: for an unchanged film, and for each supported change. */
interface Golden {
  device?: string;
  input: string[];
  /** Its own decoders, allowed in addition. */
  decoders?: string[];
  /** By what is wanted: the whole graph. */
  graphs: Record<keyof typeof WANTED, string>;
  encoders: Partial<Record<VideoCodec, string[]>>;
}
/**
 * Changes to the pictures. `plain` is also the list for other sizes and for ten bits: sources are not
 * distinguished, because every graph scales and ends in eight bits.
 */
const WANTED = {
  plain: {},
  hdr10: { toneMap: 'hdr10' },
  hlg: { toneMap: 'hlg' },
  burn: { burn: { stream: 3, videoWidth: 1920, videoHeight: 800 } },
  rotate: { rotate: 270 },
  deinterlace: { deinterlace: true },
  all: { toneMap: 'hdr10', rotate: 90, deinterlace: true, burn: { stream: 3, videoWidth: 1920, videoHeight: 800 } },
} as const satisfies Record<string, Partial<VideoRequest>>;

const on = (kind: string, device: string): string[] => ['-init_hw_device', `${kind}=d${device}`, '-filter_hw_device', 'd', '-hwaccel', kind, '-hwaccel_device', 'd', '-hwaccel_output_format', kind];
const RATE = ['-b:v', '2400000', '-maxrate', '3000000', '-bufsize', '6000000'];
const HIGH = ['-profile:v', 'high', '-level:v', '31'];
const MAIN = (level: string): string[] => ['-profile:v', 'main', '-level:v', level, '-tag:v', 'hvc1'];
const GOP = ['-bf', '0', '-g', '9999'];
const NODE = '/dev/dri/renderD129';

const YADIF = 'yadif=mode=send_frame:parity=auto:deint=interlaced';
const SCALED = 'scale=w=1280:h=720:flags=bicubic:out_range=tv,setsar=1';
const mapped = (transfer: string): string => `setparams=range=tv:color_primaries=bt2020:color_trc=${transfer}:colorspace=bt2020nc,zscale=w=1280:h=720:t=linear:npl=100,format=gbrpf32le,zscale=p=709,tonemap=tonemap=hable:desat=0,zscale=t=709:m=709:r=limited,setsar=1`;
const drawn = (pictures: string, after: string): string => `[0:0]${pictures}[pictures];[1:3]scale=w=1280:h='if(gt(ih,1.05*iw*800/1920),720*ih/(iw*800/1920),720)':flags=bilinear[drawing];[pictures][drawing]overlay=x=0:y=H-h:eof_action=pass${after}[out]`;

/** Decoded and filtered in ordinary memory; only the encoder is on the device. */
const IN_MEMORY: Golden['graphs'] = {
  plain: `${SCALED},format=nv12`,
  hdr10: `${mapped('smpte2084')},format=nv12`,
  hlg: `${mapped('arib-std-b67')},format=nv12`,
  burn: drawn(`${SCALED},format=nv12`, ''),
  rotate: `transpose=cclock,${SCALED},format=nv12`,
  deinterlace: `${YADIF},${SCALED},format=nv12`,
  all: drawn(`${YADIF},transpose=clock,${mapped('smpte2084')},format=nv12`, ''),
};

const GOLDEN: Record<AcceleratorName, Golden> = {
  vaapi: {
    device: NODE, input: on('vaapi', `:${NODE}`),
    graphs: {
      plain: 'format=nv12|p010|vaapi,hwupload,scale_vaapi=w=1280:h=720:format=nv12',
      hdr10: 'format=nv12|p010|vaapi,hwupload,tonemap_vaapi=format=nv12:p=bt709:t=bt709:m=bt709,scale_vaapi=w=1280:h=720:format=nv12',
      hlg: `format=nv12|p010|vaapi,hwupload,scale_vaapi=format=p010,hwdownload,format=p010le,${mapped('arib-std-b67')},format=nv12,hwupload`,
      burn: drawn(`format=nv12|p010|vaapi,hwupload,scale_vaapi=format=nv12,hwdownload,format=nv12,${SCALED},format=nv12`, ',hwupload'),
      rotate: `format=nv12|p010|vaapi,hwupload,scale_vaapi=format=nv12,hwdownload,format=nv12,transpose=cclock,${SCALED},format=nv12,hwupload`,
      deinterlace: `format=nv12|p010|vaapi,hwupload,scale_vaapi=format=nv12,hwdownload,format=nv12,${YADIF},${SCALED},format=nv12,hwupload`,
      all: drawn(`format=nv12|p010|vaapi,hwupload,tonemap_vaapi=format=nv12:p=bt709:t=bt709:m=bt709,scale_vaapi=format=nv12,hwdownload,format=nv12,${YADIF},transpose=clock,${SCALED},format=nv12`, ',hwupload'),
    },
    encoders: {
      h264: ['h264_vaapi', '-rc_mode', 'VBR', '-idr_interval', '0', ...HIGH, ...RATE, ...GOP],
      hevc: ['hevc_vaapi', '-rc_mode', 'VBR', '-idr_interval', '0', ...MAIN('93'), ...RATE, ...GOP],
      av1: ['av1_vaapi', '-rc_mode', 'VBR', '-idr_interval', '0', '-profile:v', 'main', ...RATE, ...GOP],
      vp9: ['vp9_vaapi', '-rc_mode', 'VBR', '-idr_interval', '0', ...RATE, ...GOP],
    },
  },
  qsv: {
    device: NODE, input: on('qsv', `:hw_any,child_device=${NODE}`),
    decoders: ['h264_qsv', 'hevc_qsv', 'av1_qsv', 'vp9_qsv', 'vp8_qsv', 'mpeg2_qsv', 'vc1_qsv', 'mjpeg_qsv'],
    graphs: {
      plain: 'format=nv12|p010|qsv,hwupload=extra_hw_frames=64,vpp_qsv=w=1280:h=720:format=nv12',
      hdr10: `format=nv12|p010|qsv,hwupload=extra_hw_frames=64,vpp_qsv=format=p010,hwdownload,format=p010le,${mapped('smpte2084')},format=nv12,hwupload=extra_hw_frames=64`,
      hlg: `format=nv12|p010|qsv,hwupload=extra_hw_frames=64,vpp_qsv=format=p010,hwdownload,format=p010le,${mapped('arib-std-b67')},format=nv12,hwupload=extra_hw_frames=64`,
      burn: drawn(`format=nv12|p010|qsv,hwupload=extra_hw_frames=64,vpp_qsv=format=nv12,hwdownload,format=nv12,${SCALED},format=nv12`, ',hwupload=extra_hw_frames=64'),
      rotate: `format=nv12|p010|qsv,hwupload=extra_hw_frames=64,vpp_qsv=format=nv12,hwdownload,format=nv12,transpose=cclock,${SCALED},format=nv12,hwupload=extra_hw_frames=64`,
      deinterlace: `format=nv12|p010|qsv,hwupload=extra_hw_frames=64,vpp_qsv=format=nv12,hwdownload,format=nv12,${YADIF},${SCALED},format=nv12,hwupload=extra_hw_frames=64`,
      all: drawn(`format=nv12|p010|qsv,hwupload=extra_hw_frames=64,vpp_qsv=format=p010,hwdownload,format=p010le,${YADIF},transpose=clock,${mapped('smpte2084')},format=nv12`, ',hwupload=extra_hw_frames=64'),
    },
    encoders: {
      h264: ['h264_qsv', '-preset', 'veryfast', '-forced_idr', '1', '-look_ahead', '0', ...HIGH, ...RATE, ...GOP],
      hevc: ['hevc_qsv', '-preset', 'veryfast', '-forced_idr', '1', ...MAIN('31'), ...RATE, ...GOP],
      av1: ['av1_qsv', '-preset', 'veryfast', '-forced_idr', '1', '-profile:v', 'main', ...RATE, ...GOP],
      vp9: ['vp9_qsv', '-preset', 'veryfast', '-forced_idr', '1', '-profile:v', 'profile0', ...RATE, ...GOP],
    },
  },
  cuda: {
    device: '0', input: on('cuda', ':0'),
    graphs: {
      plain: 'format=nv12|p010|cuda,hwupload,scale_cuda=w=1280:h=720:format=yuv420p',
      hdr10: `format=nv12|p010|cuda,hwupload,scale_cuda=format=p010le,hwdownload,format=p010le,${mapped('smpte2084')},format=yuv420p,hwupload`,
      hlg: `format=nv12|p010|cuda,hwupload,scale_cuda=format=p010le,hwdownload,format=p010le,${mapped('arib-std-b67')},format=yuv420p,hwupload`,
      burn: drawn(`format=nv12|p010|cuda,hwupload,scale_cuda=format=yuv420p,hwdownload,format=yuv420p,${SCALED},format=yuv420p`, ',hwupload'),
      rotate: `format=nv12|p010|cuda,hwupload,scale_cuda=format=yuv420p,hwdownload,format=yuv420p,transpose=cclock,${SCALED},format=yuv420p,hwupload`,
      deinterlace: `format=nv12|p010|cuda,hwupload,scale_cuda=format=yuv420p,hwdownload,format=yuv420p,${YADIF},${SCALED},format=yuv420p,hwupload`,
      all: drawn(`format=nv12|p010|cuda,hwupload,scale_cuda=format=p010le,hwdownload,format=p010le,${YADIF},transpose=clock,${mapped('smpte2084')},format=yuv420p`, ',hwupload'),
    },
    encoders: {
      h264: ['h264_nvenc', '-preset', 'p2', '-rc', 'vbr', '-forced-idr', '1', '-no-scenecut', '1', ...HIGH, ...RATE, ...GOP],
      hevc: ['hevc_nvenc', '-preset', 'p2', '-rc', 'vbr', '-forced-idr', '1', '-no-scenecut', '1', ...MAIN('93'), ...RATE, ...GOP],
      av1: ['av1_nvenc', '-preset', 'p2', '-rc', 'vbr', '-forced-idr', '1', ...RATE, ...GOP],
    },
  },
  videotoolbox: {
    input: ['-hwaccel', 'videotoolbox'], graphs: IN_MEMORY,
    encoders: {
      h264: ['h264_videotoolbox', '-realtime', '1', ...HIGH, ...RATE, ...GOP],
      hevc: ['hevc_videotoolbox', '-realtime', '1', '-profile:v', 'main', '-tag:v', 'hvc1', ...RATE, ...GOP],
    },
  },
  rkmpp: {
    input: ['-init_hw_device', 'rkmpp=d', '-filter_hw_device', 'd', '-hwaccel', 'rkmpp', '-hwaccel_device', 'd', '-hwaccel_output_format', 'drm_prime'],
    decoders: ['h264_rkmpp', 'hevc_rkmpp', 'av1_rkmpp', 'vp9_rkmpp', 'vp8_rkmpp', 'mpeg1_rkmpp', 'mpeg2_rkmpp', 'mpeg4_rkmpp', 'h263_rkmpp', 'mjpeg_rkmpp'],
    graphs: {
      plain: 'format=nv12|p010|drm_prime,hwupload,scale_rkrga=w=1280:h=720:format=nv12:force_original_aspect_ratio=disable',
      hdr10: `format=nv12|p010|drm_prime,hwupload,scale_rkrga=format=p010:force_original_aspect_ratio=disable,hwdownload,format=p010le,${mapped('smpte2084')},format=nv12,hwupload`,
      hlg: `format=nv12|p010|drm_prime,hwupload,scale_rkrga=format=p010:force_original_aspect_ratio=disable,hwdownload,format=p010le,${mapped('arib-std-b67')},format=nv12,hwupload`,
      burn: drawn(`format=nv12|p010|drm_prime,hwupload,scale_rkrga=format=nv12:force_original_aspect_ratio=disable,hwdownload,format=nv12,${SCALED},format=nv12`, ',hwupload'),
      rotate: `format=nv12|p010|drm_prime,hwupload,scale_rkrga=format=nv12:force_original_aspect_ratio=disable,hwdownload,format=nv12,transpose=cclock,${SCALED},format=nv12,hwupload`,
      deinterlace: `format=nv12|p010|drm_prime,hwupload,scale_rkrga=format=nv12:force_original_aspect_ratio=disable,hwdownload,format=nv12,${YADIF},${SCALED},format=nv12,hwupload`,
      all: drawn(`format=nv12|p010|drm_prime,hwupload,scale_rkrga=format=p010:force_original_aspect_ratio=disable,hwdownload,format=p010le,${YADIF},transpose=clock,${mapped('smpte2084')},format=nv12`, ',hwupload'),
    },
    encoders: {
      h264: ['h264_rkmpp', '-rc_mode', 'VBR', ...HIGH, ...RATE, ...GOP],
      hevc: ['hevc_rkmpp', '-rc_mode', 'VBR', '-tier', 'main', ...MAIN('93'), ...RATE, ...GOP],
    },
  },
  v4l2m2m: { input: [], graphs: IN_MEMORY, encoders: { h264: ['h264_v4l2m2m', '-profile:v', '100', ...RATE, ...GOP] } },
  amf: {
    input: [], graphs: IN_MEMORY,
    encoders: {
      h264: ['h264_amf', '-usage', 'transcoding', '-quality', 'speed', '-forced_idr', '1', ...HIGH, ...RATE, ...GOP],
      hevc: ['hevc_amf', '-usage', 'transcoding', '-quality', 'speed', ...MAIN('93'), ...RATE, ...GOP],
    },
  },
  mf: {
    input: [], graphs: IN_MEMORY,
    encoders: {
      h264: ['h264_mf', '-hw_encoding', '1', '-profile:v', '100', ...RATE, ...GOP],
      hevc: ['hevc_mf', '-hw_encoding', '1', '-tag:v', 'hvc1', ...RATE, ...GOP],
    },
  },
};
const BT709 = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'];
const guardsOf = (decoders: string[] = []): string[] => GUARDS.map((arg) => (arg === DECODERS.join(',') ? [...DECODERS, ...decoders].join(',') : arg));
/** Start of reading: half a second earlier for fields, because their neighbours are looked at. */
const startOf = (wanted: Partial<VideoRequest>): string => (wanted.deinterlace ? '19.479000' : '19.879000');
/** Frames before the start are dropped after the filters. */
const trimmed = (graph: string, wanted: Partial<VideoRequest>): string => {
  if (!wanted.deinterlace) return graph;
  return graph.endsWith('[out]') ? graph.replace(/\[out\]$/, ',trim=start=19.900000[out]') : `${graph},trim=start=19.900000`;
};

for (const [name, { device, input, decoders, graphs, encoders }] of Object.entries(GOLDEN)) {
  const accelerator = { name, ...(device !== undefined && { device }) } as Accelerator;
  for (const [kind, wanted] of Object.entries(WANTED) as [keyof typeof WANTED, Partial<VideoRequest>][]) {
    test(`a video run of ${name}: ${kind}`, () => {
      const graph = trimmed(graphs[kind], wanted);
      assert.deepEqual(videoArgs(video({ accelerator, ...wanted })), [
        ...QUIET, '-copyts', ...guardsOf(decoders), ...input, '-noautorotate', '-ss', startOf(wanted), '-i', 'file:/dev/fd/0',
        ...(wanted.burn ? [...GUARDS, '-i', 'file:/dev/fd/0', '-filter_complex', graph] : ['-vf', graph]),
        ...MAPPED(wanted.burn ? '[out]' : '0:0'), '-c:v', ...(encoders.h264 ?? []), ...(wanted.toneMap ? BT709 : []), ...GRID, ...DUMP, ...OUT,
      ]);
    });
  }
  test(`the encoders of ${name}`, () => {
    for (const codec of ['h264', 'hevc', 'av1', 'vp9'] as const) {
      const expected = encoders[codec];
      if (!expected) {
        assert.throws(() => videoArgs(video({ accelerator, codec })), TypeError, `${name} has no ${codec}`);
        continue;
      }
      const args = videoArgs(video({ accelerator, codec }));
      const at = args.indexOf('-c:v') + 1;
      assert.deepEqual(args.slice(at, args.indexOf('-force_key_frames')), expected, codec);
      assert.equal(args.includes('dump_extra=freq=keyframe'), codec === 'h264' || codec === 'hevc');
    }
    assert.throws(() => videoArgs(video({ accelerator, toneMap: 'dolby-vision' })), TypeError, 'Vulkan pictures');
  });
}

test('levels are numbers that every encoder of a codec understands', () => {
  const levelOf = (name: AcceleratorName, codec: VideoCodec, more: Partial<VideoRequest> = {}): string => {
    const args = videoArgs(video({ accelerator: { name }, codec, ...more }));
    return args[args.indexOf('-level:v') + 1] ?? '';
  };
  const large = { width: 1920, height: 1080, maxrate: 8_000_000 };
  assert.deepEqual((['vaapi', 'qsv', 'cuda', 'videotoolbox', 'rkmpp', 'amf'] as const).map((name) => levelOf(name, 'h264', large)), ['40', '40', '40', '40', '40', '40']);
  assert.deepEqual((['vaapi', 'qsv', 'cuda', 'rkmpp', 'amf'] as const).map((name) => levelOf(name, 'hevc', large)), ['123', '41', '123', '123', '123']);
});

test('an audio run', () => {
  const output = (shape: string, ...codec: string[]): string[] => [
    ...codec, '-ar', '48000', '-ac', '2', '-avoid_negative_ts', 'disabled', '-output_ts_offset', '10', '-f', 'mp4', '-movflags', `${shape}+default_base_moof+frag_discont`, '-frag_duration', '500000', 'pipe:1',
  ];
  assert.deepEqual(encodeAudioArgs(audio()), [
    ...QUIET, '-copyts', ...GUARDS, '-noaccurate_seek', '-ss', '8.998400', '-i', 'file:/dev/fd/0', '-map', '0:1', '-map_metadata', '-1', '-map_chapters', '-1',
    '-af', 'atrim=start_pts=432000,aresample=async=1:min_hard_comp=0.03:first_pts=432000,apad,atrim=start_pts=480000:end_pts=960000',
    ...output('empty_moov', '-c:a', 'aac', '-b:a', '192000'),
  ]);
  const filters = (more: Partial<AudioRequest>): string => {
    const args = encodeAudioArgs(audio(more));
    return args[args.indexOf('-af') + 1] ?? '';
  };
  assert.equal(
    filters({ container: 'matroska', source: { codec: 'mp3', channels: 6, sampleRate: 44_100, start: 0.021 } }),
    "asetpts='PTS+st(0,926+NB_SAMPLES*round((PTS-926)/NB_SAMPLES)-PTS)*lte(abs(ld(0)),71)*gt(NB_SAMPLES,213)',atrim=start_pts=396900,aresample=async=1:min_hard_comp=0.03:first_pts=396900,"
    + 'pan=stereo|FL=FL+0.707*FC+0.5*SL+0.5*BL+0.354*BC|FR=FR+0.707*FC+0.5*SR+0.5*BR+0.354*BC,alimiter=level_in=1.12:limit=0.97:attack=5:release=50:level=false:latency=true,'
    + 'aresample=48000,apad,atrim=start_pts=480000:end_pts=960000',
  );
  assert.deepEqual(encodeAudioArgs(audio({ codec: 'eac3' })).slice(-19), output('delay_moov', '-c:a', 'eac3', '-b:a', '192000').slice(-19));
});

test('what CODECS says of what is told to the encoders', () => {
  const size = { width: 1920, height: 1080, frameRate: 24, maxrate: 8_000_000 };
  assert.deepEqual((['h264', 'hevc', 'av1', 'vp9'] as const).map((codec) => videoCodecs({ codec, ...size })), ['avc1.640028', 'hvc1.1.6.L123.90', 'av01.0.08M.08', 'vp09.00.40.08']);
  assert.equal(videoCodecs({ codec: 'h264', width: 3840, height: 2160, frameRate: 60, maxrate: 28_000_000 }), 'avc1.640034');
  assert.equal(videoCodecs({ codec: 'h264', width: 426, height: 240, frameRate: 25, maxrate: 400_000 }), 'avc1.64001e');
});

test('nothing but numbers gets in', () => {
  for (const bad of [NaN, Infinity]) {
    assert.throws(() => videoArgs(video({ from: bad })), TypeError);
    assert.throws(() => videoArgs(video({ until: bad })), TypeError);
    assert.throws(() => videoArgs(video({ keyframes: [bad] })), TypeError);
    assert.throws(() => encodeAudioArgs(audio({ firstSample: bad })), TypeError);
  }
  assert.throws(() => videoArgs(video({ stream: 1.5 })), TypeError);
  assert.throws(() => videoArgs(video({ accelerator: { name: 'v4l2m2m' }, codec: 'av1' })), TypeError, 'no such encoder');
});
