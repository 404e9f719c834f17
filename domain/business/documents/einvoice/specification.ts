/** BT-24: the core of EN 16931 without extension, which is the Factur-X profile EN 16931 too. */
export const CORE_SPECIFICATION = 'urn:cen.eu:en16931:2017';
