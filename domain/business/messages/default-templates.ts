import type { DocumentLanguage } from '../invoices/invoice';
import type { MessageTemplate, TemplateKind } from './templates';

type LanguageTemplates = Readonly<Record<TemplateKind, MessageTemplate>>;

const en: LanguageTemplates = {
  invoice: {
    subject: 'Invoice {{documentNumber}} from {{companyName}}',
    text: [
      'Dear Sir or Madam,',
      '',
      'please find attached our invoice {{documentNumber}} of {{issueDate}} over {{total}}.',
      'Amount to pay by {{dueDate}}: {{openAmount}}',
      '',
      'View and download the invoice:',
      '{{link}}',
      '',
      'Kind regards',
      '{{companyName}}',
    ].join('\n'),
  },
  credit_note: {
    subject: 'Credit note {{documentNumber}} from {{companyName}}',
    text: [
      'Dear Sir or Madam,',
      '',
      'please find attached our credit note {{documentNumber}} of {{issueDate}} over {{total}}.',
      '',
      'Kind regards',
      '{{companyName}}',
    ].join('\n'),
  },
  reminder: {
    subject: 'Reminder {{level}}: invoice {{documentNumber}} was due on {{dueDate}}',
    text: [
      'Dear Sir or Madam,',
      '',
      'we have not yet received your full payment of invoice {{documentNumber}} of {{issueDate}}, which was due on {{dueDate}}.',
      'Open amount: {{openAmount}}',
      'Please transfer it without delay. If you have paid in the meantime, please ignore this message.',
      '',
      '{{fee}}',
      '{{interestText}}',
      '',
      'View the invoice and how to pay:',
      '{{link}}',
      '',
      'Kind regards',
      '{{companyName}}',
    ].join('\n'),
  },
  statement: {
    subject: 'Statement of account of {{companyName}}: {{periodFrom}} to {{periodTo}}',
    text: [
      'Dear Sir or Madam,',
      '',
      'please find attached the statement of your account from {{periodFrom}} to {{periodTo}}.',
      'Closing balance: {{openAmount}}',
      '',
      'Kind regards',
      '{{companyName}}',
    ].join('\n'),
  },
};

const de: LanguageTemplates = {
  invoice: {
    subject: 'Rechnung {{documentNumber}} von {{companyName}}',
    text: [
      'Guten Tag,',
      '',
      'anbei erhalten Sie unsere Rechnung {{documentNumber}} vom {{issueDate}} über {{total}}.',
      'Zu zahlen bis zum {{dueDate}}: {{openAmount}}',
      '',
      'Rechnung ansehen und herunterladen:',
      '{{link}}',
      '',
      'Mit freundlichen Grüßen',
      '{{companyName}}',
    ].join('\n'),
  },
  credit_note: {
    subject: 'Rechnungskorrektur {{documentNumber}} von {{companyName}}',
    text: [
      'Guten Tag,',
      '',
      'anbei erhalten Sie unsere Rechnungskorrektur {{documentNumber}} vom {{issueDate}} über {{total}}.',
      '',
      'Mit freundlichen Grüßen',
      '{{companyName}}',
    ].join('\n'),
  },
  reminder: {
    subject: 'Mahnung {{level}}: Rechnung {{documentNumber}} war am {{dueDate}} fällig',
    text: [
      'Guten Tag,',
      '',
      'zu unserer Rechnung {{documentNumber}} vom {{issueDate}}, fällig am {{dueDate}}, ist noch keine vollständige Zahlung eingegangen.',
      'Offener Betrag: {{openAmount}}',
      'Bitte überweisen Sie den Betrag umgehend. Sollten Sie inzwischen gezahlt haben, betrachten Sie diese Nachricht bitte als gegenstandslos.',
      '',
      '{{fee}}',
      '{{interestText}}',
      '',
      'Rechnung und Zahlungsangaben ansehen:',
      '{{link}}',
      '',
      'Mit freundlichen Grüßen',
      '{{companyName}}',
    ].join('\n'),
  },
  statement: {
    subject: 'Kontoauszug von {{companyName}}: {{periodFrom}} bis {{periodTo}}',
    text: [
      'Guten Tag,',
      '',
      'anbei erhalten Sie den Auszug Ihres Kontos vom {{periodFrom}} bis zum {{periodTo}}.',
      'Endsaldo: {{openAmount}}',
      '',
      'Mit freundlichen Grüßen',
      '{{companyName}}',
    ].join('\n'),
  },
};

const fr: LanguageTemplates = {
  invoice: {
    subject: 'Facture {{documentNumber}} de {{companyName}}',
    text: [
      'Madame, Monsieur,',
      '',
      'veuillez trouver ci-joint notre facture {{documentNumber}} du {{issueDate}} d’un montant de {{total}}.',
      'Montant à régler au plus tard le {{dueDate}} : {{openAmount}}',
      '',
      'Consulter et télécharger la facture :',
      '{{link}}',
      '',
      'Cordialement',
      '{{companyName}}',
    ].join('\n'),
  },
  credit_note: {
    subject: 'Avoir {{documentNumber}} de {{companyName}}',
    text: [
      'Madame, Monsieur,',
      '',
      'veuillez trouver ci-joint notre avoir {{documentNumber}} du {{issueDate}} d’un montant de {{total}}.',
      '',
      'Cordialement',
      '{{companyName}}',
    ].join('\n'),
  },
  reminder: {
    subject: 'Relance {{level}} : facture {{documentNumber}} échue le {{dueDate}}',
    text: [
      'Madame, Monsieur,',
      '',
      'sauf erreur de notre part, la facture {{documentNumber}} du {{issueDate}}, échue le {{dueDate}}, n’est pas entièrement réglée.',
      'Montant restant dû : {{openAmount}}',
      'Nous vous prions de bien vouloir procéder au règlement. Si vous avez payé entre-temps, veuillez ne pas tenir compte de ce message.',
      '',
      '{{fee}}',
      '{{interestText}}',
      '',
      'Consulter la facture et les modalités de paiement :',
      '{{link}}',
      '',
      'Cordialement',
      '{{companyName}}',
    ].join('\n'),
  },
  statement: {
    subject: 'Relevé de compte de {{companyName}} : {{periodFrom}} au {{periodTo}}',
    text: [
      'Madame, Monsieur,',
      '',
      'veuillez trouver ci-joint le relevé de votre compte du {{periodFrom}} au {{periodTo}}.',
      'Solde final : {{openAmount}}',
      '',
      'Cordialement',
      '{{companyName}}',
    ].join('\n'),
  },
};

const es: LanguageTemplates = {
  invoice: {
    subject: 'Factura {{documentNumber}} de {{companyName}}',
    text: [
      'Estimados señores:',
      '',
      'adjuntamos nuestra factura {{documentNumber}} del {{issueDate}} por un importe de {{total}}.',
      'Importe por pagar hasta el {{dueDate}}: {{openAmount}}',
      '',
      'Ver y descargar la factura:',
      '{{link}}',
      '',
      'Atentamente',
      '{{companyName}}',
    ].join('\n'),
  },
  credit_note: {
    subject: 'Factura rectificativa {{documentNumber}} de {{companyName}}',
    text: [
      'Estimados señores:',
      '',
      'adjuntamos nuestra factura rectificativa {{documentNumber}} del {{issueDate}} por un importe de {{total}}.',
      '',
      'Atentamente',
      '{{companyName}}',
    ].join('\n'),
  },
  reminder: {
    subject: 'Recordatorio {{level}}: la factura {{documentNumber}} venció el {{dueDate}}',
    text: [
      'Estimados señores:',
      '',
      'aún no hemos recibido el pago completo de la factura {{documentNumber}} del {{issueDate}}, que venció el {{dueDate}}.',
      'Importe pendiente: {{openAmount}}',
      'Les rogamos que efectúen el pago. Si ya lo han hecho, no tengan en cuenta este mensaje.',
      '',
      '{{fee}}',
      '{{interestText}}',
      '',
      'Ver la factura y cómo pagarla:',
      '{{link}}',
      '',
      'Atentamente',
      '{{companyName}}',
    ].join('\n'),
  },
  statement: {
    subject: 'Extracto de cuenta de {{companyName}}: {{periodFrom}} a {{periodTo}}',
    text: [
      'Estimados señores:',
      '',
      'adjuntamos el extracto de su cuenta del {{periodFrom}} al {{periodTo}}.',
      'Saldo final: {{openAmount}}',
      '',
      'Atentamente',
      '{{companyName}}',
    ].join('\n'),
  },
};

/** The templates of a company that has not changed them. */
export const DEFAULT_TEMPLATES: Readonly<Record<DocumentLanguage, LanguageTemplates>> = { en, de, fr, es };

/** Label of the fee in a reminder, in front of the amount. */
export const FEE_LABELS: Readonly<Record<DocumentLanguage, string>> = {
  en: 'Reminder fee: ',
  de: 'Mahngebühr: ',
  fr: 'Frais de relance : ',
  es: 'Gastos de reclamación: ',
};

/** The message that shows whether the settings work. */
export const TEST_MESSAGES: Readonly<Record<DocumentLanguage, MessageTemplate>> = {
  en: { subject: 'Test message from {{companyName}}', text: 'The e-mail settings of {{companyName}} work.' },
  de: {
    subject: 'Testnachricht von {{companyName}}',
    text: 'Die E-Mail-Einstellungen von {{companyName}} funktionieren.',
  },
  fr: {
    subject: 'Message de test de {{companyName}}',
    text: 'Les réglages de messagerie de {{companyName}} fonctionnent.',
  },
  es: {
    subject: 'Mensaje de prueba de {{companyName}}',
    text: 'La configuración de correo de {{companyName}} funciona.',
  },
};
