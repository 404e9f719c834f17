import { Alert, Anchor, Button, FileInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity } from '../../../shared/api/identity';
import { formatNumber, formatPercent } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { FormRow } from '../../components/form-row';
import { SimpleTable } from '../../components/simple-table';
import { RiskList } from '../sessions/risks-section';
import { Section } from '../sessions/section';
import './texts';

type Check = OperationResponse<'searchFaces'>['check'];

function Matches({ check: { result, status, risks } }: { check: Check }) {
  const { t } = useTranslation('faces');
  if (result === null) return <Alert role="status">{t(`checkStatus.${status}`)}</Alert>;
  if (result.face === null) return <RiskList risks={risks} />;
  const facts = {
    gallery: formatNumber(result.gallerySize),
    threshold: formatNumber(result.threshold, { maximumFractionDigits: 2 }),
    expected: formatNumber(result.expectedFalseHits, { maximumSignificantDigits: 2 }),
    rate: formatPercent(result.falsePositiveIdentificationRate, 2),
  };
  return (
    <Stack role="status">
      <Text size="sm">{t('searched', facts)}</Text>
      {result.matches.length === 0 ? (
        <Text>{t('noMatch')}</Text>
      ) : (
        <SimpleTable
          label={t('matches')}
          head={[t('name'), t('list'), t('similarity'), t('session')]}
          rows={result.matches.map(({ id, name, externalId, list, similarity, sessionId }) => ({
            key: id,
            cells: [
              name ?? externalId ?? id,
              t(`lists.${list}`),
              formatNumber(similarity, { maximumFractionDigits: 2 }),
              sessionId === null ? (
                '–'
              ) : (
                <Anchor key="session" component={Link} to={`/sessions/${sessionId}`} size="sm">
                  {sessionId.slice(-6)}
                </Anchor>
              ),
            ],
          }))}
        />
      )}
    </Stack>
  );
}

/** Compares the face of a picture with every face of the index. */
export function FaceSearch() {
  const { t } = useTranslation('faces');
  const [image, setImage] = useState<File | null>(null);
  const search = useMutation({ mutationFn: (file: File) => identity.searchFaces({ image: file }) });
  return (
    <Section title={t('search')}>
      <Stack>
        <Failure error={search.error} />
        <FormRow>
          <FileInput
            label={t('image')}
            description={t('imageHint')}
            accept="image/jpeg,image/png,image/webp,image/heic"
            value={image}
            onChange={setImage}
            clearable
            miw={260}
          />
          <Button
            disabled={image === null}
            loading={search.isPending}
            onClick={() => image !== null && search.mutate(image)}
          >
            {t('run')}
          </Button>
        </FormRow>
        {search.data !== undefined && <Matches check={search.data.check} />}
      </Stack>
    </Section>
  );
}
