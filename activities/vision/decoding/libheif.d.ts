/** The part of libheif's JavaScript interface that is used; the types of the package describe its C functions only. */
declare module 'libheif-js/libheif-wasm/libheif.js' {
  namespace loadLibheif {
    interface HeifImage {
      /** Size after the rotation and mirroring that the file states. */
      get_width(): number;
      get_height(): number;
      is_primary(): boolean;
      /** Decodes the image to RGBA; calls back with null if that fails. */
      display(
        target: { data: Uint8ClampedArray; width: number; height: number },
        callback: (decoded: object | null) => void,
      ): void;
      free(): void;
    }

    interface Libheif {
      /** `decode` parses the file without decoding its images. */
      HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
    }
  }

  function loadLibheif(options: { wasmBinary: ArrayBuffer }): loadLibheif.Libheif | Promise<loadLibheif.Libheif>;
  export = loadLibheif;
}
