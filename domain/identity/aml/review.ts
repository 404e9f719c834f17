/** What reviewers have said of a hit. A false positive counts no more; the others do. */
export const AML_REVIEW_STATUSES = ['unreviewed', 'false_positive', 'confirmed', 'inconclusive'] as const;

export type AmlReviewStatus = (typeof AML_REVIEW_STATUSES)[number];
