import { REPORT_TEMPLATE_VERSION, formatFieldName } from '../../../domain/identity/reports/report';
import type { ReportDocument } from '../../../domain/identity/reports/report';
import { AppError } from '../../../domain/errors';
import { html, SafeHtml } from '../../../lib/html';
import { buildReportStyles } from './styles';

/** A second safeguard: the renderer blocks every request as well. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

const GOOD = new Set(['approved', 'passed', 'ignore', 'approve']);
const BAD = new Set(['declined', 'decline', 'exhausted']);
const DOUBT = new Set(['in_review', 'review', 'retry', 'resubmission_requested', 'resubmit']);

/** Colour of each status. */
const getTone = (status: string): string =>
  GOOD.has(status) ? 'good' : BAD.has(status) ? 'bad' : DOUBT.has(status) ? 'doubt' : 'open';

const renderPill = (status: string): SafeHtml =>
  html`<span class="pill ${getTone(status)}">${formatFieldName(status)}</span>`;

/** Formats `2026-11-21 10:00:05 UTC`, the same for every country. */
const formatInstant = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

const FEATURE_NAMES: Readonly<Record<string, string>> = {
  id: 'Identity document',
  liveness: 'Liveness',
  face_match: 'Face comparison',
  poa: 'Proof of address',
  age: 'Age estimation',
  aml: 'Watch lists',
  database: 'Registers',
};

const formatFeature = (feature: string): string => FEATURE_NAMES[feature] ?? formatFieldName(feature);

function renderVerdict({ session, decision }: ReportDocument): SafeHtml {
  const rows: readonly (readonly [string, string | null])[] = [
    ['Session', `${session.number} (${session.mode})`],
    ['Reference', session.externalId],
    ['Created', formatInstant(session.createdAt)],
    ['Opened', session.startedAt === null ? null : formatInstant(session.startedAt)],
    ['Finished', session.finishedAt === null ? null : formatInstant(session.finishedAt)],
  ];
  const decisionText =
    decision === null
      ? 'No decision has been made.'
      : `Decided by ${decision.decidedBy === 'rules' ? 'the rules' : 'a reviewer'} on ${formatInstant(decision.at)}.`;
  return html`<section class="verdict ${getTone(session.status)}">
    <div>
      <strong>${formatFieldName(session.status)}</strong>
      <p>${decisionText}</p>
      ${
        decision !== null &&
        decision.reasons.length > 0 &&
        html`<p>Because of: ${decision.reasons.map(formatFieldName).join(', ')}.</p>`
      }
    </div>
    <table>
      ${rows.flatMap(([label, value]) =>
        value === null
          ? []
          : [
              html`<tr>
                <th scope="row">${label}</th>
                <td dir="auto">${value}</td>
              </tr>`,
            ],
      )}
    </table>
  </section>`;
}

/** Renders a table whose head is repeated on each page; nothing if there are no rows. */
const renderSection = (title: string, columnNames: readonly string[], rows: readonly SafeHtml[]): SafeHtml | false =>
  rows.length > 0 &&
  html`<section>
    <h2>${title}</h2>
    <table class="rows">
      <thead>
        <tr>
          ${columnNames.map((columnName) => html`<th scope="col">${columnName}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section>`;

const renderSteps = (document: ReportDocument): SafeHtml | false =>
  renderSection(
    'Steps',
    ['Step', 'Outcome', 'Attempts'],
    document.steps.map(
      ({ feature, status, attempts }) =>
        html`<tr>
          <td>${formatFeature(feature)}</td>
          <td>${renderPill(status)}</td>
          <td>${attempts}</td>
        </tr>`,
    ),
  );

const renderResults = (document: ReportDocument): SafeHtml | false =>
  document.results.length > 0 &&
  html`<section>
    <h2>What was found</h2>
    ${document.results.map(
      ({ feature, checkId, verdict: outcome, facts }) =>
        html`<div class="result">
          <h3><span>${formatFeature(feature)} ${renderPill(outcome)}</span><span class="mono">${checkId}</span></h3>
          <dl class="facts">
            ${facts.map(
              ({ label, value }) =>
                html`<div>
                  <dt>${label}</dt>
                  <dd dir="auto">${value}</dd>
                </div>`,
            )}
          </dl>
        </div>`,
    )}
  </section>`;

const renderRisks = (document: ReportDocument): SafeHtml | false =>
  renderSection(
    'Risks',
    ['Risk', 'Found in', 'Severity', 'Leads to'],
    document.risks.map(
      ({ code, feature, severity, action, message }) =>
        html`<tr>
          <td>
            ${message}
            <p class="mono">${code}</p>
          </td>
          <td>${formatFeature(feature)}</td>
          <td>${formatFieldName(severity)}</td>
          <td>${renderPill(action)}</td>
        </tr>`,
    ),
  );

const renderReviews = (document: ReportDocument): SafeHtml | false =>
  renderSection(
    'Reviews',
    ['When and by whom', 'Decision', 'Why'],
    document.reviews.map(
      ({ decision, from, to, reason, comment, override, by, at }) =>
        html`<tr>
          <td>
            ${formatInstant(at)}
            <p class="mono">${by}</p>
          </td>
          <td>
            ${renderPill(decision)}
            <p class="muted">
              ${formatFieldName(from)} to ${formatFieldName(to).toLowerCase()}${override ? ', overriding' : ''}
            </p>
          </td>
          <td class="text" dir="auto">${[reason, comment].filter((text) => text !== null).join('\n')}</td>
        </tr>`,
    ),
  );

const renderEvidence = (document: ReportDocument): SafeHtml | false =>
  renderSection(
    'Evidence',
    ['File', 'Received', 'SHA-256 of the file as sent'],
    document.evidence.map(
      ({ id, field, contentType, bytes, sha256, at }) =>
        html`<tr>
          <td>
            ${formatFieldName(field)} <span class="muted">${contentType}, ${Math.ceil(bytes / 1024)} kB</span>
            <p class="mono whole">${id}</p>
          </td>
          <td class="whole">${formatInstant(at)}</td>
          <td class="mono whole">${sha256.slice(0, 32)}<br />${sha256.slice(32)}</td>
        </tr>`,
    ),
  );

/**
 * Renders the report of a verification session as HTML for print; all text is escaped.
 * @throws AppError `template_version_unknown` if this build does not have the layout version of the document.
 */
export function renderReportHtml(document: ReportDocument): string {
  if (document.templateVersion !== REPORT_TEMPLATE_VERSION) {
    throw new AppError('template_version_unknown', 500, `No report template has version ${document.templateVersion}.`);
  }
  const { session, organisation } = document;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}" />
        <title>Verification report ${session.id}</title>
        <style>
          ${new SafeHtml(buildReportStyles(document))}
        </style>
      </head>
      <body>
        <header class="head">
          <p class="name" dir="auto">${organisation}</p>
          <div class="title">
            <h1>Verification report</h1>
            <p>${session.id}</p>
          </div>
        </header>
        ${renderVerdict(document)} ${renderSteps(document)} ${renderResults(document)} ${renderRisks(document)}
        ${renderReviews(document)} ${renderEvidence(document)}
        <p class="close">
          The session as of ${formatInstant(session.asOf)}. A file is the one that was examined if its SHA-256 is the
          one above.
        </p>
      </body>
    </html>`.markup;
}
