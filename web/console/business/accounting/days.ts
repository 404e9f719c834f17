/** The first and last day of a list or report. */
export interface Days {
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}
