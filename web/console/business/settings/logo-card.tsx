import { Button, FileButton, Group, Image, Paper, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { ifMatch, isVersionConflict } from '../../../shared/api/versions';
import type { Versioned } from '../../../shared/api/versions';
import { ConflictNotice } from '../../components/conflict-notice';
import { Failure } from '../../components/failure';
import { EDITED } from '../../components/use-edited-record';
import type { Company } from './company-values';

/** The address of a file in this window, for as long as it is shown. */
function useObjectUrl(file: unknown): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!(file instanceof Blob)) return undefined;
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => {
      URL.revokeObjectURL(created);
      setUrl(null);
    };
  }, [file]);
  return url;
}

function Logo({ company }: { company: Company }) {
  const { t } = useTranslation('settings');
  const { data } = useQuery(
    businessQuery('getCompanyLogo', [company.logo, company.updatedAt], (options) => business.getCompanyLogo(options)),
  );
  const url = useObjectUrl(data);
  // Logos are made for white paper, so that they have a white background in dark mode, too.
  return (
    <Paper withBorder p="xs" bg="white">
      <Image src={url} alt={t('logo')} h={80} fit="contain" />
    </Paper>
  );
}

interface LogoCardProps {
  edited: Versioned<Company>;
  isReadOnly: boolean;
  /** Whether fields of the company wait to be saved: the new version with another logo would replace them. */
  isDirty: boolean;
}

/** The logo that documents print. */
export function LogoCard({ edited, isReadOnly, isDirty }: LogoCardProps) {
  const { record: company, etag } = edited;
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: [EDITED, 'getCompany'] });
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (file: File | null) =>
      file === null
        ? business.removeCompanyLogo(ifMatch(etag))
        : business.setCompanyLogo({ logo: file }, ifMatch(etag)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      await reload();
      notifications.show({ color: 'green', message: common('saved') });
    },
  });
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('logo')}
      </Title>
      <Text size="sm" c="dimmed">
        {t(isDirty ? 'saveFirst' : 'logoHint')}
      </Text>
      {company.logo !== null && <Logo company={company} />}
      {isVersionConflict(error) ? (
        <ConflictNotice
          conflict={{ isLoaded: false, isLoading: false, load: () => void reload().then(reset), failure: null }}
        />
      ) : (
        <Failure error={error} />
      )}
      {!isReadOnly && (
        <Group>
          <FileButton accept="image/png,image/jpeg" onChange={(file) => file !== null && mutate(file)}>
            {(props) => (
              <Button {...props} variant="default" disabled={isDirty} loading={isPending}>
                {t('chooseLogo')}
              </Button>
            )}
          </FileButton>
          {company.logo !== null && (
            <Button variant="default" disabled={isDirty} loading={isPending} onClick={() => mutate(null)}>
              {t('removeLogo')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}
