/**
 * The stand-in providers by hand: `npm run providers -- [--fixtures FILE.json] [--port-a N] [--port-b N] [--port-c N]
 * [--port-metadata N] [--metadata FILE.json]`. The pictures of the metadata provider are in the folder `metadata` next
 * to that file.
 *
 * Prints the environment of a server that uses them and runs until it is stopped. The file's shape is in
 * `fixtures.ts`. A fault: `curl -d '{"fault":"quota","on":"search"}' http://127.0.0.1:PORT/__control`; GET shows what
 * was asked, DELETE forgets it.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { EXAMPLE } from './example.ts';
import { Fixtures } from './fixtures.ts';
import { startStandIns } from './index.ts';
import { fakeMetadata, METADATA_TOKEN } from './metadata.ts';
import { readMetadataFixtures } from './metadata-fixtures.ts';
import { startStandIn } from './server.ts';

const { values } = parseArgs({
  options: {
    fixtures: { type: 'string' },
    'port-a': { type: 'string' },
    'port-b': { type: 'string' },
    'port-c': { type: 'string' },
    'port-metadata': { type: 'string' },
    metadata: { type: 'string' },
  },
});
const fixtures =
  values.fixtures === undefined ? EXAMPLE : Fixtures.parse(JSON.parse(readFileSync(values.fixtures, 'utf8')));
const ports = {
  ...(values['port-a'] === undefined ? {} : { subtitles_a: Number(values['port-a']) }),
  ...(values['port-b'] === undefined ? {} : { subtitles_b: Number(values['port-b']) }),
  ...(values['port-c'] === undefined ? {} : { subtitles_c: Number(values['port-c']) }),
};
const standIns = await startStandIns({ fixtures, ports });
const metadata = await startStandIn(
  () => fakeMetadata(() => performance.now(), readMetadataFixtures(values.metadata)),
  {
    elsewhere: standIns.elsewhere.url,
    ...(values['port-metadata'] === undefined ? {} : { port: Number(values['port-metadata']) }),
  },
);
const environment = {
  ...standIns.environment,
  SERVICE_METADATA_URL: metadata.url,
  SERVICE_METADATA_IMAGE_URL: metadata.url.replace(/\/3$/, '/t/p'),
  SERVICE_METADATA_TOKEN: METADATA_TOKEN,
};
for (const [name, value] of Object.entries(environment)) console.log(`${name}='${value}'`);

const stop = () => {
  Promise.all([metadata.close(), standIns.close()]).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exit(1);
    },
  );
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
