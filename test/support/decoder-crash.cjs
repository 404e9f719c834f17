// Preloaded into decoder processes by NODE_OPTIONS: an image that contains the mark aborts the process immediately, as a
// crash in native code does.
if (/decoding[\\/]child\.js$/.test(process.argv[1] ?? '')) {
  process.on('message', (message) => {
    if (Buffer.from(message?.bytes ?? []).includes('VOUCH-TEST-CRASHES-THE-DECODER')) process.abort();
  });
}
