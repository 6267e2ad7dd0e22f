/** Declarations of WebSockets: messages in both directions, limits, and the codes with which the server closes one. */
import type { z } from 'zod';

/**
 * A WebSocket as the result of an endpoint. A message is one JSON object in a text frame; each direction has its
 * schema. A message that is too large, of another shape or too frequent closes the socket.
 */
export interface SocketResult<In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType> {
  socket: {
    receives: In;
    sends: Out;
    /** Largest message of a client in bytes; left out: 64 KiB. */
    maxBytes?: number;
    /** Maximum number of messages of a client in a second, pings included; left out: 20. */
    maxPerSecond?: number;
  };
}

export const SOCKET_LIMITS = { maxBytes: 64 * 1024, maxPerSecond: 20 } as const;

/**
 * Codes with which the server closes a socket (RFC 6455, section 7.4). A failure while a message is handled closes it
 * with 4000 and the failure's status, and the failure's reason as text: 4400 for a message of another shape.
 */
export const SOCKET_CLOSE = {
  done: 1000,
  stopping: 1001,
  notText: 1003,
  tooMany: 1008,
  tooLarge: 1009,
  fault: 1011,
  /** The session, key or link that opened the socket has ended, or its Profile may no longer have what it shows. */
  ended: 4401,
} as const;
