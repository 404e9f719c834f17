import { TagsInput } from '@mantine/core';
import type { TagsInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const FIELDS = ['cc', 'bcc'] as const;
/** Most recipients of a message besides the first. */
const MAX_COPIES = 19;

/** The addresses that get a copy of a message. @param getInputProps of the form */
export function CopyFields({ getInputProps }: { getInputProps: (field: (typeof FIELDS)[number]) => TagsInputProps }) {
  const { t } = useTranslation('messages');
  return FIELDS.map((field) => (
    <TagsInput
      key={field}
      label={t(field)}
      description={t('addressesHint')}
      maxTags={MAX_COPIES}
      splitChars={[',', ';', ' ']}
      acceptValueOnBlur
      {...getInputProps(field)}
    />
  ));
}
