import type { DocumentLanguage } from '../invoices/invoice';

/** The words of the page of an invoice that are not on the document. */
export interface PageLabels {
  total: string;
  openAmount: string;
  paid: string;
  overdue: string;
  howToPay: string;
  files: string;
  downloadPdf: string;
  downloadXml: string;
  expired: string;
  revoked: string;
  notFound: string;
  unavailable: string;
}

const en: PageLabels = {
  total: 'Total',
  openAmount: 'Open amount',
  paid: 'Nothing is open.',
  overdue: 'The due date has passed.',
  howToPay: 'How to pay',
  files: 'Files',
  downloadPdf: 'Download PDF',
  downloadXml: 'Download electronic invoice (XML)',
  expired: 'This link has expired. Please ask the sender for a new one.',
  revoked: 'This link was revoked. Please ask the sender for a new one.',
  notFound: 'This page does not exist.',
  unavailable: 'The page is not available at the moment. Please try again in a few minutes.',
};

const de: PageLabels = {
  total: 'Gesamtbetrag',
  openAmount: 'Offener Betrag',
  paid: 'Es ist nichts mehr offen.',
  overdue: 'Das Fälligkeitsdatum ist überschritten.',
  howToPay: 'So bezahlen Sie',
  files: 'Dateien',
  downloadPdf: 'PDF herunterladen',
  downloadXml: 'Elektronische Rechnung herunterladen (XML)',
  expired: 'Dieser Link ist abgelaufen. Bitte fordern Sie beim Absender einen neuen an.',
  revoked: 'Dieser Link wurde widerrufen. Bitte fordern Sie beim Absender einen neuen an.',
  notFound: 'Diese Seite gibt es nicht.',
  unavailable: 'Die Seite ist gerade nicht verfügbar. Bitte versuchen Sie es in einigen Minuten erneut.',
};

const fr: PageLabels = {
  total: 'Montant total',
  openAmount: 'Reste à payer',
  paid: 'La facture est soldée.',
  overdue: 'La date d’échéance est dépassée.',
  howToPay: 'Modalités de paiement',
  files: 'Fichiers',
  downloadPdf: 'Télécharger le PDF',
  downloadXml: 'Télécharger la facture électronique (XML)',
  expired: 'Ce lien a expiré. Veuillez en demander un nouveau à l’expéditeur.',
  revoked: 'Ce lien a été révoqué. Veuillez en demander un nouveau à l’expéditeur.',
  notFound: 'Cette page n’existe pas.',
  unavailable: 'La page est momentanément indisponible. Veuillez réessayer dans quelques minutes.',
};

const es: PageLabels = {
  total: 'Importe total',
  openAmount: 'Importe pendiente',
  paid: 'No hay importe pendiente.',
  overdue: 'La fecha de vencimiento ha pasado.',
  howToPay: 'Cómo pagar',
  files: 'Archivos',
  downloadPdf: 'Descargar PDF',
  downloadXml: 'Descargar factura electrónica (XML)',
  expired: 'Este enlace ha caducado. Solicite uno nuevo al remitente.',
  revoked: 'Este enlace ha sido revocado. Solicite uno nuevo al remitente.',
  notFound: 'Esta página no existe.',
  unavailable: 'La página no está disponible en este momento. Inténtelo de nuevo en unos minutos.',
};

export const PAGE_LABELS: Readonly<Record<DocumentLanguage, PageLabels>> = { en, de, fr, es };
