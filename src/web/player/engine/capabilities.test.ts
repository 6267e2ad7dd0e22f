/** The list of capabilities follows what the browser says, and nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capabilitiesOf } from './capabilities.ts';

test('only what the element answers for is listed, under the names of the server', () => {
  const plays = new Set(['video/mp4', 'video/webm', 'video/mp4; codecs="avc1.640028"', 'video/webm; codecs="vp9"', 'audio/mp4; codecs="mp4a.40.2"', 'audio/ogg; codecs="opus"']);
  assert.deepEqual(capabilitiesOf((type) => (plays.has(type) ? 'maybe' : '')), { videoCodecs: 'h264,vp9-profile0', audioCodecs: 'aac,opus', containers: 'mp4,webm', hdrFormats: '' });
});
test('a browser that plays nothing is told so', () => {
  assert.deepEqual(capabilitiesOf(() => ''), { videoCodecs: '', audioCodecs: '', containers: '', hdrFormats: '' });
});
test('names fit the query of the plan', () => {
  const all = capabilitiesOf(() => 'probably', ['hdr10', 'hlg']);
  for (const names of Object.values(all)) assert.match(names, /^[A-Za-z0-9_.+-]*(,[A-Za-z0-9_.+-]+)*$/);
  assert.equal(all.hdrFormats, 'hdr10,hlg,dolby-vision');
});
