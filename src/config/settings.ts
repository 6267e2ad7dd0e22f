/** Settings of the server itself: where it listens, where it keeps files, what it is called. */
import { boolean, oneOf, path, program, text } from './types/basic.ts';
import { listenAddress, hosts, databaseUrl } from './types/network.ts';
import { libraryEntries } from './types/libraries.ts';
import { trustedHttps } from './types/trusted-https.ts';
import { PROGRAMS, LOGGING, setting, settingGroup, type SettingTypesOf } from './setting.ts';
import {
  addressSamples,
  booleanSamples,
  choiceSamples,
  librarySamples,
  longText,
  pathSamples,
  programSamples,
  trustedHttpsSamples,
} from './samples.ts';

const serverGroup = settingGroup('server', 'Server');
const tlsGroup = settingGroup('tls', 'HTTPS');
const pathsGroup = settingGroup('paths', 'Folders');
const librariesGroup = settingGroup('libraries', 'Libraries');
const databaseGroup = settingGroup('database', 'Database');

export const serverSettings = [
  setting({
    key: 'listen',
    env: 'SERVICE_LISTEN',
    group: serverGroup,
    title: 'Address and port',
    type: listenAddress,
    default: '127.0.0.1:38128',
    restart: true,
    doc: 'Address and port on which the server answers.',
    samples: addressSamples,
  }),
  setting({
    key: 'tls.enabled',
    env: 'SERVICE_TLS_ENABLED',
    group: tlsGroup,
    title: 'Use HTTPS',
    type: boolean,
    default: 'true',
    restart: true,
    doc: 'Answer over HTTPS.',
    samples: booleanSamples,
  }),
  setting({
    key: 'tls.hosts',
    env: 'SERVICE_TLS_HOSTS',
    group: tlsGroup,
    title: 'Additional host names',
    type: hosts(32),
    restart: true,
    doc: "More host names and addresses that the server's own certificate is made for.",
    samples: () => ({
      good: [
        '[]',
        '["media.home"]',
        '["192.168.1.2","::1","Media.Home"]',
        JSON.stringify(Array.from({ length: 32 }, (_, n) => `h${n}.home`)),
      ],
      bad: [
        'media.home',
        '{}',
        '[1]',
        '[""]',
        '["a b"]',
        '["*.home"]',
        '["a","A"]',
        '["https://a"]',
        '["-a.home"]',
        '["a..b"]',
        '["1.2.3"]',
        '[',
        JSON.stringify(Array.from({ length: 33 }, (_, n) => `h${n}.home`)),
      ],
    }),
  }),
  setting({
    key: 'tls.dns_a',
    env: 'SERVICE_DNS_A_HTTPS',
    group: tlsGroup,
    title: 'Trusted HTTPS at home',
    personOnly: true,
    type: trustedHttps,
    belongsTo: ['acme.dns_a_url', 'acme.dns_b_url'],
    restart: true,
    doc:
      'Trusted HTTPS at home: one object with the DNS provider, domain, token, private address and accepted terms. ' +
      'The key is an old name and holds every supported provider.',
    samples: trustedHttpsSamples,
  }),
  setting({
    key: 'paths.media',
    env: 'SERVICE_MEDIA_DIR',
    group: pathsGroup,
    title: 'Media folder',
    type: path,
    default: '/media',
    restart: true,
    doc: 'Folder with the media. It is the only library until libraries are added.',
    samples: pathSamples,
  }),
  setting({
    key: 'paths.data',
    env: 'SERVICE_DATA_DIR',
    group: pathsGroup,
    title: 'Data folder',
    type: path,
    default: '/config',
    restart: true,
    doc: 'Folder for the database, the key file and everything else worth keeping.',
    samples: pathSamples,
  }),
  setting({
    key: 'paths.cache',
    env: 'SERVICE_CACHE_DIR',
    group: pathsGroup,
    title: 'Cache folder',
    type: path,
    default: '/cache',
    restart: true,
    doc: 'Folder for data that can be rebuilt, such as resized pictures and transcoded segments.',
    samples: pathSamples,
  }),
  setting({
    key: 'binaries.ffmpeg',
    env: 'SERVICE_FFMPEG',
    group: PROGRAMS,
    title: 'Video converter (ffmpeg)',
    personOnly: true,
    type: program,
    default: 'ffmpeg',
    restart: true,
    doc: 'The ffmpeg program, which converts video and sound.',
    samples: programSamples,
  }),
  setting({
    key: 'binaries.ffprobe',
    env: 'SERVICE_FFPROBE',
    group: PROGRAMS,
    title: 'Video reader (ffprobe)',
    personOnly: true,
    type: program,
    default: 'ffprobe',
    restart: true,
    doc: 'The ffprobe program, which reads what is in a media file.',
    samples: programSamples,
  }),
  setting({
    key: 'server.name',
    env: 'SERVICE_SERVER_NAME',
    group: serverGroup,
    title: 'Server name',
    type: text({ min: 1, max: 64 }),
    restart: false,
    doc: 'Name that apps show for this server.',
    general: true,
    unset: 'Matinee',
    samples: () => ({
      good: ['Living room', 'é'.repeat(64), '🎬'.repeat(64)],
      bad: [longText(65), 'a\nb', 'a\u007fb'],
    }),
  }),
  setting({
    key: 'libraries',
    env: 'SERVICE_LIBRARIES',
    group: librariesGroup,
    title: 'Libraries',
    type: libraryEntries,
    restart: false,
    doc: 'The libraries. While there are none, the media folder is one library of mixed kind.',
    editor: 'libraries',
    samples: librarySamples,
  }),
  setting({
    key: 'logging.level',
    env: 'SERVICE_LOG_LEVEL',
    group: LOGGING,
    title: 'Log level',
    type: oneOf(['debug', 'info', 'warn', 'error']),
    default: 'info',
    restart: false,
    doc: "How much is logged. An Owner's change takes effect at once; one in the environment or YAML after a restart.",
    samples: choiceSamples('debug', 'info', 'warn', 'error'),
  }),
  setting({
    key: 'database.url',
    env: 'SERVICE_DATABASE_URL',
    group: databaseGroup,
    title: 'PostgreSQL address',
    type: databaseUrl,
    // The address of the host is a part of it.
    belongsTo: [],
    restart: true,
    addition: true,
    doc: 'PostgreSQL database to use in place of the embedded one, for a household that outgrows one machine.',
    samples: () => ({
      good: ['postgres://u:p@db:5432/matinee', 'postgresql://db/matinee?sslmode=require'],
      bad: ['mysql://db/x', 'db:5432', '/var/lib/x.sqlite', 'https://db/x', `postgres://${longText(5000)}`],
    }),
  }),
] as const;

declare module './setting.ts' {
  interface SettingTypes extends SettingTypesOf<typeof serverSettings> {}
}
