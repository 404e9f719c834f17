/**
 * Keeps a document off the screen of the page it is printed from: nobody looks there, and laying it out and painting it
 * a second time takes the browser as long as printing it.
 */
export const PRINT_ONLY = '@media screen { body { display: none; } }';
