/** The list of capabilities depends only on what the browser reports. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capabilitiesOf, without } from './capabilities.ts';

const plays = new Set([
  'video/mp4',
  'video/webm',
  'video/mp4; codecs="avc1.640028"',
  'video/webm; codecs="vp9"',
  'audio/mp4; codecs="mp4a.40.2"',
  'audio/ogg; codecs="opus"',
]);
const play = (type: string): string => (plays.has(type) ? 'maybe' : '');

test('only what the element answers for is listed, under the names of the server', () => {
  assert.deepEqual(capabilitiesOf(play), {
    videoCodecs: 'h264,vp9-profile0',
    audioCodecs: 'aac,opus',
    containers: 'mp4,webm',
    hdrFormats: '',
    subtitleFormats: 'vtt,pgs,vobsub',
    maxAudioChannels: 8,
  });
});
test('codecs that cannot be streamed are left out, and those never streamed are not asked about', () => {
  const { videoCodecs, audioCodecs } = capabilitiesOf(() => 'probably', {
    takes: (type) => /avc1\.640028|mp4a\.40|ec-3/.test(type),
  });
  assert.deepEqual(
    [videoCodecs, audioCodecs],
    ['h264,vp8,mpeg4,mpeg2video,theora,h264-rotated', 'aac,vorbis,eac3,dts,truehd,pcm_s16le'],
  );
});
test('a browser that plays nothing is told so', () => {
  assert.deepEqual(
    { ...capabilitiesOf(() => ''), maxAudioChannels: 0 },
    {
      videoCodecs: '',
      audioCodecs: '',
      containers: '',
      hdrFormats: '',
      subtitleFormats: 'vtt,pgs,vobsub',
      maxAudioChannels: 0,
    },
  );
});
test('what failed is left out of the next plan, with its profiles', () => {
  const all = {
    ...capabilitiesOf(play),
    videoCodecs: 'h264,h264-high10,hevc',
    audioCodecs: 'aac,ac3',
    containers: 'mp4,matroska',
  };
  assert.equal(without(all, { video: 'h264' }).videoCodecs, 'hevc');
  assert.equal(without(all, { copied: 'h264' }).videoCodecs, 'hevc,h264-converted');
  assert.equal(without(without(all, { copied: 'h264' }), { video: 'h264' }).videoCodecs, 'hevc');
  assert.equal(without(all, { copied: 'av1' }).videoCodecs, 'h264,h264-high10,hevc');
  assert.equal(without(all, { audio: 'ac3' }).audioCodecs, 'aac');
  assert.deepEqual(
    [without(all, { container: 'matroska' }).containers, without(all, { container: 'matroska' }).videoCodecs],
    ['mp4', 'h264,h264-high10,hevc'],
  );
});
test('names fit the query of the plan', () => {
  const { maxAudioChannels: _, ...all } = capabilitiesOf(() => 'probably', {
    hdr: ['hdr10', 'hlg'],
    drawsStyles: true,
  });
  for (const names of Object.values(all)) assert.match(names, /^[A-Za-z0-9_.+-]*(,[A-Za-z0-9_.+-]+)*$/);
  assert.equal(all.hdrFormats, 'hdr10,hlg,dolby-vision');
  assert.equal(all.subtitleFormats, 'vtt,ass,pgs,vobsub');
});
