/**
 * Two hundred media files that want to do harm: sizes and offsets that lie, loops, billions of samples, lacing without
 * end, boxes in boxes, times below zero, and texts that lead elsewhere under the name of a film. The same every time.
 */
import { chance } from './chance.ts';
import { hostileAsf } from './hostile-media/asf.ts';
import { hostileAvi } from './hostile-media/avi.ts';
import type { HostileFile } from './hostile-media/files.ts';
import { hostileMatroska } from './hostile-media/matroska.ts';
import { hostileTs } from './hostile-media/mpegts.ts';
import { hostileMp4 } from './hostile-media/mp4.ts';

/** Ordinary clips that are changed. */
export interface Clips {
  mkv: Buffer;
  mp4: Buffer;
  ts: Buffer;
  avi: Buffer;
  wmv: Buffer;
}

/** Targets that must not be reached: a file outside the library, and an address. */
export interface Canary {
  path: string;
  url: string;
}

const SEED = 8;
const COUNT = 200;

export function makeHostileMedia(clips: Clips, canary: Canary): HostileFile[] {
  const made = [
    ...disguises(canary),
    ...hostileMp4(clips.mp4),
    ...hostileMatroska(clips.mkv),
    ...hostileTs(clips.ts),
    ...hostileAvi(clips.avi),
    ...hostileAsf(clips.wmv),
  ];
  return [...made, ...changed(clips, COUNT - made.length)].map((file, n) => ({
    ...file,
    name: `${String(n).padStart(3, '0')}-${file.name}`,
  }));
}

/** Texts that ffmpeg would follow. */
function disguises({ path, url }: Canary): HostileFile[] {
  const texts: Readonly<Record<string, string>> = {
    playlist:
      `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://${path}\n#EXTINF:10,\n` +
      `${url}/segment.ts\n#EXT-X-ENDLIST\n`,
    key:
      `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-KEY:METHOD=AES-128,URI="${url}/key"\n` +
      `#EXT-X-MAP:URI="file://${path}"\n#EXTINF:10,\nconcat:${path}|${path}\n#EXT-X-ENDLIST\n`,
    concat: `ffconcat version 1.0\nfile '${path}'\nduration 10\nfile '${url}/film.mkv'\n`,
    concatPlain: `file '${path}'\nfile 'subfile,,start,0,end,0,,:${path}'\n`,
    sdp:
      'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n' +
      'a=rtpmap:96 H264/90000\n',
    dash:
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY c SYSTEM "file://${path}">]><MPD ` +
      'xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" ' +
      'mediaPresentationDuration="PT10S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" ' +
      `bandwidth="1"><BaseURL>${url}/film.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    reference: `[Reference]\nRef1=${url}/film.asf\nRef2=file://${path}\n`,
    asx: `<ASX version="3.0"><ENTRY><REF HREF="file://${path}"/></ENTRY></ASX>`,
    page: `<html><video src="file://${path}"></html>`,
    link: `[InternetShortcut]\nURL=file://${path}\n`,
  };
  return Object.entries(texts).flatMap(([name, text]) =>
    ['mkv', 'mp4', 'ts', 'avi'].map((extension) => ({ name: `${name}.${extension}`, bytes: Buffer.from(text) })),
  );
}

const VALUES = [0, 1, 0x7f, 0x80, 0xfe, 0xff];

/**
 * Ordinary files with a few bytes changed near their start or end, where headers and tables are, or doubled, or cut.
 */
function changed(clips: Clips, count: number): HostileFile[] {
  const draw = chance(SEED);
  const below = (most: number): number => Math.floor(draw() * most);
  const all = Object.entries(clips) as [string, Buffer][];
  return Array.from({ length: count }, (_, n) => {
    const [extension, clip] = all[n % all.length] ?? ['mkv', clips.mkv];
    const bytes = Buffer.from(clip);
    for (let changes = 1 + below(6); changes > 0; changes -= 1) {
      const place = below(Math.min(4000, bytes.length - 8));
      const at = draw() < 0.6 ? place : bytes.length - 8 - place;
      if (draw() < 0.4) bytes.fill(VALUES[below(VALUES.length)] ?? 0, at, at + 1 + below(8));
      else bytes[at] = VALUES[below(VALUES.length)] ?? 0;
    }
    const half = below(bytes.length);
    return {
      name: `changed.${extension}`,
      bytes: draw() < 0.15 ? Buffer.concat([bytes.subarray(0, half), bytes]) : bytes,
    };
  });
}
