// Loaded before a decoder process by NODE_OPTIONS: a picture that bears the mark ends the process as a crash of native
// code would, at once and from below JavaScript.
if (/decoding[\\/]child\.js$/.test(process.argv[1] ?? '')) {
  process.on('message', (message) => {
    if (Buffer.from(message?.bytes ?? []).includes('VOUCH-TEST-CRASHES-THE-DECODER')) process.abort();
  });
}
