/** The strict reader of XML: what it reads, and that it refuses whatever could be read differently. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from '../../../test/fast-check.ts';
import { SEED } from '../../../test/chance.ts';
import { readStrictXml, RefusedXml, visitXml, xmlAttribute, xmlChildren, xmlContent, xmlText } from './strict.ts';

const LIMITS = { depth: 32, elements: 2_000 };
const read = (text: string, limits = LIMITS) => readStrictXml(xmlText(Buffer.from(text), 1_000_000), limits);
const refusalOf = (text: string): string => {
  try {
    read(text);
    return 'accepted';
  } catch (error) {
    if (error instanceof RefusedXml) return error.detail;
    throw error;
  }
};

test('elements, attributes and texts have their namespaces and characters', () => {
  const root = read(
    '<?xml version="1.0" encoding="utf-8"?>\r\n<a:r xmlns:a="urn:a" xmlns="urn:d" x="1&#x41;\r\n&lt;" a:y=\'"\'>' +
      'one&amp;<b xmlns="" z=""/>\r\ntwo<a:c xmlns:a="urn:b"/></a:r >\n',
  );
  assert.deepEqual([root.namespace, root.local], ['urn:a', 'r']);
  assert.deepEqual(root.attributes, [
    { namespace: '', local: 'x', value: '1A <' },
    { namespace: 'urn:a', local: 'y', value: '"' },
  ]);
  assert.deepEqual(
    xmlChildren(root).map(({ namespace, local }) => [namespace, local]),
    [
      ['', 'b'],
      ['urn:b', 'c'],
    ],
  );
  assert.deepEqual(
    root.children.filter((one) => typeof one === 'string'),
    ['one&', '\ntwo'],
  );
  assert.equal(xmlContent(root), undefined, 'elements and text are no text');
  assert.equal(xmlAttribute(root, 'y'), undefined, 'an attribute with a prefix is another one');
});

const REFUSED: readonly [text: string, detail: string][] = [
  ['', 'no element'],
  ['hello', 'text outside of the root element'],
  ['<a/>b', 'text outside of the root element'],
  ['<a/><b/>', 'a second root element'],
  ['<a>', 'an element without an end'],
  ['<a></b>', 'an end tag without its start'],
  ['</a>', 'an end tag without its start'],
  ['<a></a b="1">', 'an end tag that is not well-formed'],
  ['<a b="1" b="2"/>', 'an attribute twice'],
  ['<a xmlns:x="u" xmlns:y="u" x:b="1" y:b="2"/>', 'an attribute twice'],
  ['<a b/>', 'an attribute without a value'],
  ['<a b=1/>', 'an attribute without quotes'],
  ['<a b="<"/>', 'an attribute that is not well-formed'],
  ['<a b="1"c="2"/>', 'attributes without a space between them'],
  ['<a b="1/>', 'an attribute without an end'],
  ['<a / >', 'a start tag that is not well-formed'],
  ['< a/>', 'a name that is not well-formed'],
  ['<1a/>', 'a name that is not well-formed'],
  ['<a:b:c xmlns:a="u"/>', 'attributes without a space between them'],
  ['<x:a/>', 'a prefix that is not declared'],
  ['<a x:b="1"/>', 'a prefix that is not declared'],
  ['<a xmlns:x=""/>', 'a prefix without a namespace'],
  ['<a xmlns:xml="u"/>', 'a reserved prefix'],
  ['<a xmlns:xmlns="u"/>', 'a reserved prefix'],
  ['<a xmlns="http://www.w3.org/2000/xmlns/"/>', 'a reserved prefix'],
  ['<!DOCTYPE a><a/>', 'a document type'],
  ['<a><!ELEMENT b></a>', 'a document type'],
  ['<a><![CDATA[b]]></a>', 'a CDATA section'],
  ['<a>]]></a>', 'the end of a CDATA section without one'],
  ['<a><!-- b --></a>', 'a comment'],
  ['<?php b?><a/>', 'a processing instruction'],
  [' <?xml version="1.0"?><a/>', 'a processing instruction'],
  ['<?xml version="1.1"?><a/>', 'a processing instruction'],
  ['<?xml version="1.0" encoding="latin1"?><a/>', 'a processing instruction'],
  ['<a>&b;</a>', 'an unknown reference'],
  ['<a>&</a>', 'an unknown reference'],
  ['<a>&#xD800;</a>', 'an unknown reference'],
  ['<a>&#x110000;</a>', 'an unknown reference'],
  ['<a>&#0;</a>', 'a character that XML does not allow'],
  ['<a>\u0001</a>', 'a character that XML does not allow'],
  ['<a>\uFFFE</a>', 'a character that XML does not allow'],
  [`${'<a>'.repeat(33)}${'</a>'.repeat(33)}`, 'too deep'],
  [`<a>${'<b/>'.repeat(2_000)}</a>`, 'too many elements'],
  [`<a ${Array.from({ length: 65 }, (_, n) => `b${n}="1"`).join(' ')}/>`, 'too many attributes'],
];
test('what two readers could read differently is refused', () => {
  for (const [text, detail] of REFUSED) assert.equal(refusalOf(text), detail, text.slice(0, 80));
  assert.throws(() => xmlText(Buffer.from([0x3c, 0x61, 0xff]), 100), RefusedXml);
  assert.throws(() => xmlText(Buffer.alloc(101), 100), RefusedXml);
});

test('comments and processing instructions can be skipped, and then divide no text', () => {
  const limits = { ...LIMITS, asides: 'skipped' as const };
  const skipped = read('<!-- a --><?b c?><a>one<!-- - -->two<?d?></a><!---->', limits);
  assert.equal(xmlContent(skipped), 'onetwo');
  for (const text of [
    '<a><!-- -- --></a>',
    '<a><!-- </a>',
    '<a><?b </a>',
    '<a><?xml version="1.0"?></a>',
    '<!DOCTYPE a><a/>',
  ])
    assert.throws(() => read(text, limits), RefusedXml, text);
});

test(`whatever the text, it is read or refused (seed ${SEED})`, () => {
  const markup = '<a>|</a>|<b c="d">|</b>|<x:e xmlns:x="u"/>|<!--|-->|<![CDATA[|]]>|<?|?>|<!DOCTYPE|xmlns';
  const pieces = fc.constantFrom(...`${markup}|&amp;|&#65;|&|<|>|"|'|=|é|\u{1F600}| |\n`.split('|'));
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      try {
        visitXml(read(`<r>${parts.join('')}</r>`), ({ local }) => assert.ok(local.length > 0));
      } catch (error) {
        assert.ok(error instanceof RefusedXml, String(error));
      }
    }),
    { seed: SEED, numRuns: 500 },
  );
});
