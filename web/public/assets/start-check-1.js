/*
 * Says in plain words that the page cannot be started, in browsers that do not know modules or their syntax, or when a
 * script cannot be loaded. Written for browsers of any age. Cached for a year: a changed file needs another number.
 */
(function () {
  function show() {
    var root = document.getElementById('root');
    var message = document.getElementById('unsupported');
    if (message !== null && (root === null || root.firstChild === null)) message.removeAttribute('hidden');
  }
  if (!('noModule' in document.createElement('script'))) show();
  else window.addEventListener('error', show, true);
})();
