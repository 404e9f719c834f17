// Preloaded into a process of the service by NODE_OPTIONS: a request for /hang stops its event loop for good.
const { Server } = require('node:http');

const { emit } = Server.prototype;
Server.prototype.emit = function (event, request, ...rest) {
  if (event === 'request' && request.url === '/hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return emit.call(this, event, request, ...rest);
};
