import { REPORT_TEMPLATE_VERSION, inWords } from '../../../domain/identity/reports/report';
import type { ReportDocument } from '../../../domain/identity/reports/report';
import { AppError } from '../../../domain/errors';
import { html, SafeHtml } from '../template/html';
import { reportStyles } from './styles';

/** Belt and braces: the renderer refuses every request as well. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

const GOOD = new Set(['approved', 'passed', 'ignore', 'approve']);
const BAD = new Set(['declined', 'decline', 'exhausted']);
const DOUBT = new Set(['in_review', 'review', 'retry', 'resubmission_requested', 'resubmit']);

/** The colour a status is read by. */
const toneOf = (status: string): string =>
  GOOD.has(status) ? 'good' : BAD.has(status) ? 'bad' : DOUBT.has(status) ? 'doubt' : 'open';

const pill = (status: string): SafeHtml => html`<span class="pill ${toneOf(status)}">${inWords(status)}</span>`;

/** `2026-11-21 10:00:05 UTC`: the same in every country. */
const instant = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

const NAMES: Readonly<Record<string, string>> = {
  id: 'Identity document',
  liveness: 'Liveness',
  face_match: 'Face comparison',
  poa: 'Proof of address',
  age: 'Age estimation',
  aml: 'Watch lists',
  database: 'Registers',
};

const featureName = (feature: string): string => NAMES[feature] ?? inWords(feature);

function verdict({ session, decision }: ReportDocument): SafeHtml {
  const rows: readonly (readonly [string, string | null])[] = [
    ['Session', `${session.number} (${session.mode})`],
    ['Reference', session.externalId],
    ['Created', instant(session.createdAt)],
    ['Opened', session.startedAt === null ? null : instant(session.startedAt)],
    ['Finished', session.finishedAt === null ? null : instant(session.finishedAt)],
  ];
  const decided =
    decision === null
      ? 'No decision has been made.'
      : `Decided by ${decision.decidedBy === 'rules' ? 'the rules' : 'a reviewer'} on ${instant(decision.at)}.`;
  return html`<section class="verdict ${toneOf(session.status)}">
    <div>
      <strong>${inWords(session.status)}</strong>
      <p>${decided}</p>
      ${
        decision !== null &&
        decision.reasons.length > 0 &&
        html`<p>Because of: ${decision.reasons.map(inWords).join(', ')}.</p>`
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

/** A table whose head is repeated on each page; nothing where there is no row. */
const section = (title: string, heads: readonly string[], rows: readonly SafeHtml[]): SafeHtml | false =>
  rows.length > 0 &&
  html`<section>
    <h2>${title}</h2>
    <table class="rows">
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section>`;

const steps = (document: ReportDocument): SafeHtml | false =>
  section(
    'Steps',
    ['Step', 'Outcome', 'Attempts'],
    document.steps.map(
      ({ feature, status, attempts }) =>
        html`<tr>
          <td>${featureName(feature)}</td>
          <td>${pill(status)}</td>
          <td>${attempts}</td>
        </tr>`,
    ),
  );

const results = (document: ReportDocument): SafeHtml | false =>
  document.results.length > 0 &&
  html`<section>
    <h2>What was found</h2>
    ${document.results.map(
      ({ feature, checkId, verdict: found, facts }) =>
        html`<div class="result">
          <h3><span>${featureName(feature)} ${pill(found)}</span><span class="mono">${checkId}</span></h3>
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

const risks = (document: ReportDocument): SafeHtml | false =>
  section(
    'Risks',
    ['Risk', 'Found in', 'Severity', 'Leads to'],
    document.risks.map(
      ({ code, feature, severity, action, message }) =>
        html`<tr>
          <td>
            ${message}
            <p class="mono">${code}</p>
          </td>
          <td>${featureName(feature)}</td>
          <td>${inWords(severity)}</td>
          <td>${pill(action)}</td>
        </tr>`,
    ),
  );

const reviews = (document: ReportDocument): SafeHtml | false =>
  section(
    'Reviews',
    ['When and by whom', 'Decision', 'Why'],
    document.reviews.map(
      ({ decision, from, to, reason, comment, override, by, at }) =>
        html`<tr>
          <td>
            ${instant(at)}
            <p class="mono">${by}</p>
          </td>
          <td>
            ${pill(decision)}
            <p class="muted">${inWords(from)} to ${inWords(to).toLowerCase()}${override ? ', overriding' : ''}</p>
          </td>
          <td class="text" dir="auto">${[reason, comment].filter((text) => text !== null).join('\n')}</td>
        </tr>`,
    ),
  );

const evidence = (document: ReportDocument): SafeHtml | false =>
  section(
    'Evidence',
    ['File', 'Received', 'SHA-256 of the file as sent'],
    document.evidence.map(
      ({ id, field, contentType, bytes, sha256, at }) =>
        html`<tr>
          <td>
            ${inWords(field)} <span class="muted">${contentType}, ${Math.ceil(bytes / 1024)} kB</span>
            <p class="mono whole">${id}</p>
          </td>
          <td class="whole">${instant(at)}</td>
          <td class="mono whole">${sha256.slice(0, 32)}<br />${sha256.slice(32)}</td>
        </tr>`,
    ),
  );

/**
 * The report of a verification session as HTML for print; every text of a person is escaped.
 * @throws AppError `template_version_unknown` when the document asks for a layout this build does not hold.
 */
export function reportHtml(document: ReportDocument): string {
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
          ${new SafeHtml(reportStyles(document))}
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
        ${verdict(document)} ${steps(document)} ${results(document)} ${risks(document)} ${reviews(document)}
        ${evidence(document)}
        <p class="close">
          The session as of ${instant(session.asOf)}. A file is the one that was examined if its SHA-256 is the one
          above.
        </p>
      </body>
    </html>`.markup;
}
