import { z } from 'zod';
import { FEATURES } from '../../../domain/identity/sessions/features';
import { SESSION_STATUSES } from '../../../domain/identity/sessions/session';

export const featureSchema = z.enum(FEATURES).meta({ id: 'Feature' });
export const sessionStatusSchema = z.enum(SESSION_STATUSES).meta({ id: 'SessionStatus' });
