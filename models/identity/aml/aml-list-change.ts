import { model, Schema } from 'mongoose';

export const AML_CHANGE_KINDS = ['added', 'changed', 'removed'] as const;

/** The change of one entry by one version of a list. */
export interface AmlListChangeRecord {
  _id: string;
  listId: string;
  versionId: string;
  entryId: string;
  kind: (typeof AML_CHANGE_KINDS)[number];
  /** Primary name of the entry. */
  caption: string;
}

const amlListChangeSchema = new Schema<AmlListChangeRecord>(
  {
    _id: { type: String, required: true },
    listId: { type: String, required: true },
    versionId: { type: String, required: true },
    entryId: { type: String, required: true },
    kind: { type: String, enum: AML_CHANGE_KINDS, required: true },
    caption: { type: String, required: true },
  },
  { collection: 'aml_list_changes', versionKey: false, strict: 'throw' },
);
amlListChangeSchema.index({ versionId: 1, _id: 1 });
amlListChangeSchema.index({ listId: 1, entryId: 1 });

export const AmlListChange = model<AmlListChangeRecord>('AmlListChange', amlListChangeSchema);
