/** BT-24: the core of EN 16931 without extensions, which is also the Factur-X profile EN 16931. */
export const CORE_SPECIFICATION = 'urn:cen.eu:en16931:2017';
