import type { DocumentLanguage } from '../../../domain/business/invoices/invoice';
import { html, SafeHtml } from '../../../lib/html';

const ADDRESS = /https?:\/\/[^\s<>"]+/g;
/** Characters that end a sentence and not an address. */
const TRAILING = /[.,;:!?'’»)\]]+$/;

const join = (parts: readonly SafeHtml[]): SafeHtml => new SafeHtml(parts.map(({ markup }) => markup).join(''));

/** A line of text with its web addresses as links. */
function linkAddresses(line: string): SafeHtml {
  const parts: SafeHtml[] = [];
  let end = 0;
  for (const { index, 0: match } of line.matchAll(ADDRESS)) {
    const address = match.replace(TRAILING, '');
    parts.push(html`${line.slice(end, index)}<a href="${address}">${address}</a>`);
    end = index + address.length;
  }
  return join([...parts, html`${line.slice(end)}`]);
}

/** Lines of a paragraph, each on a line of its own. */
const renderParagraph = (paragraph: string): SafeHtml =>
  html`<p dir="auto">
    ${paragraph
      .split('\n')
      .map(linkAddresses)
      .map((line, index) => (index === 0 ? line : html`<br />${line}`))}
  </p> `;

/**
 * The text of a message as HTML, for mail programs that show it: paragraphs, lines and links. It loads nothing from other
 * servers and does not report that it was read.
 */
export function renderMessageHtml(text: string, subject: string, language: DocumentLanguage): string {
  const paragraphs = text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body style="font-family: sans-serif; font-size: 15px; line-height: 1.5">
        ${paragraphs.map(renderParagraph)}
      </body>
    </html> `.markup;
}
