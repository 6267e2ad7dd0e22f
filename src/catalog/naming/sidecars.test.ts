/** Rows for subtitle files: the file, and what its name says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { SUBTITLE_FORMATS } from '../../contract/subtitles/formats.ts';
import { videoSidecars, sidecarsOfFolder, type NamedSidecar, roleInTitle } from './sidecars.ts';

const plain = { role: 'normal', format: 'srt', hidden: false, default: false } as const;
const ROWS: readonly [file: string, want: Partial<NamedSidecar> | undefined][] = [
  ['Film.srt', {}],
  ['Film.en.srt', { language: 'en' }],
  ['Film.eng.srt', { language: 'en' }],
  ['Film.EN.SRT', { language: 'en' }],
  ['Film.English.srt', { language: 'en' }],
  ['Film.fre.srt', { language: 'fr' }],
  ['Film.ger.srt', { language: 'de' }],
  ['film.de.srt', { language: 'de' }],
  ['Film.en.forced.srt', { language: 'en', role: 'forced' }],
  ['Film.forced.en.srt', { language: 'en', role: 'forced' }],
  ['Film.forced.srt', { role: 'forced' }],
  ['Film.en.foreign.srt', { language: 'en', role: 'forced' }],
  ['Film.en.sdh.srt', { language: 'en', role: 'sdh' }],
  ['Film.en.cc.srt', { language: 'en', role: 'sdh' }],
  ['Film.en.hi.srt', { language: 'en', role: 'sdh' }],
  ['Film.hi.srt', { language: 'hi' }],
  ['Film.hi.hi.srt', { language: 'hi', role: 'sdh' }],
  ['Film.hi.en.srt', { language: 'en', role: 'sdh' }],
  ['Film.hi.forced.srt', { language: 'hi', role: 'forced' }],
  ['Film.hin.srt', { language: 'hi' }],
  ['Film.en.sdh.forced.srt', { language: 'en', role: 'forced' }],
  ['Film.en.default.srt', { language: 'en', default: true }],
  ['Film.default.srt', { default: true }],
  ['Film.en.default.forced.srt', { language: 'en', default: true, role: 'forced' }],
  ['Film.pt-BR.srt', { language: 'pt-br' }],
  ['Film.pt_BR.srt', { language: 'pt-br' }],
  ['Film.pt.BR.srt', { language: 'pt-br' }],
  ['Film.pob.srt', { language: 'pt-br' }],
  ['Film.cn.srt', { language: 'zh-cn' }],
  ['Film.kr.srt', { language: 'ko' }],
  ['Film.tw.srt', { language: 'zh-tw' }],
  ['Film.se.srt', { language: 'sv' }],
  ['Film.br.srt', { language: 'pt-br' }],
  ['Film.br.forced.srt', { language: 'pt-br', role: 'forced' }],
  ['Film.sme.srt', { language: 'se' }],
  ['Film.bre.srt', { language: 'br' }],
  ['Film.pt.br.srt', { language: 'pt-br' }],
  ['Film.Brazilian Portuguese.srt', { language: 'pt-br' }],
  ['Film.es-419.srt', { language: 'es-419' }],
  ['Film.Spanish (Latin America).srt', { language: 'es-419' }],
  ['Film.zh-Hans.ass', { language: 'zh-hans', format: 'ass' }],
  ['Film.chs.ssa', { language: 'zh-hans', format: 'ssa' }],
  ['Film.en.vtt', { language: 'en', format: 'vtt' }],
  ['Film.en.sup', { language: 'en', format: 'sup' }],
  ['Film.en.ttml', { language: 'en', format: 'ttml' }],
  ['Film.ko.smi', { language: 'ko', format: 'smi' }],
  ['Film.en.sub', { language: 'en', format: 'sub' }],
  ['Film.en.Commentary.srt', { language: 'en', title: 'Commentary' }],
  ['Film.Commentary.en.srt', { language: 'en', title: 'Commentary' }],
  ["Film.en.Director's Commentary.srt", { language: 'en', title: "Director's Commentary" }],
  ['Film.en.Signs & Songs.ass', { language: 'en', role: 'forced', format: 'ass' }],
  ['Film.English (SDH).srt', { language: 'en', role: 'sdh' }],
  ['Film.en[forced].srt', { language: 'en', role: 'forced' }],
  ['Film.en-forced.srt', { language: 'en', role: 'forced' }],
  ['Film.en.srt.hidden', { language: 'en', hidden: true }],
  ['Film.en.hidden.srt', { language: 'en', hidden: true }],
  ['Film.en.2.srt', { language: 'en' }],
  ['Film [English].srt', { language: 'en' }],
  ['Film-en.srt', { language: 'en' }],
  ['Film_eng.srt', { language: 'en' }],
  ['Film - English.srt', { language: 'en' }],
  ['Film.Her.srt', { title: 'Her' }],
  ['Film.Eng.srt', { language: 'en' }],
  ['Film.In.The.Dark.en.srt', { language: 'en', title: 'In The Dark' }],
  ['Film.简体.ass', { language: 'zh-hans', format: 'ass' }],
  ['Film.日本語.srt', { language: 'ja' }],
  ['Film.Русский.srt', { language: 'ru' }],
  ['Subs/2_English.srt', { language: 'en' }],
  ['Subs/English.srt', { language: 'en' }],
  ['Subtitles/Film.fr.srt', { language: 'fr' }],
  ['subs/fre.srt', { language: 'fr' }],
  ['Subs/Film/2_English.srt', { language: 'en' }],
  ['Subs/Film/11_Spanish.srt', { language: 'es' }],
  ['Subs/Film/3_English SDH.srt', { language: 'en', role: 'sdh' }],
  ['Subs/German/whole.srt', { language: 'de', title: 'whole' }],
  ['Film 2.srt', undefined],
  ['Film 2.en.srt', undefined],
  ['Film.2.srt', undefined],
  ['Film.2.en.srt', undefined],
  ['Film II.srt', undefined],
  ['Film.III.srt', undefined],
  ['Film It.srt', undefined],
  ['Films.en.srt', undefined],
  ['Other.en.srt', undefined],
  ['Film.cd2.en.srt', undefined],
  ['Film Returns.en.srt', undefined],
  ['Film.en.mka', undefined],
  ['Film.en.ac3', undefined],
  ['Film.nfo', undefined],
  ['Film.idx', undefined],
  ['._Film.en.srt', undefined],
  ['Extras/Film.en.srt', undefined],
  ['Subs/Other/2_English.srt', undefined],
  ['Subs/a/b/2_English.srt', undefined],
  ['srt', undefined],
  ['.srt', undefined],
];

test('subtitle files are recognised by their names', () => {
  for (const [file, want] of ROWS) {
    const got = videoSidecars('Film.mkv', { videos: ['Film.mkv'], files: ['Film.mkv', file] });
    const expected = want === undefined ? [] : [{ ...plain, file, ...want }];
    assert.deepEqual(got, expected, file);
  }
});

test('a sub and its idx are one sidecar', () => {
  const files = ['Film.mkv', 'Film.en.idx', 'Film.en.sub'];
  assert.deepEqual(videoSidecars('Film.mkv', { videos: ['Film.mkv'], files }), [
    { ...plain, file: 'Film.en.idx', companion: 'Film.en.sub', language: 'en', format: 'vobsub' },
  ]);
  const shouted = ['FILM.EN.IDX', 'FILM.EN.SUB'];
  assert.equal(videoSidecars('Film.mkv', { videos: ['Film.mkv'], files: shouted })[0]?.companion, 'FILM.EN.SUB');
});

test('a subtitle belongs to the longest base name', () => {
  const videos = ['Film.mkv', 'Film 2.mkv', 'Film.Part2.mkv', 'Film - 1080p.mkv'];
  const files = [
    'Film.en.srt',
    'Film 2.en.srt',
    'Film.Part2.en.srt',
    'Film - 1080p.en.srt',
    'Film - 1080p.srt',
    'Subs/2_English.srt',
    'Subs/Film 2/2_English.srt',
    'Subs/Film.Part2.fr.srt',
  ];
  const { of, orphans } = sidecarsOfFolder({ videos, files });
  const names = Object.fromEntries([...of].map(([video, sidecars]) => [video, sidecars.map(({ file }) => file)]));
  assert.deepEqual(names, {
    'Film.mkv': ['Film.en.srt'],
    'Film 2.mkv': ['Film 2.en.srt', 'Subs/Film 2/2_English.srt'],
    'Film.Part2.mkv': ['Film.Part2.en.srt', 'Subs/Film.Part2.fr.srt'],
    'Film - 1080p.mkv': ['Film - 1080p.en.srt', 'Film - 1080p.srt'],
  });
  assert.deepEqual(orphans, ['Subs/2_English.srt']);
});

test('a folder of a language next to several videos is matched by name or by episode', () => {
  const videos = ['Show S01E01.mkv', 'Show S01E02.mkv', 'Show - 1x03.mkv'];
  const files = [
    'Subs/English/Show S01E01.srt',
    'Subs/English/S01E02.srt',
    'Subs/English/03.srt',
    'Subs/French/Show.1x02.srt',
    'Subs/French/02 - Name (forced).srt',
    'Subs/de/E01.srt',
    'Subs/S01E03.eng.srt',
    'Subs/English/09.srt',
    'Subs/03.srt',
  ];
  const { of, orphans } = sidecarsOfFolder({ videos, files });
  const names = Object.fromEntries(
    [...of].map(([video, all]) => [video, all.map(({ file, language, role }) => `${file} ${language} ${role}`)]),
  );
  assert.deepEqual(names, {
    'Show S01E01.mkv': ['Subs/English/Show S01E01.srt en normal', 'Subs/de/E01.srt de normal'],
    'Show S01E02.mkv': [
      'Subs/English/S01E02.srt en normal',
      'Subs/French/Show.1x02.srt fr normal',
      'Subs/French/02 - Name (forced).srt fr forced',
    ],
    'Show - 1x03.mkv': ['Subs/English/03.srt en normal', 'Subs/S01E03.eng.srt en normal'],
  });
  assert.deepEqual(orphans, ['Subs/English/09.srt', 'Subs/03.srt']);
  const twice = sidecarsOfFolder({ videos: ['A S01E01.mkv', 'B S01E01.mkv'], files: ['Subs/English/S01E01.srt'] });
  assert.deepEqual(twice.orphans, ['Subs/English/S01E01.srt']);
});

test('composed and decomposed names are the same name', () => {
  const [decomposed, composed] = ['Café.mkv'.normalize('NFD'), 'Café.fr.srt'.normalize('NFC')];
  assert.equal(videoSidecars(decomposed, { videos: [decomposed], files: [composed] })[0]?.language, 'fr');
});

test('any names are read without an error', () => {
  const name = fc.string({
    unit: fc.constantFrom(...'.-_ [](){}/ehinfr2İ', 'srt', '.hidden', '.idx', '.sub', 'Subs/'),
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.array(name, { maxLength: 8 }), (files) => {
      const { of, orphans } = sidecarsOfFolder({ videos: files.slice(0, 3), files });
      assert.ok([...of.values()].flat().length + orphans.length <= files.length);
    }),
  );
  sidecarsOfFolder({ videos: ['a.mkv'], files: [`${'a.'.repeat(5000)}srt`, `a${' -_'.repeat(300)}.srt`] });
});

test('files of every subtitle format are sidecars', () => {
  for (const { id, extensions } of SUBTITLE_FORMATS)
    for (const ending of extensions) {
      const [found] = videoSidecars('Film.mkv', { videos: ['Film.mkv'], files: [`Film.en.${ending}`] });
      assert.deepEqual([found?.format, found?.language], [extensions[0], 'en'], id);
    }
});

test('the title of an embedded track states its role where it has no flag', () => {
  for (const [title, role] of [
    ['English (SDH)', 'sdh'],
    ['English [CC]', 'sdh'],
    ['Closed captions', 'sdh'],
    ['Deutsch für Hörgeschädigte HOH', 'sdh'],
    ['English for the hard of hearing', 'sdh'],
    ['Forced', 'forced'],
    ['English (Forced SDH)', 'forced'],
    ['Signs & Songs', 'forced'],
    ['Foreign parts only', 'forced'],
    ['Dialogue & Signs', undefined],
    ['Full subtitles with signs', undefined],
    ['Non-SDH', undefined],
    ['Not forced', undefined],
    ['Hi', undefined],
    ['Hindi', undefined],
    ['Commentary by the director', undefined],
    ['enforced', undefined],
    ['', undefined],
  ] as const)
    assert.equal(roleInTitle(title), role, title);
});
