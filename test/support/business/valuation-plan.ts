import { buildValuation } from '../../../services/business/stock/stock-valuation';

interface PlanStage {
  stage?: unknown;
  indexName?: unknown;
}

/** Every stage of a plan, without the plans that were rejected. */
function listStages(plan: unknown): PlanStage[] {
  if (Array.isArray(plan)) return plan.flatMap(listStages);
  if (typeof plan !== 'object' || plan === null) return [];
  const nested = Object.entries(plan).flatMap(([key, value]) => (key === 'rejectedPlans' ? [] : listStages(value)));
  return [plan, ...nested];
}

/** The names of the indexes that a valuation uses, and the number of collections that it reads without one. */
export async function getStockValuationPlan(scope: {
  organisationId: string;
  productId?: { $in: number[] };
  asOf?: Date;
}): Promise<{ indexes: string[]; scans: number }> {
  const { model, stages } = await buildValuation({ ...scope, baseCurrencyCode: 'EUR' }, null);
  const found = await model.collection.aggregate(stages).explain('queryPlanner');
  const used = listStages(found);
  return {
    indexes: [...new Set(used.flatMap(({ indexName }) => (typeof indexName === 'string' ? [indexName] : [])))],
    scans: used.filter(({ stage }) => stage === 'COLLSCAN').length,
  };
}
