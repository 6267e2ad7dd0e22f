/** Settings of backups, logs and access from outside. */
import { setting } from '../setting.ts';
import { boolean, oneOf, path, positiveInteger, secret } from '../types/basic.ts';
import { address, dnsLabel } from '../types/network.ts';
import { duration } from '../types/time.ts';

export const operationSettings = [
  setting({ key: 'backup.directory', env: 'SERVICE_BACKUP_DIR', type: path, default: '/backups', restart: true, doc: 'Folder for encrypted backups.' }),
  setting({ key: 'backup.key', env: 'SERVICE_BACKUP_KEY', type: secret({ min: 16, max: 4096 }), restart: true, doc: 'Passphrase that backups are encrypted with. Without it no backup is made.' }),
  setting({ key: 'backup.interval', env: 'SERVICE_BACKUP_INTERVAL', type: duration({ min: '1m', zero: true }), default: '24h', restart: true, doc: 'Time between two backups.' }),
  setting({ key: 'backup.retention', env: 'SERVICE_BACKUP_RETENTION', type: positiveInteger(10_000), default: '7', restart: true, doc: 'How many backups are kept.' }),
  setting({
    key: 'logging.level',
    env: 'SERVICE_LOG_LEVEL',
    type: oneOf(['debug', 'info', 'warn', 'error']),
    default: 'info',
    restart: false,
    doc: 'How much is logged. An Owner\'s change takes effect at once; one in the environment or YAML after a restart.',
  }),
  setting({ key: 'logging.audit_retention', env: 'SERVICE_AUDIT_RETENTION', type: duration({ min: '1s', zero: false }), default: '8760h', restart: true, doc: 'How long the record of who changed what is kept.' }),
  setting({ key: 'logging.playback_retention', env: 'SERVICE_PLAYBACK_RETENTION', type: duration({ min: '1s', zero: false }), default: '2160h', restart: true, doc: 'How long the record of what was played is kept.' }),
  setting({ key: 'remote.proxy_token', env: 'SERVICE_PROXY_TOKEN', personOnly: true, type: secret({ min: 16, max: 512, visible: true }), restart: true, doc: 'Token by which a reverse proxy proves that its forwarded headers may be believed.' }),
  setting({ key: 'remote.mode', env: 'SERVICE_REMOTE_MODE', personOnly: true, type: oneOf(['off', 'https']), default: 'off', restart: true, doc: 'Access from outside the home.' }),
  setting({ key: 'remote.gateway', env: 'SERVICE_PUBLIC_GATEWAY', personOnly: true, type: boolean, default: 'false', restart: true, doc: 'Serve public requests through the gateway over a private socket. Needs remote.mode https.' }),
  setting({ key: 'remote.dns_a_domain', env: 'SERVICE_DNS_A_DOMAIN', personOnly: true, type: dnsLabel, restart: true, doc: 'Subdomain at the first DNS provider for access from outside.' }),
  setting({ key: 'remote.dns_a_token', env: 'SERVICE_DNS_A_TOKEN', personOnly: true, type: secret({ min: 32, max: 128, visible: true }), restart: true, doc: 'Token of the first DNS provider for access from outside.' }),
  setting({ key: 'remote.listen', env: 'SERVICE_REMOTE_LISTEN', personOnly: true, type: address, default: ':8443', restart: true, doc: 'Address and port on which the server answers requests from outside.' }),
] as const;
