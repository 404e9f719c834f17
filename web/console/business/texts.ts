import type accountingTexts from '../locales/en/accounting.json';
import type bankingTexts from '../locales/en/banking.json';
import type businessTexts from '../locales/en/business.json';
import type catalogueTexts from '../locales/en/catalogue.json';
import type crmTexts from '../locales/en/crm.json';
import type exportsTexts from '../locales/en/exports.json';
import type invoicesTexts from '../locales/en/invoices.json';
import type messagesTexts from '../locales/en/messages.json';
import type ordersTexts from '../locales/en/orders.json';
import type partiesTexts from '../locales/en/parties.json';
import type paymentsTexts from '../locales/en/payments.json';
import type purchasingTexts from '../locales/en/purchasing.json';
import type settingsTexts from '../locales/en/settings.json';
import type stockTexts from '../locales/en/stock.json';

declare module '../../shared/i18n' {
  interface Texts {
    accounting: typeof accountingTexts;
    banking: typeof bankingTexts;
    business: typeof businessTexts;
    catalogue: typeof catalogueTexts;
    crm: typeof crmTexts;
    exports: typeof exportsTexts;
    invoices: typeof invoicesTexts;
    messages: typeof messagesTexts;
    orders: typeof ordersTexts;
    parties: typeof partiesTexts;
    payments: typeof paymentsTexts;
    purchasing: typeof purchasingTexts;
    settings: typeof settingsTexts;
    stock: typeof stockTexts;
  }
}
