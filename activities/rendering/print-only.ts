/**
 * Hides a document on the screen of the page from which it is printed: layout and painting for the screen would take
 * the browser as long as printing.
 */
export const PRINT_ONLY = '@media screen { body { display: none; } }';
