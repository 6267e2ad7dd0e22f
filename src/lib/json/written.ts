/**
 * A value available as JSON text that need not be parsed: it is forwarded unchanged, and parsed
 * only on access. So a very large reply that was made elsewhere costs this thread nothing.
 */
const texts = new WeakMap<object, Uint8Array | string>();

/** The object that this JSON says. The text must be that of an object, and of the shape that is claimed. */
export function written<T extends object>(json: Uint8Array | string): T {
  let value: T | undefined;
  const read = (): T =>
    (value ??= JSON.parse(
      typeof json === 'string' ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString(),
    ) as T);
  const proxy = new Proxy({} as T, {
    // An `await` asks whether it is a promise, which JSON never is: that is no reason to read it.
    get: (_, key) => (key === 'then' ? undefined : (Reflect.get(read(), key) as unknown)),
    has: (_, key) => Reflect.has(read(), key),
    ownKeys: () => Reflect.ownKeys(read()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(read(), key),
    set: () => false,
  });
  texts.set(proxy, json);
  return proxy;
}

/** The text of such a value; undefined of any other. */
export const writtenIn = (value: unknown): Uint8Array | string | undefined =>
  typeof value === 'object' && value !== null ? texts.get(value) : undefined;
