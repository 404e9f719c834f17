/** Time between two requests for a file that is being rendered. */
const POLL_MS = 2000;

/** Reads a file, and again until it is rendered: until then the API answers 202 with the state of the rendition. */
export async function awaitFile(read: () => Promise<unknown>): Promise<Blob> {
  for (;;) {
    const file = await read();
    if (file instanceof Blob) return file;
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
  }
}

/** Saves a file that was read with the cookie of the session, as a link to it would. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
