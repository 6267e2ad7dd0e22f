/** Damaged and hostile package files next to a book: cuts, random edits and repeats leave facts within their bounds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance } from '../../../test/chance.ts';
import { readLoosePackage } from './epub.ts';

const OPF = `<?xml version="1.0"?><!DOCTYPE package [<!ENTITY x "y">]>
<package xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf"><metadata>
  <dc:title>Packaged</dc:title><dc:creator opf:role="aut">P. Writer</dc:creator><dc:subject>Sea</dc:subject>
  <dc:creator opf:role="nrt">P. Voice</dc:creator><dc:date>2003-04-05</dc:date><dc:publisher>Press</dc:publisher>
  <meta name="calibre:series" content="Boxes"/><meta name="calibre:series_index" content="2.0"/>
  <dc:description>&lt;p&gt;Long&#x20;ago &amp; far away&lt;/p&gt;</dc:description>
</metadata></package>`;

/** Reads a text, and checks that its facts come from the text and that reading it takes little time. */
function readChecked(text: string): ReturnType<typeof readLoosePackage> {
  const begun = process.cpuUsage();
  const read = readLoosePackage(text);
  const { user } = process.cpuUsage(begun);
  assert.ok(user < 500_000, `${user} µs for ${text.length} characters`);
  assert.ok(JSON.stringify(read ?? null).length <= 4 * text.length + 1_000, 'the facts are longer than their source');
  return read;
}

test('the whole file is read', () => {
  const read = readChecked(OPF);
  assert.deepEqual(
    [read?.facts.title, read?.facts.authors, read?.narrators],
    ['Packaged', ['P. Writer'], ['P. Voice']],
  );
});

test('every cut of it is read or refused', () => {
  for (let length = 0; length < OPF.length; length++) readChecked(OPF.slice(0, length));
});

test('random edits of it are read or refused', () => {
  const random = chance();
  const upTo = (limit: number): number => Math.floor(random() * limit);
  const pieces = [
    '<',
    '>',
    '&',
    '"',
    '</',
    '<![CDATA[',
    '<!--',
    ']]>',
    '&#x110000;',
    '&x;',
    '\0',
    '\ud800',
    '<metadata>',
  ];
  for (let run = 0; run < 2_000; run++) {
    let text = OPF;
    for (let edit = 0; edit <= upTo(8); edit++) {
      const at = upTo(text.length);
      const piece = random() < 0.7 ? (pieces[upTo(pieces.length)] ?? '') : text.slice(at, at + upTo(60));
      text = text.slice(0, at) + piece + text.slice(at + upTo(20));
    }
    readChecked(text);
  }
});

test('many and deep elements, entities and attributes are bounded', () => {
  for (const [before, repeated] of [
    ['<package><metadata>', '<metadata>'],
    ['<package><metadata>', '<dc:creator>A</dc:creator>'],
    ['<package><metadata><dc:title>', '&amp;'],
    ['<package><metadata><meta ', 'a="b" '],
    ['<package><!--', '<!--'],
  ] as const)
    readChecked(before + repeated.repeat(Math.floor(400_000 / repeated.length)));
});
