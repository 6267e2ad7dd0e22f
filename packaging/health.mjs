/**
 * The container's health check: ends with 0 when this server answers at its own address that it is healthy.
 * Whether it speaks TLS may be set in its configuration, which is not read here: if one way fails, the other is tried.
 * Nothing secret is sent, so the certificate is not checked.
 */
import { request as clear } from 'node:http';
import { request as secure } from 'node:https';

const [, name, port] = /^(.*):(\d+)$/.exec(process.env.SERVICE_LISTEN ?? '127.0.0.1:38128') ?? [];
const ANY_ADDRESS = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '[::]': '::1' };
const host = ANY_ADDRESS[name] ?? name?.replaceAll(/[[\]]/g, '');

const statusBy = (request) =>
  new Promise((resolve) => {
    const asked = request({ host, port, path: '/healthz', timeout: 2_000, rejectUnauthorized: false }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(undefined));
    asked.end();
  });

const isClear = ['false', '0'].includes(process.env.SERVICE_TLS_ENABLED);
const [first, second] = isClear ? [clear, secure] : [secure, clear];
process.exit(((await statusBy(first)) ?? (await statusBy(second))) === 200 ? 0 : 1);
