/** Settings of the server itself: where it listens, where it keeps things, who it says it is. */
import { setting } from '../setting.ts';
import { boolean, path, program, text } from '../types/basic.ts';
import { libraries } from '../types/libraries.ts';
import { address, hosts, url } from '../types/network.ts';
import { trustedHttps } from '../types/trusted-https.ts';

export const serviceSettings = [
  setting({ key: 'listen', env: 'SERVICE_LISTEN', type: address, default: '127.0.0.1:38128', restart: true, doc: 'Address and port on which the server answers.' }),
  setting({ key: 'tls.enabled', env: 'SERVICE_TLS_ENABLED', type: boolean, default: 'true', restart: true, doc: 'Answer over HTTPS.' }),
  setting({ key: 'tls.hosts', env: 'SERVICE_TLS_HOSTS', type: hosts(32), restart: true, doc: 'Further host names and addresses that the server\'s own certificate is made for.' }),
  setting({
    key: 'tls.dns_a',
    env: 'SERVICE_DNS_A_HTTPS',
    type: trustedHttps,
    restart: true,
    doc: 'Trusted HTTPS at home: one object with the DNS provider, domain, token, private address and accepted terms. The key is an old name and holds every supported provider.',
  }),
  setting({ key: 'paths.media', env: 'SERVICE_MEDIA_DIR', type: path, default: '/media', restart: true, doc: 'Folder with the media. It is the only library while no libraries are listed.' }),
  setting({ key: 'paths.data', env: 'SERVICE_DATA_DIR', type: path, default: '/config', restart: true, doc: 'Folder for the database, the key file and everything else worth keeping.' }),
  setting({ key: 'paths.cache', env: 'SERVICE_CACHE_DIR', type: path, default: '/cache', restart: true, doc: 'Folder for what can be made again, such as resized pictures and transcoded pieces.' }),
  setting({ key: 'binaries.ffmpeg', env: 'SERVICE_FFMPEG', personOnly: true, type: program, default: 'ffmpeg', restart: true, doc: 'The ffmpeg program.' }),
  setting({ key: 'binaries.ffprobe', env: 'SERVICE_FFPROBE', personOnly: true, type: program, default: 'ffprobe', restart: true, doc: 'The ffprobe program.' }),
  setting({ key: 'binaries.fpcalc', env: 'SERVICE_FPCALC', personOnly: true, type: program, default: 'fpcalc', restart: true, doc: 'The fpcalc program, which makes audio fingerprints to find intros and credits.' }),
  setting({ key: 'server.name', env: 'SERVICE_SERVER_NAME', type: text({ min: 1, max: 64 }), restart: false, doc: 'Name that clients show for this server.' }),
  setting({
    key: 'supporter.activation_url',
    env: 'SERVICE_SUPPORTER_ACTIVATION_URL',
    type: url('provider'),
    default: 'https://supporters.matinee.example/activate',
    restart: true,
    doc: 'Endpoint that recognises a supporter. Support unlocks nothing.',
  }),
  setting({ key: 'supporter.url', env: 'SERVICE_SUPPORT_URL', type: url('provider'), default: 'https://supporters.matinee.example/subtitles/monthly', restart: true, doc: 'Page where a household can support the subtitles every month.' }),
  setting({ key: 'security.require_mfa', env: 'SERVICE_REQUIRE_MFA', personOnly: true, type: boolean, default: 'true', restart: false, doc: 'Ask everybody who signs in with a password for a second factor.' }),
  setting({ key: 'auth.url', env: 'SERVICE_AUTH_URL', personOnly: true, type: url('provider'), restart: true, doc: 'Address at which browsers reach this server, for passkeys and sign-in through others. With remote access by HTTPS it must be exactly https:// and the full remote name.' }),
  setting({ key: 'libraries', env: 'SERVICE_LIBRARIES', type: libraries, restart: false, doc: 'The libraries. While blank, paths.media is one library of mixed kind.' }),
] as const;
