import { Alert, Button, Code, CopyButton, Stack } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

interface SecretOnceProps {
  /** What the secret is for, and that it is not shown again. */
  hint: string;
  secret: string;
}

/** A secret that the service returns only once. */
export function SecretOnce({ hint, secret }: SecretOnceProps) {
  const { t } = useTranslation('common');
  return (
    <Stack gap="sm">
      <Alert color="yellow">{hint}</Alert>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} data-testid="secret">
        {secret}
      </Code>
      <CopyButton value={secret}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            onClick={copy}
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          >
            {t(copied ? 'copied' : 'copy')}
          </Button>
        )}
      </CopyButton>
    </Stack>
  );
}
