// Preloaded into the processes of the service by NODE_OPTIONS, to crash parts of the vision engine as native code does.
const Module = require('node:module');

// A decoder process aborts immediately on an image that contains the mark.
if (/decoding[\\/]child\.js$/.test(process.argv[1] ?? '')) {
  process.on('message', (message) => {
    if (Buffer.from(message?.bytes ?? []).includes('VOUCH-TEST-CRASHES-THE-DECODER')) process.abort();
  });
}

/** Width of an image, in pixels, on which an inference thread ends, as one does whose memory is used up. */
const FATAL_WIDTH = 321;

const load = Module._load;
Module._load = function (request, ...rest) {
  const loaded = load.call(this, request, ...rest);
  if (!/vision[\\/]inference[\\/]worker(\.js)?$/.test(request)) return loaded;
  const run = loaded.default.then((runTask) => (task) => {
    if (task.input.image?.raster?.width === FATAL_WIDTH) process.exit(1);
    return runTask(task);
  });
  return { __esModule: true, default: run };
};
