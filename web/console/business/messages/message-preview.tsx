import { Paper, Text } from '@mantine/core';

interface MessagePreviewProps {
  label: string;
  subject: string;
  text: string;
}

/** A message as its recipient reads it. */
export function MessagePreview({ label, subject, text }: MessagePreviewProps) {
  return (
    <Paper withBorder p="md" role="region" aria-label={label}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={600} pb="xs" style={{ overflowWrap: 'anywhere' }}>
        {subject}
      </Text>
      <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </Paper>
  );
}
