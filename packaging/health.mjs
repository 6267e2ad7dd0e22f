/**
 * The container's health check: asks this server whether it answers, on its own address and by its own certificate.
 * Ends with 0 when it does. Nothing secret is sent, so the certificate is not checked.
 */
import { request as clear } from 'node:http';
import { request as secure } from 'node:https';

const port = Number((process.env.SERVICE_LISTEN ?? '127.0.0.1:38128').split(':').at(-1));
const isSecure = !['false', '0'].includes(process.env.SERVICE_TLS_ENABLED ?? 'true');
const ask = isSecure ? secure : clear;
const asked = ask({ host: '127.0.0.1', port, path: '/healthz', timeout: 4_000, rejectUnauthorized: false }, (reply) => {
  reply.resume();
  process.exit(reply.statusCode === 200 ? 0 : 1);
});
asked.on('timeout', () => process.exit(1));
asked.on('error', () => process.exit(1));
asked.end();
