/** Codes of the risks of a result, in the order the result states them. */
export const listRiskCodes = ({ risks }: { risks: readonly { code: string }[] }): string[] =>
  risks.map(({ code }) => code);
