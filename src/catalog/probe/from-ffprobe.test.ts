/** The mapping of ffprobe's reply: names, what is left out, and any JSON at all. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { fromFfprobe } from './from-ffprobe.ts';

const known = { size: 1000 };

/** Reply about a film with everything. */
const REPLY = {
  format: {
    format_name: 'matroska,webm',
    duration: '10.0005',
    tags: { TITLE: 'A film', ENCODER: 'x', 'BAD-KEY': 'y' },
  },
  streams: [
    {
      index: 0,
      codec_type: 'video',
      codec_name: 'hevc',
      profile: 'Main 10',
      level: 153,
      width: 3840,
      height: 1600,
      pix_fmt: 'yuv420p10le',
      sample_aspect_ratio: '1:1',
      avg_frame_rate: '24000/1001',
      color_transfer: 'smpte2084',
      field_order: 'progressive',
      side_data_list: [
        { side_data_type: 'DOVI configuration record', dv_profile: 8, dv_bl_signal_compatibility_id: 4 },
        { side_data_type: 'Display Matrix', rotation: -90 },
      ],
      disposition: { default: 1 },
      tags: { language: 'und', BPS: '5000', handler_name: 'VideoHandler' },
    },
    {
      index: 1,
      codec_type: 'audio',
      codec_name: 'mp3',
      channels: 2,
      channel_layout: 'stereo',
      sample_rate: '44100',
      bit_rate: '128000',
      disposition: { comment: 1 },
    },
    {
      index: 2,
      codec_type: 'subtitle',
      codec_name: 'subrip',
      disposition: { forced: 1, hearing_impaired: 1 },
      tags: { language: 'ger', title: 'Erzwungen', BPS: '9' },
    },
    { index: 3, codec_type: 'attachment', tags: { filename: 'a.ttf', mimetype: 'application/x-truetype-font' } },
    { index: 4, codec_type: 'video', codec_name: 'mjpeg', width: 9, height: 9, disposition: { attached_pic: 1 } },
  ],
  chapters: [{ start_time: '0.000000', end_time: '9.950000', tags: { title: 'One' } }],
};

/** Flags of an ordinary stream. */
const none = {
  default: false,
  forced: false,
  hearingImpaired: false,
  commentary: false,
  original: false,
  cover: false,
};

test('a film with everything', () => {
  const info = fromFfprobe(REPLY, known);
  assert.deepEqual(info, {
    container: 'matroska',
    duration: 10.001,
    size: 1000,
    bitrate: 800,
    tags: { title: 'A film' },
    chapters: [{ start: 0, end: 10.001, title: 'One' }],
    streams: [
      {
        ...none,
        index: 0,
        type: 'video',
        codec: 'hevc',
        profile: 'Main 10',
        level: 153,
        width: 3840,
        height: 1600,
        frameRate: 23.976,
        pixelFormat: 'yuv420p10le',
        bitDepth: 10,
        hdr: 'dolby-vision',
        dolbyVision: { profile: 8, compatibility: 4 },
        rotation: 90,
        bitrate: 5000,
        default: true,
      },
      {
        ...none,
        index: 1,
        type: 'audio',
        codec: 'mp3',
        channels: 2,
        layout: 'stereo',
        sampleRate: 44100,
        commentary: true,
      },
      {
        ...none,
        index: 2,
        type: 'subtitle',
        codec: 'subrip',
        language: 'ger',
        title: 'Erzwungen',
        forced: true,
        hearingImpaired: true,
      },
      {
        ...none,
        index: 3,
        type: 'attachment',
        codec: 'ttf',
        fileName: 'a.ttf',
        mimeType: 'application/x-truetype-font',
      },
      { ...none, index: 4, type: 'video', codec: 'mjpeg', cover: true },
    ],
  });
});

test('a reply without streams is none', () => {
  for (const reply of [undefined, null, 5, [], {}, { streams: [] }, { streams: 'x' }])
    assert.equal(fromFfprobe(reply, known), undefined);
});

test('any JSON is mapped without a fault', () => {
  const word = fc.constantFrom(
    'index',
    'codec_type',
    'codec_name',
    'level',
    'width',
    'tags',
    'disposition',
    'side_data_list',
    'avg_frame_rate',
    'rotation',
    'bit_rate',
    'pix_fmt',
  );
  const stream = fc.dictionary(
    word,
    fc.oneof(fc.jsonValue(), fc.constantFrom('video', 'audio', '1/0', '0/0', 'NaN', '1e999', '-1')),
  );
  fc.assert(
    fc.property(fc.array(stream, { maxLength: 3 }), fc.jsonValue(), fc.jsonValue(), (streams, format, chapters) => {
      const info = fromFfprobe({ streams, format, chapters }, known);
      for (const one of info?.streams ?? [])
        for (const value of Object.values(one)) if (typeof value === 'number') assert.ok(Number.isFinite(value));
    }),
  );
});
