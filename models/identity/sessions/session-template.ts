import { model, Schema } from 'mongoose';
import type { TemplateDefinition } from '../../../domain/identity/sessions/session-template';

/** A session template, called a session workflow in the API: its name and current version. */
export interface SessionTemplateRecord {
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  name: string;
  /** The current version, from 1. */
  version: number;
  /** True if sessions created without naming a template start with it. */
  isDefault: boolean;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
}

const templateSchema = new Schema<SessionTemplateRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    name: { type: String, required: true },
    version: { type: Number, required: true },
    isDefault: { type: Boolean, required: true },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    archivedAt: { type: Date, default: null },
  },
  { collection: 'session_templates', versionKey: false, strict: 'throw' },
);
templateSchema.index({ organisationId: 1, mode: 1, archivedAt: 1, _id: -1 });
// At most one default: two transactions that each set one cannot both commit.
templateSchema.index(
  { organisationId: 1, mode: 1, isDefault: 1 },
  { unique: true, partialFilterExpression: { isDefault: true } },
);

export const SessionTemplate = model<SessionTemplateRecord>('SessionTemplate', templateSchema);

/** The definition of a template at one version. Immutable, because sessions refer to it. */
export interface TemplateVersionRecord {
  organisationId: string;
  mode: 'live' | 'test';
  templateId: string;
  version: number;
  definition: TemplateDefinition;
  createdBy: string;
  createdAt: Date;
}

const versionSchema = new Schema<TemplateVersionRecord>(
  {
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    templateId: { type: String, required: true },
    version: { type: Number, required: true },
    definition: { type: Schema.Types.Mixed, required: true },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'session_template_versions', versionKey: false, strict: 'throw', minimize: false },
);
versionSchema.index({ organisationId: 1, mode: 1, templateId: 1, version: 1 }, { unique: true });

export const TemplateVersion = model<TemplateVersionRecord>('TemplateVersion', versionSchema);
