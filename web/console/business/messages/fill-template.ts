/** What each placeholder of a message stands for; an unknown one is shown as it is. */
export type PlaceholderValues = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** Names of all placeholders, with values of a sample document. */
export const SAMPLE_VALUES: PlaceholderValues = {
  companyName: '',
  customerName: 'Nordlicht AG',
  documentNumber: 'INV-2026-000042',
  issueDate: '2026-11-02',
  dueDate: '2026-11-16',
  total: '1,190.00 EUR',
  openAmount: '1,190.00 EUR',
  periodFrom: '2026-01-01',
  periodTo: '2026-11-30',
  link: 'https://example.com/invoice',
  daysOverdue: '7',
  level: '1',
  fee: '5.00 EUR',
  interestText: '…',
};

/** A preview of what the API makes of a text: lines that have only placeholders without a value are left out. */
export function fillTemplate(text: string, values: PlaceholderValues): string {
  const fill = (line: string): string =>
    line.replace(PLACEHOLDER, (placeholder, name: string) => values[name.trim()] ?? placeholder);
  return text
    .split('\n')
    .filter((line) => !line.includes('{{') || fill(line).trim() !== '')
    .map(fill)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}
