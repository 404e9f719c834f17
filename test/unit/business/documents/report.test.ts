import { renderReportHtml } from '../../../../activities/rendering/report/report';
import { buildFacts, REPORT_TEMPLATE_VERSION } from '../../../../domain/identity/reports/report';
import type { ReportDocument } from '../../../../domain/identity/reports/report';

const AT = '2026-11-21T10:00:05.000Z';

const buildReport = (changes: Partial<ReportDocument>): ReportDocument => ({
  templateVersion: REPORT_TEMPLATE_VERSION,
  organisation: 'Bank',
  session: {
    id: 'ses_1',
    number: 1,
    mode: 'live',
    status: 'in_progress',
    externalId: null,
    createdAt: AT,
    startedAt: null,
    finishedAt: null,
    asOf: AT,
  },
  decision: null,
  steps: [],
  results: [],
  risks: [],
  reviews: [],
  evidence: [],
  ...changes,
});

const HOSTILE = `</style><script>alert("1")</script><img src=x onerror=alert('2')>`;

describe('the facts of a result', () => {
  test('are its texts, numbers and booleans in words, in their order', () => {
    const facts = buildFacts({ documentType: 'passport', age: 32, match: true, score: 97.123456, issueDate: null });
    expect(facts).toEqual([
      { label: 'Document type', value: 'passport' },
      { label: 'Age', value: '32' },
      { label: 'Match', value: 'yes' },
      { label: 'Score', value: '97.1235' },
    ]);
  });

  test('include one level of nested values, and omit pixels, weights and score components', () => {
    const facts = buildFacts({
      mrz: { format: 'TD3', lines: ['A<<', 'B<<'], box: { x: 1 }, confidence: 0.9 },
      address: { raw: '1 Rue de Lyon', city: 'Lyon' },
      models: [{ sha256: 'x' }],
      quality: { sharpness: 3 },
    });
    expect(facts).toEqual([
      { label: 'MRZ: format', value: 'TD3' },
      { label: 'MRZ: lines', value: 'A<<\nB<<' },
      { label: 'Address: raw', value: '1 Rue de Lyon' },
      { label: 'Address: city', value: 'Lyon' },
    ]);
  });
});

describe('a report', () => {
  test('escapes markup in every field', () => {
    const page = renderReportHtml(
      buildReport({
        organisation: HOSTILE,
        session: { ...buildReport({}).session, externalId: HOSTILE },
        results: [{ feature: 'id', checkId: 'chk_1', verdict: 'approved', facts: buildFacts({ lastName: HOSTILE }) }],
        reviews: [
          {
            decision: 'approve',
            from: 'in_review',
            to: 'approved',
            reason: HOSTILE,
            comment: HOSTILE,
            override: false,
            by: 'key_1',
            at: AT,
          },
        ],
      }),
    );
    expect(page).not.toMatch(/<script|<img|alert\("/);
    expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThanOrEqual(5);
  });

  test('states that there is no decision yet, and omits empty sections', () => {
    const page = renderReportHtml(buildReport({}));
    expect(page).toContain('No decision has been made.');
    expect(page).not.toMatch(/<h2>(Risks|Reviews|Evidence|Steps|What was found)/);
  });

  test('with an unknown layout version is rejected', () => {
    expect(() => renderReportHtml(buildReport({ templateVersion: 99 }))).toThrow(/version 99/);
  });
});
