/** Which track is read for a language. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlayableFile, Sidecar, Stream, Subject } from '../../catalog/index.ts';
import { pictureTrackFor, supPictures } from './picture-track.ts';

const STREAM = {
  type: 'subtitle',
  default: false,
  forced: false,
  hearingImpaired: false,
  commentary: false,
  original: false,
  cover: false,
} as const;
const PGS = 'hdmv_pgs_subtitle';
const DVD = 'dvd_subtitle';

function film(
  streams: readonly Partial<Stream>[],
  sidecars: readonly Partial<Sidecar>[] = [],
): { subject: Subject; file: PlayableFile } {
  const info = {
    container: 'matroska',
    size: 1,
    chapters: [],
    tags: {},
    streams: streams.map((stream, index) => ({ ...STREAM, index, codec: PGS, ...stream })),
  };
  const file = {
    id: 'v1',
    item: 'i',
    library: 'l',
    root: '/m',
    relative: 'Film.mkv',
    size: 1,
    modifiedMs: 0,
    part: 0,
    info,
    available: true,
  } as PlayableFile;
  const beside = sidecars.map((one, n) => ({
    relative: `Film.${n}.sup`,
    name: '',
    role: 'normal',
    format: 'sup',
    isHidden: false,
    isDefault: false,
    size: 1,
    modifiedMs: 0,
    version: 'v1',
    part: 0,
    ...one,
  }));
  return { subject: { id: 'i', files: [file], sidecars: beside } as unknown as Subject, file };
}

const chosen = (
  language: string,
  streams: readonly Partial<Stream>[],
  sidecars: readonly Partial<Sidecar>[] = [],
): string | number | undefined => {
  const { subject, file } = film(streams, sidecars);
  const track = pictureTrackFor(subject, file, language);
  return track?.relative ?? track?.stream;
};

test('the language first, then a whole track, then the better pictures, then the sidecar', () => {
  assert.equal(chosen('en', [{ language: 'ger' }, { language: 'eng' }]), 1);
  assert.equal(
    chosen('en', [
      { language: 'eng', forced: true },
      { language: 'eng', codec: DVD },
    ]),
    1,
  );
  assert.equal(chosen('en', [{ language: 'eng', hearingImpaired: true }, { language: 'eng' }]), 1);
  assert.equal(
    chosen('en', [
      { language: 'eng', commentary: true },
      { language: 'eng', hearingImpaired: true },
    ]),
    1,
  );
  assert.equal(
    chosen('en', [{ language: 'eng', codec: DVD }, { language: 'eng', codec: 'dvb_subtitle' }, { language: 'eng' }]),
    2,
  );
  assert.equal(chosen('en', [{ language: 'eng' }], [{ language: 'en' }]), 'Film.0.sup');
  assert.equal(chosen('en', [{ language: 'eng' }], [{ language: 'en', format: 'vobsub' }]), 0);
});

test('a variant serves for its base and the reverse; a track without a language is a last resort', () => {
  assert.equal(chosen('pt', [{}, { language: 'por', languageTag: 'pt-BR' }]), 1);
  assert.equal(chosen('zh-tw', [{ language: 'chi' }]), 0);
  assert.equal(chosen('en', [{}, { language: 'fre' }]), 0);
});

test('forced tracks only as a last resort; no other languages, no text, nothing hidden', () => {
  assert.equal(chosen('en', [{ language: 'eng', forced: true }, {}]), 1);
  assert.equal(chosen('en', [{ language: 'eng', forced: true }]), 0);
  assert.equal(
    chosen(
      'en',
      [{ language: 'fre' }, { language: 'eng', codec: 'subrip' }],
      [
        { language: 'en', isHidden: true },
        { language: 'en', format: 'srt' },
        { language: 'en', version: 'v2' },
      ],
    ),
    undefined,
  );
});

test('the pictures of an HD DVD are refused by their name, and not as a damaged file', async () => {
  const { signal } = new AbortController();
  await assert.rejects(supPictures(Buffer.from('SP\0\0\0\0\0\0\0\0rest of it'), signal), {
    kind: 'conflict',
    message: /HD DVD/,
  });
  for (const bytes of [Buffer.from('PG'), new Uint8Array()])
    assert.deepEqual((await supPictures(bytes, signal)).pictures, []);
});
