/** Floods from one address at the public listener: a household member at another one still gets in. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { z } from 'zod';
import { endpoint } from '../../src/contract/kernel/endpoint.ts';
import { handle, replyOf } from '../../src/http/testing.ts';
import { until } from '../until.ts';
import { everything, PATIENT, startTarget } from './clients.ts';

const KIND = 'at the public listener';
const [FLOODER, MEMBER] = ['127.0.0.66', '127.0.0.7'];
const open = endpoint({
  method: 'GET',
  path: '/api/v1/open',
  summary: 'Open',
  access: 'public',
  reach: 'everywhere',
  result: z.strictObject({}),
});
const sign = endpoint({
  method: 'POST',
  path: '/api/v1/sign',
  summary: 'Sign in',
  access: 'public',
  reach: 'everywhere',
  body: z.strictObject({ text: z.string() }),
  result: z.strictObject({}),
});
const GET = 'GET /api/v1/open HTTP/1.1\r\nhost: a\r\n\r\n';
const ENOUGH = 'GET /api/v1/open HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';
const mounted = [handle(open, () => ({})), handle(sign, () => ({}))];
/** Limits of one address and of all, smaller than those of a household so that a flood fills them soon. */
const ROOM = { connections: 50, allConnections: 80, silent: 30, allSilent: 60 };

/** Ways to flood, each of which continues until the connection ends. */
const floods: Record<string, (one: Socket) => void> = {
  'of requests': (one) => {
    one.on('data', () => one.writable && one.write(GET)).write(GET);
  },
  'of requests for a Host that is not ours': (one) => {
    const other = GET.replace('host: a', 'host: b');
    one.on('data', () => one.writable && one.write(other)).write(other);
  },
  'of heads that never end': (one) => {
    one.write('GET /api/v1/open HTTP/1.1\r\nhost: a\r\n');
    const timer = setInterval(() => (one.writable ? one.write('x-a: b\r\n') : clearInterval(timer)), 50).unref();
  },
  'of bodies that never end': (one) => {
    one.write(
      'POST /api/v1/sign HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{',
    );
    const timer = setInterval(() => (one.writable ? one.write(' ') : clearInterval(timer)), 50).unref();
  },
  'of nonsense': (one) => {
    one.resume().write('NONSENSE\r\n\r\n');
  },
};

for (const [what, flood] of Object.entries(floods))
  test(`a flood ${what} from one address keeps no one else out`, { timeout: 120_000 }, async (t) => {
    const { client, held } = await startTarget(t, mounted, { kind: KIND, patience: PATIENT, room: ROOM });
    let isOver = false;
    let connected = 0;
    const again = async (): Promise<void> => {
      while (!isOver) {
        const one = await client({ from: FLOODER }).catch(() => undefined);
        if (!one) continue;
        connected++;
        flood(one);
        await new Promise((resolve) => void one.once('close', resolve));
      }
    };
    const flooding = Array.from({ length: 2 * ROOM.connections }, () => again());
    await until('the flood to be under way', async () => connected >= ROOM.connections || (await held()) >= 20);
    const took: number[] = [];
    try {
      for (let n = 0; n < 5; n++) {
        const began = performance.now();
        const reply = replyOf(await everything(await client({ from: MEMBER }), ENOUGH));
        assert.equal(reply.status, 200);
        took.push(Math.round(performance.now() - began));
      }
    } finally {
      isOver = true;
    }
    t.diagnostic(`${connected} connections of the flood; the member got in after ${took.join(', ')} ms`);
    assert.ok((await held()) <= ROOM.allConnections * 1.1);
    void Promise.allSettled(flooding);
  });
