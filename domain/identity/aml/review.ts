/** Review statuses of a hit. Only a false positive no longer counts. */
export const AML_REVIEW_STATUSES = ['unreviewed', 'false_positive', 'confirmed', 'inconclusive'] as const;

export type AmlReviewStatus = (typeof AML_REVIEW_STATUSES)[number];
