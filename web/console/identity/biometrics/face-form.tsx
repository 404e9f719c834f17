import { Button, FileInput, Select, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity } from '../../../shared/api/identity';
import { Failure } from '../../components/failure';
import { FormRow } from '../../components/form-row';
import { useApiForm } from '../../components/use-api-form';
import { useNotify } from '../../components/use-notify';
import { RiskList } from '../sessions/risks-section';
import { Section } from '../sessions/section';
import './texts';

type Face = OperationResponse<'indexFace'>['face'];

const LISTS: readonly Face['list'][] = ['users', 'blocklist'];

interface FaceValues extends Record<string, unknown> {
  image: File | null;
  name: string;
  externalId: string;
  list: Face['list'];
}

const initialValues: FaceValues = { image: null, name: '', externalId: '', list: 'blocklist' };

/** Adds a face to the index. */
export function FaceForm() {
  const { t } = useTranslation('faces');
  const queries = useQueryClient();
  const notify = useNotify();
  const [rejected, setRejected] = useState<Face | null>(null);
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues,
    submit: ({ image, name, externalId, list }) =>
      identity.indexFace({
        list,
        image: image ?? new Blob(),
        ...(name.trim() === '' ? {} : { name }),
        ...(externalId.trim() === '' ? {} : { externalId }),
      }),
    onDone: async ({ face }) => {
      setRejected(face.status === 'rejected' ? face : null);
      if (face.status !== 'rejected') {
        notify(t(`faceStatus.${face.status}`));
        form.reset();
      }
      await queries.invalidateQueries({ queryKey: ['identity', 'listFaces'] });
    },
  });
  return (
    <Section title={t('add')}>
      <form onSubmit={onSubmit}>
        <Stack>
          <Failure error={failure} />
          {rejected !== null && <RiskList risks={rejected.risks} />}
          <FormRow>
            <FileInput
              label={t('image')}
              description={t('imageHint')}
              accept="image/jpeg,image/png,image/webp,image/heic"
              required
              clearable
              miw={260}
              {...form.getInputProps('image')}
            />
            <Select
              label={t('list')}
              data={LISTS.map((value) => ({ value, label: t(`lists.${value}`) }))}
              allowDeselect={false}
              {...form.getInputProps('list')}
            />
            <TextInput label={t('faceName')} {...form.getInputProps('name')} />
            <TextInput label={t('externalId')} {...form.getInputProps('externalId')} />
            <Button type="submit" loading={isPending}>
              {t('addAction')}
            </Button>
          </FormRow>
        </Stack>
      </form>
    </Section>
  );
}
