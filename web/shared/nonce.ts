const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');

/** The nonce of this page's Content-Security-Policy, for styles that components add at run time. */
export const styleNonce = meta?.nonce ?? '';

// Read by the library that locks scrolling while a dialog is open (get-nonce).
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
