/** For tests of HLS: names that are no file. */
/** Names that are almost one, or that lead elsewhere in other servers. */
export const BAD_NAMES = [
  '', '.', 'master', 'master.m3u', 'MASTER.M3U8', 'master.m3u8 ', 'master.m3u8\n', 'xmaster.m3u8', 'v.m3u8', 'v00.m3u8', 'v01.m3u8', 'v-1.m3u8', 'v+1.m3u8', 'v1e3.m3u8', 'v1234567.m3u8', 'b0.m3u8', 's.m3u8', 'ss.m3u8', 's2.m3u8', 'sx2.m3u8', 'ss02.m3u8', 'ss12345.m3u8', 'i0.m3u8',
  'v0-init1.mp4', 'v0-init0.mp4', 'v0-init02.mp4', 'v0-init100.mp4', 'v0-init.m4s', 'i-init.mp4', 'ss2-init.mp4', 'v0-init.mp4.m4s', 'v0-1.ts', 'v0-1.mp4', 'v0-01.m4s', 'v0-.m4s', 'v0--1.m4s', 'v0-1.m4s/..', 'v0-1.vtt', 'ss2-1.m4s', 'i-1.vtt', 'a0-1.M4S', 'v0-1.m4s%00', 'v0-1.m4s;x', '..', '../v0-1.m4s', 'v٣.m3u8',
];
