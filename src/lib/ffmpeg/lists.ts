/**
 * What ffmpeg may open: the containers and decoders that media people keep comes in, and no other.
 *
 * A playlist or script that posed as a film could make it open other files, and seldom used decoders are where
 * its faults are found, so both are refused by name. Left out on purpose: everything that refers to other files
 * or devices (hls, dash, concat, image2, sdp, rtsp, lavfi, vobsub, imf, ffmetadata, avisynth) and game formats.
 */

export const FORMATS: readonly string[] = [
  // Films and shows. One name of a demuxer that has several is enough.
  'matroska', 'webm', 'mov', 'mp4', 'avi', 'mpegts', 'mpeg', 'mpegvideo', 'flv', 'live_flv', 'asf', 'asf_o', 'ogg', 'wtv', 'rm', 'dv', 'mxf', 'nsv', 'ivf', 'obu', 'av1', 'h264', 'hevc', 'h263', 'm4v', 'vc1', 'dirac',
  // Music and speech.
  'mp3', 'flac', 'wav', 'w64', 'aiff', 'aac', 'ac3', 'eac3', 'dts', 'dtshd', 'truehd', 'mlp', 'ape', 'wv', 'tta', 'tak', 'mpc', 'mpc8', 'caf', 'dsf', 'iff', 'au', 'amr', 'aax', 'aa', 'spdif', 'ast', 'shn', 'ac4',
  // Subtitles in files of their own.
  'srt', 'ass', 'webvtt', 'microdvd', 'sami', 'subviewer', 'subviewer1', 'mpl2', 'jacosub', 'sup', 'lrc', 'stl', 'scc', 'pjs', 'vplayer', 'realtext',
  // Pictures.
  'jpeg_pipe', 'png_pipe', 'webp_pipe', 'gif', 'bmp_pipe', 'tiff_pipe', 'apng', 'jpegxl_pipe', 'gif_pipe',
];

export const DECODERS: readonly string[] = [
  // Pictures that move.
  'h264', 'hevc', 'av1', 'libdav1d', 'libaom-av1', 'vp9', 'libvpx-vp9', 'vp8', 'libvpx', 'vp6', 'vp6f', 'vp6a', 'vp7', 'mpeg4', 'mpeg2video', 'mpeg1video', 'mpegvideo', 'msmpeg4', 'msmpeg4v1', 'msmpeg4v2', 'vc1', 'wmv1', 'wmv2', 'wmv3',
  'h261', 'h263', 'h263i', 'h263p', 'flv', 'theora', 'vp3', 'mjpeg', 'mjpegb', 'dvvideo', 'prores', 'dnxhd', 'ffv1', 'huffyuv', 'ffvhuff', 'utvideo', 'rawvideo', 'v210', 'cinepak', 'svq1', 'svq3', 'rpza', 'qtrle', 'rv10', 'rv20', 'rv30', 'rv40', 'indeo3', 'indeo4', 'indeo5', 'msvideo1', 'msrle', 'dirac', 'snow', 'cfhd', 'vvc',
  // Pictures that do not.
  'png', 'apng', 'webp', 'bmp', 'gif', 'tiff', 'jpeg2000', 'libopenjpeg', 'libjxl',
  // Sound.
  'aac', 'aac_fixed', 'aac_latm', 'libfdk_aac', 'ac3', 'ac3_fixed', 'eac3', 'dca', 'truehd', 'mlp', 'mp3', 'mp3float', 'mp3adu', 'mp3adufloat', 'mp3on4', 'mp3on4float', 'mp2', 'mp2float', 'mp1', 'mp1float', 'opus', 'libopus', 'vorbis', 'libvorbis', 'flac', 'alac', 'als', 'ape', 'tta', 'tak', 'wavpack', 'mpc7', 'mpc8', 'shorten',
  'wmav1', 'wmav2', 'wmapro', 'wmalossless', 'wmavoice', 'cook', 'sipr', 'ralf', 'real_144', 'real_288', 'atrac3', 'atrac3plus', 'amrnb', 'amrwb', 'gsm', 'gsm_ms', 'speex', 'libspeex', 'nellymoser', 'qdm2', 'qdmc', 'dvaudio', 's302m', 'dsd_lsbf', 'dsd_msbf', 'dsd_lsbf_planar', 'dsd_msbf_planar', 'dst',
  'adpcm_ima_qt', 'adpcm_ima_wav', 'adpcm_ms', 'adpcm_swf', 'adpcm_yamaha', 'mace3', 'mace6', 'pcm_alaw', 'pcm_mulaw', 'pcm_bluray', 'pcm_dvd', 'pcm_f16le', 'pcm_f24le', 'pcm_f32be', 'pcm_f32le', 'pcm_f64be', 'pcm_f64le', 'pcm_s8', 'pcm_s8_planar', 'pcm_s16be', 'pcm_s16le', 'pcm_s16be_planar', 'pcm_s16le_planar',
  'pcm_s24be', 'pcm_s24le', 'pcm_s24le_planar', 'pcm_s32be', 'pcm_s32le', 'pcm_s32le_planar', 'pcm_s64be', 'pcm_s64le', 'pcm_u8', 'pcm_u16be', 'pcm_u16le', 'pcm_u24be', 'pcm_u24le', 'pcm_u32be', 'pcm_u32le', 'ac4',
  // Subtitles.
  'ass', 'ssa', 'subrip', 'srt', 'webvtt', 'mov_text', 'text', 'microdvd', 'sami', 'subviewer', 'subviewer1', 'mpl2', 'jacosub', 'stl', 'pjs', 'vplayer', 'realtext', 'pgssub', 'dvdsub', 'dvbsub', 'xsub', 'cc_dec', 'libzvbi_teletextdec', 'eia_608',
];
