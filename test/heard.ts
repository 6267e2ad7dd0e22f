/** Listening to the event stream of a server on a port, as a client does. */
import { get, type IncomingMessage } from 'node:http';
import { until } from './until.ts';

export interface ServerEvent {
  id: number;
  kind: string;
}
export interface Listener {
  /** The first is the greeting. */
  heard: ServerEvent[];
  kinds(): string[];
  isOver(): boolean;
  close(): void;
}

/** Listens, and returns once the stream has said hello. `last` is the number of the last event that the client has. */
export async function listen(port: number, token: string, last?: number): Promise<Listener> {
  const heard: ServerEvent[] = [];
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get(
      {
        host: '127.0.0.1',
        port,
        path: '/api/v1/events',
        agent: false,
        headers: { authorization: `Bearer ${token}`, ...(last !== undefined && { 'last-event-id': String(last) }) },
      },
      resolve,
    ).on('error', reject);
  });
  let text = '';
  reply
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const [, id, data] = /^id: (\d+)\ndata: (.*)$/s.exec(part) ?? [];
        if (data !== undefined) heard.push({ id: Number(id), kind: (JSON.parse(data) as { kind: string }).kind });
      }
    });
  await until('the stream to say hello', () => heard.length > 0);
  return {
    heard,
    kinds: () => heard.slice(1).map(({ kind }) => kind),
    isOver: () => reply.closed,
    close: () => reply.destroy(),
  };
}
