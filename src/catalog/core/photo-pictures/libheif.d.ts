/** The part of libheif-js that this project uses; the package has no types for this file. */
declare module 'libheif-js/wasm-bundle.js' {
  interface HeifImage {
    get_width(): number;
    get_height(): number;
    display(into: { data: Uint8ClampedArray; width: number; height: number }, done: (result: unknown) => void): void;
    free?(): void;
  }
  const libheif: { HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] } };
  export default libheif;
}
