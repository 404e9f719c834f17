import type { Route } from '../../http/route';
import { deliveryReportRoutes } from './delivery-reports';
import { emailSettingsRoutes } from './email-settings';
import { emailTemplateRoutes } from './email-templates';
import { invoiceLinkRoutes } from './invoice-links';
import { reminderPauseRoutes } from './reminder-pauses';
import { reminderRoutes } from './reminders';
import { sendingRoutes } from './sending';
import { statementSendingRoutes } from './statement-sending';

/** Routes of e-mail messages and of links to the pages of invoices. */
export const messageRoutes: readonly Route[] = [
  ...sendingRoutes,
  ...statementSendingRoutes,
  ...invoiceLinkRoutes,
  ...deliveryReportRoutes,
  ...reminderRoutes,
  ...reminderPauseRoutes,
  ...emailSettingsRoutes,
  ...emailTemplateRoutes,
];
