/** A list version with the source of its entries. */
export interface ListToSearch {
  version: string;
  /** Reads its snapshot; called once per version. */
  load: () => Promise<Buffer>;
}

/** List versions in the form in which they are searched. */
export interface PackedVersions<Packed> {
  /** Packs a version that was not packed before, or whose packing failed. */
  get(list: ListToSearch): Promise<Packed>;
  /** Keeps a version, whatever is retained meanwhile. @returns ends that; the version is released with the last hold */
  hold(version: string): () => void;
  /** Releases all versions except these and those that are held. */
  retain(versions: ReadonlySet<string>): void;
}

/** Packs each version once, for all searches. */
export function createPackedVersions<Packed>(pack: (snapshot: Buffer) => Promise<Packed>): PackedVersions<Packed> {
  const packedVersions = new Map<string, Promise<Packed>>();
  const holders = new Map<string, number>();

  return {
    get({ version, load }) {
      const cached = packedVersions.get(version);
      if (cached !== undefined) return cached;
      const packing = load().then(pack);
      packedVersions.set(version, packing);
      // The next search tries a failed version again.
      packing.catch(() => packedVersions.delete(version));
      return packing;
    },
    hold(version) {
      holders.set(version, (holders.get(version) ?? 0) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const others = (holders.get(version) ?? 1) - 1;
        if (others > 0) {
          holders.set(version, others);
          return;
        }
        holders.delete(version);
        packedVersions.delete(version);
      };
    },
    retain(versions) {
      for (const version of packedVersions.keys()) {
        if (!versions.has(version) && !holders.has(version)) packedVersions.delete(version);
      }
    },
  };
}
